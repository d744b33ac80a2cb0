package broker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
)

const (
	limit = 30 * time.Second
	tick  = time.Second
)

// overdue are the requests that run out at a time after start.
func overdue(q *broker.Requests, after time.Duration) []string {
	var out []string
	for _, x := range q.Expire(start.Add(after)) {
		out = append(out, fmt.Sprintf("%s %s %s %s", x.From, x.ID, x.Method, x.Session))
	}
	return out
}

func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func TestRequests(t *testing.T) {
	q := broker.NewRequests(limit)
	asked := func(after time.Duration, from acp.Direction, id, method string) {
		q.Asked(start.Add(after), from, []byte(id), method, "s")
	}
	answered := func(from acp.Direction, id string, want bool) {
		t.Helper()
		if got := q.Answered(from, []byte(id)); got != want {
			t.Errorf("reply to %s of %s swallowed: %v, want %v", id, from, got, want)
		}
	}
	if !q.Next().IsZero() {
		t.Errorf("nothing was asked, next is %v", q.Next())
	}
	asked(0, acp.Agent, "1", acp.MethodReadTextFile)
	asked(tick, acp.Client, "1", acp.MethodSessionList)
	asked(2*tick, acp.Agent, `"1"`, acp.MethodTerminalOutput)
	if got := q.Next(); !got.Equal(start.Add(limit)) {
		t.Errorf("next is %v, want %v", got, start.Add(limit))
	}
	expect(t, "before the limit", overdue(q, limit-1))
	expect(t, "at the limit", overdue(q, limit), "agent 1 fs/read_text_file s")
	expect(t, "again", overdue(q, limit))
	answered(acp.Client, "1", false) // the client's own
	expect(t, "after the client's was answered", overdue(q, limit+tick))
	expect(t, "the last", overdue(q, time.Hour), `agent "1" terminal/output s`)

	answered(acp.Agent, "2", false)
	answered(acp.Agent, "1", true)
	answered(acp.Agent, "1", false)
	answered(acp.Agent, `"1"`, true)
	if !q.Next().IsZero() {
		t.Errorf("nothing is open, next is %v", q.Next())
	}
}

// While the reply to an old request is owed, the first reply is taken for it.
func TestRequestsReuse(t *testing.T) {
	q := broker.NewRequests(limit)
	id := []byte("0")
	q.Asked(start, acp.Agent, id, "fs/read_text_file", "")
	q.Expire(start.Add(limit))
	q.Asked(start.Add(limit), acp.Agent, id, "fs/read_text_file", "")
	if !q.Answered(acp.Agent, id) || q.Answered(acp.Agent, id) || q.Answered(acp.Agent, id) {
		t.Error("of three replies only the first is swallowed")
	}
	// Two at once are answered in their order.
	q.Asked(start, acp.Agent, id, "a", "")
	q.Asked(start.Add(tick), acp.Agent, id, "b", "")
	q.Answered(acp.Agent, id)
	expect(t, "the second", overdue(q, time.Hour), "agent 0 b ")
}

func TestRequestsWithoutLimit(t *testing.T) {
	for _, c := range []struct {
		name   string
		limit  time.Duration
		id     string
		method string
	}{
		{"off", 0, "1", "fs/read_text_file"},
		{"negative", -1, "1", "fs/read_text_file"},
		{"a prompt", limit, "1", "session/prompt"},
		{"a permission", limit, "1", "session/request_permission"},
		{"a process", limit, "1", "terminal/wait_for_exit"},
		{"a form", limit, "1", "elicitation/create"},
		{"a login", limit, "1", "authenticate"},
		{"a login, newer", limit, "1", "auth/login"},
		{"an odd id", limit, "1.0", "fs/read_text_file"},
		{"no id that can be answered", limit, "null", "fs/read_text_file"},
		{"a very long id", limit, `"` + strings.Repeat("x", 5000) + `"`, "fs/read_text_file"},
	} {
		q := broker.NewRequests(c.limit)
		q.Asked(start, acp.Agent, []byte(c.id), c.method, "s")
		expect(t, c.name, overdue(q, 1000*time.Hour))
		if !q.Next().IsZero() || q.Answered(acp.Agent, []byte(c.id)) {
			t.Errorf("%s: it has a clock", c.name)
		}
	}
}

