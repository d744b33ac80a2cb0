package control

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

const (
	maxConnections = 32
	maxBelow       = 8 // of them, from below the agent or from nobody knows where
	helloTime      = 10 * time.Second
	writeTime      = 2 * time.Second        // for 64 KiB
	closeTime      = 250 * time.Millisecond // for what is on its way when a server is closed
	hostTime       = time.Second            // for a host to return, once everything is closed
)

// Options say where a server listens and whom it lets answer.
type Options struct {
	Instance string                      // 4 to 8 letters or digits
	Lookup   func(string) (string, bool) // the environment; nil: ours

	// Tree is the process whose descendants may watch but not answer: the
	// agent's keeper. While it is 0, or unset, nobody may answer. It may be
	// called from any goroutine.
	Tree func() int

	// Answers is what commands may answer: all, deny-only, off, or empty for all
	// when the caller has a terminal and deny-only when it has none.
	Answers string

	// Refused is told of the first answer of each connection that is turned away
	// because of who gives it, and why. It is called from any goroutine and
	// returns quickly; nil: nobody is told.
	Refused func(who journal.Peer, request, why string)

	system system        // for tests, as the next two
	hello  time.Duration // zero: helloTime
	end    time.Duration // zero: closeTime
}

// variable is the one of the environment that names the folder.
func (o Options) variable() string {
	if _, set := only(o.Lookup); set {
		return aloneVariable
	}
	return "XDG_RUNTIME_DIR"
}

// Server is a control socket. Its methods may be called from any goroutine.
type Server struct {
	opts    Options
	slot    *slot
	passed  []string // folders that come first and cannot be used, and why
	closing chan struct{}
	once    sync.Once
	failed  error // of Close
	running sync.WaitGroup

	// encoding is held by the one connection that makes lines of events: however
	// many watch a flood, no more than one takes processor time from the wire.
	encoding sync.Mutex

	mu       sync.Mutex
	closed   bool
	conns    map[*conn]struct{}
	below    int // of conns
	watchers int // of conns
}

// Listen takes a place in the first usable runtime directory. An error says what
// is wrong with each of them and what to do; the proxy works without a socket.
func Listen(o Options) (*Server, error) {
	switch {
	case !available:
		return nil, errors.New("there is no control socket on this system: it does not say who connects")
	case !instanceName(o.Instance):
		return nil, fmt.Errorf("the instance name %q is not 4 to 8 letters or digits", o.Instance)
	case o.Answers != answersAuto && o.Answers != answersAll && o.Answers != denyOnly && o.Answers != answersOff:
		return nil, fmt.Errorf("answers can be all, deny-only or off, not %q", o.Answers)
	}
	var reasons, passed []string
	for _, d := range directories(o.Lookup, o.system) {
		slot, err := d.take(o.Instance)
		switch {
		case err == nil:
			return &Server{opts: o, slot: slot, passed: passed, closing: make(chan struct{}), conns: map[*conn]struct{}{}}, nil
		case errors.Is(err, ErrInUse):
			return nil, fmt.Errorf("control socket of %s: %w", o.Instance, err)
		}
		reasons = append(reasons, d.path+": "+err.Error())
		if d.expected(err) {
			passed = append(passed, d.path+": "+err.Error())
		}
	}
	return nil, fmt.Errorf("no place for the control socket (%s); set %s to a folder with a short path that is yours alone", strings.Join(reasons, "; "), o.variable())
}

// take makes the folder, takes the instance's place in it and clears away what
// killed proxies have left there.
func (d directory) take(instance string) (*slot, error) {
	if err := d.make(); err != nil {
		return nil, err
	}
	slot, err := takeSlot(d.path, instance)
	if err == nil {
		sweep(filepath.Dir(slot.path), time.Now())
	}
	return slot, err
}

// Path is where the socket is.
func (s *Server) Path() string { return s.slot.path }

// PassedOver says that the socket is not where it is looked for first, and why;
// empty when it is, or when there was no such place to begin with.
func (s *Server) PassedOver() string {
	if len(s.passed) == 0 {
		return ""
	}
	return fmt.Sprintf("the control socket is in %s (%s)", filepath.Dir(s.Path()), strings.Join(s.passed, "; "))
}

// Serve lets clients see and decide what host has, until Close.
func (s *Server) Serve(host Host) error {
	if !s.begin() {
		return net.ErrClosed
	}
	defer s.running.Done()
	for {
		nc, err := s.slot.listener.AcceptUnix()
		if err == nil {
			s.admit(host, nc)
			continue
		}
		select {
		case <-s.closing:
			return nil
		case <-time.After(100 * time.Millisecond): // out of descriptors, most likely
		}
	}
}

func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Add(1)
	return true
}

// admit starts a connection's goroutine, or says why not.
func (s *Server) admit(host Host, nc *net.UnixConn) {
	who, err := identify(nc)
	if err == nil {
		if err = s.enter(host, nc, who); err == nil {
			return
		}
		who.close()
	}
	nc.SetWriteDeadline(time.Now().Add(writeTime))
	nc.Write(goodbye(err.Error())) // the first words on a new connection always have room
	nc.Close()
}

// enter gives a connection a place. Who may not answer takes none that others
// need, however many there are of them: each is looked at before it has one.
func (s *Server) enter(host Host, nc *net.UnixConn, who *caller) error {
	permit, _ := s.opts.permit(who, broker.ByCommand)
	below := permit == none && s.opts.Answers != answersOff
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return errors.New(ending)
	case below && s.below == maxBelow:
		return fmt.Errorf("%d clients that may not answer are connected already", maxBelow)
	case len(s.conns) >= maxConnections:
		return fmt.Errorf("%d clients are connected already", maxConnections)
	}
	c := newConn(s, host, nc, who)
	if c.below = below; below {
		s.below++
	}
	s.conns[c] = struct{}{}
	s.running.Add(1)
	go c.serve()
	return nil
}

func (s *Server) watching(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers += by
}

// state is the host's, with what only the server knows.
func (s *Server) state(of State) state {
	s.mu.Lock()
	defer s.mu.Unlock()
	of.Watchers = s.watchers
	return fromState(of)
}

func (s *Server) left(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.below {
		s.below--
	}
	delete(s.conns, c)
	s.running.Done()
}

// Close ends all connections, gives what is on its way to watchers 250 ms, waits
// for all goroutines and removes the socket. It is an error when one of them
// stays for another second, since the host does not return. To let watchers see
// the last events, close the journal before.
func (s *Server) Close() error {
	s.once.Do(func() { s.failed = s.close() })
	return s.failed
}

func (s *Server) close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	close(s.closing)
	defer s.slot.release()
	s.slot.listener.Close()
	done := make(chan struct{})
	go s.wait(done)
	if within(cmp.Or(s.opts.end, closeTime), done) {
		return nil
	}
	s.cut()
	if within(max(s.opts.end, hostTime), done) {
		return nil
	}
	return errors.New("control socket: a client's call does not return")
}

func (s *Server) wait(done chan<- struct{}) {
	s.running.Wait()
	close(done)
}

func within(d time.Duration, done <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// cut closes what is still open.
func (s *Server) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.nc.Close()
	}
}
