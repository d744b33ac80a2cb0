package proxy

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// scanned makes frames of lines.
func scanned(dir acp.Direction, lines ...string) []journal.Frame {
	frames := make([]journal.Frame, len(lines))
	for i, line := range lines {
		frames[i] = journal.Frame{Dir: dir, Line: []byte(line)}
		acp.Scan(frames[i].Line, &frames[i].Scan)
	}
	return frames
}

func ask(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m%[1]d"}`+"\n", id) }
func reply(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", id)
}

// A frame gets its method from the request it answers, and is told apart by
// who asked.
func TestLedgerPairs(t *testing.T) {
	t.Parallel()
	j, err := journal.New(journal.Options{Off: true})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close(time.Minute)
	l := ledger{journal: j}
	enter := func(dir acp.Direction, line string) journal.Frame {
		frames := scanned(dir, line)
		l.enter(frames)
		return frames[0]
	}
	enter(acp.Client, ask(1))
	enter(acp.Client, ask(2))
	enter(acp.Agent, ask(1))
	if got := l.owed(acp.Client); got != 2 {
		t.Errorf("the agent owes %d answers, want 2", got)
	}
	if got := enter(acp.Client, ask(1)).Reason; got != "id in use" {
		t.Errorf("an id that is used again is called %q", got)
	}
	for _, tt := range []struct {
		dir  acp.Direction
		line string
		want string
	}{
		{acp.Client, reply(2), ""},
		{acp.Agent, reply(2), "m2"},
		{acp.Client, reply(1), "m1"},
		{acp.Client, reply(1), ""},
		{acp.Agent, reply(1), "m1"},
		{acp.Agent, reply(1), "m1"},
		{acp.Agent, reply(1), ""},
	} {
		if got := enter(tt.dir, tt.line).Method; got != tt.want {
			t.Errorf("%s says %q: method %q, want %q", tt.dir, tt.line, got, tt.want)
		}
	}
	if got := l.owed(acp.Client) + l.owed(acp.Agent); got != 0 {
		t.Errorf("%d answers are owed, want none", got)
	}
}

// The order in which batches enter is the order that everybody sees, the
// recording and whoever watches, each frame once.
func TestLedgerOrder(t *testing.T) {
	t.Parallel()
	const batches, size = 500, 20 // a direction
	file := filepath.Join(t.TempDir(), "recording")
	j, err := journal.New(journal.Options{Path: file, Required: true})
	if err != nil {
		t.Fatal(err)
	}
	_, w := j.Watch(2*batches*size + 1)
	l := &ledger{journal: j}
	var all sync.WaitGroup
	for _, dir := range []acp.Direction{acp.Client, acp.Agent} {
		all.Go(func() {
			for b := range batches {
				var lines []string
				for i := range size {
					lines = append(lines, ask(b*size+i))
				}
				seq := l.enter(scanned(dir, lines...))
				if seq < uint64(b+1)*size {
					t.Errorf("batch %d ends with number %d", b, seq)
				}
			}
		})
	}
	all.Wait()
	if err := j.Close(time.Minute); err != nil {
		t.Fatal(err)
	}
	watched := map[acp.Direction]int{}
	for e := range w.Events() {
		inOrder(t, e, watched)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	recorded := map[acp.Direction]int{}
	for e, err := range journal.Read(f) {
		if err != nil {
			t.Fatal(err)
		}
		inOrder(t, e, recorded)
	}
	for _, counted := range []map[acp.Direction]int{watched, recorded} {
		if counted[acp.Client] != batches*size || counted[acp.Agent] != batches*size {
			t.Errorf("%v frames, want %d of each", counted, batches*size)
		}
	}
}

func inOrder(t *testing.T, e journal.Event, next map[acp.Direction]int) {
	t.Helper()
	n := next[e.Dir]
	next[e.Dir]++
	if want := strings.TrimSpace(ask(n)); string(e.Body) != want || e.Seq != uint64(next[acp.Client]+next[acp.Agent]) {
		t.Fatalf("number %d of the %s is %q, want %q", e.Seq, e.Dir, e.Body, want)
	}
}

// A peer that answers the moment it reads never overtakes: its answer is
// entered after the question.
func TestAnswerNeverEntersFirst(t *testing.T) {
	t.Parallel()
	const count = 3000
	j, err := journal.New(journal.Options{Off: true})
	if err != nil {
		t.Fatal(err)
	}
	_, w := j.Watch(2 * count)
	var asked strings.Builder
	for id := range count {
		asked.WriteString(ask(id))
	}
	fromProxy, toAgent := io.Pipe()
	fromAgent, toProxy := io.Pipe()
	go func() {
		defer toProxy.Close()
		lines := bufio.NewScanner(fromProxy)
		for id := 0; lines.Scan(); id++ {
			io.WriteString(toProxy, reply(id))
		}
	}()
	l, pool := &ledger{journal: j}, journal.NewPool()
	client := pump{dir: acp.Client, out: toAgent, ledger: l, in: lines{src: newPieces([]byte(asked.String()), 100, 1), pool: pool, most: MaxFrame}}
	agent := pump{dir: acp.Agent, out: io.Discard, ledger: l, in: lines{src: fromAgent, pool: pool, most: MaxFrame}}
	go func() {
		if err := client.run(); err != nil {
			t.Error(err)
		}
		toAgent.Close()
	}()
	if err := agent.run(); err != nil {
		t.Error(err)
	}
	if err := j.Close(time.Minute); err != nil {
		t.Fatal(err)
	}
	paired := 0
	for e := range w.Events() {
		if e.Kind != acp.Response {
			continue
		}
		if want := fmt.Sprintf("m%s", e.ID); e.Method != want {
			t.Errorf("the answer to %s belongs to method %q, want %q", e.ID, e.Method, want)
		}
		paired++
	}
	if paired != count {
		t.Errorf("%d answers, want %d: %v", paired, count, w.Err())
	}
}
