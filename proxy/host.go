package proxy

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// host is the relay as the control socket sees it. Its methods may be called
// from any goroutine.
type host struct {
	relay   *relay
	started time.Time
}

// State is what is so now.
func (h *host) State() control.State {
	r := h.relay
	s := control.State{
		Instance:    r.Journal.Instance,
		PID:         os.Getpid(),
		Version:     r.Version,
		Command:     r.Argv,
		Cwd:         r.cwd(),
		Started:     h.started,
		Recording:   r.journal.Recording(),
		Bounds:      string(r.Policy.mode()),
		Timeout:     timeoutText(r.Policy.permissionTimeout()),
		AutoApprove: r.Policy.AutoApprove,
		Sessions:    []control.Session{},
		Pending:     []control.Pending{},
	}
	l := &r.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	client, agent := l.fold.Peers()
	s.Client, s.Agent = control.Program(client), control.Program(agent)
	s.Protocol = l.fold.Version()
	waiting := map[string]bool{}
	for _, e := range l.broker.Pending() {
		waiting[e.Session] = true
		s.Pending = append(s.Pending, pending(s.Instance, e))
	}
	for _, known := range l.fold.Sessions() {
		session := control.Session{ID: known.ID, Title: known.Title, Cwd: known.Grant.Cwd, Mode: known.Mode, State: "idle", Roots: []string{}}
		if n := len(known.Grant.Dirs); n > 1 {
			session.Roots = append(session.Roots, known.Grant.Dirs[1:]...)
		}
		switch {
		case waiting[known.ID]:
			session.State = "waiting"
		case known.Turn:
			session.State = "working"
		}
		s.Sessions = append(s.Sessions, session)
	}
	return s
}

func timeoutText(d time.Duration) string {
	if d <= 0 {
		return "0"
	}
	return d.String()
}

// listen opens the control socket for as long as the relay runs. Without one
// everything else works, and the recording says why there is none. Who calls
// waits for nothing: a runtime directory may be on a file system that hangs.
func (r *relay) listen() {
	if r.Journal.Instance == "" {
		return
	}
	r.control = make(chan *control.Server, 1)
	h := &host{relay: r, started: time.Now()}
	go func() {
		defer close(r.control)
		server, err := control.Listen(control.Options{
			Instance: r.Journal.Instance,
			Lookup:   r.Lookup,
			Tree:     r.agent.Root,
			Answers:  string(r.Policy.Answers),
			Refused:  r.noteRefused,
		})
		if err != nil {
			r.warn(err.Error())
			return
		}
		r.control <- server
		server.Serve(h)
	}()
}

// unlisten closes the control socket, if there is one by now.
func (r *relay) unlisten() {
	select {
	case server, ok := <-r.control:
		if ok {
			server.Close()
		}
	default: // none, or it hangs
	}
}

// noteRefused records that somebody may not answer.
func (r *relay) noteRefused(who journal.Peer, request, why string) {
	r.journal.Note(journal.Event{Type: journal.FlaggedEvent, Text: fmt.Sprintf(
		"an answer to %s was turned away: %s (process %d, %s)", clip(request, 64), why, who.PID, who.Exe)})
}

// pending is an open permission for others to see.
func pending(instance string, e broker.Entry) control.Pending {
	p := control.Pending{
		Request:      e.Request,
		Digest:       e.Digest,
		Instance:     instance,
		Session:      e.Session,
		ID:           json.RawMessage(e.ID),
		Title:        e.Title,
		Kind:         e.Kind,
		Verdict:      e.Verdict,
		Opened:       e.Opened,
		Unanswerable: e.Unanswerable,
		Options:      []control.Option{},
	}
	if e.Clipped {
		p.Clipped = string(e.Input)
	} else if len(e.Input) > 0 {
		p.Input = json.RawMessage(e.Input)
	}
	if !e.Deadline.IsZero() {
		p.Deadline = &e.Deadline
	}
	for i, o := range e.Options {
		p.Options = append(p.Options, control.Option{Number: i + 1, ID: o.ID.Value, Name: o.Name, Kind: o.Kind, Odd: o.Odd})
	}
	return p
}

// Watch gives the newest events and what comes after them. The state is taken
// last, so it may know of events that are still to come; it never misses one.
func (h *host) Watch(buffer int) (control.State, []journal.Event, *journal.Watcher) {
	events, watcher := h.relay.journal.Watch(buffer)
	return h.State(), events, watcher
}

// Body is what the tail still has of an event's body.
func (h *host) Body(seq uint64) ([]byte, bool) { return h.relay.journal.Body(seq) }

// Decide takes an answer.
func (h *host) Decide(d broker.Decision) broker.Ruling {
	l := &h.relay.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	ruling, effects := l.broker.Decide(time.Now(), d)
	l.do(effects)
	l.wakeClock()
	return ruling
}
