package session

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// conversation feeds lines to a fold, one millisecond apart.
type conversation struct {
	t    *testing.T
	fold Fold
	at   time.Time
}

func (c *conversation) line(from acp.Direction, line string) Fact {
	c.t.Helper()
	var f acp.Frame
	acp.Scan([]byte(line), &f)
	c.at = c.at.Add(time.Millisecond)
	return c.fold.Frame(c.at, from, &f)
}

func (c *conversation) check(got, want Fact) {
	c.t.Helper()
	if !reflect.DeepEqual(got, want) {
		c.t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestResponseHasItsRequestsMethodAndSession(t *testing.T) {
	c := conversation{t: t}
	c.check(c.line(acp.Client, `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s"}}`),
		Fact{Method: "session/prompt", Session: "s"})
	c.check(c.line(acp.Agent, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s"}}`),
		Fact{Method: "session/update", Session: "s"})
	c.check(c.line(acp.Agent, `{"jsonrpc":"2.0","id":1,"result":{}}`),
		Fact{Method: "session/prompt", Session: "s", Waited: 2 * time.Millisecond, Paired: true})
	c.check(c.line(acp.Agent, `{"jsonrpc":"2.0","id":1,"result":{}}`), Fact{Stray: NoRequest})
}

func TestStrays(t *testing.T) {
	c := conversation{t: t}
	c.line(acp.Client, `{"id":2,"method":"m"}`)
	c.line(acp.Client, `{"id":"3","method":"m"}`)
	for _, tt := range []struct {
		answer string
		want   Stray
	}{
		{`{"id":"2","result":1}`, AnotherType},
		{`{"id":3,"error":{}}`, AnotherType},
		{`{"id":77,"result":1}`, NoRequest},
		{`{"id":"","result":1}`, NoRequest},
		{`{"id":{},"result":1}`, NoRequest},
		{`{"id":null,"error":{}}`, NoStray},
		{`{"error":{}}`, NoStray},
		{`{"id":2,"result":1}`, NoStray},
		{`{"id":"2","result":1}`, NoRequest},
	} {
		if got := c.line(acp.Agent, tt.answer).Stray; got != tt.want {
			t.Errorf("%s is %d, want %d", tt.answer, got, tt.want)
		}
	}
}

func TestResponseNamesItsOwnSession(t *testing.T) {
	c := conversation{t: t}
	c.line(acp.Client, `{"id":0,"method":"session/new","params":{"cwd":"/"}}`)
	c.check(c.line(acp.Agent, `{"id":0,"result":{"sessionId":"new"}}`),
		Fact{Method: "session/new", Session: "new", Waited: time.Millisecond, Paired: true})
}

// Both sides count from the same number; an answer belongs to the other side's
// request.
func TestTheTwoDirectionsHaveTheirOwnIDs(t *testing.T) {
	c := conversation{t: t}
	c.line(acp.Client, `{"id":3,"method":"session/prompt"}`)
	c.line(acp.Agent, `{"id":3,"method":"session/request_permission"}`)
	if got := c.line(acp.Client, `{"id":3,"result":{}}`).Method; got != "session/request_permission" {
		t.Errorf("the client answered %q", got)
	}
	if got := c.line(acp.Agent, `{"id":3,"error":{}}`).Method; got != "session/prompt" {
		t.Errorf("the agent answered %q", got)
	}
	if n := c.fold.Owed(acp.Client) + c.fold.Owed(acp.Agent); n != 0 {
		t.Errorf("%d answers owed, want none", n)
	}
}

func TestIDsPairByTheirMeaning(t *testing.T) {
	for _, tt := range []struct {
		asked, answered string
		paired          bool
	}{
		{`1`, `1`, true},
		{`"1"`, `1`, false},
		{`1`, `"1"`, false},
		{`"a"`, `"\u0061"`, true},
		{`9007199254740993`, `9007199254740992`, false},
		{`1`, `1.0`, false},
		{`1.0`, `1.0`, true},
		{`-0`, `0`, false},
		{`true`, `true`, true},
		{`null`, `null`, false},
	} {
		c := conversation{t: t}
		c.line(acp.Client, `{"id":`+tt.asked+`,"method":"m"}`)
		if got := c.line(acp.Agent, `{"id":`+tt.answered+`,"result":1}`).Paired; got != tt.paired {
			t.Errorf("%s answered by %s: paired %v", tt.asked, tt.answered, got)
		}
	}
}

// An error that names no request answers none.
func TestErrorWithoutID(t *testing.T) {
	c := conversation{t: t}
	c.line(acp.Client, `{"id":1,"method":"m"}`)
	c.check(c.line(acp.Agent, `{"id":null,"error":{"code":-32700}}`), Fact{})
	c.check(c.line(acp.Agent, `{"error":{"code":-32700}}`), Fact{})
	if c.fold.Owed(acp.Client) != 1 {
		t.Error("the request was taken for answered")
	}
}

// Nobody can answer a request whose id is null, so nobody owes an answer to it.
func TestNothingIsOwedToNull(t *testing.T) {
	c := conversation{t: t}
	for range 2 {
		c.check(c.line(acp.Client, `{"id":null,"method":"m"}`), Fact{Method: "m"})
	}
	if n := c.fold.Owed(acp.Client); n != 0 {
		t.Errorf("%d answers owed, want none", n)
	}
}

func TestNamesAreCut(t *testing.T) {
	for _, size := range []int{1, maxName, maxName + 1} {
		c := conversation{t: t}
		name := strings.Repeat("n", size)
		want := name[:min(size, maxName)]
		c.check(c.line(acp.Client, `{"id":1,"method":"`+name+`","params":{"sessionId":"`+name+`"}}`),
			Fact{Method: want, Session: want})
		c.check(c.line(acp.Agent, `{"id":1,"result":{}}`),
			Fact{Method: want, Session: want, Waited: time.Millisecond, Paired: true})
	}
}

func TestIDInUse(t *testing.T) {
	c := conversation{t: t}
	if c.line(acp.Agent, `{"id":7,"method":"first"}`).Reused {
		t.Error("a new id was called reused")
	}
	if !c.line(acp.Agent, `{"id":7,"method":"second"}`).Reused {
		t.Error("a reused id was not noticed")
	}
	for _, want := range []string{"first", "second", ""} {
		if got := c.line(acp.Client, `{"id":7,"result":{}}`).Method; got != want {
			t.Errorf("answered %q, want %q", got, want)
		}
	}
	if c.line(acp.Agent, `{"id":7,"method":"third"}`).Reused {
		t.Error("an answered id was called reused")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	c := conversation{t: t}
	for i := range 100_000 {
		c.line(acp.Client, fmt.Sprintf(`{"id":%d,"method":"m%d","params":{"sessionId":"s%d"}}`, i, i, i))
	}
	if got := c.fold.Owed(acp.Client); got != MaxOpen {
		t.Errorf("%d requests remembered, want %d", got, MaxOpen)
	}
	if n := len(c.fold.names); n > maxNames {
		t.Errorf("%d names remembered", n)
	}
	for i := range 100_000 {
		c.line(acp.Agent, fmt.Sprintf(`{"id":%d,"error":{}}`, i))
	}
	if n := len(c.fold.open[acp.Client].byID); n != 0 || c.fold.Owed(acp.Client) != 0 {
		t.Errorf("%d requests remembered after all were answered", n)
	}
}

func TestUpdatesCostNoAllocation(t *testing.T) {
	var f acp.Frame
	acp.Scan([]byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{}}}`), &f)
	var fold Fold
	if n := testing.AllocsPerRun(100, func() { fold.Frame(time.Time{}, acp.Agent, &f) }); n != 0 {
		t.Errorf("%v allocations for an update", n)
	}
}
