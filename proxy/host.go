package proxy

import (
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
	disk    disk
}

// State is what is so now, without the secret values that a recording is
// without.
func (h *host) State() control.State {
	s := h.state()
	hide(&s, h.relay.journal.Mask())
	return s
}

func (h *host) state() control.State {
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
	for _, e := range h.conversation(&s) {
		s.Pending = append(s.Pending, pending(s.Instance, e))
	}
	return s
}

// conversation writes what the ledger knows into s, but for the requests that
// wait, which it returns: what they show may be much, and is copied without the
// lock.
func (h *host) conversation(s *control.State) []broker.Entry {
	l := &h.relay.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	client, agent := l.fold.Peers()
	s.Client, s.Agent = control.Program(client), control.Program(agent)
	s.Protocol = l.fold.Version()
	waiting := map[string]bool{}
	open := l.broker.Pending()
	for _, e := range open {
		waiting[e.Session] = true
	}
	for _, known := range l.fold.Sessions() {
		session := control.Session{ID: known.ID, Title: known.Title, Cwd: known.Grant.Cwd, Mode: known.Mode, AutoApprove: known.AutoApprove, State: "idle", Roots: []string{}}
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
	return open
}

// Pending is one request that waits, without secret values.
func (h *host) Pending(request string) (control.Pending, bool) {
	l := &h.relay.ledger
	l.mu.Lock()
	e, ok := l.broker.Waiting(request)
	l.mu.Unlock()
	if !ok {
		return control.Pending{}, false
	}
	p := pending(h.relay.Journal.Instance, e)
	hidePending(&p, h.relay.journal.Mask())
	return p, true
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
	r.control, r.unheard = make(chan *control.Server, 1), make(chan struct{})
	h := &host{relay: r, started: time.Now()}
	go func() {
		defer close(r.control)
		server, err := control.Listen(control.Options{
			Instance: r.Journal.Instance,
			Lookup:   r.lookup,
			Tree:     r.agent.Root,
			Answers:  string(r.Policy.Answers),
			Refused:  r.noteRefused,
		})
		if err != nil {
			r.warn(err.Error())
			return
		}
		if text := server.PassedOver(); text != "" {
			r.warn(text)
		}
		r.control <- server
		select {
		case <-r.unheard: // it took so long that nobody waits for it any more
			server.Close()
		default:
			server.Serve(h)
		}
	}()
}

// unlisten closes the control socket, if there is one by now.
func (r *relay) unlisten() {
	if r.control == nil {
		return
	}
	close(r.unheard)
	select {
	case server, ok := <-r.control:
		if ok {
			server.Close()
		}
	default: // none, or it hangs
	}
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
	mask := h.relay.journal.Mask()
	l := &h.relay.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.broker.Waiting(d.Request); ok {
		d.Option = meant(e, d, mask)
	}
	now := time.Now()
	ruling, effects := l.broker.Decide(now, d)
	l.do(effects)
	l.wakeClock(now)
	ruling.Option, ruling.Kind, ruling.Text = mask.Text(ruling.Option), mask.Text(ruling.Kind), mask.Text(ruling.Text)
	return ruling
}
