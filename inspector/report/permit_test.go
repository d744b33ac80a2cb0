package report_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/report"
)

// record is one of a recording of our own, so many milliseconds after its
// beginning.
func record(seq int, ms float64, members string) string {
	at := time.Date(2026, 3, 2, 12, 4, 0, 0, time.UTC).Add(time.Duration(ms * float64(time.Millisecond)))
	return fmt.Sprintf(`{"time":%q,"seq":%d,"instance":"demo1",%s}`+"\n", at.Format(time.RFC3339Nano), seq, members)
}

func frame(dir, kind, frame string) string {
	return fmt.Sprintf(`"event":"frame","dir":%q,"kind":%q,"method":"session/request_permission","id":7,"session":"s","bytes":%d,"frame":%s`, dir, kind, len(frame), frame)
}

// A permission takes what the frames say, to the microsecond, in whatever order
// the answer and its decision stand; only without an answer what the decision
// says.
func TestPermissionTimes(t *testing.T) {
	ask := frame("agent", "request", `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}`)
	answer := frame("client", "response", `{"id":7,"result":{"outcome":{"outcome":"cancelled"}}}`)
	decision := `"event":"decision","request":"demo1:1","method":"session/request_permission","id":7,"session":"s","by":"editor","outcome":"cancelled","waitMs":1`
	for _, test := range []struct {
		name    string
		records []string
		count   int
		want    time.Duration
	}{
		{"the answer first", []string{ask, answer, decision}, 1, 1250 * time.Microsecond},
		{"the decision first", []string{ask, decision, answer}, 1, 2500 * time.Microsecond},
		{"no answer", []string{ask, decision}, 1, time.Millisecond},
		{"no decision", []string{ask, answer}, 0, 0},
		{"two under one id", []string{ask, answer, decision, ask, decision, answer}, 2, 3750 * time.Microsecond},
		{"a decision after the next question", []string{ask, answer, ask, decision}, 1, time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			var text strings.Builder
			for i, members := range test.records {
				text.WriteString(record(i+1, 1.25*float64(i), members))
			}
			r := measured(t, text.String(), "")
			for _, m := range []report.Measure{{Of: report.Permission}, {Of: report.Permission, Name: "editor"}} {
				s := r.Series(m)
				if s == nil {
					s = &report.Series{}
				}
				if s.Count != test.count || time.Duration(s.Sum) != test.want {
					t.Errorf("%v: got %d of %v, want %d of %v", m, s.Count, time.Duration(s.Sum), test.count, test.want)
				}
			}
		})
	}
}

// What is counted has the words that a summary has.
func TestCounts(t *testing.T) {
	var text strings.Builder
	for i, members := range []string{
		`"event":"frame","dir":"agent","kind":"request","method":"fs/read_text_file","id":1,"session":"s","bytes":1,"action":"refused","reason":"leads out","frame":{"id":1,"method":"fs/read_text_file"}`,
		`"event":"frame","dir":"client","kind":"error","method":"fs/read_text_file","id":1,"session":"s","bytes":1,"added":true,"frame":{"id":1,"error":{"code":1,"message":"no"}}`,
		`"event":"frame","dir":"client","kind":"response","id":9,"bytes":1,"action":"swallowed","reason":"too late","frame":{"id":9,"result":{}}`,
		`"event":"frame","dir":"client","kind":"response","id":8,"bytes":1,"action":"swallowed","reason":"too late","frame":{"id":8,"result":{}}`,
		`"event":"decision","request":"demo1:1","id":8,"by":"editor","outcome":"error","late":true`,
		`"event":"frame","dir":"client","kind":"response","id":5,"bytes":1,"reason":"answers no request","frame":{"id":5,"result":{}}`,
		`"event":"frame","dir":"client","kind":"text","bytes":1,"reason":"not JSON","raw":"x"`,
		`"event":"frame","dir":"client","kind":"request","method":"session/new","id":2,"bytes":1,"frame":{"id":2,"method":"session/new"}`,
	} {
		text.WriteString(record(i+1, float64(i), members))
	}
	r := measured(t, text.String(), "")
	for word, want := range map[string]int{"errors": 1, "unanswered": 1, "late": 1, "stray": 1, "refused": 1, "stopped": 1, "odd": 1, "added": 1, "warnings": 0} {
		a, err := report.ParseAssertion(fmt.Sprintf("count(%s) = %d", word, want))
		if err != nil {
			t.Fatal(err)
		}
		if v := r.Judge(a); !v.Holds {
			t.Errorf("%s", v)
		}
	}
	got := r.Text("a", report.Look{Width: 400}, nil)
	const want = "1 request without an answer, 1 error, 1 answer that came too late, 1 dialog closed by the editor, as asked, " +
		"1 answer that nobody waited for, 1 frame stopped by the proxy, 1 odd frame, 1 frame added by the proxy\n"
	if !strings.Contains(got, want) {
		t.Errorf("got\n%s", got)
	}
}

// Of one session only its own requests are counted.
func TestUnansweredInOneSession(t *testing.T) {
	text := (&talk{}).prompt(1, "s").prompt(2, "other").after(5).stop(2).text()
	for session, want := range map[string]int{"": 1, "s": 1, "other": 0} {
		if got := measured(t, text, session).Counts.Open; got != want {
			t.Errorf("%q: got %d, want %d", session, got, want)
		}
	}
}
