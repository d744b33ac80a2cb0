package proxy

import (
	"fmt"
	"sync"

	"bobproxy/proxy/journal"
)

// maxTurnedAway is how many answers that were turned away are each told of.
const maxTurnedAway = 16

// turnedAway counts the answers of those who may not answer. One that does not
// give up, be it a process of the agent's, fills no recording: from the 17th on
// only the 32nd, the 64th and so on are told of, with how many there were.
type turnedAway struct {
	mu sync.Mutex
	n  int
}

// next counts one more and says how many there are now, and whether that is to
// be told.
func (t *turnedAway) next() (n int, told bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	return t.n, t.n <= maxTurnedAway || t.n&(t.n-1) == 0
}

// noteRefused records that somebody may not answer.
func (r *relay) noteRefused(who journal.Peer, request, why string) {
	n, told := r.turned.next()
	if !told {
		return
	}
	text := fmt.Sprintf("an answer to %s was turned away: %s (process %d, %s)", clip(request, 64), why, who.PID, who.Exe)
	if n >= maxTurnedAway {
		text += fmt.Sprintf("; it is number %d, and the next to be told of is number %d", n, 2*n)
	}
	r.journal.Note(journal.Event{Type: journal.FlaggedEvent, Text: text})
}
