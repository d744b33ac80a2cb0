package talk

import (
	"os"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
)

// Timeline is the pane that tells a session in order.
type Timeline struct {
	// Pin shows the plan at the top: there is no side bar that has it.
	Pin bool
	// Self is this process; it tells "in this panel" from "in another panel".
	Self int

	session  *model.Session
	thoughts thoughts
	views    map[place]*view
	asides   asides
	texts    texts
	find     string
	items    []item
	w, h     int // of what was drawn last, without the plan
	top      int // rows of the plan above it
}

// thoughts is how much is shown of what the agent thinks.
type thoughts uint8

const (
	folded thoughts = iota
	whole
	hidden
)

// NewTimeline is a timeline that shows no session yet.
func NewTimeline() *Timeline {
	return &Timeline{Self: os.Getpid(), views: map[place]*view{}, texts: texts{}}
}

// Place says which keys it has.
func (t *Timeline) Place() keys.Place { return keys.Timeline }

// Show makes it show a session; nil: none. Each session keeps its own place.
func (t *Timeline) Show(s *model.Session) {
	if t.session != s {
		t.session = s
		t.asides = asides{}
		clear(t.texts)
	}
}

// Select selects the entry at seq of the journal, or else the one before it. At
// the last one it follows what comes.
func (t *Timeline) Select(seq uint64) {
	if t.session == nil {
		return
	}
	t.gather()
	at := 0
	for i := range t.items {
		if t.items[i].seq <= seq {
			at = i
		}
	}
	if at == len(t.items)-1 {
		t.follow()
		return
	}
	t.choose(at, t.h/3)
}

// Hints are its keys, most useful first.
func (t *Timeline) Hints(pane.Context) []keys.Action {
	if p := t.proxy(); p == nil || p.Link == model.Gone || p.Link == model.Recorded {
		return []keys.Action{keys.Open, keys.Frames, keys.Thoughts, keys.Copy}
	}
	return []keys.Action{keys.Open, keys.Follow, keys.Frames, keys.Thoughts, keys.Copy}
}

func (t *Timeline) proxy() *model.Proxy {
	if t.session == nil {
		return nil
	}
	return t.session.Proxy
}
