package broker_test

import (
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

var start = time.Unix(1_700_000_000, 0)

// opened is a broker with one open request.
func opened(t *testing.T, a broker.Ask) *broker.Broker {
	t.Helper()
	b := broker.New(broker.Options{Instance: "test", Withdraw: true})
	if forward, _ := b.Open(start, a); !forward {
		t.Fatal("the request is not forwarded")
	}
	return b
}

// answered is the frame to the agent among effects.
func answered(do []broker.Effect) string {
	for _, e := range do {
		if e.ToAgent != nil {
			return string(e.ToAgent)
		}
	}
	return ""
}

func selected(id, option string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"outcome":{"outcome":"selected","optionId":` + option + `}}}` + "\n"
}

func cancelled(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"outcome":{"outcome":"cancelled"}}}` + "\n"
}

func TestDecide(t *testing.T) {
	four := []acp.Option{option("y", "allow_once"), option("Y", "allow_always"), option("n", "reject_once"), option("N", "reject_always"), option("p", "allow_persistent")}
	twins := []acp.Option{option("a", "allow_once"), option("a", "reject_once"), option("b", "allow_once"), option("b", "allow_always"), option("c", "reject_once"), odd(option("d", "allow_once")),
		option("e", "reject_once"), odd(option("e", "reject_once"))}
	names := []acp.Option{option("", "allow_once"), option(" allow ", "allow_once"), option("a\nb", "allow_once"), option("\u202e", "allow_once"), option("🙂", "allow_once"), option(strings.Repeat("x", 4<<10), "allow_once")}
	for _, c := range []struct {
		name     string
		options  []acp.Option
		decision broker.Decision
		want     string // the option's token; cancelled; or what the objection says
	}{
		{"by id", four, broker.Decision{Option: "y"}, `"y"`},
		{"by number", four, broker.Decision{Number: 1}, `"y"`},
		{"by both", four, broker.Decision{Option: "n", Number: 3}, `"n"`},
		{"they differ", four, broker.Decision{Option: "y", Number: 3}, `not "y"`},
		{"the right digest", four, broker.Decision{Option: "y", Digest: "d7"}, `"y"`},
		{"another digest", four, broker.Decision{Option: "y", Digest: "d8"}, "digest differs"},
		{"denied with another digest", four, broker.Decision{Deny: true, Digest: "d8"}, "digest differs"},
		{"nothing", four, broker.Decision{}, "by its number or its id"},
		{"not offered", four, broker.Decision{Option: "cancel"}, `no option "cancel"`},
		{"ids are not folded", four, broker.Decision{Option: " y"}, `no option " y"`},
		{"beyond the last", four, broker.Decision{Number: 6}, "from 1 to 5"},
		{"below the first", four, broker.Decision{Number: -1}, "from 1 to 5"},
		{"deny", four, broker.Decision{Deny: true}, `"n"`},
		{"deny and choose", four, broker.Decision{Deny: true, Option: "y"}, "not both"},
		{"deny and choose by number", four, broker.Decision{Deny: true, Number: 1}, "not both"},

		{"what lasts needs to be meant", four, broker.Decision{Option: "Y"}, "--standing"},
		{"it is", four, broker.Decision{Option: "Y", Standing: true}, `"Y"`},
		{"a refusal that lasts", four, broker.Decision{Option: "N"}, "--standing"},
		{"it is meant", four, broker.Decision{Option: "N", Standing: true}, `"N"`},
		{"a kind that is unknown", four, broker.Decision{Option: "p"}, `kind "allow_persistent"`},
		{"it is meant, too", four, broker.Decision{Option: "p", Standing: true}, `"p"`},

		{"deny only: allow", four, broker.Decision{Option: "y", DenyOnly: true}, "may only reject"},
		{"deny only: allow for good", four, broker.Decision{Option: "Y", DenyOnly: true, Standing: true}, "may only reject"},
		{"deny only: a kind that is unknown", four, broker.Decision{Option: "p", DenyOnly: true, Standing: true}, "may only reject"},
		{"deny only: reject", four, broker.Decision{Option: "n", DenyOnly: true}, `"n"`},
		{"deny only: reject for good", four, broker.Decision{Option: "N", DenyOnly: true, Standing: true}, `"N"`},
		{"deny only: deny", four, broker.Decision{Deny: true, DenyOnly: true}, `"n"`},

		{"one id twice", twins, broker.Decision{Option: "a"}, "choose by number"},
		{"one id twice, by number", twins, broker.Decision{Number: 1}, `"a"`},
		{"one id twice, by both", twins, broker.Decision{Option: "a", Number: 2}, `"a"`},
		{"deny only: a reject that shares its id with an allow", twins, broker.Decision{Number: 2, DenyOnly: true}, "may only reject"},
		{"an id that may last", twins, broker.Decision{Number: 3}, "--standing"},
		{"it is meant as well", twins, broker.Decision{Number: 3, Standing: true}, `"b"`},
		{"deny passes over what is no plain reject", twins, broker.Decision{Deny: true}, `"c"`},
		{"deny only: a reject that shares its id with an odd one", twins, broker.Decision{Number: 7, DenyOnly: true}, "may only reject"},
		{"one id, and an odd one", twins, broker.Decision{Number: 7}, "--standing"},
		{"odd, by id", twins, broker.Decision{Option: "d", Standing: true}, "cannot be repeated"},
		{"odd, by number", twins, broker.Decision{Number: 6, Standing: true}, "cannot be repeated"},

		{"the empty id, by id", names, broker.Decision{Option: ""}, "by its number or its id"},
		{"the empty id, by number", names, broker.Decision{Number: 1}, `""`},
		{"blanks", names, broker.Decision{Option: " allow "}, `" allow "`},
		{"a line break", names, broker.Decision{Option: "a\nb"}, `"a\nb"`},
		{"a mark that turns text round", names, broker.Decision{Option: "\u202e"}, "\"\u202e\""},
		{"a face", names, broker.Decision{Option: "🙂"}, `"🙂"`},
		{"a long one", names, broker.Decision{Number: 6}, `"` + strings.Repeat("x", 4<<10) + `"`},
		{"deny without a reject", names, broker.Decision{Deny: true}, "cancelled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := opened(t, request("7", c.options...))
			c.decision.Request, c.decision.By = "test:1", broker.ByPanel
			ruling, do := b.Decide(start, c.decision)
			want := selected("7", c.want)
			switch {
			case c.want == "cancelled":
				want = cancelled("7")
			case c.want[0] != '"':
				want = ""
			}
			if got := answered(do); got != want {
				t.Errorf("the agent is told %q, want %q", got, want)
			}
			if want == "" && (ruling.Result != broker.Refused || !strings.Contains(ruling.Text, c.want) || len(b.Pending()) != 1) {
				t.Errorf("ruling %+v, %d pending; want refused with %q, 1", ruling, len(b.Pending()), c.want)
			}
			if want != "" && (ruling.Result != broker.Applied || len(b.Pending()) != 0) {
				t.Errorf("ruling %+v, %d pending; want applied, 0", ruling, len(b.Pending()))
			}
		})
	}
}

