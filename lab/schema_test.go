//go:build unix

package lab_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bobproxy/lab/bob"
	"bobproxy/lab/editor"
)

// TestFramesAreValid checks every frame of whole turns against the protocol's
// published schema.
func TestFramesAreValid(t *testing.T) {
	schema := loadSchema(t)
	for _, opts := range []editor.Options{
		{}, {Allow: editor.Always, NoFiles: true, NoTerminal: true}, {Allow: editor.Reject}, {Mode: "plan"}, {Mode: "ask"},
	} {
		schema.round(t, play(t, bob.Options{}, opts), nil)
	}
}

// TestWrongFramesAreThoseOnPurpose does the same for peers that misbehave.
// Frames that break the schema because they are meant to are named one by one;
// what is wrong with the others is when they are sent and what they say.
func TestWrongFramesAreThoseOnPurpose(t *testing.T) {
	schema := loadSchema(t)
	for _, test := range []struct {
		agent  string
		editor []editor.Misbehaviour
		wrong  []string // a part of each wrong frame, once for every one
	}{
		{agent: "flood,ask-three,withdraw,bypass"},
		{agent: "reuse-id"},
		{agent: "odd-options", wrong: []string{
			`"options":null`, `"toolCallId":"call-3","title":"Ask with options left out"`, `"options":{}`,
			`"kind":"allow_persistent"`, `{"optionId":"y","name":"Yes"}`, `{"optionId":"y","kind":"allow_once"}`,
			`{"name":"Yes","kind":"allow_once"}`, `[null,`, `"optionId":7`,
		}},
		{agent: "escape", editor: []editor.Misbehaviour{editor.Careless}, wrong: []string{"[{"}},
		{agent: "silent-cancel", editor: []editor.Misbehaviour{editor.Cancel}},
		{agent: "run-late-allow", editor: []editor.Misbehaviour{editor.Cancel, editor.AllowAfterCancel}},
		{agent: "ask-after-cancel", editor: []editor.Misbehaviour{editor.Cancel}},
		{agent: "ask-after-cancel", editor: []editor.Misbehaviour{editor.Cancel, editor.CancelAsRequest}, wrong: []string{`"method":"session/cancel"`}},
		{agent: "ask-three", editor: []editor.Misbehaviour{editor.AnswerTwice}},
		{agent: "ask-three", editor: []editor.Misbehaviour{editor.Contradict}},
		{agent: "ask-three", editor: []editor.Misbehaviour{editor.WrongOption}},
		{agent: "ask-three", editor: []editor.Misbehaviour{editor.AnswerError}},
		{agent: "ask-three", editor: []editor.Misbehaviour{editor.Garbage}, wrong: []string{`{"approved":true}`, `"result":null`, `"outcome":"selected"`}},
		{agent: "withdraw", editor: []editor.Misbehaviour{editor.Late}},
	} {
		t.Run(fmt.Sprint(test.agent, test.editor), func(t *testing.T) {
			schema.round(t, play(t, rogue(t, test.agent), editor.Options{Misbehave: test.editor}), test.wrong)
		})
	}
}

// round checks every frame of a round. Each of the wrong ones must break the
// schema, and no other.
func (s schema) round(t *testing.T, r round, wrong []string) {
	t.Helper()
	wrong = slices.Clone(wrong)
	calls := map[string]string{} // method of each request, by its sender and id
	check := func(from, to, frames string) {
		for line := range strings.Lines(frames) {
			err := s.frame(line, from, to, calls)
			at := slices.IndexFunc(wrong, func(part string) bool { return strings.Contains(line, part) })
			switch {
			case err != nil && at >= 0:
				wrong = slices.Delete(wrong, at, at+1)
			case err != nil:
				t.Errorf("%v\n%s", err, line)
			}
		}
	}
	// Requests first: a response is checked by what it answers.
	for from, frames := range map[string]string{"client": r.fromClient, "agent": r.fromAgent} {
		for line := range strings.Lines(frames) {
			var f frame
			if json.Unmarshal([]byte(line), &f) == nil && f.Method != "" {
				calls[from+string(f.ID)] = f.Method
			}
		}
	}
	check("client", "agent", r.fromClient)
	check("agent", "client", r.fromAgent)
	if len(wrong) > 0 {
		t.Errorf("right, or not sent: %q", wrong)
	}
}

// schema is a JSON schema of the protocol, read just as far as the protocol's
// own needs.
type schema struct {
	defs map[string]map[string]any
}

