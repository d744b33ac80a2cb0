package terminal

import (
	"time"

	"github.com/gdamore/tcell/v2"
)

// split notices the rest of an escape sequence whose first byte came so long
// before it, over a slow connection, that it was taken for the key Esc. PgDn would
// else be Esc, [, 6 and ~.
type split struct {
	inside byte      // '[' or 'O' of the sequence; 0: none
	last   time.Time // of the Esc, or of what was taken for the rest
}

// slowness is how far apart the pieces of a sequence can be. Nobody means Esc and
// [ as quickly after each other.
const slowness = 500 * time.Millisecond

// rest says that a key is none, but part of such a sequence.
func (s *split) rest(e *tcell.EventKey, now time.Time) bool {
	near := !s.last.IsZero() && now.Sub(s.last) < slowness
	before := s.inside
	*s = split{}
	switch r := e.Rune(); {
	case e.Key() == tcell.KeyEsc:
		s.last = now
		return false
	case !near || e.Key() != tcell.KeyRune:
		return false
	case before == 0 && (r == '[' || r == 'O'):
		s.inside, s.last = byte(r), now
		return true
	case before == 'O':
		return true
	case before == '[':
		if r < '@' { // it goes on until a letter, or a sign like ~
			s.inside, s.last = before, now
		}
		return true
	}
	return false
}