// An id goes back as it was spelled.
func TestSpelling(t *testing.T) {
	o := acp.Option{ID: acp.String{Value: "allow", Raw: []byte(`"\u0061llow"`), OK: true}, Kind: "allow_once"}
	_, do := opened(t, request(`"\u0037"`, o)).Decide(start, broker.Decision{Request: "test:1", Option: "allow"})
	if got, want := answered(do), selected(`"\u0037"`, `"\u0061llow"`); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRulings(t *testing.T) {
	d := broker.Decision{Request: "test:1", Option: "yes", By: broker.ByCommand}
	ends := func(steps ...step) broker.Ruling {
		k := newDesk(t, broker.Options{Timeout: time.Minute})
		now := start
		k.now = func() time.Time { return now }
		k.run(ask("7"))
		k.run(steps...)
		now = now.Add(time.Hour)
		k.do(k.b.Expire(now))
		ruling, do := k.b.Decide(now, d)
		if len(do) > 0 {
			t.Errorf("a late decision has effects: %+v", do)
		}
		return ruling
	}
	for _, c := range []struct {
		name string
		got  broker.Ruling
		want broker.Ruling
		text string
	}{
		{"editor", ends(selects("7", "always")), broker.Ruling{Result: broker.TooLate, By: broker.ByEditor, Option: "always", Kind: "allow_always"}, "The editor answered first"},
		{"editor, cancelled", ends(cancels("7")), broker.Ruling{Result: broker.TooLate, By: broker.ByEditor}, "cancelled"},
		{"panel", ends(deny("test:1")), broker.Ruling{Result: broker.TooLate, By: broker.ByPanel, Option: "no", Kind: "reject_once"}, "A panel answered first"},
		{"time-out", ends(), broker.Ruling{Result: broker.Expired, By: broker.ByTimeout, Option: "no", Kind: "reject_once"}, "Nobody answered in time"},
		{"cancel", ends(cancelSession("s1")), broker.Ruling{Result: broker.Expired, By: broker.ByCancel}, "cancelled the session"},
		{"agent", ends(withdraws("7")), broker.Ruling{Result: broker.Expired, By: broker.ByAgent}, "withdrew"},
		{"gone", ends(leaves), broker.Ruling{Result: broker.Expired, By: broker.ByGone}, "left"},
	} {
		text := c.got.Text
		if c.got.Text = ""; c.got != c.want || !strings.Contains(text, c.text) {
			t.Errorf("%s: got %+v, %q; want %+v, %q", c.name, c.got, text, c.want, c.text)
		}
	}
	d.Request = "other:9"
	if got := ends(); got.Result != broker.Unknown || !strings.Contains(got.Text, "other:9") {
		t.Errorf("of another proxy: %+v", got)
	}
}

// The event of a decision says all that is known.
func TestDecisionEvent(t *testing.T) {
	b := opened(t, request("7", usual...))
	peer := &journal.Peer{PID: 12, Exe: "/bin/x", TTY: "pts/1"}
	_, do := b.Decide(start.Add(1500*time.Millisecond), broker.Decision{Request: "test:1", Number: 2, By: broker.ByCommand, Peer: peer})
	if len(do) != 3 || do[0].Note == nil || do[1].ToAgent == nil || do[2].ToClient == nil {
		t.Fatalf("the decision is recorded, then told, then withdrawn; got %+v", do)
	}
	e, want := do[0].Note, journal.Decision{
		Request: "test:1", By: "command", Outcome: "selected", OptionID: "yes", HasOption: true, OptionKind: "allow_once",
		Wait: 1500 * time.Millisecond, Digest: "d7", Peer: peer,
	}
	if *e.Decision != want {
		t.Errorf("got %+v, want %+v", *e.Decision, want)
	}
	if e.Type != journal.DecisionEvent || string(e.ID) != "7" || e.Session != "s1" || e.Method != acp.MethodRequestPermission || !e.Time.Equal(start.Add(1500*time.Millisecond)) {
		t.Errorf("the event around it: %+v", e)
	}
	if got, want := string(do[2].ToClient), `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}`+"\n"; got != want {
		t.Errorf("withdrawn with %q, want %q", got, want)
	}
}

// What people should know of a decision is said in words.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"time-out", []step{ask("7"), func(d *desk) { d.do(d.b.Expire(start.Add(time.Hour))) }}, "nobody answered"},
		{"bounds", []step{asks(outside("7", usual...))}, "it edits outside"},
		{"turn", []step{ask("7"), settleSession("s1")}, "the turn ran out of time"},
		{"editor allows what the panel rejected", []step{ask("7"), deny("test:1"), selects("7", "yes")},
			`the editor answered allow_once ("yes"), but later, and the agent had been told reject_once ("no") by panel: not released`},
		{"editor rejects what the panel allowed", []step{ask("7"), panel("test:1", "yes"), selects("7", "no")},
			`the editor answered reject_once ("no"), but later, and the agent had been told allow_once ("yes") by panel: not released`},
		{"a newer one has the id", []step{ask("7"), deny("test:1"), ask("7"), selects("7", "yes")}, "if it was meant for test:2"},
		{"the same, later", []step{ask("7"), deny("test:1"), selects("7", "no")}, "the same as panel, but later"},
	} {
		var texts []string
		d := newDesk(t, broker.Options{Timeout: time.Minute})
		d.now = func() time.Time { return start }
		d.seen = func(e *journal.Event) { texts = append(texts, e.Text) }
		d.run(c.steps...)
		if got := strings.Join(texts, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q in it", c.name, got, c.want)
		}
	}
}
