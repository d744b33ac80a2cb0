package broker_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
)

// The frame a request was read from is written over; nothing of it may be kept.
func TestKeepsCopies(t *testing.T) {
	frame := []byte(`7"yes"{"command":"ls"}`)
	a := request("", acp.Option{ID: acp.String{Value: "yes", Raw: frame[1:6], OK: true}, Kind: "allow_once"})
	a.ID, a.Input = frame[:1], frame[6:]
	b := opened(t, a)
	copy(frame, bytes.Repeat([]byte("#"), len(frame)))
	e := b.Pending()[0]
	if string(e.ID) != "7" || string(e.Input) != `{"command":"ls"}` {
		t.Errorf("id %s, input %s", e.ID, e.Input)
	}
	_, do := b.Decide(start, broker.Decision{Request: "test:1", Number: 1})
	if got, want := answered(do), selected("7", `"yes"`); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if string(e.Input) != `{"command":"ls"}` || e.Options[0].Kind != "allow_once" {
		t.Errorf("what Pending gave has changed: %+v", e)
	}
}

func TestPending(t *testing.T) {
	a := request("7", usual...)
	a.Session, a.Known, a.Input, a.Permission.Title = "nobody knows", false, []byte(`"x"`), ""
	b := opened(t, a)
	e := b.Pending()[0]
	if e.Request != "test:1" || e.Session != "nobody knows" || e.Known || e.Title != "Run it" || e.Kind != "execute" ||
		e.Digest != "d7" || e.Verdict.Text != "cannot be judged" || !e.Opened.Equal(start) || !e.Deadline.IsZero() {
		t.Errorf("got %+v", e)
	}
	if len(e.Options) != 3 || e.Options[1].Name != "YES" || string(e.Options[2].ID.Raw) != `"no"` {
		t.Errorf("options %+v", e.Options)
	}
	// A call that says nothing at all.
	if forward, _ := b.Open(start, broker.Ask{ID: []byte("8")}); !forward || len(b.Pending()) != 2 {
		t.Errorf("a bare request: forward %v, %d pending", forward, len(b.Pending()))
	}
}

func TestKeepsLittle(t *testing.T) {
	long := strings.Repeat("ä", 1<<20)
	a := request("7", option("no", "reject_once"))
	a.Title, a.Kind, a.Input = long, long, []byte(long)
	a.Session, a.Digest = long, "d"
	a.Permission.Title, a.Permission.Command, a.Permission.Call.Title = long, long, acp.String{Value: long, Raw: []byte(long), OK: true}
	a.Permission.Call.Content, a.Permission.Call.RawInput = []byte(long), []byte(long)
	a.Verdict.Text = long
	for i := range 300 {
		a.Verdict.Paths = append(a.Verdict.Paths, broker.Path{Path: long, Inside: i != 299, Target: long})
	}
	for i := range 1000 {
		o := option(fmt.Sprint(i), "allow_once")
		o.Name = long
		a.Permission.Options = append(a.Permission.Options, o)
	}
	b := opened(t, a)
	e := b.Pending()[0]
	if len(e.Title) > 4<<10 || len(e.Kind) > 4<<10 || len(e.Verdict.Text) > 4<<10 || len(e.Session) > 4<<10 || len(e.Permission.Call.Title.Value) > 4<<10 {
		t.Errorf("long words are kept: %d %d %d %d", len(e.Title), len(e.Kind), len(e.Verdict.Text), len(e.Session))
	}
	if len(e.Input) != 64<<10 || !e.Clipped || len(e.Permission.Command) > 64<<10 || e.Permission.Call.Content != nil || e.Permission.Call.RawInput != nil {
		t.Errorf("%d bytes of input, clipped %v, %d of the command", len(e.Input), e.Clipped, len(e.Permission.Command))
	}
	if len(e.Verdict.Paths) != 256 || e.Verdict.Paths[0].Inside || len(e.Verdict.Paths[0].Path) > 4<<10 {
		t.Errorf("%d paths; the one outside comes first: %v", len(e.Verdict.Paths), !e.Verdict.Paths[0].Inside)
	}
	if len(e.Options) != 512 || len(e.Options[1].Name) > 4<<10 {
		t.Errorf("%d options", len(e.Options))
	}
	// The session is still known by its whole name.
	b.CancelSession(start, long+"x")
	if len(b.Pending()) != 1 {
		t.Error("another session's cancel counts")
	}
	b.CancelSession(start, long)
	if len(b.Pending()) != 0 {
		t.Error("the session's cancel does not count")
	}
}

