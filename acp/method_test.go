package acp_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"bobproxy/acp"
)

// TestFindMethod has some of the methods that TestMethodsArePublished compares,
// and all those that no list has any more.
func TestFindMethod(t *testing.T) {
	const client, agent = acp.Client, acp.Agent
	withdrawn := 0
	for _, c := range []struct {
		name     string
		from     acp.Direction
		kind     acp.Kind
		versions acp.Versions
	}{
		{"initialize", client, acp.Request, acp.V1 | acp.V1Draft | acp.V2 | acp.V2Draft},
		{"authenticate", client, acp.Request, acp.V1 | acp.V1Draft},
		{"auth/login", client, acp.Request, acp.V2 | acp.V2Draft},
		{"session/fork", client, acp.Request, acp.V1Draft | acp.V2Draft},
		{"session/cancel", client, acp.Notification, acp.V1 | acp.V1Draft | acp.V2 | acp.V2Draft},
		{"session/update", agent, acp.Notification, acp.V1 | acp.V1Draft | acp.V2 | acp.V2Draft},
		{"session/request_permission", agent, acp.Request, acp.V1 | acp.V1Draft | acp.V2 | acp.V2Draft},
		{"fs/write_text_file", agent, acp.Request, acp.V1 | acp.V1Draft},
		{"terminal/create", agent, acp.Request, acp.V1 | acp.V1Draft},
		{"terminal/cancel", client, acp.Request, acp.V2 | acp.V2Draft},
		{"session/set_model", client, acp.Request, 0},
		{"mcp/connect", agent, acp.Request, 0},
		{"mcp/disconnect", agent, acp.Request, 0},
		{"nes/start", client, acp.Request, 0},
		{"nes/suggest", client, acp.Request, 0},
		{"nes/accept", client, acp.Notification, 0},
		{"nes/reject", client, acp.Notification, 0},
		{"nes/close", client, acp.Request, 0},
		{"document/didOpen", client, acp.Notification, 0},
		{"document/didChange", client, acp.Notification, 0},
		{"document/didClose", client, acp.Notification, 0},
		{"document/didSave", client, acp.Notification, 0},
		{"document/didFocus", client, acp.Notification, 0},
	} {
		m, ok := acp.FindMethod([]byte(c.name))
		if !ok || m.Name != c.name || m.Published != c.versions {
			t.Errorf("%s: got %+v, %v", c.name, m, ok)
		}
		if c.versions == 0 {
			withdrawn++
		}
		for _, from := range []acp.Direction{client, agent} {
			for _, kind := range []acp.Kind{acp.Request, acp.Notification, acp.Response, acp.Error, acp.Text, acp.Ambiguous} {
				want := from == c.from && kind == c.kind
				if got := m.Allows(from, kind); got != want {
					t.Errorf("%s as %v from %v: got %v, want %v", c.name, kind, from, got, want)
				}
			}
		}
	}
	for _, m := range acp.AllMethods {
		if m.Published == 0 {
			withdrawn--
		}
	}
	if withdrawn != 0 {
		t.Errorf("the table has %d withdrawn methods more than this test", -withdrawn)
	}
}

func TestFindMethodOfBothSides(t *testing.T) {
	m, _ := acp.FindMethod([]byte(acp.MethodCancelRequest))
	for _, from := range []acp.Direction{acp.Client, acp.Agent} {
		if !m.Allows(from, acp.Notification) || m.Allows(from, acp.Request) {
			t.Errorf("%v: got %+v", from, m)
		}
	}
	if m.Allows(0, acp.Notification) {
		t.Error("nobody may send something")
	}
}

func TestFindMethodUnknown(t *testing.T) {
	for _, name := range []string{"", "Initialize", "fs/read_text_file ", "_x/y", "session"} {
		if m, ok := acp.FindMethod([]byte(name)); ok {
			t.Errorf("%q: got %+v", name, m)
		}
	}
}

