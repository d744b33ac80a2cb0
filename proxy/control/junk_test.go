//go:build linux

package control_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// talk writes to the socket, ends its own direction, and reads the lines that
// come back.
func talk(t *testing.T, p *proxy, words []byte) []string {
	t.Helper()
	conn, err := net.Dial("unix", p.Path())
	must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	go func() {
		conn.Write(words)
		conn.(*net.UnixConn).CloseWrite()
	}()
	all, err := io.ReadAll(conn)
	if err != nil && !strings.Contains(err.Error(), "reset") {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(all)) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %q", line)
		}
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return lines
}

// fits makes a call of exactly n bytes, its end included.
func fits(n int) string {
	const frame = `{"jsonrpc":"2.0","id":3,"method":""}` + "\n"
	return `{"jsonrpc":"2.0","id":3,"method":"` + strings.Repeat("m", n-len(frame)) + `"}` + "\n"
}

func TestJunk(t *testing.T) {
	call := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":3,"method":"` + method + `","params":` + params + "}\n"
	}
	for _, tt := range []struct {
		name, words string
		bye         string // the reason in the last line, whose id is null
		error       string // the message of an ordinary answer; the connection goes on
	}{
		{"nothing", "", "", ""},
		{"half a message", `{"jsonrpc":"2.0","id":3,"meth`, "", ""},
		{"10 MB without an end", strings.Repeat("x", 10<<20), "a message is longer than 65536 bytes", ""},
		{"10 MB of short lines", strings.Repeat("x\n", 5<<20), "not understood", ""},
		{"10 MB call", `{"jsonrpc":"2.0","id":3,"method":"state","params":{"a":"` + strings.Repeat("x", 10<<20) + "\"}}\n", "a message is longer than 65536 bytes", ""},
		{"just too long", fits(64<<10 + 1), "a message is longer than 65536 bytes", ""},
		{"just not too long", fits(64 << 10), "", "there is no method"},
		{"binary", "\x00\xff\xfe\x01\n", "not understood", ""},
		{"not UTF-8", `{"jsonrpc":"2.0","id":3,"method":"state` + "\xff\"}\n", "not understood", ""},
		{"empty line", "\n", "not understood", ""},
		{"null", "null\n", "not JSON-RPC 2.0", ""},
		{"number", "1e999\n", "not understood", ""},
		{"list", "[]\n", "not understood", ""},
		{"several at once", "[" + strings.TrimSpace(call("state", "{}")) + "]\n", "not understood", ""},
		{"two in a line", strings.TrimSpace(call("state", "{}")) + call("state", "{}"), "not understood", ""},
		{"deep", strings.Repeat("[", 30_000) + "\n", "not understood", ""},
		{"deep parameters", call("state", `{"a":`+strings.Repeat("[", 30_000)+strings.Repeat("]", 30_000)+"}"), "not understood", ""},
		{"empty object", "{}\n", "not JSON-RPC 2.0", ""},
		{"old version", `{"jsonrpc":"1.0","id":3,"method":"state"}` + "\n", "not JSON-RPC 2.0", ""},
		{"a member twice", `{"jsonrpc":"2.0","id":3,"method":"state","method":"decide"}` + "\n", "not understood", ""},
		{"other letter case", `{"jsonrpc":"2.0","id":3,"Method":"state"}` + "\n", "not understood", ""},
		{"a member more", `{"jsonrpc":"2.0","id":3,"method":"state","meta":{}}` + "\n", "not understood", ""},
		{"no method", `{"jsonrpc":"2.0","id":3}` + "\n", "no method", ""},
		{"a response", `{"jsonrpc":"2.0","id":0,"result":{}}` + "\n", "not understood", ""},
		{"a notification", `{"jsonrpc":"2.0","method":"state"}` + "\n", "the id must be a whole number", ""},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"state"}` + "\n", "the id must be a whole number", ""},
		{"id text", `{"jsonrpc":"2.0","id":"3","method":"state"}` + "\n", "the id must be a whole number", ""},
		{"id negative", `{"jsonrpc":"2.0","id":-3,"method":"state"}` + "\n", "the id must be a whole number", ""},
		{"id huge", `{"jsonrpc":"2.0","id":99999999999999999999,"method":"state"}` + "\n", "the id must be a whole number", ""},
		{"parameters by position", call("state", "[]"), "params must be an object", ""},
		{"unknown method", call("shutdown", "{}"), "", "there is no method \"shutdown\""},
		{"hello again", call("hello", `{"as":"panel"}`), "", "hello was said before"},
		{"what state does not know", call("state", `{"full":true}`), "", "not understood"},
		{"a long name", call("state", `{"`+strings.Repeat("n", 60_000)+`":1}`), "", "not understood"},
		{"what watch does not know", call("watch", `{"from":1}`), "", "not understood"},
		{"a body by a word", call("body", `{"seq":"1"}`), "", "not understood"},
		{"a negative body", call("body", `{"seq":-1}`), "", "not understood"},
		{"decide without anything", call("decide", `{}`), "", "no request is named"},
		{"decide without an answer", call("decide", `{"request":"test1:1"}`), "", "give option, number or deny"},
		{"decide with two", call("decide", `{"request":"test1:1","option":"yes","deny":true}`), "", "deny goes without an option"},
		{"decide by somebody else", call("decide", `{"request":"test1:1","option":"yes","by":"editor"}`), "", "not understood"},
		{"decide for a session", call("decide", `{"request":"test1:1","option":"yes","session":"s2"}`), "", "not understood"},
		{"decide twice in one", call("decide", `{"request":"test1:1","option":"no","option":"yes"}`), "not understood", ""},
		{"decide in other letter case", call("decide", `{"request":"test1:1","Option":"yes"}`), "", "not understood"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := run(t, nil)
			request := p.open(1)
			words := hello + "\n" + tt.words
			if tt.error != "" {
				words += call("state", "{}")
			}
			lines := talk(t, p, []byte(words))
			if len(lines) == 0 || !strings.Contains(lines[0], `"instance":"test1"`) {
				t.Fatalf("hello is answered by %q", lines)
			}
			checkAnswers(t, lines[1:], tt.bye, tt.error)
			if len(p.decisions()) > 0 {
				t.Errorf("the proxy was asked: %+v", p.decisions())
			}
			if r, err := p.dial(broker.ByCommand).Decide(deadline(t), broker.Decision{Request: request, Option: "yes"}); err != nil || r.Result != broker.Applied {
				t.Errorf("afterwards: %+v, %v", r, err)
			}
		})
	}
}

func checkAnswers(t *testing.T, lines []string, bye, message string) {
	t.Helper()
	var want []string
	switch {
	case bye != "":
		want = []string{`"id":null`}
	case message != "":
		want = []string{`"id":3,"error"`, `"id":3,"result"`}
	}
	if len(lines) != len(want) {
		t.Fatalf("answered by %.300q", lines)
	}
	for i := range want {
		if !strings.Contains(lines[i], want[i]) {
			t.Errorf("answer %.300s, want %s in it", lines[i], want[i])
		}
	}
	if len(lines) > 0 {
		var first struct {
			Error struct{ Message string }
		}
		json.Unmarshal([]byte(lines[0]), &first)
		if !strings.Contains(first.Error.Message, bye+message) {
			t.Errorf("it says %q, want %q in it", first.Error.Message, bye+message)
		}
	}
}

func TestHelloComesFirst(t *testing.T) {
	p := run(t, nil)
	p.open(1)
	lines := talk(t, p, []byte(decide+"\n"+`{"jsonrpc":"2.0","id":3,"method":"hello","params":{"as":"editor"}}`+"\n"+decide+"\n"))
	want := []string{"hello comes first", `not \"editor\"`, "hello comes first"}
	if len(lines) != len(want) || len(p.decisions()) > 0 {
		t.Fatalf("%q; asked %v", lines, p.decisions())
	}
	for i := range want {
		if !strings.Contains(lines[i], want[i]) {
			t.Errorf("answer %s, want %s in it", lines[i], want[i])
		}
	}
}

