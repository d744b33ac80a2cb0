package proxy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// pieces reads as a pipe does whose writer writes as it likes: any number of
// bytes at a time, and the end together with the last ones or by itself.
type pieces struct {
	rest   []byte
	most   int
	random *rand.Rand
}

func newPieces(b []byte, most int, seed uint64) *pieces {
	return &pieces{b, most, rand.New(rand.NewPCG(seed, uint64(most)))}
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), 1+p.random.IntN(p.most))], p.rest)
	if p.rest = p.rest[n:]; len(p.rest) == 0 && p.random.IntN(2) == 0 {
		return n, io.EOF
	}
	return n, nil
}

// wire is both directions between a pair of pumps: what comes from each side
// and what arrives.
type wire struct {
	client, agent []byte // what each says
	limit         int    // longest line held as a whole
	piece         int    // most bytes of a read
	seed          uint64
	required      bool
}

// carry takes everything through both pumps at once, and checks what arrives
// and what is recorded.
func (w wire) carry(t *testing.T) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "recording")
	j, err := journal.New(journal.Options{Path: file, Required: true})
	if err != nil {
		t.Fatal(err)
	}
	l := &ledger{journal: j}
	pool := journal.NewPool()
	said := map[acp.Direction][]byte{acp.Client: w.client, acp.Agent: w.agent}
	arrived := map[acp.Direction]*bytes.Buffer{acp.Client: {}, acp.Agent: {}}
	done := make(chan error)
	for dir, text := range said {
		p := newPump(dir, arrived[dir], l, w.required, lines{src: newPieces(text, w.piece, w.seed+uint64(dir)), pool: pool, most: w.limit})
		go func() { done <- p.run() }()
	}
	for range said {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if err := j.Close(time.Minute); err != nil {
		t.Error(err)
	}
	for dir, want := range said {
		same(t, fmt.Sprintf("of what the %s said arrive", dir), arrived[dir].Bytes(), want)
	}
	w.check(t, file)
}

// newPump is a pump without a gate.
func newPump(dir acp.Direction, out io.Writer, l *ledger, required bool, in lines) *pump {
	p := &pump{out: newOutlet(dir, l, required)}
	p.begin(dir, out, nil, in)
	return p
}

// check compares a recording with what was said.
func (w wire) check(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if os.IsNotExist(err) && len(w.client)+len(w.agent) == 0 {
		return // nothing to record
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rest := map[acp.Direction][]byte{acp.Client: w.client, acp.Agent: w.agent}
	var seq uint64
	for e, err := range journal.Read(f) {
		if err != nil {
			t.Fatal(err)
		}
		if seq++; e.Seq != seq {
			t.Fatalf("record %d has number %d", seq, e.Seq)
		}
		if e.Type != journal.FrameEvent {
			continue
		}
		line, eol := cut(rest[e.Dir])
		rest[e.Dir] = rest[e.Dir][min(len(rest[e.Dir]), len(line)+map[acp.EOL]int{acp.LF: 1, acp.CRLF: 2}[eol]):]
		if e.Bytes != int64(len(line)) || e.EOL != eol {
			t.Fatalf("record %d: %d bytes, end %d; want %d, %d", seq, e.Bytes, e.EOL, len(line), eol)
		}
		switch {
		case e.Form == journal.NoBody && len(line) >= w.limit-1 && e.Reason == "too long to hold":
		case e.Masked > 0:
		default:
			same(t, fmt.Sprintf("record %d holds", seq), e.Body, line)
		}
	}
	for dir, rest := range rest {
		if len(rest) > 0 {
			t.Errorf("the last %d bytes of the %s are not recorded", len(rest), dir)
		}
	}
}

func cut(text []byte) ([]byte, acp.EOL) {
	line, _, ended := bytes.Cut(text, []byte("\n"))
	switch {
	case !ended:
		return line, acp.NoEOL
	case bytes.HasSuffix(line, []byte("\r")):
		return line[:len(line)-1], acp.CRLF
	}
	return line, acp.LF
}

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	t.Errorf("%s %d bytes, want %d; they differ from byte %d on", what, len(got), len(want), at)
}

// frame is a notification of size bytes without its end.
func frame(size int) string {
	const head, tail = `{"method":"x","params":"`, `"}`
	if size < len(head+tail) {
		return strings.Repeat("x", size)
	}
	return head + strings.Repeat("0123456789", size/10+1)[:size-len(head+tail)] + tail
}

