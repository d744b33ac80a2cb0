package journal

import (
	"bytes"
	"time"
	"unicode/utf8"

	"bobproxy/acp"
)

const (
	groupSize = 64      // events that are worked on together
	nameSize  = 1 << 10 // bytes of a method, id or session in an event
)

// builder makes masked events of what comes out of the queue. An event's
// slices are good until the next call of build.
type builder struct {
	instance string
	mask     *masker
	learned  bool // something new since the owner last looked
	methods  names
	sessions names
	events   [groupSize]Event
}

func newBuilder(opts Options) *builder {
	b := &builder{instance: opts.Instance, mask: newMasker(opts.Secrets)}
	b.methods.make = func(raw []byte) string { return b.mask.name(raw) }
	b.sessions.make = func(raw []byte) string { return b.mask.name(unescape(raw)) }
	return b
}

func (b *builder) build(items []item) []Event {
	for i := range items {
		e := &b.events[i]
		if it := &items[i]; it.note != nil {
			*e = *it.note
			b.mask.note(e)
			b.news()
		} else {
			b.frame(e, it)
		}
	}
	return b.events[:len(items)]
}

func (b *builder) frame(e *Event, it *item) {
	body, eol := splitEOL(it.line)
	size := int64(len(body))
	if it.size > 0 {
		body, eol, size = wholeRunes(body), it.eol, int64(it.size)
	}
	*e = Event{
		Time:     time.Unix(0, it.at).UTC(),
		Seq:      it.seq,
		Instance: b.instance,
		Type:     FrameEvent,
		Dir:      it.dir,
		Kind:     it.kind,
		EOL:      eol,
		ID:       it.id[:min(len(it.id), nameSize)],
		Bytes:    size,
		Added:    it.added,
		Action:   it.action,
		Reason:   it.reason,
		Body:     body,
	}
	if it.id == nil {
		e.ID = nil
	}
	if it.reason == "" && it.odd != 0 {
		e.Reason = it.odd.String()
	}
	e.Method = b.methods.either(it.asked, it.method)
	e.Session = b.sessions.either(it.joined, it.session)
	b.body(e, it.strict && it.size == 0)
}

// body masks e's body and says how it is to be recorded.
func (b *builder) body(e *Event, strict bool) {
	valid := b.mask.frame(e, strict)
	b.news()
	switch {
	case e.Body == nil:
	case valid:
		e.Form = FrameBody
	case utf8.Valid(e.Body):
		e.Form = RawBody
	default:
		e.Form = Base64Body
	}
}

// news passes on that further values are known, which names may hold.
func (b *builder) news() {
	if b.mask.learned {
		b.mask.learned, b.learned = false, true
		b.methods.forget()
		b.sessions.forget()
	}
}

func splitEOL(line []byte) ([]byte, acp.EOL) {
	switch {
	case bytes.HasSuffix(line, []byte("\r\n")):
		return line[:len(line)-2], acp.CRLF
	case bytes.HasSuffix(line, []byte("\n")):
		return line[:len(line)-1], acp.LF
	}
	return line, acp.NoEOL
}

// wholeRunes takes off a character that was cut in two.
func wholeRunes(b []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}
