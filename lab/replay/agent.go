package replay

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"bobproxy/acp"
)

// Agent plays the agent's side of a recording to the client at the other end of
// in and out, until that leaves. It owns both and closes them when they can be
// closed; a Read of in that cannot be interrupted by that is left behind. An
// error means that there was nothing to play, or that ctx has ended.
func Agent(ctx context.Context, recording []Frame, in io.Reader, out io.Writer, o Options) (Report, error) {
	a, err := newAgent(recording, o)
	if err != nil {
		return Report{}, err
	}
	if a.blanks(acp.Agent) {
		a.warn("the client", "what becomes of its files and commands then is not counted")
	}
	err = play(ctx, a, in, out, o)
	a.leave()
	return a.Report, err
}

// agent is the agent's part.
type agent struct {
	teller
	*script
	opts   Options
	places places

	at      int          // the step to go on with
	skipped map[int]bool // steps that are left out
	matched map[int]call // by step, the live request that stands for the recorded one
	asked   map[string]int
	ids     map[int]string // by step, the id that its request went out with
	answers map[int]bool   // by step of the request, that its answer came
	waiting []call         // live requests and notifications that the recording has further on
	outbox  [][]byte       // what goes out before anything recorded

	sent bool // what next gave is of the outbox
	made int  // requests
	left bool // the client has
	told bool // and what it missed was said
	dull bool // it was given blanks to work with
	ends bool // turns that the recording ends in were ended
}

// call is a live request or notification.
type call struct {
	line  []byte
	frame acp.Frame // lies in line
	id    []byte
	at    int // while it waits: the first step that it fits and that none stands for
}

func newAgent(recording []Frame, o Options) (*agent, error) {
	s, err := newScript(recording)
	if err != nil {
		return nil, err
	}
	return &agent{
		teller: teller{tell: o.Found}, script: s, opts: o,
		skipped: map[int]bool{}, matched: map[int]call{}, asked: map[string]int{},
		ids: map[int]string{}, answers: map[int]bool{},
	}, nil
}

// next goes on in the recording, past what the client has done already.
func (a *agent) next() move {
	if a.sent = len(a.outbox) > 0; a.sent {
		return move{line: a.outbox[0], step: none}
	}
	for ; a.at < len(a.steps); a.at++ {
		t := &a.steps[a.at]
		switch {
		case a.skipped[a.at]:
		case t.From == acp.Agent:
			if a.left && !a.owes() {
				return move{over: true}
			}
			if line := a.line(a.at); line != nil {
				return move{line: line, step: a.at, pause: a.pause()}
			}
		case t.sent() && !a.came(a.at):
			if a.left {
				a.missed()
				return move{over: true}
			}
			return move{}
		}
	}
	if a.endTurns(); len(a.outbox) > 0 {
		return a.next()
	}
	return move{over: true, stay: true}
}

// endTurns ends, once, the turns that the recording does not: a client would wait
// for ever.
func (a *agent) endTurns() {
	if a.ends || a.left {
		return
	}
	a.ends = true
	for i := range a.steps {
		t := &a.steps[i]
		c, ok := a.matched[i]
		if !t.cut || !ok {
			continue
		}
		if t.reply == none {
			a.cut(t, "answered with an error")
			a.outbox = append(a.outbox, failure(c.id, internalError, "the recording ends inside this turn"))
			continue
		}
		a.cut(t, "ended as cancelled")
		session, _ := sessionOf(&c.frame)
		a.outbox = append(a.outbox, cancelledTurn(session))
	}
}

// owes says whether a live request has its recorded answer before it.
func (a *agent) owes() bool {
	for i := range a.matched {
		if reply := a.steps[i].reply; reply >= a.at && !a.skipped[reply] {
			return true
		}
	}
	return false
}

// pause is how long the agent took for the step. For a client that has left,
// nobody takes time.
func (a *agent) pause() time.Duration {
	if a.at == 0 || a.left {
		return 0
	}
	return a.opts.pause(a.steps[a.at].At.Sub(a.steps[a.at-1].At))
}

// line is the recorded frame of step i as it goes out now; nil when it has
// nothing to answer.
func (a *agent) line(i int) []byte {
	t := &a.steps[i]
	switch t.scan.Kind {
	case acp.Request:
		id, ok := a.ids[i]
		if !ok {
			a.made++
			id = strconv.Itoa(a.made)
			a.ids[i] = id
			a.asked[string(key([]byte(id)))] = i
		}
		return envelope([]byte(id), &t.scan, a.places.value)
	case acp.Notification:
		if t.method == acp.MethodCancelRequest {
			return a.withdrawal(t)
		}
		return envelope(nil, &t.scan, a.places.value)
	case acp.Response, acp.Error:
		if c, ok := a.matched[t.request]; ok {
			return envelope(c.id, &t.scan, a.places.value)
		}
		return nil
	}
	return append(append([]byte(nil), t.Line...), '\n')
}

// withdrawal is $/cancel_request for the request that was recorded under the id.
func (a *agent) withdrawal(t *step) []byte {
	was := string(key(acp.ReadCancelRequest(t.scan.Params)))
	for i := a.at - 1; i >= 0; i-- {
		if a.steps[i].isRequest(acp.Agent) && string(key(a.steps[i].scan.ID)) == was {
			if id, ok := a.ids[i]; ok {
				return withdrawal([]byte(id))
			}
			return nil
		}
	}
	return nil
}

func key(id []byte) []byte {
	k, _ := acp.IDKey(nil, id)
	return k
}

// done takes note that what next gave goes out.
func (a *agent) done() {
	a.Sent++
	if a.sent {
		a.outbox = a.outbox[1:]
		return
	}
	t := &a.steps[a.at]
	if _, ok := a.places.live(t.session); !ok && t.isReply() && creates(t.method) {
		a.places.name(t.session, t.session)
	}
	a.dull = a.dull || t.Blank && t.scan.Kind == acp.Request && inWorkspace(t.method)
	a.at++
}

func (a *agent) gone() { a.left = true }

func (a *agent) full() bool { return len(a.outbox) >= maxOutbox }

// late says what the client did not do.
func (a *agent) late() {
	a.told = true
	patience := a.opts.patience()
	if a.at < len(a.steps) && a.steps[a.at].From == acp.Client && len(a.outbox) == 0 {
		t := &a.steps[a.at]
		a.found(Finding{Divergence: true, Frame: t.Number, About: "the client", Expected: t.label(), Came: fmt.Sprintf("nothing for %v", patience), Then: "giving up"})
		return
	}
	a.found(Finding{Divergence: true, About: "the client", Came: fmt.Sprintf("took nothing for %v", patience), Then: "giving up"})
}

// missed says once what the client left without.
func (a *agent) missed() {
	if a.told {
		return
	}
	a.told = true
	t := &a.steps[a.at]
	a.found(Finding{Divergence: true, Frame: t.Number, About: "the client", Expected: t.label(), Came: "the end of its output"})
}

// leave counts what was not said, and says what the client left without.
func (a *agent) leave() {
	for i := a.at; i < len(a.steps); i++ {
		t := &a.steps[i]
		if a.skipped[i] || t.From != acp.Agent {
			continue
		}
		a.Left++
		if _, ok := a.matched[t.request]; ok && t.isReply() && !a.told {
			a.told = true
			a.found(Finding{Divergence: true, Frame: t.Number, About: "the client", Expected: "that it waits for " + t.label(), Came: "the end of its connection"})
		}
	}
}

// liveLabel names a live request or notification.
func liveLabel(f *acp.Frame) string {
	return label(string(f.Method), "")
}
