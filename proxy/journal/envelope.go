package journal

import "bobproxy/acp"

// envelopes remember how the members that come again and again were written
// last, for each direction and kind: in a flood of updates, and in an exchange
// of requests and responses, they are the same from frame to frame.
type envelopes [acp.Agent + 1][acp.Ambiguous + 1]envelope

type envelope struct {
	instance, method, session string

	head []byte // the value of instance, and the members up to method
	tail []byte // the value of session
}

// plain says that e is a frame with nothing to tell but what an envelope, an id
// and a size tell.
func plain(e *Event) bool {
	return e.Type == FrameEvent && e.Instance != "" && e.EOL == acp.LF && (e.ID == nil || plainNumber(e.ID)) &&
		!e.Added && e.Action == "" && e.Reason == "" && e.Masked == 0 && e.Blanked == 0
}

// of gives the envelope of a plain e.
func (all *envelopes) of(e *Event) *envelope {
	v := &all[e.Dir][e.Kind]
	if v.head == nil || v.method != e.Method || v.instance != e.Instance {
		v.instance, v.method = e.Instance, e.Method
		v.head = quote(v.head[:0], []byte(e.Instance))
		for _, m := range [...]struct{ key, value string }{
			{"event", string(e.Type)}, {"dir", e.Dir.String()}, {"kind", e.Kind.String()}, {"method", e.Method},
		} {
			if m.value != "" {
				v.head = append(append(append(v.head, `,"`...), m.key...), `":`...)
				v.head = quote(v.head, []byte(m.value))
			}
		}
	}
	if v.tail == nil || v.session != e.Session {
		v.session = e.Session
		v.tail = quote(v.tail[:0], []byte(e.Session))
	}
	return v
}
