package broker_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// desk carries out what a broker wants and writes down what happened, one line
// for each thing: what passes, what is added to which wire, what is recorded.
type desk struct {
	t   *testing.T
	b   *broker.Broker
	now func() time.Time
	log []string

	seen func(*journal.Event) // if not nil
}

func newDesk(t *testing.T, o broker.Options) *desk {
	o.Instance = "test"
	return &desk{t: t, b: broker.New(o), now: time.Now}
}

func (d *desk) add(format string, args ...any) { d.log = append(d.log, fmt.Sprintf(format, args...)) }

func (d *desk) do(effects []broker.Effect) {
	d.t.Helper()
	for _, e := range effects {
		set := 0
		if e.ToAgent != nil {
			set++
			d.add("agent < %s", d.frame(e.ToAgent))
		}
		if e.ToClient != nil {
			set++
			d.add("client < %s", d.frame(e.ToClient))
		}
		if e.Note != nil {
			set++
			d.add("%s", d.note(e.Note))
			if d.seen != nil {
				d.seen(e.Note)
			}
		}
		if set != 1 {
			d.t.Fatalf("an effect with %d fields set: %+v", set, e)
		}
	}
}

// frame is an added frame in a few words; anything that is not exactly what it
// should be stands out.
func (d *desk) frame(line []byte) string {
	d.t.Helper()
	body, ok := bytes.CutSuffix(line, []byte("\n"))
	if !ok || !json.Valid(body) || bytes.ContainsAny(body, "\r\n") {
		d.t.Fatalf("added frame is not one line of JSON: %q", line)
	}
	var f acp.Frame
	acp.Scan(line, &f)
	switch {
	case f.Kind == acp.Notification && string(f.Method) == acp.MethodCancelRequest:
		return fmt.Sprintf("withdraw %s", acp.ReadCancelRequest(f.Params))
	case f.Kind == acp.Response:
		out := acp.ReadOutcome(f.Result)
		if out.Kind == "cancelled" {
			return fmt.Sprintf("%s cancelled", f.ID)
		}
		return fmt.Sprintf("%s %s %q", f.ID, out.Kind, out.Option)
	}
	return string(body)
}

func (d *desk) note(e *journal.Event) string {
	switch e.Type {
	case journal.OpenedEvent:
		return "opened " + e.Decision.Request
	case journal.FlaggedEvent:
		return "flagged " + e.Reason
	}
	x := e.Decision
	line := strings.TrimSpace(fmt.Sprintf("%s %s by %s: %s", e.Type, x.Request, x.By, x.Outcome))
	if x.OptionID != "" || x.OptionKind != "" {
		line += " " + strings.TrimSpace(fmt.Sprintf("%q %s", x.OptionID, x.OptionKind))
	}
	if x.Wait > 0 {
		line += " after " + x.Wait.String()
	}
	if x.Late {
		line += ", late"
	}
	return line
}

// step is one thing that happens.
type step func(*desk)

func (d *desk) run(steps ...step) {
	for _, s := range steps {
		s(d)
	}
}

func (d *desk) passes(what string, forward bool, reason string) {
	word := "pass"
	if !forward {
		word = "swallow"
	}
	if reason != "" {
		reason = " (" + reason + ")"
	}
	d.add("%s %s%s", word, strings.TrimSpace(what), reason)
}

// option makes an option as it is read from a frame.
func option(id, kind string) acp.Option {
	raw, err := json.Marshal(id)
	if err != nil {
		panic(err)
	}
	return acp.Option{ID: acp.String{Value: id, Raw: raw, OK: true}, Name: strings.ToUpper(id), Kind: kind}
}

var usual = []acp.Option{option("always", "allow_always"), option("yes", "allow_once"), option("no", "reject_once")}

