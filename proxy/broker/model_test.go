package broker_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// world drives a broker with whatever a script of bytes says, and knows from
// outside what may come of it. The agent asks, both sides cancel, panels
// decide, time passes; the editor answers each dialog once, in any order.
//
// A fair world is one in which answers can be attributed: the agent does not
// use an id that is open, and the editor says that a dialog was withdrawn only if
// it was.
type world struct {
	t      *testing.T
	b      *broker.Broker
	now    time.Time
	script []byte
	fair   bool

	asked   map[string]*question // by request
	order   []string             // requests
	dialogs []*question          // forwarded and not answered by the editor

	added     int // answers made by the broker to what was forwarded
	swallowed int // replies to these
}

type question struct {
	broker.Ask
	request   string
	answered  bool
	cancelled bool // by the editor
	withdrawn bool // by the agent
	allowed   bool // by the editor, in truth
}

func newWorld(t *testing.T, script []byte) *world {
	w := &world{t: t, script: script, now: time.Unix(1e9, 0), asked: map[string]*question{}}
	kind := w.next(8)
	o := broker.Options{Instance: "test", Withdraw: kind&1 == 0}
	if kind&2 == 0 {
		o.Timeout = 2 * time.Minute
	}
	w.fair = kind&4 == 0
	w.b = broker.New(o)
	return w
}

// next takes a number below n from the script.
func (w *world) next(n int) int {
	if len(w.script) == 0 {
		return 0
	}
	v := int(w.script[0]) % n
	w.script = w.script[1:]
	return v
}

func (w *world) run() {
	for len(w.script) > 0 {
		w.step()
	}
	w.end()
}

func (w *world) step() {
	switch w.next(12) {
	case 0, 1, 2:
		w.ask()
	case 3, 4, 5:
		w.reply()
	case 6, 7:
		w.decide()
	case 8:
		w.pass(time.Duration(w.next(100)) * time.Second)
	case 9:
		session := w.session()
		for _, q := range w.asked {
			q.cancelled = q.cancelled || q.Session == session && !q.answered
		}
		w.carry(nil, w.b.CancelSession(w.now, session), nil)
	case 10:
		w.withdraw()
	case 11:
		switch w.next(4) {
		case 0:
			w.carry(nil, w.b.SettleSession(w.now, w.session()), nil)
		case 1:
			w.b.Resumed(w.now, time.Second)
		default:
			w.repeat()
		}
	}
}

var (
	worldIDs   = []string{"0", `"0"`, "1"}
	worldKinds = []string{"allow_once", "allow_always", "reject_once", "reject_always", "allow_persistent"}
)

func (w *world) id() string      { return worldIDs[w.next(len(worldIDs))] }
func (w *world) session() string { return []string{"a", "b"}[w.next(2)] }

func (w *world) ask() {
	q := &question{Ask: request(w.id())}
	q.Session = w.session()
	for range w.next(4) {
		o := option([]string{"x", "y", "z"}[w.next(3)], worldKinds[w.next(len(worldKinds))])
		o.Odd = w.next(8) == 1
		q.Permission.Options = append(q.Permission.Options, o)
	}
	q.Verdict.Refuse = w.next(8) == 1
	if w.fair && len(w.waiting(string(q.ID))) > 0 {
		return
	}
	forward, do := w.b.Open(w.now, q.Ask)
	for _, e := range do {
		if e.Note != nil && e.Note.Decision != nil {
			q.request = e.Note.Decision.Request
		}
	}
	if q.request == "" || w.asked[q.request] != nil {
		w.t.Fatalf("a request without a number of its own: %q", q.request)
	}
	w.asked[q.request] = q
	w.order = append(w.order, q.request)
	before := w.added
	w.carry(nil, do, nil)
	w.added = before
	if forward == q.answered {
		w.t.Fatalf("%s forwarded: %v, answered: %v", q.request, forward, q.answered)
	}
	if forward {
		w.dialogs = append(w.dialogs, q)
	}
}

// waiting are the requests under id that the agent has no answer to.
func (w *world) waiting(id string) []*question {
	var waiting []*question
	for _, request := range w.order {
		if q := w.asked[request]; string(q.ID) == id && !q.answered {
			waiting = append(waiting, q)
		}
	}
	return waiting
}