// FuzzRelay takes any bytes, cut anywhere, through both pumps: what arrives and
// what is recorded are the bytes that were said.
func FuzzRelay(f *testing.F) {
	add := func(client, agent string, seed uint64, piece uint16, limit uint32) {
		f.Add([]byte(client), []byte(agent), seed, piece, limit, seed%2 == 0)
	}
	add("", "", 1, 1, 1)
	add("\n", "x", 2, 1, 1)
	add("a\r\nb\r\r\n\r", "\r\n\n\r", 3, 1, 2)
	add(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`+"\n", `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n", 4, 7, 1<<20)
	add("\xef\xbb\xbf{}\n[{}]\n\xff\n", "{\"a\":1}{\"b\":2}\n\x00\n\u2028\n", 5, 3, 1<<20)
	add(`{"id":1,"method":"session/new","params":{"mcpServers":[{"env":[{"name":"A","value":"0123456789abcdef"}]}]}}`+"\n", "0123456789abcdef\n", 6, 5, 1<<20)
	for i, size := range []int{minRead, journal.StandardChunk / 2, journal.StandardChunk - minRead, journal.StandardChunk} {
		for off := -1; off <= 1; off++ {
			text := frame(size+off) + "\n" + frame(30) + "\r\n" + frame(size+off)
			add(text, text, uint64(10*i+off+1), 60_000, 1<<20)
			add(text, text+"\n", uint64(10*i+off+1), 2000, uint32(size))
		}
	}
	for limit := uint32(8); limit < 13; limit++ {
		add("0123456789\nab\n0123456789\r\n", "0123456789", uint64(limit), 3, limit)
	}
	f.Fuzz(func(t *testing.T, client, agent []byte, seed uint64, piece uint16, limit uint32, required bool) {
		w := wire{client, agent, 2 + int(limit%(1<<20)), 1 + int(piece), seed, required}
		w.required = w.required && !w.tooLong() // then it would not pass
		w.carry(t)
	})
}

// Lines around every size at which something changes pass whole, whatever
// pieces they come in.
func TestBoundaries(t *testing.T) {
	t.Parallel()
	for _, size := range []int{minRead, journal.StandardChunk / 2, journal.StandardChunk, journal.LargeChunk / 2, journal.LargeChunk, 3 << 20} {
		var text bytes.Buffer
		for off := -2; off <= 2; off++ {
			fmt.Fprintf(&text, "%s\n%s\r\n\n", frame(size+off), frame(50))
		}
		text.WriteString(frame(size))
		for _, limit := range []int{MaxFrame, size} {
			wire{text.Bytes(), text.Bytes(), limit, 300_000, uint64(limit), false}.carry(t)
		}
	}
}

// A line that is too long to hold is recorded by its size, however it ends and
// wherever it is cut.
func TestTooLongToHold(t *testing.T) {
	t.Parallel()
	const limit = 2 * journal.StandardChunk
	long := strings.Repeat("a", 4*limit)
	for _, text := range []string{
		long, long + "\n", long + "\r\n", long + "\r", long + "\r\r\n", long + "\n" + long + "\r\n{}\n", "{}\n" + long + "\n\n" + long,
	} {
		for _, piece := range []int{1 + len(long)/100, 1 << 20} {
			wire{[]byte(text), []byte(text), limit, piece, uint64(piece), false}.carry(t)
		}
	}
}

// tooLong says that a line may be too long to hold.
func (w wire) tooLong() bool {
	for _, text := range [][]byte{w.client, w.agent} {
		for line := range bytes.SplitAfterSeq(text, []byte("\n")) {
			if len(line) >= w.limit {
				return true
			}
		}
	}
	return false
}

// Where a recording is required nothing passes of a line that cannot be
// recorded, and all of what came before it does.
func TestTooLongToRecord(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "recording")
	j, err := journal.New(journal.Options{Path: file, Required: true})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close(defaults.close)
	var out bytes.Buffer
	text := "before\n" + strings.Repeat("a", 3*journal.StandardChunk) + "\nafter\n"
	p := newPump(acp.Agent, &out, &ledger{journal: j}, true, lines{src: newPieces([]byte(text), 1000, 1), pool: journal.NewPool(), most: 2 * journal.StandardChunk})
	var failed *recordError
	if err := p.run(); !errors.As(err, &failed) {
		t.Errorf("got %v, want a record error", err)
	}
	if out.String() != "before\n" {
		t.Errorf("%d bytes passed, want 7", out.Len())
	}
}

