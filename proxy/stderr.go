package proxy

import (
	"bytes"
	"io"
	"sync"
	"unicode/utf8"
)

// stderrSize is how much of the agent's stderr waits for a reader, in bytes.
const stderrSize = 1 << 20

// maxText is the longest line of stderr that the journal gets in one piece, in
// bytes.
const maxText = 64 << 10

// stderr carries the agent's stderr to ours and into the journal. The agent
// never waits for whoever reads ours: when the ring is full the oldest bytes
// go, and how many is noted. Nothing of ours lands inside a line of the agent's.
type stderr struct {
	note func(text []byte)

	mu      sync.Mutex
	changed sync.Cond // on mu; the ring got bytes, or will get no more
	ring    []byte    // bytes waiting, oldest first
	dropped int64     // bytes
	midline bool      // the last byte put into the ring was not a line feed
	ours    []byte    // our own line, waiting for the agent's to end
	spoke   bool      // we said something
	closed  bool
}

func newStderr(note func(text []byte)) *stderr {
	s := &stderr{note: note}
	s.changed.L = &s.mu
	return s
}

// read takes what the agent writes until it ends. It is one goroutine, which
// closes the ring.
func (s *stderr) read(src io.Reader, pace *pace) {
	defer s.close()
	buf := make([]byte, 32<<10)
	var line []byte
	for {
		n, err := src.Read(buf)
		pace.took(n)
		s.put(buf[:n])
		line = s.noteLines(append(line, buf[:n]...), err != nil)
		if err != nil {
			return
		}
		pace.carried()
	}
}

// noteLines hands whole lines to the journal and returns the unfinished one. A
// line is cut at maxText, and before a torn character.
func (s *stderr) noteLines(text []byte, end bool) []byte {
	cut := bytes.LastIndexByte(text, '\n') + 1
	if end {
		cut = len(text)
	}
	for _, line := range bytes.SplitAfter(text[:cut], []byte("\n")) {
		if line = bytes.TrimSuffix(line, []byte("\n")); len(line) > 0 {
			s.note(line)
		}
	}
	rest := text[cut:]
	for len(rest) > maxText {
		at := maxText
		for back := 0; back < utf8.UTFMax && !utf8.RuneStart(rest[at]); back++ {
			at--
		}
		s.note(rest[:at])
		rest = rest[at:]
	}
	return append(text[:0], rest...)
}

func (s *stderr) put(b []byte) {
	if len(b) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(b)
	s.midline = b[len(b)-1] != '\n'
	s.addOurs()
	s.changed.Signal()
}

// say queues the one line of ours.
func (s *stderr) say(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spoke = true
	s.ours = append(s.ours, "bobproxy: "+line+"\n"...)
	s.addOurs()
	s.changed.Signal()
}

// spoken says whether there was a line of ours.
func (s *stderr) spoken() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spoke
}

func (s *stderr) addOurs() {
	if !s.midline || s.closed {
		s.add(s.ours)
		s.ours = nil
	}
}

func (s *stderr) add(b []byte) {
	s.ring = append(s.ring, b...)
	if over := len(s.ring) - stderrSize; over > 0 {
		s.dropped += int64(over)
		s.ring = s.ring[:copy(s.ring, s.ring[over:])]
	}
}

func (s *stderr) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.midline && s.ours != nil {
		s.add([]byte("\n"))
	}
	s.addOurs()
	s.changed.Signal()
}

// write carries the ring to dst until the agent's stderr has ended and all is
// written. A dst that fails gets nothing more, and the agent does not notice.
func (s *stderr) write(dst io.Writer) {
	var out []byte
	var failed bool
	for {
		s.mu.Lock()
		for len(s.ring) == 0 && !s.closed {
			s.changed.Wait()
		}
		out, s.ring = s.ring, out[:0]
		done := s.closed
		s.mu.Unlock()
		if len(out) == 0 && done {
			return
		}
		if !failed {
			_, err := dst.Write(out)
			failed = err != nil
		}
	}
}

// lost is how many bytes were dropped so far.
func (s *stderr) lost() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped
}