func loadSchema(t *testing.T) schema {
	t.Helper()
	dir := os.Getenv("BOBPROXY_TESTDATA")
	if dir == "" {
		t.Skip("BOBPROXY_TESTDATA names no folder with the published schema, which only its publishers may change")
	}
	text, err := os.ReadFile(filepath.Join(dir, "schema", "v1", "schema.json"))
	if err != nil {
		t.Fatalf("BOBPROXY_TESTDATA is set and has no published schema: %v", err)
	}
	var doc struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // as the frames are read
	if err := decoder.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	return schema{doc.Defs}
}

func (s schema) frame(line, from, to string, calls map[string]string) error {
	var f struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return err
	}
	if f.JSONRPC != "2.0" {
		return fmt.Errorf("jsonrpc is %q", f.JSONRPC)
	}
	switch {
	case f.Method != "":
		calls[from+string(f.ID)] = f.Method
		kind := "Request"
		if f.ID == nil {
			kind = "Notification"
		}
		return s.message(f.Method, kind, to, f.Params)
	case f.Result != nil:
		return s.message(calls[to+string(f.ID)], "Response", from, f.Result)
	}
	return s.value(map[string]any{"$ref": "#/$defs/Error"}, parsed(f.Error), "error")
}

// message checks params or a result against the definition for a method.
func (s schema) message(method, kind, side string, raw json.RawMessage) error {
	for name, def := range s.defs {
		if def["x-method"] == method && strings.HasSuffix(name, kind) && (def["x-side"] == side || def["x-side"] == "protocol") {
			return s.value(def, parsed(raw), method)
		}
	}
	return fmt.Errorf("the schema knows no %s of the %s for %q", kind, side, method)
}

func parsed(raw json.RawMessage) any {
	var v any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&v) != nil {
		return nil
	}
	return v
}

// value checks v against a definition. Unknown keywords are ignored.
func (s schema) value(def map[string]any, v any, at string) error {
	if ref, ok := def["$ref"].(string); ok {
		return s.value(s.defs[strings.TrimPrefix(ref, "#/$defs/")], v, at)
	}
	if want, ok := def["const"]; ok && want != v {
		return fmt.Errorf("%s: %v is not %v", at, v, want)
	}
	if list, ok := def["enum"].([]any); ok && !slices.Contains(list, v) {
		return fmt.Errorf("%s: %v is none of %v", at, v, list)
	}
	if err := typed(def["type"], v, at); err != nil {
		return err
	}
	if n, ok := v.(json.Number); ok && def["minimum"] == json.Number("0") && strings.HasPrefix(n.String(), "-") {
		return fmt.Errorf("%s: %v is below 0", at, n)
	}
	if err := s.parts(def, v, at); err != nil {
		return err
	}
	for _, sub := range list(def["allOf"]) {
		if err := s.value(sub, v, at); err != nil {
			return err
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if err := s.any(list(def[key]), v, at); err != nil {
			return err
		}
	}
	return nil
}

// parts checks the properties of an object and the items of an array.
func (s schema) parts(def map[string]any, v any, at string) error {
	if object, ok := v.(map[string]any); ok {
		required, _ := def["required"].([]any)
		for _, name := range required {
			if _, has := object[name.(string)]; !has {
				return fmt.Errorf("%s: %v is missing", at, name)
			}
		}
		properties, _ := def["properties"].(map[string]any)
		for name, sub := range properties {
			if field, has := object[name]; has {
				if sub, ok := sub.(map[string]any); ok {
					if err := s.value(sub, field, at+"."+name); err != nil {
						return err
					}
				}
			}
		}
	}
	items, ok := def["items"].(map[string]any)
	if array, isArray := v.([]any); ok && isArray {
		for i, item := range array {
			if err := s.value(items, item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// any wants one of the alternatives to hold and reports what each says.
func (s schema) any(alternatives []map[string]any, v any, at string) error {
	var said []string
	for _, sub := range alternatives {
		err := s.value(sub, v, at)
		if err == nil {
			return nil
		}
		said = append(said, err.Error())
	}
	if len(said) == 0 {
		return nil
	}
	return fmt.Errorf("%s fits nothing: %s", at, strings.Join(said, "; "))
}

func list(v any) (defs []map[string]any) {
	items, _ := v.([]any)
	for _, item := range items {
		if def, ok := item.(map[string]any); ok {
			defs = append(defs, def)
		}
	}
	return defs
}

func typed(want, v any, at string) error {
	var names []any
	switch want := want.(type) {
	case string:
		names = []any{want}
	case []any:
		names = want
	default:
		return nil
	}
	for _, name := range names {
		if is(name, v) {
			return nil
		}
	}
	return fmt.Errorf("%s: %T is not %v", at, v, want)
}

func is(name, v any) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case json.Number:
		return name == "number" || name == "integer" && !strings.ContainsAny(v.String(), ".eE")
	case []any:
		return name == "array"
	default:
		return name == "object"
	}
}
