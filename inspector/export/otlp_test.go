package export_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"bobproxy/inspector/export"
	"bobproxy/proxy/journal"
)

// traces are those that are made of a recording.
func traces(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := export.OTLP(&out, journal.Read(strings.NewReader(text)), "1.2.3"); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// tracesData is the shape of OTLP/JSON, by the names in its specification.
type tracesData struct {
	ResourceSpans []struct {
		Resource   struct{ Attributes []attributeData }
		ScopeSpans []struct {
			Scope struct{ Name, Version string }
			Spans []spanData
		}
	}
}

type spanData struct {
	TraceID      string `json:"traceId"`
	SpanID       string `json:"spanId"`
	ParentSpanID string `json:"parentSpanId"`
	TraceState   string `json:"traceState"`
	Flags        uint32 `json:"flags"`
	Name         string `json:"name"`
	Kind         int    `json:"kind"`
	Start        string `json:"startTimeUnixNano"`
	End          string `json:"endTimeUnixNano"`
	Attributes   []attributeData
	Status       struct {
		Code    int
		Message string
	}
}

type attributeData struct {
	Key   string
	Value struct {
		StringValue *string
		IntValue    *string
	}
}

func (s *spanData) attribute(key string) string {
	for _, a := range s.Attributes {
		switch {
		case a.Key == key && a.Value.StringValue != nil:
			return *a.Value.StringValue
		case a.Key == key && a.Value.IntValue != nil:
			return *a.Value.IntValue
		}
	}
	return ""
}

// soundTraces checks what the specification asks for, and gives the spans.
func soundTraces(t *testing.T, doc []byte) (spans []spanData) {
	t.Helper()
	var data tracesData
	d := json.NewDecoder(bytes.NewReader(doc))
	d.DisallowUnknownFields()
	if err := d.Decode(&data); err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	ids := map[string]bool{}
	for _, r := range data.ResourceSpans {
		for _, s := range r.ScopeSpans {
			spans = append(spans, s.Spans...)
		}
	}
	for _, s := range spans {
		start, err1 := strconv.ParseUint(s.Start, 10, 64)
		end, err2 := strconv.ParseUint(s.End, 10, 64)
		if err1 != nil || err2 != nil || end < start {
			t.Errorf("%s lasts from %s to %s", s.Name, s.Start, s.End)
		}
		for _, id := range []struct {
			text string
			size int
		}{{s.TraceID, 16}, {s.SpanID, 8}} {
			if b, err := hex.DecodeString(id.text); err != nil || len(b) != id.size || strings.Trim(id.text, "0") == "" {
				t.Errorf("%s has the id %q", s.Name, id.text)
			}
		}
		if ids[s.SpanID] {
			t.Errorf("two spans have the id %s", s.SpanID)
		}
		ids[s.SpanID] = true
		if s.Name == "" || s.Kind < 1 || s.Kind > 5 || s.Status.Code < 0 || s.Status.Code > 2 {
			t.Errorf("a span that is none: %+v", s)
		}
	}
	return spans
}

func TestTracesOfTheDemo(t *testing.T) {
	text, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	doc := traces(t, string(text))
	var counts = map[string]int{}
	var turn spanData
	spans := soundTraces(t, doc)
	for _, s := range spans {
		counts[s.Name]++
		if s.Name == "turn" {
			turn = s
		}
	}
	for name, want := range map[string]int{"turn": 1, "permission": 4, "tool execute": 2, "tool edit": 1, "initialize": 1, "session/new": 1} {
		if counts[name] != want {
			t.Errorf("%s: got %d, want %d", name, counts[name], want)
		}
	}
	if turn.attribute("acp.stop_reason") != "end_turn" || turn.ParentSpanID != "" {
		t.Errorf("the turn: %+v", turn)
	}
	byID := map[string]spanData{}
	for _, s := range spans {
		byID[s.SpanID] = s
	}
	for _, s := range spans {
		if s.Name == "permission" && (s.attribute("acp.permission.by") != "editor" || !strings.HasPrefix(byID[s.ParentSpanID].Name, "tool ")) {
			t.Errorf("a permission: %+v", s)
		}
		if strings.HasPrefix(s.Name, "tool ") && (s.ParentSpanID != turn.SpanID || s.TraceID != turn.TraceID) {
			t.Errorf("a tool call outside of the turn: %+v", s)
		}
	}
	golden(t, "demo.otlp.json", doc)
}

func TestTraceContext(t *testing.T) {
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, test := range []struct {
		name, parent string
		taken        bool
	}{
		{"whole", parent, true},
		{"of a newer version", "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", true},
		{"of no version", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false},
		{"upper case", strings.ToUpper(parent), false},
		{"zeros", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", false},
		{"short", "00-4bf92f-00f067aa0ba902b7-01", false},
		{"more than there is", parent + "-x", false},
		{"empty", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			spans := soundTraces(t, traces(t, recording(
				sent("client", "request", "session/prompt", `{"id":1,"method":"session/prompt","params":{"sessionId":"s","_meta":{"traceparent":"`+test.parent+`","tracestate":"a=b"}}}`),
				sent("agent", "response", "session/prompt", `{"id":1,"result":{"stopReason":"end_turn"}}`),
			)))
			taken := len(spans) == 1 && spans[0].TraceID == "4bf92f3577b34da6a3ce929d0e0e4736" && spans[0].ParentSpanID == "00f067aa0ba902b7" && spans[0].TraceState == "a=b" && spans[0].Flags == 1
			if taken != test.taken || len(spans) != 1 {
				t.Errorf("got %+v", spans)
			}
		})
	}
}

func TestTracesOfTrouble(t *testing.T) {
	spans := soundTraces(t, traces(t, recording(
		sent("client", "request", "session/prompt", `{"id":1,"method":"session/prompt","params":{"sessionId":"s"}}`),
		sent("agent", "notification", "session/update", `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","kind":"edit","status":"pending"}}}`),
		sent("agent", "notification", "session/update", `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"failed"}}}`),
		sent("agent", "request", "fs/read_text_file", `{"id":7,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}`),
		sent("client", "error", "fs/read_text_file", `{"id":7,"error":{"code":-32002,"message":"no such file"}}`),
		sent("agent", "request", "terminal/create", `{"id":8,"method":"terminal/create","params":{"sessionId":"s","command":"x"}}`),
	)))
	for i, want := range []struct{ name, message string }{
		{"tool edit", "the tool call failed"}, {"fs/read_text_file", "no such file"}, {"turn", "never answered"}, {"terminal/create", "never answered"},
	} {
		if i >= len(spans) || spans[i].Name != want.name || spans[i].Status.Code != 2 || spans[i].Status.Message != want.message {
			t.Errorf("%d: want %+v; got %+v", i, want, spans)
		}
	}
	if doc := traces(t, ""); string(doc) != "{\"resourceSpans\":[]}\n" {
		t.Errorf("of nothing: %s", doc)
	}
}

// tells is a session/update of session s that has the members.
func tells(members string) string {
	return sent("agent", "notification", "session/update", `{"method":"session/update","params":{"sessionId":"s","update":{`+members+`}}}`)
}

func TestTracesOfVersion2(t *testing.T) {
	ask := func(id, call string) string {
		return sent("agent", "request", "session/request_permission", `{"id":`+id+`,"method":"session/request_permission","params":{"sessionId":"s","title":"Write","subject":{"type":"tool_call","toolCall":{"toolCallId":"`+call+`","kind":"edit"}},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}`)
	}
	allow := func(id string) string {
		return sent("client", "response", "session/request_permission", `{"id":`+id+`,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`)
	}
	spans := soundTraces(t, traces(t, recording(
		sent("client", "request", "initialize", `{"id":0,"method":"initialize","params":{"protocolVersion":2}}`),
		sent("agent", "response", "initialize", `{"id":0,"result":{"protocolVersion":2}}`),
		sent("client", "request", "session/prompt", `{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`),
		sent("agent", "response", "session/prompt", `{"id":1,"result":{"messageId":"m"}}`),
		tells(`"sessionUpdate":"state_update","state":"running"`),
		tells(`"sessionUpdate":"tool_call_update","toolCallId":"c","kind":"edit","status":"pending"`),
		tells(`"sessionUpdate":"state_update","state":"requires_action"`),
		ask("7", "c"),
		allow("7"),
		tells(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"`),
		tells(`"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"`),
		ask("8", "later"),
		allow("8"),
	)))
	of := map[string]spanData{}
	for _, s := range spans {
		if s.Name == "permission" {
			s.Name += " " + s.attribute("acp.tool.id")
		}
		of[s.Name] = s
	}
	turn, tool := of["turn"], of["tool edit"]
	if len(spans) != 5 || turn.attribute("acp.stop_reason") != "end_turn" || turn.attribute("acp.tools") != "1" || turn.Status.Code != 0 {
		t.Errorf("%d spans; the turn: %+v", len(spans), turn)
	}
	if turn.End <= tool.End || tool.ParentSpanID != turn.SpanID || of["permission c"].ParentSpanID != tool.SpanID {
		t.Errorf("the turn is not around all of it: %+v", of)
	}
	if p := of["permission later"]; p.ParentSpanID != "" || p.TraceID == turn.TraceID {
		t.Errorf("a permission after the turn is in it: %+v", p)
	}
}

func TestTracesOfATurnThatDidNotEnd(t *testing.T) {
	spans := soundTraces(t, traces(t, recording(
		sent("client", "request", "initialize", `{"id":0,"method":"initialize","params":{"protocolVersion":2}}`),
		sent("agent", "response", "initialize", `{"id":0,"result":{"protocolVersion":2}}`),
		sent("client", "request", "session/prompt", `{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`),
		sent("agent", "response", "session/prompt", `{"id":1,"result":{"messageId":"m"}}`),
		tells(`"sessionUpdate":"state_update","state":"running"`),
	)))
	if last := spans[len(spans)-1]; last.Name != "turn" || last.Status.Code != 2 || last.Status.Message != "never ended" {
		t.Errorf("got %+v", last)
	}
}

func TestTracesOfCallsThatRanAlthoughRefused(t *testing.T) {
	const ran, claims = "ran although that was not allowed", "is said to be completed although that was not allowed"
	for _, test := range []struct{ name, outcome, status, message string }{
		{"allowed", `{"outcome":"selected","optionId":"y"}`, "completed", ""},
		{"refused", `{"outcome":"selected","optionId":"n"}`, "completed", claims},
		{"cancelled", `{"outcome":"cancelled"}`, "completed", claims},
		{"refused, not completed, with a terminal", `{"outcome":"selected","optionId":"n"}`, `failed","content":[{"type":"terminal","terminalId":"t"}],"title":"x`, ran},
		{"refused, and not run", `{"outcome":"selected","optionId":"n"}`, "failed", "the tool call failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			spans := soundTraces(t, traces(t, recording(
				sent("client", "request", "session/prompt", `{"id":1,"method":"session/prompt","params":{"sessionId":"s"}}`),
				tells(`"sessionUpdate":"tool_call","toolCallId":"c","kind":"edit","status":"pending"`),
				sent("agent", "request", "session/request_permission", `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`),
				sent("client", "response", "session/request_permission", `{"id":7,"result":{"outcome":`+test.outcome+`}}`),
				tells(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"`+test.status+`"`),
				sent("agent", "response", "session/prompt", `{"id":1,"result":{"stopReason":"end_turn"}}`),
			)))
			code := 2
			if test.message == "" {
				code = 1
			}
			if tool := spans[0]; tool.Name != "tool edit" || tool.Status.Code != code || tool.Status.Message != test.message {
				t.Errorf("got %+v", tool)
			}
		})
	}
}