func TestManyOptions(t *testing.T) {
	many := func(n int, more ...acp.Option) broker.Ask {
		var options []acp.Option
		for i := range n {
			options = append(options, option(fmt.Sprint(i), "allow_once"))
		}
		options[3].Kind = "reject_once"
		return request("7", append(options, more...)...)
	}
	long := option(strings.Repeat("x", 65<<10), "reject_once")
	escaped := acp.Option{ID: acp.String{Value: "3", Raw: []byte(`"` + strings.Repeat("x", 65<<10) + `"`), OK: true}, Kind: "allow_once"}
	for _, c := range []struct {
		name string
		ask  broker.Ask
		d    broker.Decision
		want string
	}{
		{"the last of 500", many(500), broker.Decision{Number: 500}, selected("7", `"499"`)},
		{"the first that was not kept", many(600), broker.Decision{Number: 513}, ""},
		{"denied", many(600), broker.Decision{Deny: true}, selected("7", `"3"`)},
		{"what was not kept allows under the same id", many(512, option("3", "allow_once")), broker.Decision{Deny: true}, cancelled("7")},
		{"what was not kept rejects under the same id", many(512, option("3", "reject_once")), broker.Decision{Deny: true}, selected("7", `"3"`)},
		{"what was not kept is of several kinds", many(512, option("3", "reject_once"), option("3", "allow_once"), option("3", "reject_once")), broker.Decision{Deny: true}, cancelled("7")},
		{"a long id is never chosen", request("7", long), broker.Decision{Deny: true}, cancelled("7")},
		{"nor by number", request("7", long, option("n", "reject_once")), broker.Decision{Number: 1}, ""},
		{"what is long on the wire only counts as well", many(10, escaped), broker.Decision{Deny: true}, cancelled("7")},
	} {
		b := opened(t, c.ask)
		c.d.Request = "test:1"
		if _, do := b.Decide(start, c.d); answered(do) != c.want {
			t.Errorf("%s: got %q, want %q", c.name, answered(do), c.want)
		}
	}
	// Of an option that was not kept nobody can say that it was never offered.
	b := opened(t, many(600))
	if forward, reason, _ := b.Reply(start, broker.Reply{ID: []byte("7"), Outcome: "selected", Option: "599"}); !forward || reason != "" {
		t.Errorf("forward %v, reason %q", forward, reason)
	}
}

// At 1024 owed replies, further requests are not asked; each reply makes room.
func TestOwed(t *testing.T) {
	for _, c := range []struct {
		name   string
		settle bool
	}{{"open", false}, {"settled", true}} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t, broker.Options{Withdraw: true})
			for i := range broker.MaxOwed {
				d.run(ask(fmt.Sprint(i)))
				if c.settle {
					d.run(deny(fmt.Sprintf("test:%d", i+1)))
				}
			}
			d.log = nil
			d.run(ask("2000"), selects("5", "yes"), ask("2000"))
			got := strings.Join(d.log, "\n")
			if !strings.HasPrefix(got, "flagged too many permission requests\n"+
				"decision test:1025 by bounds: cancelled\nagent < 2000 cancelled\nswallow request 2000\n") ||
				!strings.HasSuffix(got, "opened test:1026\npass request 2000") {
				t.Errorf("got:\n%s", got)
			}
		})
	}
}

