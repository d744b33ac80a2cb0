package proxy

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"bobproxy/proxy/journal"
)

// readLines reads src to its end as a pump does, and gives its lines; the last
// one may lack its end.
func readLines(l *lines) (got []string) {
	defer l.release()
	for {
		_, err := l.fill()
		for line, ok := l.next(); ok; line, ok = l.next() {
			got = append(got, string(line))
		}
		if err != nil {
			if rest := l.rest(); len(rest) > 0 {
				got = append(got, string(rest))
			}
			return got
		}
	}
}

func newLines(src io.Reader) *lines {
	return &lines{src: src, pool: journal.NewPool(), most: MaxFrame}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "\n", "\n\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "\r", "\n\r\n\r", "\x00\n\xff\n", "a\u2028b\u0085c\v\f\n",
		frame(minRead) + "\n" + frame(journal.StandardChunk) + "\n\n" + frame(journal.LargeChunk) + "\nend",
	} {
		want := strings.SplitAfter(text, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		for name, src := range map[string]io.Reader{
			"whole":             strings.NewReader(text),
			"byte by byte":      iotest.OneByteReader(strings.NewReader(text)),
			"halves":            iotest.HalfReader(strings.NewReader(text)),
			"end with the rest": iotest.DataErrReader(strings.NewReader(text)),
		} {
			got := readLines(newLines(src))
			if len(got) != len(want) {
				t.Errorf("%s: %d lines, want %d", name, len(got), len(want))
				continue
			}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%s: line %d has %d bytes, want %d", name, i, len(got[i]), len(want[i]))
				}
			}
		}
	}
}

// A line's bytes stay as they are while its chunk is held, whatever is read
// after it.
func TestHeldLineStays(t *testing.T) {
	t.Parallel()
	l := newLines(newPieces([]byte(frame(100)+"\n"+strings.Repeat(frame(90_000)+"\n", 20)), 70_000, 1))
	l.fill()
	for len(l.buf[:l.end]) < 101 {
		l.fill()
	}
	line, ok := l.next()
	if !ok {
		t.Fatal("no line")
	}
	chunk := l.chunk
	chunk.Hold()
	defer chunk.Release()
	readLines(l)
	if got, want := string(line), frame(100)+"\n"; got != want {
		t.Errorf("the line reads %q now, want %q", got, want)
	}
}

// However short the pieces of a long line are, its bytes are moved a few times
// at most, and its memory is at most half as long again.
func TestLongLineIsLinear(t *testing.T) {
	t.Parallel()
	const size = 28_000_000
	l := newLines(nil)
	l.src = &shortReads{rest: append(bytes.Repeat([]byte("a"), size-1), '\n'), size: 1000}
	defer l.release()
	moved, chunk := 0, l.chunk
	for {
		before := l.end - l.start
		if _, err := l.fill(); err != nil {
			t.Fatal(err)
		}
		if l.chunk != chunk {
			moved, chunk = moved+before, l.chunk
		}
		if line, ok := l.next(); ok {
			if len(line) != size {
				t.Errorf("the line has %d bytes, want %d", len(line), size)
			}
			break
		}
		if l.seen != l.end {
			t.Fatal("the line is searched again from an earlier byte")
		}
	}
	if moved > 3*size {
		t.Errorf("%d bytes were moved for a line of %d", moved, size)
	}
	if len(l.buf) > size+size/2+minRead {
		t.Errorf("the line takes %d bytes of memory", len(l.buf))
	}
}

type shortReads struct {
	rest []byte
	size int
}

func (s *shortReads) Read(b []byte) (int, error) {
	n := copy(b[:min(s.size, len(b))], s.rest)
	if s.rest = s.rest[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// A read always has room, and memory for a line ends with the longest one that
// is held as a whole.
func TestRoom(t *testing.T) {
	t.Parallel()
	const most = 5 << 20
	l := newLines(&shortReads{rest: bytes.Repeat([]byte("a"), most+1), size: 60_000})
	l.most = most
	defer l.release()
	for !l.tooLong() {
		l.room()
		if free := len(l.buf) - l.end; free < minRead {
			t.Fatalf("room for %d bytes, want %d", free, minRead)
		}
		if len(l.buf) > most+minRead {
			t.Fatalf("%d bytes of memory for lines of %d", len(l.buf), most)
		}
		if _, err := l.fill(); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(l.rest()); got < most || got > most+minRead {
		t.Errorf("%d bytes were held, want about %d", got, most)
	}
}

// What is too long is as long as most, end excluded.
func TestTooLong(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want bool
	}{{"123456789", false}, {"1234567890", true}, {"12345678901", true}, {"ab\n123456789", false}, {"ab\n1234567890", true}} {
		l := newLines(strings.NewReader(tt.text))
		l.most = 10
		l.fill()
		for _, ok := l.next(); ok; _, ok = l.next() {
		}
		if got := l.tooLong(); got != tt.want {
			t.Errorf("%q: too long is %t, want %t", tt.text, got, tt.want)
		}
		l.release()
	}
}

// A chunk made for a huge line is not kept for the short ones behind it.
func TestHugeChunkIsLetGo(t *testing.T) {
	t.Parallel()
	l := newLines(&shortReads{rest: []byte(frame(4*journal.LargeChunk) + "\n" + frame(100) + "\n"), size: 1 << 20})
	defer l.release()
	for taken := 0; taken < 2; {
		if _, err := l.fill(); err != nil {
			t.Fatal(err)
		}
		for _, ok := l.next(); ok; _, ok = l.next() {
			taken++
		}
	}
	l.room()
	if len(l.buf) > journal.LargeChunk {
		t.Errorf("%d bytes of memory are kept, want at most %d", len(l.buf), journal.LargeChunk)
	}
}