func TestFindMethodAllocatesNothing(t *testing.T) {
	name := []byte("session/update")
	if n := testing.AllocsPerRun(100, func() { acp.FindMethod(name) }); n != 0 {
		t.Errorf("got %v allocations", n)
	}
}

// TestMethodsArePublished compares the table with the lists of methods that
// are published with the schemas. There agentMethods are those an agent
// receives.
func TestMethodsArePublished(t *testing.T) {
	var all acp.Versions
	for file, version := range map[string]acp.Versions{
		"v1/meta.json": acp.V1, "v1/meta.unstable.json": acp.V1Draft,
		"v2/meta.json": acp.V2, "v2/meta.unstable.json": acp.V2Draft,
	} {
		all |= version
		var meta struct {
			AgentMethods, ClientMethods, ProtocolMethods, ProxyMethods map[string]string
		}
		readJSON(t, testdata(t, "schema", file), &meta)
		listed := map[string]bool{}
		check := func(names map[string]string, senders acp.Senders) {
			for _, name := range names {
				listed[name] = true
				m, ok := acp.FindMethod([]byte(name))
				if !ok || m.Published&version == 0 {
					t.Errorf("%s: %s is missing", file, name)
				}
				if sent := m.Requests | m.Notifies; sent&senders != senders {
					t.Errorf("%s: %s lacks a sender: got %b, want %b", file, name, sent, senders)
				}
			}
		}
		check(meta.AgentMethods, acp.ByClient)
		check(meta.ClientMethods, acp.ByAgent)
		check(meta.ProtocolMethods, acp.ByClient|acp.ByAgent)
		check(meta.ProxyMethods, 0)
		for _, m := range acp.AllMethods {
			if m.Published&version != 0 && !listed[m.Name] {
				t.Errorf("%s: does not list %s", file, m.Name)
			}
		}
		checkSchema(t, version)
	}
	if all != acp.V1|acp.V1Draft|acp.V2|acp.V2Draft {
		t.Errorf("compared %b only", all)
	}
}

// checkSchema compares who sends what, and whether it is answered, with the
// definitions in the schema. There x-side is who receives.
func checkSchema(t *testing.T, version acp.Versions) {
	t.Helper()
	file := map[acp.Versions]string{
		acp.V1: "v1/schema.json", acp.V1Draft: "v1/schema.unstable.json",
		acp.V2: "v2/schema.json", acp.V2Draft: "v2/schema.unstable.json",
	}[version]
	var schema struct {
		Defs map[string]struct {
			Method string `json:"x-method"`
			Side   string `json:"x-side"`
		} `json:"$defs"`
	}
	readJSON(t, testdata(t, "schema", file), &schema)
	type use struct{ requests, notifies acp.Senders }
	uses := map[string]use{}
	for def, d := range schema.Defs {
		senders := map[string]acp.Senders{
			"agent": acp.ByClient, "client": acp.ByAgent, "protocol": acp.ByClient | acp.ByAgent,
		}[d.Side]
		u := uses[d.Method]
		switch {
		case strings.HasSuffix(def, "Request"):
			u.requests |= senders
		case strings.HasSuffix(def, "Notification"):
			u.notifies |= senders
		}
		uses[d.Method] = u
	}
	delete(uses, "")
	if len(uses) == 0 {
		t.Errorf("%s: no method found", file)
	}
	for name, u := range uses {
		m, _ := acp.FindMethod([]byte(name))
		switch name {
		case acp.MethodProxyInitialize, acp.MethodProxySuccessor:
			continue // neither side is the editor or the agent
		case acp.MethodMCPMessage:
			if m.Requests&u.requests != u.requests || m.Notifies&u.notifies != u.notifies {
				t.Errorf("%s: %s: got %+v, want at least %+v", file, name, m, u)
			}
			continue // older peers do more than the newest schema says
		}
		if m.Requests != u.requests || m.Notifies != u.notifies {
			t.Errorf("%s: %s: got %+v, want %+v", file, name, m, u)
		}
	}
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