func (w *world) reply() {
	if len(w.dialogs) == 0 {
		return
	}
	i := w.next(len(w.dialogs))
	q := w.dialogs[i]
	r := broker.Reply{ID: q.ID}
	switch kind := w.next(10); {
	case kind < 6:
		if len(q.Permission.Options) == 0 {
			return
		}
		r.Outcome, r.Option = "selected", q.Permission.Options[w.next(len(q.Permission.Options))].ID.Value
	case kind == 6:
		r.Outcome = "cancelled"
	case kind == 7:
		r.Failed, r.Code = true, []int64{-32800, -32603}[w.next(2)]
		if w.fair && !q.answered && !q.cancelled && !q.withdrawn {
			r.Code = -32603 // nobody has withdrawn it
		}
	case kind == 8:
		r.Unreadable = true
	case kind == 9:
		r.Outcome = "approved"
	}
	w.dialogs = slices.Delete(w.dialogs, i, i+1)
	q.allowed = r.Outcome == "selected" && !rejects(q, r.Option)
	w.give(r)
}

func (w *world) give(r broker.Reply) {
	if !w.b.Owns(r.ID) {
		w.t.Fatalf("a reply to %s is owed and not the broker's", r.ID)
	}
	forward, _, do := w.b.Reply(w.now, r)
	if !forward {
		w.swallowed++
		w.carry(nil, do, nil)
		return
	}
	w.carry(&r, do, nil)
}

// repeat is the editor's second answer under an id of which it owes none.
func (w *world) repeat() {
	id := w.id()
	if slices.ContainsFunc(w.dialogs, func(q *question) bool { return string(q.ID) == id }) || !w.b.Owns([]byte(id)) {
		return
	}
	forward, _, do := w.b.Reply(w.now, broker.Reply{ID: []byte(id), Outcome: "selected", Option: "x"})
	if forward {
		w.t.Fatalf("a second answer to %s passed", id)
	}
	w.carry(nil, do, nil)
}

func (w *world) decide() {
	if len(w.order) == 0 {
		return
	}
	d := broker.Decision{Request: w.order[w.next(len(w.order))], By: broker.ByPanel, Number: w.next(4), Standing: w.next(2) == 1}
	d.Deny, d.DenyOnly = d.Number == 0, w.next(4) == 1
	was := w.asked[d.Request].answered
	ruling, do := w.b.Decide(w.now, d)
	w.carry(nil, do, &d)
	if applied := ruling.Result == broker.Applied; applied != (!was && w.asked[d.Request].answered) {
		w.t.Fatalf("ruling %+v on %s, which was answered: %v, is: %v", ruling, d.Request, was, w.asked[d.Request].answered)
	}
}

func (w *world) withdraw() {
	id := w.id()
	for _, q := range w.waiting(id) {
		q.withdrawn = true
	}
	_, do := w.b.Withdrawn(w.now, []byte(id))
	w.carry(nil, do, nil)
}

func (w *world) pass(d time.Duration) {
	w.now = w.now.Add(d)
	w.carry(nil, w.b.Expire(w.now), nil)
	if next := w.b.Next(); !next.IsZero() && !next.After(w.now) {
		w.t.Fatal("Expire left something over")
	}
}

// carry checks what the broker wants done. passed is the editor's reply that
// goes on after it, d the decision that it comes from, if any.
func (w *world) carry(passed *broker.Reply, do []broker.Effect, d *broker.Decision) {
	var told []*journal.Decision // and not yet said
	for _, e := range do {
		switch {
		case e.Note != nil && e.Note.Type == journal.DecisionEvent && !e.Note.Decision.Late:
			told = append(told, e.Note.Decision)
		case e.ToAgent != nil && len(told) == 1:
			w.agree(told[0], w.addition(e.ToAgent, told[0], d))
			told = nil
		case e.ToAgent != nil:
			w.t.Fatalf("%d decisions for %s", len(told), e.ToAgent)
		}
	}
	if passed != nil && len(told) == 1 {
		w.agree(told[0], w.passed(*passed, told[0]))
	} else if passed != nil || len(told) > 0 {
		w.t.Fatalf("%d decisions for %+v", len(told), passed)
	}
}

