package filter

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"-u:message,thought", "kind:err or is:bad", "m:fs/* dir:in", `text:"nil token"`, "/panic|fatal/i", "@noise",
		"slow>2s -m:session/prompt", `params."a b".*:x,/y\/z/i,"q"`, "(a or not b) and c", "after:12:04 before:-5m",
		`/a*,"x/" file:/a,b/i`, "size:>=1.5k", "é or È", "\"\\",
	} {
		f.Add(s)
	}
	rows := conversation()
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			if at := err.(*Error).At; at < 0 || at > len(text) {
				t.Fatalf("error at %d of %q", at, text)
			}
			return
		}
		again, err := Parse(e.String())
		if err != nil && len(e.String()) <= MaxText {
			t.Fatalf("%q is written as %q: %v", text, e, err)
		}
		if err == nil && !reflect.DeepEqual(again, e) {
			t.Fatalf("%q is written as %q, which reads as %q", text, e, again)
		}
		for _, r := range rows {
			e.Match(r, World{Now: now})
		}
	})
}

func FuzzMatch(f *testing.F) {
	for _, r := range conversation() {
		f.Add("params.*.*:x or params.a.0.b>1 or file:x or text:y or /z+q/ or é", r.Body)
	}
	f.Add("params.a:x", []byte(`{"params":[[[{"a":{"a":"`))
	f.Add("params.a:x", []byte(`{"params":{"\u0061":"\ud83d\ude00\ud83d\`))
	f.Fuzz(func(t *testing.T, text string, body []byte) {
		e, err := Parse(text)
		if err != nil {
			return
		}
		r := &model.Row{Type: journal.FrameEvent, Kind: acp.Request, Method: "session/prompt", Update: "message", Body: body}
		e.Match(r, World{})
		Complete(text, len(text), []*model.Row{r}, nil)
		Complete("params.", 7, []*model.Row{r}, nil)
	})
}

func FuzzComplete(f *testing.F) {
	f.Add("m:session/ -u:x,", 10)
	f.Add(`params."a b".x`, 14)
	var rows []*model.Row
	for _, r := range conversation() {
		rows = append(rows, r)
	}
	f.Fuzz(func(t *testing.T, text string, cursor int) {
		for _, c := range Complete(text, cursor, rows, []string{"noise"}) {
			if c.From < 0 || c.From > c.To || c.To > len(text) {
				t.Fatalf("from %d to %d of %q", c.From, c.To, text)
			}
		}
	})
}

// FuzzTerm: whatever is in a row, a term about it can be typed.
func FuzzTerm(f *testing.F) {
	f.Add("params", "a b", "x\"\\\n*")
	f.Add("method", "", "/x/")
	f.Fuzz(func(t *testing.T, root, name, value string) {
		for _, path := range []string{root, Path("params", name, "0", root)} {
			term := Term(path, value)
			e, err := Parse(term)
			if err != nil {
				if k := findKey(path); k != nil && k.words != nil {
					continue // it has no such word
				}
				t.Fatalf("%q of %q is %q: %v", value, path, term, err)
			}
			if again, err := Parse(e.String()); err != nil || !reflect.DeepEqual(again, e) {
				t.Fatalf("%q reads as %q, and that as %q: %v", term, e, again, err)
			}
		}
	})
}

// TestLinear: bodies and texts that are made to be slow are not.
func TestLinear(t *testing.T) {
	const n = 1 << 17
	start := time.Now()
	for _, body := range []string{
		strings.Repeat(`{"params":`, n) + strings.Repeat("[", n),
		`{"params":{"a":"` + strings.Repeat(`\"`, n),
		`{"params":{` + strings.Repeat(`"path":"\\`, n),
		`{"params":` + strings.Repeat(`[{"a":`, n),
		`{"params":` + strings.Repeat(`[[{"a":1},`, n),
		strings.Repeat(`"`, n),
		`{"params":` + strings.Repeat("[", n),
	} {
		r := &model.Row{Type: journal.FrameEvent, Method: "session/prompt", Kind: acp.Request, Body: []byte(body)}
		for _, text := range []string{"params.a.a:x", "params.*.*.*:x", "file:x", "text:x", "params:x", "aab", "/(a|b)*c/"} {
			if parse(t, text).Match(r, World{}) {
				t.Errorf("%s matches %.40s…", text, body)
			}
		}
	}
	if took := time.Since(start); took > 30*time.Second { // squares of these sizes take many minutes
		t.Errorf("took %v", took)
	}
}
