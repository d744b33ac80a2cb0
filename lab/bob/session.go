package bob

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"bobproxy/lab/wire"
)

// maxHistory is how many updates of a session can be replayed; older ones are
// forgotten.
const maxHistory = 2000

// session is a conversation. Its agent's mu guards it, but for the counters,
// which belong to the turn that is running.
type session struct {
	id      string
	cwd     string
	mode    string
	title   string
	closed  bool
	history []any              // updates to replay
	always  map[string]bool    // tools allowed for good
	cancel  context.CancelFunc // of the running turn; nil when idle

	messages  int
	toolCalls int
}

// state is what a client learns on opening a session.
func (s *session) state() wire.SessionState {
	return wire.SessionState{
		Modes:         &wire.ModeState{CurrentModeID: s.mode, AvailableModes: modes},
		ConfigOptions: configOptions(s.mode),
	}
}

func (a *agent) create(cwd string) *session {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.made++
	s := &session{id: fmt.Sprintf("bob-session-%d", a.made), cwd: cwd, mode: modeAgent, always: map[string]bool{}}
	if a.opts.RandomIDs {
		s.id = "bob-session-" + rand.Text()
	}
	a.sessions[s.id] = s
	a.order = append(a.order, s)
	return s
}

func (a *agent) session(id string) *session {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sessions[id]
}

// open makes s usable in cwd and returns what there is to replay. It refuses
// while a turn is running.
func (a *agent) open(s *session, cwd string) ([]any, wire.SessionState, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.cancel != nil {
		return nil, wire.SessionState{}, false
	}
	s.cwd, s.closed = cwd, false
	return slices.Clone(s.history), s.state(), true
}

// rows lists the sessions of a directory, or all for none, oldest first.
func (a *agent) rows(cwd string) []wire.SessionInfo {
	a.mu.Lock()
	defer a.mu.Unlock()
	rows := []wire.SessionInfo{}
	for _, s := range a.order {
		if cwd == "" || s.cwd == cwd {
			rows = append(rows, wire.SessionInfo{SessionID: s.id, Cwd: s.cwd, Title: s.title})
		}
	}
	return rows
}

// stop cancels the turn that is running, if any.
func (a *agent) stop(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
}

// shut makes s unusable until it is loaded or resumed.
func (a *agent) shut(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s.closed = true
}

func (a *agent) forget(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.sessions, s.id)
	a.order = slices.DeleteFunc(a.order, func(other *session) bool { return other == s })
}

// enter sets the mode, which holds from the next turn on.
func (a *agent) enter(s *session, mode string) bool {
	if !slices.ContainsFunc(modes, func(m wire.Mode) bool { return m.ID == mode }) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	s.mode = mode
	return true
}

// remember keeps an update for session/load.
func (a *agent) remember(s *session, update any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s.history = append(s.history, update)
	if excess := len(s.history) - maxHistory; excess > 0 {
		s.history = slices.Delete(s.history, 0, excess)
	}
}
