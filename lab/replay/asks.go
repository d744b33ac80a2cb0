package replay

import (
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/session"
)

// counterparts are the requests of the recorded agent, to find the one that a
// live request stands for.
type counterparts struct {
	script *script
	all    map[string][]int // by what they ask, in their order
	rough  map[string][]int // permissions by kind and paths
	masked map[string][]int // by method and session, those of which it is not known what all they ask
	last   map[string]int   // by what they ask, the one that stood for the last live one
	used   map[int]bool
}

func newCounterparts(s *script) counterparts {
	a := counterparts{s, map[string][]int{}, map[string][]int{}, map[string][]int{}, map[string]int{}, map[int]bool{}}
	for i := range s.steps {
		t := &s.steps[i]
		if !t.isRequest(acp.Agent) {
			continue
		}
		k := question(t.method, t.session, t.subject)
		a.all[k] = append(a.all[k], i)
		if m := question(t.method, t.session); maskedIn(t.subject) {
			a.masked[m] = append(a.masked[m], i)
		}
		if r := question(t.method, t.session, t.rough); t.rough != "" {
			a.rough[r] = append(a.rough[r], i)
		}
	}
	return a
}

func question(words ...string) string { return strings.Join(words, "\x00") }

// How a live request was found in the recording.
type likeness int

const (
	unknown likeness = iota
	again            // it stood for another one before
	roughly          // the same kind of permission for the same paths
	exactly
)

// find is the recorded request for a live one, all in recorded names.
func (a *counterparts) find(method, session, subject, rough string) (int, likeness) {
	k := question(method, session, subject)
	if i, ok := a.take(a.all, k); ok {
		a.last[k] = i
		return i, exactly
	}
	if i, ok := a.guess(question(method, session), subject); ok {
		return i, exactly
	}
	if i, ok := a.take(a.rough, question(method, session, rough)); ok && rough != "" {
		return i, roughly
	}
	if i, ok := a.last[k]; ok {
		return i, again
	}
	return none, unknown
}

// guess is the first that may ask for the same, as far as it is known.
func (a *counterparts) guess(k, subject string) (int, bool) {
	list := a.masked[k]
	for len(list) > 0 && a.used[list[0]] {
		list = list[1:]
	}
	a.masked[k] = list
	for _, i := range list[:min(len(list), maxGuesses)] {
		if !a.used[i] && alike(a.script.steps[i].subject, subject) {
			a.used[i] = true
			return i, true
		}
	}
	return 0, false
}

// maxGuesses bounds how far it is looked ahead.
const maxGuesses = 100

// take is the first of a list that was not used.
func (a *counterparts) take(lists map[string][]int, k string) (int, bool) {
	for len(lists[k]) > 0 {
		i := lists[k][0]
		lists[k] = lists[k][1:]
		if !a.used[i] {
			a.used[i] = true
			return i, true
		}
	}
	return 0, false
}

// unused tells what the agent does not ask any more.
func (a *counterparts) unused(c *client) {
	for i := range a.script.steps {
		if t := &a.script.steps[i]; t.isRequest(acp.Agent) && !a.used[i] {
			f := Finding{Divergence: true, Frame: t.Number, About: "the agent", Expected: t.label(), Came: "nothing of the kind"}
			f.Divergence = !strings.HasPrefix(t.method, "terminal/") || t.method == acp.MethodTerminalCreate
			c.found(f)
		}
	}
}

// roughSubject is the kind of a permission and its paths; empty without paths.
func roughSubject(method string, params []byte, before *session.Fold) string {
	if method != acp.MethodRequestPermission {
		return ""
	}
	kind, _, paths := permissionWords(params, before)
	if len(paths) == 0 || kind == "" {
		return ""
	}
	return joined(append([]string{kind}, paths...))
}
