package journal

import (
	"testing"

	"bobproxy/acp"
)

// What is replayed is what passed, and what was refused: it had its answer. A
// body that is missing or cut is made up for as far as the record goes.
func TestReplay(t *testing.T) {
	const line = `{"id":7,"method":"session/prompt","params":{"sessionId":"a\"b","prompt":[]}}`
	whole := Event{
		Type: FrameEvent, Dir: acp.Client, Kind: acp.Request, EOL: acp.CRLF, Method: "session/prompt", ID: []byte("7"), Session: `a"b`,
		Form: FrameBody, Body: []byte(line),
	}
	for _, test := range []struct {
		name   string
		change func(e *Event)
		want   bool
	}{
		{"passed", func(*Event) {}, true},
		{"added", func(e *Event) { e.Added = true }, true},
		{"refused", func(e *Event) { e.Action = "refused" }, true},
		{"withheld", func(e *Event) { e.Action = "withheld" }, false},
		{"swallowed", func(e *Event) { e.Action = "swallowed" }, false},
		{"a flagged event", func(e *Event) { e.Type = FlaggedEvent }, false},
		{"without a body", func(e *Event) { e.Form, e.Body = NoBody, nil }, true},
		{"cut", func(e *Event) { e.Body = e.Body[:20] }, true},
	} {
		e := whole
		test.change(&e)
		var f acp.Frame
		if got := e.Replay(&f); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
		if test.want && (f.Kind != acp.Request || f.EOL != acp.CRLF || string(f.ID) != "7" || string(f.Method) != "session/prompt" || string(f.Session) != `a\"b`) {
			t.Errorf("%s: %+v", test.name, f)
		}
		if hasBody := len(e.Body) == len(line); test.want && hasBody && string(f.Params) != `{"sessionId":"a\"b","prompt":[]}` {
			t.Errorf("%s: params %s", test.name, f.Params)
		}
	}
	answer := Event{Type: FrameEvent, Dir: acp.Agent, Kind: acp.Response, EOL: acp.LF, Method: "session/prompt", ID: []byte("7")}
	var f acp.Frame
	if !answer.Replay(&f) || f.Method != nil || f.Session != nil {
		t.Errorf("a response without its body: %+v", f)
	}
}
