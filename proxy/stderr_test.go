package proxy

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// notes collects what goes to the journal.
type notes struct {
	mu    sync.Mutex
	lines []string
}

func (n *notes) note(line []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, string(line))
}

func (n *notes) same(t *testing.T, want ...string) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.lines) != len(want) {
		t.Fatalf("%d lines are noted, want %d: %.200q", len(n.lines), len(want), n.lines)
	}
	for i := range want {
		if n.lines[i] != want[i] {
			t.Errorf("line %d is noted as %.200q, want %.200q", i, n.lines[i], want[i])
		}
	}
}

// The agent's bytes pass as they are, and its lines are noted.
func TestStderrPasses(t *testing.T) {
	t.Parallel()
	const text = "one\n\ntwo\r\n\xff\x00\x1b[2J\nlast"
	for piece := 1; piece < len(text)+1; piece++ {
		var n notes
		var out bytes.Buffer
		s := newStderr(n.note)
		go s.read(newPieces([]byte(text), piece, uint64(piece)), new(pace))
		s.write(&out)
		if out.String() != text {
			t.Errorf("%q arrives, want %q", out.String(), text)
		}
		n.same(t, "one", "two\r", "\xff\x00\x1b[2J", "last")
	}
}

// While nobody reads the agent does not wait: the oldest bytes go, and how many
// is known.
func TestStderrDropsTheOldest(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	for text.Len() < 3*stderrSize {
		text.WriteString(frame(1000 + text.Len()%777))
		text.WriteByte('\n')
	}
	s := newStderr(func([]byte) {})
	s.read(newPieces(text.Bytes(), 50_000, 1), new(pace)) // returns though nobody writes
	if got, want := s.lost(), int64(text.Len()-stderrSize); got != want {
		t.Errorf("%d bytes lost, want %d", got, want)
	}
	var out bytes.Buffer
	s.write(&out)
	same(t, "arrive", out.Bytes(), text.Bytes()[text.Len()-stderrSize:])
}

// A reader that fails is given nothing more, and the agent does not notice.
func TestStderrReaderGone(t *testing.T) {
	t.Parallel()
	s := newStderr(func([]byte) {})
	r, w := io.Pipe()
	done := make(chan struct{})
	var tried failing
	go func() { s.write(&tried); close(done) }()
	go func() { s.read(r, new(pace)) }()
	for range 100 {
		if _, err := w.Write([]byte("line\n")); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	<-done
	if tried != 1 {
		t.Errorf("%d writes to a reader that is gone, want 1", tried)
	}
}

type failing int

func (f *failing) Write([]byte) (int, error) { *f++; return 0, errors.New("gone") }

// Our own line stands between the agent's lines, never inside one, and is not
// noted as the agent's.
func TestOurLineBetweenTheAgents(t *testing.T) {
	t.Parallel()
	const ours = "bobproxy: no room\n"
	for _, tt := range []struct{ before, after, want string }{
		{"", "", ours},
		{"", "one\n", ours + "one\n"},
		{"one\n", "two\n", "one\n" + ours + "two\n"},
		{"o", "ne\ntwo\n", "one\ntwo\n" + ours},
		{"o", "ne\ntw", "one\ntw\n" + ours},
		{"o", "", "o\n" + ours},
		{"one\ntw", "o\n", "one\ntwo\n" + ours},
	} {
		s := newStderr(func(line []byte) {
			if bytes.Contains(line, []byte("bobproxy")) {
				t.Errorf("%q is noted as the agent's", line)
			}
		})
		s.put([]byte(tt.before))
		s.say("no room")
		s.read(strings.NewReader(tt.after), new(pace))
		var out bytes.Buffer
		s.write(&out)
		if out.String() != tt.want {
			t.Errorf("%q, ours, %q: got %q, want %q", tt.before, tt.after, out.String(), tt.want)
		}
	}
}

// A line without an end is noted in parts that keep characters whole.
func TestLongStderrLineIsNotedInParts(t *testing.T) {
	t.Parallel()
	text := "x" + strings.Repeat("漢", 100_000)
	var n notes
	s := newStderr(n.note)
	s.read(newPieces([]byte(text), 9000, 1), new(pace))
	if len(n.lines) != 5 {
		t.Errorf("noted in %d parts, want 5", len(n.lines))
	}
	for i, part := range n.lines {
		if !utf8.ValidString(part) || len(part) > maxText {
			t.Errorf("part %d has %d bytes, UTF-8 %t", i, len(part), utf8.ValidString(part))
		}
	}
	same(t, "the parts have", []byte(strings.Join(n.lines, "")), []byte(text))
}
