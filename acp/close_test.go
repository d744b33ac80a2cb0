package acp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"bobproxy/acp"
)

func TestClose(t *testing.T) {
	for _, tt := range []struct{ name, cut, want string }{
		{"nothing", ``, ``},
		{"a string alone", `"abc`, ``},
		{"a number", `12`, ``},
		{"a brace", `{`, `{}`},
		{"a bracket", ` [ `, ` []`},
		{"a name", `{"a":1,"b`, `{"a":1}`},
		{"a name and its colon", `{"a":1,"b":`, `{"a":1}`},
		{"a comma", `{"a":1,`, `{"a":1}`},
		{"a string", `{"a":"xy`, `{"a":"xy"}`},
		{"an empty string", `{"a":"`, `{"a":""}`},
		{"half an escape", `{"a":"x\`, `{"a":"x"}`},
		{"half a number escape", `{"a":"x\u00e`, `{"a":"x"}`},
		{"a whole escape", `{"a":"x\n`, `{"a":"x\n"}`},
		{"half a character", "{\"a\":\"x\xe2\x80", `{"a":"x"}`},
		{"a whole character", "{\"a\":\"x\xe2\x80\xa6", `{"a":"x…"}`},
		{"half a number", `{"a":1,"b":23`, `{"a":1}`},
		{"a whole number", `{"a":1,"b":23 `, `{"a":1,"b":23}`},
		{"half a word", `[true,tr`, `[true]`},
		{"nested", `{"a":{"b":[1,{"c":"d`, `{"a":{"b":[1,{"c":"d"}]}}`},
		{"behind a bracket", `{"a":[1]`, `{"a":[1]}`},
		{"an empty object inside", `{"a":{},"b":[`, `{"a":{},"b":[]}`},
		{"whole", `{"a":1}`, `{"a":1}`},
		{"whole, and more", `{"a":1}{"b":2}`, `{"a":1}`},
		{"broken", `{"a":1,b:2}`, `{"a":1}`},
		{"a wrong bracket", `{"a":[1}`, `{"a":[1]}`},
		{"a raw control character", "{\"a\":\"x\x01y\"}", `{"a":"x"}`},
	} {
		if got := string(acp.Close([]byte(tt.cut))); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestCloseKeepsWhatIsWhole cuts a frame everywhere: the members in front of the
// cut stay what they are.
func TestCloseKeepsWhatIsWhole(t *testing.T) {
	whole := `{"jsonrpc":"2.0","params":{"sessionId":"s\u00e9","update":{"sessionUpdate":"tool_call","toolCallId":"c","n":[1,-2.5e3,true,null]}}}`
	for n := 1; n <= len(whole); n++ {
		closed := acp.Close([]byte(whole[:n]))
		if !json.Valid(closed) {
			t.Fatalf("cut at %d: got %s", n, closed)
		}
		kept := strings.TrimRight(string(closed), "]}\"")
		if !strings.HasPrefix(whole, kept) {
			t.Errorf("cut at %d: got %s", n, closed)
		}
	}
	if got := acp.Close([]byte(whole)); string(got) != whole {
		t.Errorf("got %s, want %s", got, whole)
	}
}

func TestMend(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		is, want   acp.Frame
	}{
		{"an update", `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","title":"ab`,
			acp.Frame{Kind: acp.Notification},
			acp.Frame{Kind: acp.Notification, Cut: true, Session: []byte("s"), Update: []byte("tool_call"),
				Params: []byte(`{"sessionId":"s","update":{"sessionUpdate":"tool_call","title":"ab"}}`)}},
		{"a result, with what the record knows", `{"result":{"sessionId":"other","content":"a`,
			acp.Frame{Kind: acp.Response, ID: []byte("1"), Session: []byte("s")},
			acp.Frame{Kind: acp.Response, ID: []byte("1"), Session: []byte("s"), Cut: true, Result: []byte(`{"sessionId":"other","content":"a"}`)}},
		{"an error", `{"error":{"code":-1,"message":"no`, acp.Frame{Kind: acp.Error},
			acp.Frame{Kind: acp.Error, Cut: true, Error: []byte(`{"code":-1,"message":"no"}`)}},
		{"an ambiguous frame", `{"method":"a`, acp.Frame{Kind: acp.Ambiguous}, acp.Frame{Kind: acp.Ambiguous}},
		{"no object", `abc`, acp.Frame{Kind: acp.Request}, acp.Frame{Kind: acp.Request}},
		{"a session that is none", `{"params":{"sessionId":1,"update":2`, acp.Frame{Kind: acp.Notification},
			acp.Frame{Kind: acp.Notification, Cut: true, Params: []byte(`{"sessionId":1}`)}},
	} {
		got := tt.is
		acp.Mend([]byte(tt.line), &got)
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, mended(got), mended(tt.want))
		}
	}
}

func mended(f acp.Frame) string {
	return fmt.Sprintf("%v cut %v session %s update %s params %s result %s error %s", f.Kind, f.Cut, f.Session, f.Update, f.Params, f.Result, f.Error)
}

func TestMembers(t *testing.T) {
	for _, tt := range []struct{ object, want string }{
		{`{"a":1,"\u0062":[2, 3],"a":"x"}`, `a=1 b=[2, 3] a="x" `},
		{` { "a" : { } , "b":null } `, `a={ } b=null `},
		{`{"a":1,"b"`, `a=1 `},
		{`{}`, ``}, {`[1]`, ``}, {`"a"`, ``}, {``, ``}, {`null`, ``},
	} {
		got := ""
		for name, value := range acp.Members([]byte(tt.object)) {
			got += string(name) + "=" + string(value) + " "
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.object, got, tt.want)
		}
	}
}