// Who says nothing does not keep its place.
func TestSilentClient(t *testing.T) {
	p := run(t, func(o *control.Options) { o.Hello(time.Millisecond) })
	conn, err := net.Dial("unix", p.Path())
	must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if all, err := io.ReadAll(conn); err != nil || len(all) > 0 {
		t.Errorf("got %q, %v", all, err)
	}
}

// After hello there is no hurry.
func TestQuietClient(t *testing.T) {
	const patient = 100 * time.Millisecond
	p := run(t, func(o *control.Options) { o.Hello(patient) })
	var c *control.Client
	until(t, "a hello in time", func() (ok bool) {
		var err error
		c, err = control.Dial(deadline(t), p.endpoint(), broker.ByCommand)
		return err == nil
	})
	defer c.Close()
	for began := time.Now(); time.Since(began) < 2*patient; {
		if _, err := c.State(deadline(t)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTooManyClients(t *testing.T) {
	for _, tt := range []struct {
		name string
		tree func() int
		most int
		says string
	}{
		{"of any kind", func() int { return nowhere }, control.MaxConnections, "32 clients are connected already"},
		{"that may not answer", nil, control.MaxBelow, "8 clients that may not answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := run(t, func(o *control.Options) { o.Tree = tt.tree })
			var clients []*control.Client
			for range tt.most {
				clients = append(clients, p.dial(broker.ByCommand))
			}
			c, err := control.Dial(deadline(t), p.endpoint(), broker.ByCommand)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("one more: %v, %v; want %q", c, err, tt.says)
			}
			if _, err := clients[0].State(deadline(t)); err != nil {
				t.Errorf("the first one: %v", err)
			}
			clients[1].Close()
			until(t, "a free place", func() bool {
				c, err := control.Dial(deadline(t), p.endpoint(), broker.ByCommand)
				if err == nil {
					c.Close()
				}
				return err == nil
			})
		})
	}
}

// A client that asks and asks and never reads is cut loose; others do not notice.
func TestAskingWithoutReading(t *testing.T) {
	p := run(t, nil)
	p.open(1)
	p.pending[0].Input = json.RawMessage(`"` + strings.Repeat("x", 60_000) + `"`)
	conn, err := net.Dial("unix", p.Path())
	must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	calls := bytes.Repeat([]byte(`{"jsonrpc":"2.0","id":2,"method":"state"}`+"\n"), 1000)
	io.WriteString(conn, hello+"\n")
	written := make(chan error, 1)
	go func() {
		for {
			if _, err := conn.Write(calls); err != nil {
				written <- err
				return
			}
		}
	}()
	c := p.dial(broker.ByCommand)
	if _, err := c.State(deadline(t)); err != nil {
		t.Errorf("another client: %v", err)
	}
	if err := wait(t, "the end of the connection", written); strings.Contains(err.Error(), "timeout") {
		t.Error(err)
	}
}
