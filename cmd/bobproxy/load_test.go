//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"bobproxy/acp/session"
)

// Each frame is recorded once and in its direction's order, with both
// directions as busy as they can be.
func TestEveryFrameIsRecordedOnce(t *testing.T) {
	t.Parallel()
	const count = 10_000
	s := script{Duplex: true}
	for i := range count {
		s.Steps = append(s.Steps,
			fromAgent(chunk(strconv.Itoa(i))+"\n"), fromClient(asks(strconv.Itoa(i), "x")))
	}
	if got := len(s.play(t)); got != 2*count {
		t.Errorf("%d frames recorded, want %d", got, 2*count)
	}
}

// However much passes, the proxy's memory stays where it is. It is measured on
// a binary without the race detector, which takes memory of its own.
func TestLoad(t *testing.T) {
	t.Parallel()
	binary := built(t)
	load := func(name string, test func(*testing.T, *process), peer ...string) {
		t.Run(name, func(t *testing.T) {
			args := []string{"run"}
			if strings.HasSuffix(name, "passes") {
				args = append(args, "--bounds", "off")
			}
			p := prepare(t, append(append(args, "--", "peer"), peer...)...)
			p.Path = binary
			p.begin()
			test(t, p)
		})
	}
	load("a million frames", millionFrames, "count", fmt.Sprint(million))
	load("requests without an answer", neverAnswered, "ask", fmt.Sprint(manyAsked))
	load("requests answered with errors", answeredWithErrors, "refuse")
	load("a long line in short writes", longLineInShortWrites, "echo")
	load("a line too long to look at passes", endlessLine, "endless", fmt.Sprint(endless))
	load("a line too long to look at is kept back", endlessLineKeptBack, "endless", fmt.Sprint(endless))
}

const (
	small     = 48 << 20 // bytes of memory, with room to spare
	million   = 1_000_000
	manyAsked = 100_000
	endless   = 300_000_000
)

// within checks the most memory that the proxy had so far.
func within(t *testing.T, p *process, most int64) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		t.Skipf("memory is read from /proc: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kB int64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		t.Fatal(err)
	}
	t.Logf("the proxy took %d KiB", kB)
	if kB<<10 > most {
		t.Errorf("the proxy took %d MiB, want at most %d", kB>>10, most>>20)
	}
}

// end ends a load and checks that the agent found nothing amiss.
func end(t *testing.T, p *process) {
	t.Helper()
	if rest, code := p.finish(); rest != "" || code != 0 || p.errs.String() != "" {
		t.Errorf("rest %q, exit status %d, stderr %q; want nothing, 0 and nothing", clip(rest), code, p.errs)
	}
}

func numbered(n int) []byte {
	return strconv.AppendInt([]byte(`{"jsonrpc":"2.0","method":"x","params":`), int64(n), 10)
}

func millionFrames(t *testing.T, p *process) {
	for i := range million {
		got, err := p.out.ReadSlice('\n')
		if want := append(numbered(i), "}\n"...); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("frame %d is %q, want %q: %v", i, got, want, err)
		}
	}
	within(t, p, small)
	end(t, p)
	if got := p.count(`"event":"frame"`); got != million {
		t.Errorf("%d frames and %d gaps recorded, want %d and none", got, p.count(`"event":"gap"`), million)
	}
}

// count counts the records that hold text, without having them all in memory.
func (p *process) count(text string) (n int) {
	p.t.Helper()
	for _, file := range p.recordings() {
		f, err := os.Open(file)
		if err != nil {
			p.t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewReaderSize(f, 1<<20); ; {
			line, err := lines.ReadSlice('\n')
			if bytes.Contains(line, []byte(text)) {
				n++
			}
			if err == io.EOF {
				break
			} else if err != nil {
				p.t.Fatal(err)
			}
		}
	}
	return n
}

// Requests that stay open cost bounded memory; what is beyond the bound is
// carried and not paired.
func neverAnswered(t *testing.T, p *process) {
	for i := range manyAsked {
		if got, want := p.line(), asks(strconv.Itoa(i), "ask"); got != want {
			t.Fatalf("request %d is %q, want %q", i, got, want)
		}
	}
	for i := range manyAsked {
		p.send(answers(strconv.Itoa(i)))
	}
	p.expect("all answered\n")
	within(t, p, small)
	end(t, p)
	if got := p.count(`"kind":"response","method":"ask"`); got != session.MaxOpen {
		t.Errorf("%d answers were paired, want %d", got, session.MaxOpen)
	}
	if got := p.count(`"kind":"response"`); got != manyAsked {
		t.Errorf("%d answers were recorded, want %d", got, manyAsked)
	}
}

// A request that is answered with an error is answered.
func answeredWithErrors(t *testing.T, p *process) {
	const batch = 1000
	for n := 0; n < manyAsked; n += batch {
		var text strings.Builder
		for i := n; i < n+batch; i++ {
			text.WriteString(asks(strconv.Itoa(i), "x"))
		}
		p.send(text.String())
		for i := n; i < n+batch; i++ {
			p.expect(refuses(strconv.Itoa(i)))
		}
	}
	within(t, p, small)
	end(t, p)
	if got := p.count(`"kind":"error","method":"x"`); got != manyAsked {
		t.Errorf("%d errors were paired, want %d", got, manyAsked)
	}
}

func longLineInShortWrites(t *testing.T, p *process) {
	const size = 28_000_000
	frame := ofSize(size) + "\n"
	written := make(chan error, 1)
	go func() {
		s := piecewise(1000, fromClient(frame))
		written <- s.write(p.in)
	}()
	got := make([]byte, len(frame))
	if _, err := io.ReadFull(p.out, got); err != nil {
		t.Fatal(err)
	}
	same(t, "the echo has", got, []byte(frame))
	if err := <-written; err != nil {
		t.Error(err)
	}
	// Each direction may have the frame, the next larger memory for it, and
	// what was not collected yet.
	within(t, p, 6*size)
	end(t, p)
}

// A line longer than what is held as a whole passes, and takes no more memory
// than one of that length.
func endlessLine(t *testing.T, p *process) {
	buf := make([]byte, 1<<20)
	as := bytes.Repeat([]byte("a"), len(buf))
	for left := endless; left > 0; {
		n, err := p.out.Read(buf[:min(left, len(buf))])
		if err != nil || !bytes.Equal(buf[:n], as[:n]) {
			t.Fatalf("%d bytes are missing or wrong: %v", left, err)
		}
		left -= n
	}
	p.expect("\n")
	p.send(initialize + "\n")
	p.expect(initialize + "\n")
	within(t, p, 3*128<<20)
	end(t, p)
	if got := p.count(fmt.Sprintf(`"bytes":%d,"reason":"too long to hold"`, endless)); got != 1 {
		t.Errorf("the line is recorded %d times, want once", got)
	}
}

// Where bounds are enforced an agent's line that is too long to look at does not
// pass, and takes no memory.
func endlessLineKeptBack(t *testing.T, p *process) {
	p.send(initialize + "\n")
	p.expect(initialize + "\n") // the first that arrives
	within(t, p, 3*128<<20)
	end(t, p)
	if got := p.count(fmt.Sprintf(`"bytes":%d,"action":"withheld","reason":"too long to hold"`, endless)); got != 1 {
		t.Errorf("the line is recorded %d times, want once", got)
	}
}