func TestElements(t *testing.T) {
	for _, tt := range []struct{ array, want string }{
		{`[1, {"a":[2]} ,"x"]`, `1|{"a":[2]}|"x"|`},
		{` [ ] `, ``}, {`[1,`, `1|`}, {`[1 2]`, `1|`}, {`{}`, ``}, {``, ``},
	} {
		got := ""
		for value := range acp.Elements([]byte(tt.array)) {
			got += string(value) + "|"
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.array, got, tt.want)
		}
	}
}

func TestUnquote(t *testing.T) {
	for _, tt := range []struct {
		token, want string
		ok          bool
	}{
		{`"a\u00e9\n"`, "aé\n", true}, {`""`, "", true}, {"\"x\xff\"", "x�", true}, {`"\ud83d"`, "�", true},
		{`"`, "", false}, {`1`, "", false}, {``, "", false}, {`null`, "", false},
	} {
		if got, ok := acp.Unquote([]byte(tt.token)); got != tt.want || ok != tt.ok {
			t.Errorf("%s: got %q, %v", tt.token, got, ok)
		}
	}
}

func FuzzClose(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"params":{"a":["b",1.5e3,{"c":null`, `[[[[[["\ud83d\ude0`, "{\"a\":\"\xf0\x9f\x98", `{"a":1}]`, `{"a" : tru`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, cut []byte) {
		before := bytes.Clone(cut)
		closed := acp.Close(cut)
		if !bytes.Equal(cut, before) {
			t.Fatal("the input was written to")
		}
		if closed == nil {
			return
		}
		if !json.Valid(closed) || len(closed) > len(cut)+129 {
			t.Fatalf("%q: got %q", cut, closed)
		}
		if again := acp.Close(closed); !bytes.Equal(again, closed) {
			t.Fatalf("%q: closed again it is %q", closed, again)
		}
		for name, value := range acp.Members(closed) {
			if s, ok := acp.Unquote(value); !json.Valid(value) || ok && !utf8.ValidString(s) {
				t.Fatalf("%q: member %q is %q", closed, name, value)
			}
		}
		var frame acp.Frame
		frame.Kind = acp.Notification
		acp.Mend(cut, &frame)
	})
}