// A line that is cut off because nobody reads it is recorded as far as it came.
func TestTooLongToHoldAndCutOff(t *testing.T) {
	t.Parallel()
	j, err := journal.New(journal.Options{Off: true})
	if err != nil {
		t.Fatal(err)
	}
	_, events := j.Watch(10)
	p := newPump(acp.Agent, broken{}, &ledger{journal: j}, false, lines{src: strings.NewReader(strings.Repeat("a", 1000)), pool: journal.NewPool(), most: 100})
	var failed *writeError
	if err := p.run(); !errors.As(err, &failed) {
		t.Errorf("got %v, want a write error", err)
	}
	if err := j.Close(defaults.close); err != nil {
		t.Fatal(err)
	}
	e, ok := <-events.Events()
	if !ok || e.Bytes != 1000 || e.EOL != acp.NoEOL || e.Reason != "too long to hold" {
		t.Errorf("recorded %+v", e)
	}
}

// broken takes nothing.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// endless reads as so many bytes of a line without an end.
type endless int

func (e *endless) Read(b []byte) (int, error) {
	n := min(len(b), int(*e))
	if n == 0 {
		return 0, io.EOF
	}
	for i := range b[:n] {
		b[i] = 'a'
	}
	*e -= endless(n)
	return n, nil
}

// What is too long to hold takes no memory for its length.
func TestStreamingTakesNoMemory(t *testing.T) {
	j, err := journal.New(journal.Options{Off: true})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close(defaults.close)
	const size = 256 << 20
	src := endless(size)
	n := counter(0)
	p := newPump(acp.Agent, &n, &ledger{journal: j}, false, lines{src: &src, pool: journal.NewPool(), most: 1 << 20})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := p.run(); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n != size {
		t.Errorf("%d bytes arrive, want %d", n, size)
	}
	// Others in this process may allocate meanwhile, but not nearly as much.
	if took := after.TotalAlloc - before.TotalAlloc; took > size/4 {
		t.Errorf("%d MiB were allocated on the way", took>>20)
	}
}

type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// Run carries the same through a real agent, here one that says what it hears.
func TestRunCarries(t *testing.T) {
	t.Parallel()
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skipf("this system has no cat to be the agent: %v", err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		var said bytes.Buffer
		for range random.IntN(20) {
			said.WriteString(frame(random.IntN(1 << (1 + random.IntN(18)))))
			said.WriteString([]string{"\n", "\r\n", "\n\n", "\xff\n"}[random.IntN(4)])
		}
		said.WriteString(frame(random.IntN(100)))
		run(t, cat, said.Bytes(), 1<<17)
	}
}

func run(t *testing.T, path string, said []byte, limit int) {
	t.Helper()
	l := defaults
	l.frame = limit
	stdin, in := pipe(t)
	out, stdout := pipe(t)
	errs, stderr := pipe(t)
	go func() {
		p := newPieces(said, 100_000, 7)
		io.Copy(struct{ io.Writer }{in}, struct{ io.Reader }{p})
		in.Close()
	}()
	heard := make(chan []byte, 2)
	for _, f := range []*os.File{out, errs} {
		go func() {
			all, _ := io.ReadAll(f)
			heard <- all
		}()
	}
	file := filepath.Join(t.TempDir(), "recording")
	code, err := Run(Options{
		Path: path, Argv: []string{path}, Env: os.Environ(),
		Stdin: stdin, Stdout: stdout, Stderr: stderr,
		Journal: journal.Options{Path: file}, limits: l,
		Policy: Policy{Bounds: Off}, // an agent's line that is too long to look at passes
	})
	if code != 0 || err != nil {
		t.Errorf("status %d: %v", code, err)
	}
	stdout.Close()
	stderr.Close()
	got := append(<-heard, <-heard...) // stderr is empty
	same(t, "the editor reads", got, said)
	wire{client: said, agent: said, limit: limit}.check(t, file)
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// Trouble with the recording is told even when it shows only after the agent
// and all its words have gone; a reader that does not read is not waited for.
func TestTroubleIsToldAtTheEnd(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	close(ended)
	read, write := pipe(t)
	r := &relay{Options: Options{Stderr: write, limits: limits{close: time.Minute}}, stderr: newStderr(func([]byte) {}), flushed: ended}
	r.stderr.read(strings.NewReader("last"), new(pace))
	r.stderr.write(io.Discard)
	r.stderr.say("no room")
	r.lastWords()
	write.Close()
	if got, _ := io.ReadAll(read); string(got) != "bobproxy: no room\n" {
		t.Errorf("stderr gets %q", got)
	}

	_, r.Stderr = pipe(t)
	r.limits.close = time.Nanosecond
	r.stderr.say(strings.Repeat("x", stderrSize/2))
	r.lastWords()
}
