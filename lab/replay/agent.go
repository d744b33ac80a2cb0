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
}

// call is a live request or notification.
type call struct {
	line  []byte
	frame acp.Frame // lies in line
	id    []byte
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
	return move{over: true, stay: true}
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
	a.at++
}

// came says whether the client has done what step i says, and takes it as done.
func (a *agent) came(i int) bool {
	t := &a.steps[i]
	switch t.scan.Kind {
	case acp.Request, acp.Notification:
		if _, ok := a.matched[i]; ok {
			return true
		}
		for n, c := range a.waiting {
			if a.fits(i, &c.frame) {
				a.waiting = append(a.waiting[:n:n], a.waiting[n+1:]...)
				a.match(i, c)
				return true
			}
		}
		if c, ok := a.passed(i); ok {
			a.skip(i, &c.frame)
			return true
		}
		return false
	}
	if _, ok := a.ids[t.request]; !ok || t.request == none {
		return true // it was not asked this time
	}
	return a.answers[t.request]
}

// fits says whether a live request or notification is the one of step i.
func (a *agent) fits(i int, live *acp.Frame) bool {
	t := &a.steps[i]
	if t.From != acp.Client || t.scan.Kind != live.Kind || t.method != string(live.Method) {
		return false
	}
	if creates(t.method) {
		return true
	}
	session, _ := sessionOf(live)
	is, known := a.places.live(t.session)
	return !known || is == session
}

// creates says whether the session that a request names is one that the client
// brings.
func creates(method string) bool {
	switch method {
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		return true
	}
	return false
}

// passed is a live request that the recording has behind step i and behind the
// answer to that, so that the client has left step i out.
func (a *agent) passed(i int) (call, bool) {
	answered := a.steps[i].reply
	if answered == none {
		answered = i + 1
	}
	for _, c := range a.waiting {
		if j, ok := a.find(i+1, &c.frame); ok && j > answered {
			return c, true
		}
	}
	return call{}, false
}

// find is the first step from i on that a live request or notification fits and
// that none stands for.
func (a *agent) find(i int, live *acp.Frame) (int, bool) {
	for ; i < len(a.steps); i++ {
		if _, ok := a.matched[i]; !ok && !a.skipped[i] && a.fits(i, live) {
			return i, true
		}
	}
	return 0, false
}

// match takes a live request or notification for step i, and says how they
// differ.
func (a *agent) match(i int, c call) {
	t := &a.steps[i]
	a.matched[i] = c
	session, _ := sessionOf(&c.frame)
	a.places.name(t.session, session)
	if creates(t.method) {
		a.places.setup(t.scan.Params, c.frame.Params)
	}
	a.differ(t, callDifferences(t.method, a.places.value(t.scan.Params), c.frame.Params), "going on as recorded")
}

// differ tells differences at step t.
func (a *agent) differ(t *step, differences []difference, then string) {
	for _, d := range differences {
		counts := d.counts || a.opts.Strict
		f := Finding{Divergence: counts, Frame: t.Number, About: t.label(), Expected: d.expected, Came: d.came, Why: d.why}
		if counts {
			f.Then = then
		}
		a.found(f)
	}
}

// skip leaves step i out, since the client did, and with a prompt its turn.
func (a *agent) skip(i int, instead *acp.Frame) {
	t := &a.steps[i]
	f := Finding{Divergence: true, Frame: t.Number, About: "the client",
		Expected: t.label(), Came: liveLabel(instead), Why: "it leaves the first out", Then: "so does the replay"}
	a.found(f)
	a.skipped[i] = true
	if t.reply != none {
		a.skipped[t.reply] = true
	}
	a.skipTurn(i, i)
}

// skipTurn leaves out what comes behind step from of the turn that the prompt of
// step i begins.
func (a *agent) skipTurn(i, from int) {
	for k := from + 1; k <= a.steps[i].end; k++ {
		if a.steps[k].session == a.steps[i].session && a.steps[k].sent() && !a.steps[k].isRequest(acp.Client) {
			a.skipped[k] = true
		}
	}
}