// request is a permission request, to be changed before it is asked.
func request(id string, options ...acp.Option) broker.Ask {
	return broker.Ask{
		ID: []byte(id), Session: "s1", Known: true, Digest: "d" + id, Title: "Run it", Kind: "execute",
		Permission: acp.Permission{Options: options},
		Verdict:    broker.Verdict{Level: broker.LevelUnjudged, Text: "cannot be judged"},
	}
}

func asks(a broker.Ask) step {
	return func(d *desk) {
		forward, do := d.b.Open(d.now(), a)
		d.do(do)
		d.passes("request "+string(a.ID), forward, "")
	}
}

func ask(id string) step { return asks(request(id, usual...)) }

func askIn(session, id string) step {
	a := request(id, usual...)
	a.Session = session
	return asks(a)
}

func reply(r broker.Reply) step {
	return func(d *desk) {
		if !d.b.Owns(r.ID) {
			d.passes("reply "+string(r.ID), true, "not owned")
			return
		}
		forward, reason, do := d.b.Reply(d.now(), r)
		d.do(do)
		d.passes("reply "+string(r.ID), forward, reason)
	}
}

func selects(id, option string) step {
	return reply(broker.Reply{ID: []byte(id), Outcome: "selected", Option: option})
}

func cancels(id string) step { return reply(broker.Reply{ID: []byte(id), Outcome: "cancelled"}) }

func fails(id string, code int64) step {
	return reply(broker.Reply{ID: []byte(id), Failed: true, Code: code})
}

func unreadable(id string) step { return reply(broker.Reply{ID: []byte(id), Unreadable: true}) }

// shapeless is a reply of another shape: {"approved":true}, null, contents of a file.
func shapeless(id string) step { return reply(broker.Reply{ID: []byte(id)}) }

func decide(x broker.Decision) step {
	return func(d *desk) {
		if x.By == "" {
			x.By = broker.ByPanel
		}
		ruling, do := d.b.Decide(d.now(), x)
		d.do(do)
		by := ""
		if ruling.By != "" {
			by = " (" + string(ruling.By) + ")"
		}
		d.add("ruling %s%s", ruling.Result, by)
		if ruling.Text == "" {
			d.t.Errorf("a ruling without a word: %+v", ruling)
		}
	}
}

func panel(request, option string) step {
	return decide(broker.Decision{Request: request, Option: option})
}

func deny(request string) step { return decide(broker.Decision{Request: request, Deny: true}) }

func cancelSession(session string) step {
	return func(d *desk) { d.do(d.b.CancelSession(d.now(), session)) }
}

func settleSession(session string) step {
	return func(d *desk) { d.do(d.b.SettleSession(d.now(), session)) }
}

func withdraws(id string) step {
	return func(d *desk) {
		forward, do := d.b.Withdrawn(d.now(), []byte(id))
		d.do(do)
		d.passes("withdrawal "+id, forward, "")
	}
}

func asksElse(id string) step { return func(d *desk) { d.b.Asked([]byte(id)) } }

func leaves(d *desk) { d.do(d.b.Gone(d.now())) }

// pending writes down what a panel would show.
func pending(d *desk) {
	var open []string
	for _, e := range d.b.Pending() {
		word := e.Request
		if e.Unanswerable != "" {
			word += " unanswerable"
		}
		if e.Unattributable != "" {
			word += " unattributable"
		}
		open = append(open, word)
	}
	d.add("pending [%s]", strings.Join(open, ", "))
}

// wait lets time pass in a bubble, and answers what runs out meanwhile.
func wait(limit time.Duration) step {
	return func(d *desk) {
		end := d.now().Add(limit)
		for {
			next := d.b.Next()
			if next.IsZero() || next.After(end) {
				<-time.After(end.Sub(d.now()))
				return
			}
			<-time.After(next.Sub(d.now()))
			d.do(d.b.Expire(d.now()))
		}
	}
}

func (d *desk) check(want string) {
	d.t.Helper()
	got := strings.Join(d.log, "\n")
	lines := strings.Split(strings.TrimSpace(want), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	if want = strings.Join(lines, "\n"); got != want {
		d.t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
