//go:build linux

package main

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// script is a conversation, byte by byte, and how the agent ends. Each side
// waits for the other's step before it goes on to its own, so a step that the
// other side waits for ends with a line feed or with the stream.
type script struct {
	Steps  []step
	Duplex bool   // nobody waits: each side says all its steps and reads at the same time
	Stderr string // what the agent says there, at first
	Exit   int    // status of the agent
	Kill   syscall.Signal
	Heard  string // file for what the agent read
	Kept   bool   // some of it does not pass where bounds are enforced
}

// step is what one side writes.
type step struct {
	From  acp.Direction // 0: the editor closes its end
	Text  []byte
	Piece int // bytes a write; 0: all at once
}

func fromClient(text string) step { return step{From: acp.Client, Text: []byte(text)} }
func fromAgent(text string) step  { return step{From: acp.Agent, Text: []byte(text)} }
func bytewise(s step) step        { s.Piece = 1; return s }
func piecewise(n int, s step) step {
	s.Piece = n
	return s
}

var hangUp = step{}

// said is all that one side writes.
func (s *script) said(from acp.Direction) []byte {
	var all []byte
	for _, step := range s.Steps {
		if step.From == from {
			all = append(all, step.Text...)
		}
	}
	return all
}

func (s *step) write(w io.Writer) error {
	size := s.Piece
	if size == 0 {
		size = max(len(s.Text), 1)
	}
	for rest := s.Text; len(rest) > 0; {
		n, err := w.Write(rest[:min(size, len(rest))])
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// perform plays one side, writing to w and reading from r. It gives what it
// read; what it did not expect is read no further.
func (s *script) perform(side acp.Direction, w io.Writer, r io.Reader, hear func([]byte) error) error {
	if s.Duplex {
		return s.performDuplex(side, w, r, hear)
	}
	for i := range s.Steps {
		step := &s.Steps[i]
		switch {
		case step.From == side:
			if err := step.write(w); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		case step.From == 0:
			if err := s.hangUp(side, w, r, hear); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		default:
			if err := listen(r, len(step.Text), hear); err != nil {
				return fmt.Errorf("step %d: waiting for %q: %w", i, clip(string(step.Text)), err)
			}
		}
	}
	return nil
}

func (s *script) performDuplex(side acp.Direction, w io.Writer, r io.Reader, hear func([]byte) error) error {
	written := make(chan error, 1)
	go func() {
		for i := range s.Steps {
			if step := &s.Steps[i]; step.From == side {
				if err := step.write(w); err != nil {
					written <- fmt.Errorf("step %d: %w", i, err)
					return
				}
			}
		}
		written <- nil
	}()
	if err := listen(r, len(s.said(side.Peer())), hear); err != nil {
		return err
	}
	if err := <-written; err != nil {
		return err
	}
	return s.hangUp(side, w, r, hear)
}

// hangUp is the end of the editor's stream: its own doing, or what the agent
// reads to.
func (s *script) hangUp(side acp.Direction, w io.Writer, r io.Reader, hear func([]byte) error) error {
	if side == acp.Client {
		return w.(io.Closer).Close()
	}
	more, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return hear(more)
}

func listen(r io.Reader, n int, hear func([]byte) error) error {
	buf := make([]byte, min(n, 1<<20))
	for n > 0 {
		m, err := r.Read(buf[:min(n, len(buf))])
		if err := hear(buf[:m]); err != nil {
			return err
		}
		if n -= m; err != nil && n > 0 {
			return fmt.Errorf("%d bytes are missing: %w", n, err)
		}
	}
	return nil
}

// act is the agent: `peer act FILE` plays the script in FILE.
func act(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return complain(err)
	}
	var s script
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&s); err != nil {
		return complain(err)
	}
	heard, err := os.Create(s.Heard)
	if err != nil {
		return complain(err)
	}
	os.Stderr.WriteString(s.Stderr)
	err = s.perform(acp.Agent, os.Stdout, os.Stdin, func(b []byte) error {
		_, err := heard.Write(b)
		return err
	})
	if err != nil {
		return complain(err)
	}
	if s.Kill != 0 {
		syscall.Kill(os.Getpid(), s.Kill)
		select {}
	}
	return s.Exit
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "peer:", err)
	return 99
}

// outcome is what a script came to, as editor and agent saw it.
type outcome struct {
	client, agent []byte // what each of them read
	stderr        string
	code          int
}

// stage writes the script down and gives the command that plays its agent.
func (s script) stage(t testing.TB) (heard string, command []string) {
	t.Helper()
	dir := t.TempDir()
	s.Heard = filepath.Join(dir, "heard")
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(s); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "script")
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return s.Heard, []string{"peer", "act", file}
}

// proxied plays the script through bobproxy with bounds off: what passes when
// nothing is kept back.
func (s script) proxied(t testing.TB) (outcome, *process) {
	t.Helper()
	return s.through(t, "--bounds", "off")
}