// hear takes in what the client says.
func (a *agent) hear(line []byte) {
	a.Heard++
	c := call{line: line}
	acp.Scan(line, &c.frame)
	c.id = c.frame.ID
	switch c.frame.Kind {
	case acp.Request:
		a.hearRequest(c)
	case acp.Notification:
		a.hearNotification(c)
	case acp.Response, acp.Error:
		a.hearAnswer(&c.frame)
	default:
		a.found(Finding{Divergence: true, About: "the client", Came: "sent a line that no peer reads as a frame"})
	}
}

// maxWaiting is how many live frames are kept until the recording has come to
// them.
const maxWaiting = 1000

// maxOutbox is how many answers wait to be written before nothing is heard any
// more.
const maxOutbox = 1000

func (a *agent) hearRequest(c call) {
	if _, ok := a.find(a.at, &c.frame); ok {
		a.wait(c)
		return
	}
	if i, ok := a.omitted(&c.frame); ok {
		t := &a.steps[i]
		a.found(Finding{Divergence: true, Frame: t.Number, About: t.label(), Came: "comes later than it did", Then: "answered as recorded"})
		a.skipped[i] = false
		a.match(i, c)
		a.skipped[i] = true
		if t.reply != none {
			a.outbox = append(a.outbox, a.line(t.reply))
		}
		return
	}
	a.refuse(c)
}

func (a *agent) wait(c call) {
	if len(a.waiting) == maxWaiting {
		a.outbox = append(a.outbox, failure(c.id, internalError, "more requests than this replay keeps"))
		return
	}
	a.waiting = append(a.waiting, c)
}

// omitted is a step that was left out and that a live request fits.
func (a *agent) omitted(live *acp.Frame) (int, bool) {
	for i := 0; i < a.at; i++ {
		if _, ok := a.matched[i]; !ok && a.skipped[i] && a.fits(i, live) {
			return i, true
		}
	}
	return 0, false
}

// Codes of errors that a replay answers with.
const (
	methodNotFound = -32601
	internalError  = -32603
	cancelledError = -32800
)

// refuse answers a request that was not recorded: once more with what the last
// one of its method was answered, if that begins nothing.
func (a *agent) refuse(c call) {
	method := string(c.frame.Method)
	f := Finding{Divergence: true, About: "the client", Came: liveLabel(&c.frame), Why: "the recording has no such request", Then: "answered with an error"}
	known := false
	for i := len(a.steps) - 1; i >= 0; i-- {
		t := &a.steps[i]
		if !t.isRequest(acp.Client) || t.method != method {
			continue
		}
		if f.Why = "the recording has fewer of them"; creates(method) || method == acp.MethodSessionPrompt || t.reply == none {
			known = true
			break
		}
		f.Then = "answered like the last one"
		a.found(f)
		a.outbox = append(a.outbox, envelope(c.id, &a.steps[t.reply].scan, a.places.value))
		return
	}
	a.found(f)
	code, words := methodNotFound, "this recording has no "+method
	if known {
		code, words = internalError, "this recording has no more "+method
	}
	a.outbox = append(a.outbox, failure(c.id, code, words))
}

func (a *agent) hearNotification(c call) {
	method := string(c.frame.Method)
	i, recorded := a.find(a.at, &c.frame)
	if method == acp.MethodSessionCancel {
		if prompt, ok := a.running(&c.frame); ok && (!recorded || i > a.steps[prompt].end) {
			a.cancel(prompt)
			return
		}
	}
	if recorded && len(a.waiting) < maxWaiting {
		a.waiting = append(a.waiting, c)
		return
	}
	f := Finding{Divergence: true, About: "the client", Came: liveLabel(&c.frame), Why: "the recording has no such notification"}
	f.Divergence = method != acp.MethodCancelRequest // which may be ignored
	a.found(f)
}

