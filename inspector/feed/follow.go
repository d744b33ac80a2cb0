package feed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"bobproxy/proxy/control"
)

const (
	answerTime = 5 * time.Second  // for a proxy to say hello
	attachTime = 20 * time.Second // for its snapshot
	firstDelay = 50 * time.Millisecond
	lastDelay  = 2 * time.Second
	looseDelay = time.Second     // the last one after a proxy cut us loose
	steadyTime = 5 * time.Second // that a connection lasts which keeps up with what happens
)

// follower follows one proxy. It is its goroutine's, but for its desk.
type follower struct {
	feed *Feed
	at   control.Endpoint
	desk desk

	attached bool // an Attached was told, and no Gone after it
	state    control.State
	refused  string // what was last told
}

func newFollower(f *Feed, at control.Endpoint) *follower {
	return &follower{feed: f, at: at, desk: newDesk(f, at)}
}

// follow is the follower's goroutine.
func (p *follower) follow() {
	defer p.feed.running.Done()
	defer p.feed.opts.Protect()
	defer p.desk.close()
	defer p.feed.left(p.at)
	for delay := firstDelay; ; delay = min(2*delay, lastDelay) {
		began := time.Now()
		attached, err := p.connect()
		if attached {
			delay = afterwards(delay, time.Since(began))
		}
		switch {
		case p.feed.ctx.Err() != nil:
			return
		case gone(err) || (attached || ended(err)) && !p.listens():
			p.gone(control.ErrEnded.Error())
			return
		}
		if !p.report(attached, err.Error()) || !p.feed.pause(delay) {
			return
		}
	}
}

// afterwards is how long to wait after a connection that lasted that long. Under
// a flood each ends soon, and every snapshot costs the proxy some of the time
// that the wire needs.
func afterwards(delay, lasted time.Duration) time.Duration {
	if lasted >= steadyTime {
		return firstDelay
	}
	return min(delay, looseDelay)
}

// gone says that nobody listens at the socket.
func gone(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist)
}

// ended says that the connection was over without another reason.
func ended(err error) bool { return errors.Is(err, control.ErrEnded) }

// listens says whether somebody still has the socket.
func (p *follower) listens() bool {
	ctx, cancel := context.WithTimeout(p.feed.ctx, answerTime)
	defer cancel()
	c, err := control.Dial(ctx, p.at, p.feed.opts.as())
	if err == nil {
		c.Close()
	}
	return !gone(err)
}

// report tells why there is no connection, as far as that is new.
func (p *follower) report(attached bool, why string) bool {
	switch {
	case attached:
		return p.feed.send(Lost{p.at.Instance, why})
	case p.attached || p.refused == why:
		return true
	}
	p.refused = why
	return p.feed.send(Refused{p.at, why})
}

func (p *follower) gone(why string) bool {
	if !p.attached {
		return true
	}
	p.attached = false
	return p.feed.send(Gone{p.at.Instance, why})
}

// connect follows the proxy over one connection, until that is over, and why.
// attached says that Attached was told.
func (p *follower) connect() (attached bool, err error) {
	ctx, cancel := context.WithTimeout(p.feed.ctx, answerTime)
	defer cancel()
	c, err := control.Dial(ctx, p.at, p.feed.opts.as())
	if err != nil {
		return false, unanswered(ctx, err)
	}
	defer c.Close()
	if of := c.Greeting().Instance; of != p.at.Instance {
		return false, fmt.Errorf("what listens as %s calls itself %.40q", p.at.Instance, of)
	}
	deltas, err := p.attach(c)
	if err != nil {
		return false, err
	}
	for {
		select {
		case d, ok := <-deltas:
			if !ok {
				return true, reason(c)
			}
			if !p.tell(deltas, d) {
				return true, p.feed.ctx.Err()
			}
		case <-p.feed.ctx.Done():
			return true, p.feed.ctx.Err()
		}
	}
}

func unanswered(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("it does not answer")
	}
	return err
}

// reason is why a connection is over.
func reason(c *control.Client) error {
	if err := c.Err(); err != nil {
		return err
	}
	return control.ErrEnded
}

// attach tells what is so and what was before.
func (p *follower) attach(c *control.Client) (<-chan control.Delta, error) {
	ctx, cancel := context.WithTimeout(p.feed.ctx, attachTime)
	defer cancel()
	state, events, deltas, err := c.Watch(ctx)
	if err != nil {
		return nil, unanswered(ctx, err)
	}
	if p.attached && !(state.PID == p.state.PID && state.Started.Equal(p.state.Started)) {
		p.gone("another proxy runs under its name")
	}
	m := Attached{c.Greeting(), state, events}
	var meanwhile batch
	if !p.attached {
		before, release := p.recall(&m, deltas, &meanwhile)
		defer release()
		m.Events = append(before, m.Events...)
	}
	if !p.feed.send(m) {
		return nil, p.feed.ctx.Err()
	}
	p.attached, p.state, p.refused = true, control.State{PID: state.PID, Started: state.Started}, ""
	for _, part := range meanwhile.parts() {
		if !p.feed.send(Happened{p.at.Instance, part}) {
			return nil, p.feed.ctx.Err()
		}
	}
	return deltas, nil
}

// tell tells d and what else has happened by now, or happens until the message
// can be queued.
func (p *follower) tell(deltas <-chan control.Delta, d control.Delta) bool {
	var b batch
	b.add(d)
	for !b.full() {
		select {
		case d, ok := <-deltas:
			if !ok {
				return p.feed.send(Happened{p.at.Instance, b.deltas})
			}
			b.add(d)
			continue
		default:
		}
		select {
		case p.feed.messages <- Happened{p.at.Instance, b.deltas}:
			return true
		case <-p.feed.ctx.Done():
			return false
		case d, ok := <-deltas:
			if !ok {
				return p.feed.send(Happened{p.at.Instance, b.deltas})
			}
			b.add(d)
		}
	}
	return p.feed.send(Happened{p.at.Instance, b.deltas})
}

// batch is events that are told together.
type batch struct {
	deltas []control.Delta
	bytes  int
}

func (b *batch) add(d control.Delta) {
	b.deltas = append(b.deltas, d)
	b.bytes += weight(&d)
}

func (b *batch) full() bool { return len(b.deltas) >= mostDeltas || b.bytes >= mostBytes }

func weight(d *control.Delta) int {
	n := len(d.Event.Body) + len(d.Event.Text)
	if d.Pending != nil {
		n += len(d.Pending.Input) + len(d.Pending.Content)
	}
	return n
}

// parts are the batch in messages that are not too large.
func (b *batch) parts() (parts [][]control.Delta) {
	var part batch
	for _, d := range b.deltas {
		if part.add(d); part.full() {
			parts = append(parts, part.deltas)
			part = batch{}
		}
	}
	if len(part.deltas) > 0 {
		parts = append(parts, part.deltas)
	}
	return parts
}
