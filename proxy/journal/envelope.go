package journal

import (
	"bobproxy/acp"
)

// envelope remembers how the members between instance and bytes were written
// last: in a flood of updates they are the same from frame to frame.
type envelope struct {
	instance, method, session string
	dir                       acp.Direction
	kind                      acp.Kind
	b                         []byte
}

// plain says that e is a frame with nothing to tell but what of knows.
func plain(e *Event) bool {
	return e.Type == FrameEvent && e.ID == nil && e.Instance != "" && e.EOL == acp.LF &&
		!e.Added && e.Action == "" && e.Reason == "" && e.Masked == 0
}

// of gives the value of instance and the members up to bytes, for a plain e.
func (v *envelope) of(e *Event) []byte {
	if v.b != nil && v.kind == e.Kind && v.dir == e.Dir && v.method == e.Method && v.session == e.Session && v.instance == e.Instance {
		return v.b
	}
	b := quote(v.b[:0], []byte(e.Instance))
	for _, m := range [...]struct{ key, value string }{
		{"event", string(e.Type)}, {"dir", e.Dir.String()}, {"kind", e.Kind.String()},
		{"method", e.Method}, {"session", e.Session},
	} {
		if m.value != "" {
			b = append(append(append(b, `,"`...), m.key...), `":`...)
			b = quote(b, []byte(m.value))
		}
	}
	*v = envelope{e.Instance, e.Method, e.Session, e.Dir, e.Kind, b}
	return b
}