// An agent that asks for much memory gets as far as the limit.
func TestHeld(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	b := broker.New(broker.Options{Instance: "test"})
	asked := 0
	for i := range broker.MaxOwed {
		a := request(fmt.Sprint(i), option("no", "reject_once"))
		for j := range 100 {
			o := option(fmt.Sprint(j), "allow_once")
			o.Name = strings.Repeat("x", 4<<10)
			a.Permission.Options = append(a.Permission.Options, o)
		}
		if forward, _ := b.Open(start, a); forward {
			asked++
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); asked == 0 || asked == broker.MaxOwed || held > 100<<20 {
		t.Errorf("%d requests were asked, %d MiB held", asked, held>>20)
	}
	// What is settled holds little, so there is room again.
	b.SettleSession(start, "s1")
	large := request("5000", usual...)
	large.Input = bytes.Repeat([]byte("1"), 64<<10)
	for i := range large.Permission.Options {
		large.Permission.Options[i].Name = strings.Repeat("x", 4<<10)
	}
	for range 500 {
		large.Permission.Options = append(large.Permission.Options, large.Permission.Options[0])
	}
	if forward, _ := b.Open(start, large); !forward {
		t.Error("no room although all is settled")
	}
	// When all replies have come, nothing is held.
	for i := range broker.MaxOwed {
		if id := []byte(fmt.Sprint(i)); b.Owns(id) {
			b.Reply(start, broker.Reply{ID: id, Outcome: "cancelled"})
		}
	}
	b.Reply(start, broker.Reply{ID: []byte("5000"), Outcome: "cancelled"})
	if n := b.Held(); n != 0 {
		t.Errorf("%d bytes are still counted", n)
	}
}

// The oldest answered ids are forgotten.
func TestRemembered(t *testing.T) {
	d := newDesk(t, broker.Options{})
	for i := range broker.MaxRemembered + 1 {
		d.run(ask(fmt.Sprint(i)), selects(fmt.Sprint(i), "yes"))
	}
	if d.b.Owns([]byte("0")) || !d.b.Owns([]byte("1")) {
		t.Errorf("owns the oldest: %v, the next: %v", d.b.Owns([]byte("0")), d.b.Owns([]byte("1")))
	}
	d.log = nil
	d.run(panel("test:1", "yes"), panel("test:2", "yes"))
	d.check("ruling unknown\nruling too late (editor)")
}

// An id that is used over and over does not wear out the memory of others.
func TestRememberedAnew(t *testing.T) {
	d := newDesk(t, broker.Options{})
	d.run(ask("1"), selects("1", "yes"))
	for range broker.MaxRemembered - 1 {
		d.run(ask("0"), selects("0", "yes"))
	}
	if !d.b.Owns([]byte("0")) || !d.b.Owns([]byte("1")) {
		t.Errorf("owns 0: %v, 1: %v", d.b.Owns([]byte("0")), d.b.Owns([]byte("1")))
	}
	for range broker.MaxRemembered / 2 {
		d.run(ask("0"), selects("0", "yes"))
	}
	if !d.b.Owns([]byte("0")) || d.b.Owns([]byte("1")) {
		t.Errorf("owns 0: %v, 1: %v", d.b.Owns([]byte("0")), d.b.Owns([]byte("1")))
	}
}

// What was put anew is as new as that.
func TestRememberedRenewed(t *testing.T) {
	d := newDesk(t, broker.Options{})
	d.run(ask("1"), selects("1", "yes"), ask("2"), selects("2", "yes"), ask("1"), selects("1", "yes"))
	for i := range broker.MaxRemembered - 1 { // what 1 and 2 were first is the oldest, and goes
		d.run(ask(fmt.Sprint(1000+i)), selects(fmt.Sprint(1000+i), "yes"))
	}
	if !d.b.Owns([]byte("1")) || d.b.Owns([]byte("2")) {
		t.Errorf("owns 1: %v, 2: %v", d.b.Owns([]byte("1")), d.b.Owns([]byte("2")))
	}
}
