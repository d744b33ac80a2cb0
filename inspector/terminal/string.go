package terminal

import "time"

// controlString notices when the terminal library waits for the end of a control
// string that no terminal has sent: Alt-] begins one, or Esc and ] that arrive at
// once, and all keys would be taken for its text until it ends.
type controlString struct {
	escape bool // the last byte was an Esc
	inside bool
	last   time.Time
}

const (
	stringEnd = '\a'
	// stringPause is how far apart the bytes of a string from a terminal can be.
	// Nobody types on as quickly.
	stringPause = 200 * time.Millisecond
)

// filter gives b as it is, behind the end of a string that goes on for too long.
func (s *controlString) filter(b []byte, now time.Time) []byte {
	var out []byte
	paused := now.Sub(s.last) > stringPause
	if s.inside && paused {
		s.inside, out = false, append(out, stringEnd)
	}
	s.escape = s.escape && !paused
	s.last = now
	for _, c := range b {
		s.next(c)
	}
	return append(out, b...)
}

func (s *controlString) next(c byte) {
	escaped := s.escape
	s.escape = c == '\x1b' && !(s.inside && escaped)
	switch {
	case !s.inside:
		s.inside = escaped && (c == ']' || c == 'X' || c == '^' || c == '_')
	case c == stringEnd, escaped && c == '\\':
		s.inside = false
	}
}
