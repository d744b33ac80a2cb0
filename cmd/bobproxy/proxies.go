package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"bobproxy/acp/clean"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// proxies are the running proxies of this user, as the commands that look at
// them and answer them need them. Every call is a conversation of its own and
// ends with its context.
type proxies interface {
	// find lists them, and says what kept it from looking somewhere.
	find() ([]endpoint, []trouble)
	// state is what one says of itself.
	state(context.Context, endpoint) (control.State, error)
	// asked returns nil as soon as one has a permission request that waits.
	asked(context.Context, endpoint) error
	// decide hands one an answer.
	decide(context.Context, endpoint, broker.Decision) (broker.Ruling, error)
}

// endpoint is where a proxy is reached.
type endpoint struct{ instance, path string }

// trouble is a proxy that cannot be asked, or a place that cannot be searched.
type trouble struct {
	Instance string `json:"instance,omitempty"`
	Message  string `json:"message"`
}

// errGone is the error of a proxy that has ended since it was found.
var errGone = errors.New("the proxy has ended")

// How long a proxy may take to say something. One that runs answers at once; one
// that is stopped never does, and then others are to be seen soon.
const (
	answerTime   = 2 * time.Second  // as one of many
	decisionTime = 10 * time.Second // when it is the one that is meant
)

// survey is what all proxies say of themselves, and who does not answer.
type survey struct {
	states   []control.State // the one that started first is the first
	troubles []trouble
}

// look asks all proxies at once; it returns when each has answered or had
// answerTime to do so.
func look(ctx context.Context, p proxies) survey {
	list, troubles := p.find()
	states := make([]control.State, len(list))
	errs := make([]error, len(list))
	var asked sync.WaitGroup
	for i, e := range list {
		asked.Go(func() { states[i], errs[i] = ask(ctx, p, e, answerTime) })
	}
	asked.Wait()
	s := survey{troubles: troubles}
	for i, err := range errs {
		switch {
		case err == nil:
			s.states = append(s.states, states[i])
		case !errors.Is(err, errGone):
			s.troubles = append(s.troubles, trouble{list[i].instance, silence(list[i], err, answerTime)})
		}
	}
	slices.SortStableFunc(s.states, func(a, b control.State) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Instance, b.Instance))
	})
	return s
}

func ask(ctx context.Context, p proxies, e endpoint, within time.Duration) (control.State, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return p.state(ctx, e)
}

// silence says that, and why, a proxy cannot be asked.
func silence(e endpoint, err error, within time.Duration) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("proxy %s did not answer within %s; it may be stopped or overloaded", clean.Line(e.instance), within)
	}
	return fmt.Sprintf("proxy %s cannot be asked: %s", clean.Line(e.instance), clean.Line(err.Error()))
}

// waiting are the open permission requests of all proxies, oldest first.
func (s survey) waiting() []open {
	var list []open
	for i := range s.states {
		for _, p := range s.states[i].Pending {
			list = append(list, open{p, &s.states[i]})
		}
	}
	slices.SortStableFunc(list, func(a, b open) int {
		return cmp.Or(a.Opened.Compare(b.Opened), cmp.Compare(a.Request, b.Request))
	})
	return list
}

// open is a permission request that waits, and who it waits at.
type open struct {
	control.Pending
	proxy *control.State
}
