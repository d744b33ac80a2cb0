package feed

import (
	"context"
	"errors"
	"fmt"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// ErrNotFollowed says that no proxy of that name is followed now.
var ErrNotFollowed = errors.New("no such proxy runs any more")

// Decide answers a permission of the proxy with that process id: of another one
// that runs under its name by now it would be the answer to something else. It
// goes over another connection than the one that is watched, which may be full of
// events. As with [control.Client.Decide], an error says that it is not known what
// has become of the answer, and it is never sent again.
func (f *Feed) Decide(ctx context.Context, instance string, pid int, d broker.Decision) (ruling broker.Ruling, err error) {
	err = f.call(ctx, instance, func(ctx context.Context, c *control.Client) error {
		if c.Greeting().PID != pid {
			return fmt.Errorf("%s: %w", instance, ErrNotFollowed)
		}
		ruling, err = c.Decide(ctx, d)
		return err
	})
	return ruling, err
}

// Body is what a proxy still has of a frame's body or an event's text, at most
// 64 KiB; false when that is nothing.
func (f *Feed) Body(ctx context.Context, instance string, seq uint64) (body []byte, found bool, err error) {
	err = f.call(ctx, instance, func(ctx context.Context, c *control.Client) error {
		body, found, err = c.Body(ctx, seq)
		return err
	})
	return body, found, err
}

// Disk is what the disk has beside each diff of a request that waits; none when it
// does not wait any more. Other calls do not wait for it.
func (f *Feed) Disk(ctx context.Context, instance string, pid int, request string) (files []control.OnDisk, err error) {
	err = f.call(ctx, instance, func(ctx context.Context, c *control.Client) error {
		if c.Greeting().PID != pid {
			return fmt.Errorf("%s: %w", instance, ErrNotFollowed)
		}
		files, _, err = c.Disk(ctx, request)
		return err
	})
	return files, err
}

// call does something at the desk of a proxy.
func (f *Feed) call(ctx context.Context, instance string, do func(context.Context, *control.Client) error) error {
	if !f.enter() {
		return context.Canceled
	}
	defer f.running.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(f.ctx, cancel)()
	p := f.find(instance)
	if p == nil {
		return fmt.Errorf("%s: %w", instance, ErrNotFollowed)
	}
	c, err := p.desk.client(ctx)
	if err != nil {
		return err
	}
	return do(ctx, c)
}

func (f *Feed) find(instance string) *follower {
	f.mu.Lock()
	defer f.mu.Unlock()
	for at, p := range f.followers {
		if at.Instance == instance {
			return p
		}
	}
	return nil
}

// desk is a connection for calls, made when it is needed first. Its methods may
// be called from any goroutine.
type desk struct {
	feed *Feed
	at   control.Endpoint
	hold chan *control.Client // holds the connection, or nil, while nobody looks at it; closed by close
}

func newDesk(f *Feed, at control.Endpoint) desk {
	d := desk{f, at, make(chan *control.Client, 1)}
	d.hold <- nil
	return d
}

// client is the connection, a new one when there is none or it is over.
func (d *desk) client(ctx context.Context) (*control.Client, error) {
	select {
	case c, open := <-d.hold:
		if !open {
			return nil, fmt.Errorf("%s: %w", d.at.Instance, ErrNotFollowed)
		}
		c, err := d.renew(ctx, c)
		d.hold <- c
		return c, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// renew gives c as long as it is good.
func (d *desk) renew(ctx context.Context, c *control.Client) (*control.Client, error) {
	if c != nil {
		if c.Err() == nil {
			return c, nil
		}
		c.Close()
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	c, err := control.Dial(ctx, d.at, d.feed.opts.as())
	if err != nil {
		return nil, unanswered(ctx, err)
	}
	return c, nil
}

// close ends the connection, and with it the calls that are under way.
func (d *desk) close() {
	c := <-d.hold
	close(d.hold)
	if c != nil {
		c.Close()
	}
}
