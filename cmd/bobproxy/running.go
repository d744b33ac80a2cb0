package main

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// running are the proxies that listen in the runtime directories.
type running struct {
	lookup func(string) (string, bool) // the environment
}

func (r running) find() (list []endpoint, troubles []trouble) {
	found, problems := control.Find(r.lookup)
	for _, e := range found {
		list = append(list, endpoint{e.Instance, e.Path})
	}
	for _, p := range problems {
		troubles = append(troubles, trouble{Message: p.Error()})
	}
	return list, troubles
}

func (r running) state(ctx context.Context, e endpoint) (control.State, error) {
	c, err := dial(ctx, e)
	if err != nil {
		return control.State{}, err
	}
	defer c.Close()
	s, err := c.State(ctx)
	return s, departed(err)
}

func (r running) asked(ctx context.Context, e endpoint) error {
	c, err := dial(ctx, e)
	if err != nil {
		return err
	}
	defer c.Close()
	s, _, deltas, err := c.Watch(ctx)
	if err != nil || len(s.Pending) > 0 {
		return departed(err)
	}
	for {
		select {
		case d, ok := <-deltas:
			switch {
			case !ok:
				return departed(c.Err())
			case d.Event.Type == journal.OpenedEvent:
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// decide does not take a proxy that ends meanwhile for one that had ended: what
// it made of the answer is not known.
func (r running) decide(ctx context.Context, e endpoint, d broker.Decision) (broker.Ruling, error) {
	c, err := dial(ctx, e)
	if err != nil {
		return broker.Ruling{}, err
	}
	defer c.Close()
	return c.Decide(ctx, d)
}

func dial(ctx context.Context, e endpoint) (*control.Client, error) {
	c, err := control.Dial(ctx, control.Endpoint{Instance: e.instance, Path: e.path}, broker.ByCommand)
	return c, departed(err)
}

// departed makes errGone of the errors that say that nobody is there any more.
func departed(err error) error {
	if errors.Is(err, control.ErrEnded) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return errGone
	}
	return err
}
