package journal

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"time"
)

// Mask replaces secret values in what is shown of a conversation beside its
// events, as they are replaced in events. It does not change: values that
// become known later need a new one. Its methods may be called from any
// goroutine.
type Mask struct {
	m       masker
	spelled []string // all spellings of the known values
}

// learnt is what the journal goroutine tells of its work to whoever wants a
// Mask.
type learnt struct {
	mu      sync.Mutex
	seq     uint64        // of the last event that was masked
	values  []string      // known then; never written to
	further chan struct{} // closed when seq goes on; nil: nobody waits for that

	mask *Mask // of values, once somebody wanted it
}

// Mask knows the values from all that was appended and noted before. Should the
// journal stand still, it is what is known after 250 ms.
func (j *Journal) Mask() *Mask {
	j.queue.mu.Lock()
	seq := j.queue.seq
	j.queue.mu.Unlock()
	if !j.learnt.has(seq) {
		j.queue.hurry()
		j.learnt.wait(seq, j.done)
		j.queue.unhurry()
	}
	return j.learnt.current()
}

// tell takes note of how far masking has come.
func (l *learnt) tell(seq uint64, known []string, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq = seq
	if more {
		l.values, l.mask = slices.Clone(known), nil
	}
	if l.further != nil {
		close(l.further)
		l.further = nil
	}
}

func (l *learnt) has(seq uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq >= seq
}

// wait returns when seq was masked, will not be, or it takes too long.
func (l *learnt) wait(seq uint64, done <-chan struct{}) {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		l.mu.Lock()
		if l.seq >= seq {
			l.mu.Unlock()
			return
		}
		if l.further == nil {
			l.further = make(chan struct{})
		}
		further := l.further
		l.mu.Unlock()
		select {
		case <-further:
		case <-done:
			return
		case <-limit.C:
			return
		}
	}
}

func (l *learnt) current() *Mask {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mask == nil {
		l.mask = new(Mask)
		for _, value := range l.values {
			l.mask.m.known.remember(value)
			l.mask.spelled = append(l.mask.spelled, spellings(value)...)
		}
		l.mask.m.known.ready() // from here on it is only read
	}
	return l.mask
}

// Text is s with known values replaced. Where s is so long that it may have been
// cut, the beginning of a known value at its end counts as one.
func (m *Mask) Text(s string) string {
	known := &m.m.known
	if !known.any() {
		return s
	}
	s, _ = known.scrubString(s)
	if len(s) > mayBeCut {
		if n := m.begun(s); n > 0 {
			s = s[:len(s)-n] + mark
		}
	}
	return s
}

// Arguments is a copy of an argument list, as the recording has it.
func (m *Mask) Arguments(list []string) []string {
	var nobody masker // what is found is known from the start event, if it is to be
	n := 0
	clean := nobody.arguments(list, &n)
	for i := range clean {
		clean[i] = m.Text(clean[i])
	}
	return clean
}

// mayBeCut is below all lengths at which a text from the wire is cut.
const mayBeCut = 250

// begun is how many bytes at the end of text are the beginning of a known value.
func (m *Mask) begun(text string) (n int) {
	for _, value := range m.spelled {
		for k := min(len(value), len(text)); k > max(n, secretMin-1); k-- {
			if strings.HasSuffix(text, value[:k]) {
				n = k
			}
		}
	}
	return n
}

// JSON is v, a JSON value, with known values replaced in its strings and
// numbers, however they are spelled; it stays a JSON value.
func (m *Mask) JSON(v []byte) []byte {
	known := &m.m.known
	if !known.any() || !known.in(v) && !bytes.Contains(v, []byte(`\u`)) {
		return v
	}
	e := Event{Body: v}
	m.m.scrub(&e, true)
	return e.Body
}
