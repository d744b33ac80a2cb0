package proxy

import (
	"bytes"
	"fmt"
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

// A peer that answers while the question is still being written to it never
// overtakes: the question has been entered by then.
func TestAnswerNeverEntersFirst(t *testing.T) {
	t.Parallel()
	const count = 1000
	j, err := journal.New(journal.Options{Off: true})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close(time.Minute)
	var asked strings.Builder
	for id := range count {
		asked.WriteString(ask(id))
	}
	l := &ledger{journal: j}
	id := 0
	answer := func(questions []byte) {
		for range bytes.Count(questions, []byte("\n")) {
			frames := scanned(acp.Agent, reply(id))
			l.enter(frames)
			if got, want := frames[0].Method, fmt.Sprintf("m%d", id); got != want {
				t.Errorf("the answer to %d belongs to method %q, want %q", id, got, want)
			}
			id++
		}
	}
	p := newPump(acp.Client, writer(answer), l, false, lines{src: newPieces([]byte(asked.String()), 1000, 1), pool: journal.NewPool(), most: MaxFrame})
	if err := p.run(); err != nil {
		t.Error(err)
	}
	if id != count {
		t.Errorf("%d questions arrived, want %d", id, count)
	}
}

type writer func([]byte)

func (w writer) Write(b []byte) (int, error) { w(b); return len(b), nil }
