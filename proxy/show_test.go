package proxy

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

const (
	ourKey   = "our-key-0123456789"
	theirKey = `server"key-0123456789`
)

// secretive sits down at a table that knows one secret from its settings and
// has seen another in a server's environment.
func secretive(t *testing.T, play func(x *table)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x := seat(t, Policy{}, journal.Options{Off: true, Instance: "test", Secrets: []string{ourKey}})
		defer x.rise()
		x.relay.Argv = []string{"agent", "--key=" + ourKey}
		x.editor(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/ws/` + ourKey + `","mcpServers":[{"name":"m","command":"c","env":[{"name":"KEY","value":"server\"key-0123456789"}]}]}}`)
		x.bob(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s-` + ourKey + `"}}`)
		play(x)
	})
}

const secretAsk = `"sessionId":"s-our-key-0123456789","toolCall":{"toolCallId":"c","kind":"execute","title":"curl -H our-key-0123456789 server\u0022key-0123456789",` +
	`"rawInput":{"command":"export KEY=our\u002dkey-0123456789","n":[1.50,"server\"key-0123456789"]},"locations":[{"path":"/tmp/our-key-0123456789"}]},` +
	`"options":[{"optionId":"y our-key-0123456789","name":"Allow our-key-0123456789","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]`

// Nobody who looks at a proxy sees what the recording masks, and what there is
// to answer can be answered all the same.
func TestNothingSecretIsShown(t *testing.T) {
	secretive(t, func(x *table) {
		x.bob(asks4(`"our-key-0123456789"`, secretAsk))
		state := x.host.State()
		text, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{ourKey, "key-0123456789"} {
			if strings.Contains(string(text), key) {
				t.Errorf("%s is shown in %s", key, text)
			}
		}
		p := state.Pending[0]
		got := []string{p.Session, string(p.ID), p.Title, string(p.Input), p.Options[0].ID, p.Options[0].Name, p.Options[1].ID}
		want := []string{"s-[masked]", `"[masked]"`, "curl -H [masked] [masked]", `{"command":"export KEY=[masked]","n":[1.50,"[masked]"]}`,
			"y [masked]", "Allow [masked]", "n"}
		if !slices.Equal(got, want) {
			t.Errorf("shown is\n%q, want\n%q", got, want)
		}
		if s := state.Sessions[0]; s.State != "waiting" || s.ID != p.Session {
			t.Errorf("the session is %+v", s)
		}
		x.agent.heard()
		r := x.host.Decide(broker.Decision{Request: p.Request, Digest: p.Digest, Option: p.Options[0].ID, Number: 1, By: broker.ByCommand})
		synctest.Wait()
		if r.Result != broker.Applied || r.Option != "y [masked]" || strings.Contains(r.Text, ourKey) {
			t.Errorf("the ruling is %+v", r)
		}
		x.bobHears(selects(`"our-key-0123456789"`, "y "+ourKey)) // the wire says what it says
		if r := x.host.Decide(broker.Decision{Request: p.Request, Deny: true, By: broker.ByCommand}); r.Result != broker.TooLate || strings.Contains(fmt.Sprint(r), ourKey) {
			t.Errorf("the second ruling is %+v", r)
		}
		for _, e := range x.happened(journal.OpenedEvent, journal.DecisionEvent) {
			if text := fmt.Sprintf("%s %s %+v", e.ID, e.Session, e.Decision); strings.Contains(text, ourKey) {
				t.Errorf("an event says %s", text)
			}
		}
	})
}

// A masked id names an option only together with its number, and the digest is
// the one of what the agent wrote.
func TestMaskedOptions(t *testing.T) {
	secretive(t, func(x *table) {
		x.bob(asks4("5", secretAsk))
		p := x.host.State().Pending[0]
		for _, d := range []broker.Decision{
			{Option: "y [masked]"},
			{Option: "y [masked]", Number: 2},
			{Option: "n", Number: 1},
		} {
			d.Request, d.Digest, d.By = p.Request, p.Digest, broker.ByCommand
			if r := x.host.Decide(d); r.Result != broker.Refused {
				t.Errorf("%+v: %+v", d, r)
			}
		}
		x.editor(cancels("5"))
		x.bob(asks4("6", strings.ReplaceAll(secretAsk, "n\":[1.50,\"server", "n\":[1.50,\"Server")))
		if again := x.host.State().Pending[0]; again.Digest == p.Digest {
			t.Error("two requests that differ in a secret have the same digest")
		}
	})
}

// Where an allow of the editor's would not be released, that is shown.
func TestUnattributableIsShown(t *testing.T) {
	sit(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		if p := x.host.State().Pending[0]; p.Unattributable != "" {
			t.Errorf("it is said that %s", p.Unattributable)
		}
		x.panel(1)
		x.bob(permits("7")) // the editor still owes the answer to the first
		if p := x.host.State().Pending[0]; !strings.Contains(p.Unattributable, "not released") {
			t.Errorf("it is said that %q", p.Unattributable)
		}
	})
}

// ourWords are the members of a state whose words are ours alone.
var ourWords = map[string]bool{
	"Instance": true, "Version": true, "Recording": true, "Bounds": true, "Timeout": true, "State": true,
	"Request": true, "Digest": true, "Level": true, "Reason": true, "Unanswerable": true, "Unattributable": true,
}

// fill puts a secret into whatever in v may hold others' words.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("a " + ourKey)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"a":"` + ourKey + `"}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Type != reflect.TypeFor[time.Time]() && (!ourWords[f.Name] || f.Type.Kind() != reflect.String) {
				fill(v.Field(i))
			}
		}
	}
}

// No member of a state is forgotten, whatever it comes to have.
func TestAllOfAStateIsMasked(t *testing.T) {
	j, err := journal.New(journal.Options{Off: true, Secrets: []string{ourKey}})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close(0)
	var s control.State
	fill(reflect.ValueOf(&s).Elem())
	if s.Pending[0].Options[0].Name != "a "+ourKey {
		t.Fatalf("not filled: %+v", s)
	}
	hide(&s, j.Mask())
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, ourKey) {
			t.Errorf("shown: %s", line)
		}
	}
}