// agree checks that what is recorded is what the agent is told, for the first
// time.
func (w *world) agree(x *journal.Decision, said string) {
	q := w.asked[x.Request]
	if got := fmt.Sprintf("%s %s %s", q.ID, x.Outcome, x.OptionID); got != said {
		w.t.Fatalf("recorded %q, on the wire %q", got, said)
	}
	if q.answered {
		w.t.Fatalf("%s is answered twice", q.request)
	}
	q.answered = true
}

// addition checks an answer of the broker's own.
func (w *world) addition(line []byte, x *journal.Decision, d *broker.Decision) string {
	w.added++
	var f acp.Frame
	acp.Scan(line, &f)
	out := acp.ReadOutcome(f.Result)
	for _, q := range w.waiting(string(f.ID)) {
		chosen := d != nil && q.request == d.Request && d.Number > 0 && q.Permission.Options[d.Number-1].ID.Value == out.Option
		if out.Kind != "cancelled" && !chosen && !rejects(q, out.Option) {
			w.t.Fatalf("%s by %s could be told %q, which nobody chose", q.request, x.By, out.Option)
		}
		if d != nil && d.DenyOnly && out.Kind != "cancelled" && !rejects(q, out.Option) {
			w.t.Fatalf("%s was allowed by one who may only deny", q.request)
		}
		if out.Kind != "cancelled" && q.cancelled && !rejects(q, out.Option) {
			w.t.Fatalf("%s could be told %q after cancel", q.request, out.Option)
		}
	}
	return fmt.Sprintf("%s %s %s", f.ID, out.Kind, out.Option)
}

// passed checks a reply of the editor that reaches the agent.
func (w *world) passed(r broker.Reply, x *journal.Decision) string {
	waiting := w.waiting(string(r.ID))
	said, harmless := "unknown", false
	switch {
	case r.Unreadable:
		said = "unreadable"
	case r.Failed:
		said, harmless = "error", true
	case r.Outcome == "cancelled":
		said, harmless = r.Outcome, true
	case r.Outcome == "selected":
		said, harmless = r.Outcome, !slices.ContainsFunc(waiting, func(q *question) bool { return !rejects(q, r.Option) })
	}
	if !harmless && slices.ContainsFunc(waiting, func(q *question) bool { return q.cancelled }) {
		w.t.Fatalf("%+v passed after cancel", r)
	}
	if q := w.asked[x.Request]; w.fair && said == "selected" && !harmless && !q.allowed && !q.withdrawn {
		w.t.Fatalf("%s is allowed by an answer to another request", q.request)
	}
	return fmt.Sprintf("%s %s %s", r.ID, said, r.Option)
}

// rejects says that every option of q with this id is sound and rejects.
func rejects(q *question, id string) bool {
	found := false
	for _, o := range q.Permission.Options {
		if o.ID.Value != id {
			continue
		}
		if found = true; o.Odd || o.Kind != "reject_once" && o.Kind != "reject_always" {
			return false
		}
	}
	return found
}

// end settles what is open, and lets the editor answer all it owes.
func (w *world) end() {
	for _, session := range []string{"a", "b"} {
		w.carry(nil, w.b.SettleSession(w.now, session), nil)
	}
	for _, q := range w.asked {
		if !q.answered {
			w.t.Fatalf("%s has no answer", q.request)
		}
	}
	if n := len(w.b.Pending()); n > 0 || !w.b.Next().IsZero() {
		w.t.Fatalf("%d pending, next at %v", n, w.b.Next())
	}
	for _, q := range w.dialogs {
		w.give(broker.Reply{ID: q.ID, Outcome: "selected", Option: "x"})
	}
	if w.added != w.swallowed {
		w.t.Fatalf("%d answers added, %d replies swallowed", w.added, w.swallowed)
	}
}

// Whatever comes in whatever order, each request has one answer, each answer
// one decision, and no approval reaches the agent that nobody gave.
func TestInterleavings(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 2000
	}
	for seed := range n {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		script := make([]byte, 1+random.IntN(400))
		for i := range script {
			script[i] = byte(random.UintN(256))
		}
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { newWorld(t, script).run() }) {
			t.Fatalf("script %d fails: %q", seed, script)
		}
	}
}

func FuzzInterleavings(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0, 0})
	f.Add([]byte{4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 3, 0, 0, 0, 8, 99})
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 4096 {
			t.Skip("long enough")
		}
		newWorld(t, script).run()
	})
}