// through plays the script through bobproxy with these flags.
func (s script) through(t testing.TB, flags ...string) (outcome, *process) {
	t.Helper()
	heard, command := s.stage(t)
	p := prepare(t, append(append(append([]string{"run"}, flags...), "--"), command...)...)
	return s.conduct(t, p, heard), p
}

// direct plays the script with nothing between editor and agent.
func (s script) direct(t testing.TB) outcome {
	t.Helper()
	heard, command := s.stage(t)
	p := prepare(t)
	p.Path = filepath.Join(filepath.Dir(p.Path), command[0])
	p.Args = command
	return s.conduct(t, p, heard)
}

// conduct is the editor.
func (s script) conduct(t testing.TB, p *process, heard string) (o outcome) {
	t.Helper()
	p.begin()
	err := s.perform(acp.Client, p.in, p.out, func(b []byte) error {
		o.client = append(o.client, b...)
		return nil
	})
	if err != nil {
		t.Errorf("the editor: %v", err)
	}
	o.client = append(o.client, p.rest()...)
	o.code = p.exit()
	o.stderr = p.errs.String()
	if o.agent, err = os.ReadFile(heard); err != nil {
		t.Error(err)
	}
	return o
}

// play plays the script through bobproxy, checks that each side read what the
// other wrote, and gives the frames in the recording.
func (s script) play(t testing.TB) []journal.Event {
	t.Helper()
	o, p := s.proxied(t)
	s.check(t, o)
	events := p.events()
	s.checkRecording(t, events)
	return frames(events)
}

func (s *script) check(t testing.TB, o outcome) {
	t.Helper()
	same(t, "the editor read", o.client, s.said(acp.Agent))
	same(t, "the agent read", o.agent, s.said(acp.Client))
	want := s.Exit
	if s.Kill != 0 {
		want = 128 + int(s.Kill)
	}
	if o.code != want || o.stderr != s.Stderr {
		t.Errorf("status %d, stderr %q; want %d, %q", o.code, clip(o.stderr), want, clip(s.Stderr))
	}
}

// checkRecording checks what holds for every recording of a proxy that adds
// nothing: each line once, in its direction's order, and without loss unless
// something in it was masked.
func (s *script) checkRecording(t testing.TB, events []journal.Event) {
	t.Helper()
	rest := map[acp.Direction][]byte{acp.Client: s.said(acp.Client), acp.Agent: s.said(acp.Agent)}
	for i, e := range events {
		if e.Seq != uint64(i+1) {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		slow := strings.HasPrefix(e.Text, "no ACP message from the agent after") // as long as this machine took
		if e.Type == journal.GapEvent || e.Type == journal.WarningEvent && !slow {
			t.Errorf("a %s event: %q", e.Type, e.Text)
		}
		if e.Type != journal.FrameEvent {
			continue
		}
		if e.Added || e.Action != "" {
			t.Errorf("frame %d: added %t, action %q; the proxy adds and withholds nothing", e.Seq, e.Added, e.Action)
		}
		line, eol := cutLine(rest[e.Dir])
		rest[e.Dir] = rest[e.Dir][len(line)+len(ending[eol]):]
		if e.Bytes != int64(len(line)) || e.EOL != eol {
			t.Fatalf("frame %d of the %s: %d bytes, end %d; want %d, %d", e.Seq, e.Dir, e.Bytes, e.EOL, len(line), eol)
		}
		if e.Masked == 0 {
			same(t, fmt.Sprintf("frame %d is recorded as", e.Seq), e.Body, line)
		}
	}
	for dir, rest := range rest {
		if len(rest) > 0 {
			t.Errorf("the recording lacks the %s's last %d bytes", dir, len(rest))
		}
	}
}

var ending = map[acp.EOL]string{acp.NoEOL: "", acp.LF: "\n", acp.CRLF: "\r\n"}

func cutLine(text []byte) ([]byte, acp.EOL) {
	line, _, ended := bytes.Cut(text, []byte("\n"))
	switch {
	case !ended:
		return line, acp.NoEOL
	case bytes.HasSuffix(line, []byte("\r")):
		return line[:len(line)-1], acp.CRLF
	}
	return line, acp.LF
}

// same compares what may be too long to print.
func same(t testing.TB, what string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	t.Errorf("%s %d bytes, want %d; they differ from byte %d on: got %q, want %q",
		what, len(got), len(want), at, clip(string(got[at:])), clip(string(want[at:])))
}

// events reads the one recording in the default place.
func (p *process) events() (events []journal.Event) {
	p.t.Helper()
	for e, err := range journal.Read(strings.NewReader(p.recording())) {
		if err != nil {
			p.t.Fatalf("reading the recording: %v", err)
		}
		events = append(events, e)
	}
	return events
}

func frames(events []journal.Event) (frames []journal.Event) {
	for _, e := range events {
		if e.Type == journal.FrameEvent {
			frames = append(frames, e)
		}
	}
	return frames
}