// A peer that answers nothing costs a bounded memory; what is beyond has no
// time-out.
func TestRequestsMany(t *testing.T) {
	q := broker.NewRequests(limit)
	for i := range 3000 {
		q.Asked(start, acp.Agent, fmt.Append(nil, i), "fs/read_text_file", "s")
	}
	if got := len(overdue(q, limit)); got != 1024 {
		t.Errorf("%d run out, want 1024", got)
	}
	q.Asked(start, acp.Agent, []byte("5000"), "fs/read_text_file", "s")
	expect(t, "one more", overdue(q, time.Hour))
	if !q.Answered(acp.Agent, []byte("7")) {
		t.Error("the late reply is not swallowed")
	}
	q.Asked(start, acp.Agent, []byte("5001"), "fs/read_text_file", "s")
	expect(t, "when one was answered", overdue(q, time.Hour), "agent 5001 fs/read_text_file s")
}

func TestPrompts(t *testing.T) {
	session := func(name string) acp.String {
		return acp.String{Value: name, Raw: []byte(`"` + name + `"`), OK: true}
	}
	p := broker.NewPrompts(limit)
	turns := func(after time.Duration) (out []string) {
		for _, s := range p.Expire(start.Add(after)) {
			out = append(out, s.Value+string(s.Raw))
		}
		return out
	}
	a := session("a")
	p.Started(start, a, []byte("1"))
	a.Raw[1] = '#' // the frame is written over
	p.Started(start.Add(tick), session("b"), []byte("2"))
	p.Started(start.Add(tick), session("c"), []byte("null"))
	p.Started(start.Add(tick), acp.String{}, []byte("4"))
	if !p.Next().Equal(start.Add(limit)) {
		t.Errorf("next is %v", p.Next())
	}
	p.Ended([]byte("9"))
	p.Ended([]byte("2"))
	expect(t, "before the limit", turns(limit-1))
	expect(t, "at the limit", turns(limit), `a"a"`)
	expect(t, "again", turns(limit))
	p.Ended([]byte("1"))
	expect(t, "the last", turns(time.Hour), `c"c"`)
	if !p.Next().IsZero() {
		t.Errorf("next is %v", p.Next())
	}

	p = broker.NewPrompts(0)
	p.Started(start, session("a"), []byte("1"))
	expect(t, "off", turns(1000*time.Hour))
}

// After standing still nothing runs out before anybody could look.
func TestResumed(t *testing.T) {
	b := broker.New(broker.Options{Instance: "test", Timeout: time.Minute})
	b.Open(start, request("1", usual...))
	b.Open(start.Add(55*tick), request("2", usual...))
	later := request("3", usual...)
	later.Session = "other"
	b.Open(start.Add(56*tick), later)
	b.CancelSession(start.Add(57*tick), "other")

	now := start.Add(100 * tick) // 1 and 3 are overdue, 2 has 15 seconds left
	b.Resumed(now, 0)
	if !b.Next().Before(now) {
		t.Fatal("no gap, and yet the deadlines move")
	}
	b.Resumed(now, 40*tick)
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{0, ""},
		{broker.Grace - 1, ""},
		{broker.Grace, cancelled("3")},
		{broker.Look - 1, ""},
		{broker.Look, selected("1", `"no"`)},
		{15*tick - 1, ""},
		{15 * tick, selected("2", `"no"`)},
	} {
		if got := answered(b.Expire(now.Add(c.after))); got != c.want {
			t.Errorf("%v after: got %q, want %q", c.after, got, c.want)
		}
	}

	b = broker.New(broker.Options{Instance: "test"})
	b.Open(start, request("1", usual...))
	if b.Resumed(now, 40*tick); !b.Next().IsZero() {
		t.Errorf("what never runs out has a deadline: %v", b.Next())
	}
	q := broker.NewRequests(limit)
	q.Asked(start, acp.Agent, []byte("1"), "fs/read_text_file", "s")
	q.Resumed(now, 40*tick)
	if got, want := q.Next(), now.Add(broker.Look); !got.Equal(want) {
		t.Errorf("a request runs out at %v, want %v", got, want)
	}
	p := broker.NewPrompts(5 * tick)
	p.Started(start, acp.String{Value: "a", Raw: []byte(`"a"`), OK: true}, []byte("1"))
	p.Resumed(now, 40*tick)
	if got, want := p.Next(), now.Add(5*tick); !got.Equal(want) {
		t.Errorf("a turn runs out at %v, want %v: as much as a new one has", got, want)
	}
}