// running is the prompt whose turn a live frame's session is in.
func (a *agent) running(live *acp.Frame) (int, bool) {
	session, _ := sessionOf(live)
	for i, c := range a.matched {
		if t := &a.steps[i]; t.method == acp.MethodSessionPrompt && t.end >= a.at && !a.skipped[t.end] {
			if s, _ := sessionOf(&c.frame); s == session {
				return i, true
			}
		}
	}
	return 0, false
}

// cancel ends a turn that was not cancelled when it was recorded.
func (a *agent) cancel(prompt int) {
	t := &a.steps[prompt]
	a.found(Finding{Divergence: true, Frame: t.Number, About: t.label(), Came: "session/cancel",
		Why: "this turn was not cancelled", Then: "its rest is left out"})
	c := a.matched[prompt]
	replied := t.reply != none && t.reply < a.at
	a.skipTurn(prompt, max(a.at-1, prompt))
	if t.end != t.reply { // version 2, where the reply says only that the prompt was taken
		if t.reply != none {
			a.skipped[t.reply] = false
		}
		session, _ := sessionOf(&c.frame)
		a.outbox = append(a.outbox, cancelledTurn(session))
		return
	}
	if t.reply != none {
		a.skipped[t.reply] = true
	}
	if !replied {
		a.outbox = append(a.outbox, result(c.id, `{"stopReason":"cancelled"}`))
	}
}

// cancelledTurn is how version 2 says that a turn was cancelled.
func cancelledTurn(session string) []byte {
	params := append([]byte(`{"sessionId":`), quoted(session)...)
	params = append(params, `,"update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}`...)
	return envelope(nil, &acp.Frame{Method: []byte(acp.MethodSessionUpdate), Params: params}, as)
}

func (a *agent) hearAnswer(live *acp.Frame) {
	i, ok := a.asked[string(key(live.ID))]
	if !ok || a.answers[i] {
		a.found(Finding{Divergence: true, About: "the client", Came: "answers the id " + short(string(live.ID)) + ", which waits for no answer"})
		return
	}
	a.answers[i] = true
	t := &a.steps[i]
	if t.method == acp.MethodTerminalCreate && t.reply != none {
		a.places.name(said(a.steps[t.reply].scan.Result, "terminalId"), said(live.Result, "terminalId"))
	}
	if t.reply == none {
		if !a.skipped[i] {
			a.found(Finding{Frame: t.Number, About: t.label(), Came: "is answered now", Why: "in the recording it was not"})
		}
		return
	}
	if a.skipped[t.reply] {
		return
	}
	recorded := a.steps[t.reply].scan
	recorded.Result = a.places.value(recorded.Result)
	differences := answerDifferences(t.method, t.scan.Params, &recorded, live)
	a.differ(&a.steps[t.reply], differences, "going on as recorded")
	if len(differences) > 0 && differences[0].counts {
		a.overtake(t.reply, live)
	}
}

// overtake leaves out the notifications that the recording has in front of an
// answer which came otherwise: a session/cancel that explains a permission's.
func (a *agent) overtake(reply int, live *acp.Frame) {
	for i := a.at; i < reply; i++ {
		t := &a.steps[i]
		if t.From == acp.Agent {
			continue
		}
		if _, ok := a.matched[i]; t.scan.Kind == acp.Notification && !ok && !a.skipped[i] && !a.expects(t) {
			a.found(Finding{Divergence: true, Frame: t.Number, About: "the client", Expected: t.label(),
				Came: "another answer", Why: "it leaves the first out", Then: "so does the replay"})
			a.skipped[i] = true
		}
	}
}

// expects says whether a live notification waits for the step t.
func (a *agent) expects(t *step) bool {
	for _, c := range a.waiting {
		if string(c.frame.Method) == t.method {
			return true
		}
	}
	return false
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
