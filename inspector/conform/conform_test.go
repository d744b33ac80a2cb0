package conform_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp/check"
	"bobproxy/inspector/conform"
	"bobproxy/proxy/journal"
)

// recording is a line for each frame: members of a record, as JSON without the
// usual ones.
func recording(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, `{"time":"2026-01-02T03:04:05Z","seq":%d,"instance":"aaaaa",%s}`+"\n", i+1, line)
	}
	return b.String()
}

const (
	asked  = `"event":"frame","dir":"client","kind":"request","method":"initialize","id":0,"frame":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`
	agreed = `"event":"frame","dir":"agent","kind":"response","method":"initialize","id":0,"frame":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}`
	wrong  = `"event":"frame","dir":"agent","kind":"notification","method":"session/update","session":"x","frame":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"x","update":{"sessionUpdate":"current_mode_update","currentModeId":"m"}}}`
	other  = `"event":"frame","dir":"agent","kind":"notification","method":"session/update","session":"y","frame":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"y","update":{"sessionUpdate":"current_mode_update","currentModeId":"m"}}}`
)

func judge(t *testing.T, text string, b *conform.Baseline) *conform.Report {
	t.Helper()
	j := conform.New(b)
	for e, err := range journal.Read(strings.NewReader(text)) {
		j.Take(&e, err)
	}
	return j.End()
}

func TestReport(t *testing.T) {
	r := judge(t, recording(asked, agreed, wrong, other), nil)
	if r.Frames != 4 || r.Counts[check.Error] != 2 || len(r.Groups) != 1 || !r.Fails(check.Error) {
		t.Fatalf("got %+v", r)
	}
	g := r.Groups[0]
	if g.Rule != "session/unknown" || g.Count != 2 || len(g.Kinds) != 1 || fmt.Sprint(g.Kinds[0].First) != "[3 4]" {
		t.Errorf("got %+v", g)
	}
}

func TestNobodyIsBlamedForTheProxy(t *testing.T) {
	gone := strings.Replace(wrong, `"event":"frame",`, `"event":"frame","action":"swallowed",`, 1)
	for name, lines := range map[string][]string{
		"what it added":            {asked, agreed, strings.Replace(wrong, `"event":"frame",`, `"event":"frame","added":true,`, 1)},
		"what it kept back":        {asked, agreed, gone},
		"what it could not record": {asked, agreed, `"event":"gap","count":3`, wrong},
		"what has no body":         {asked, agreed, `"event":"frame","dir":"client","kind":"request","method":"session/new","id":1,"bytes":99999`, `"event":"frame","dir":"agent","kind":"response","method":"session/new","id":1,"bytes":70`, wrong},
	} {
		if r := judge(t, recording(lines...), nil); len(r.Findings) > 0 && r.Fails(check.Warning) {
			t.Errorf("%s: %+v", name, r.Findings)
		}
	}
	if r := judge(t, strings.SplitAfterN(recording(asked, agreed, wrong), "\n", 2)[1], nil); r.Fails(check.Warning) {
		t.Errorf("a recording from its second event on: %+v", r.Findings)
	}
}

func TestWhatOnlyARecordingTells(t *testing.T) {
	const (
		session  = `"event":"frame","dir":"client","kind":"request","method":"session/new","id":1,"frame":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`
		opened   = `"event":"frame","dir":"agent","kind":"response","method":"session/new","id":1,"session":"x","frame":{"jsonrpc":"2.0","id":1,"result":{"sessionId":"x"}}`
		prompted = `"event":"frame","dir":"client","kind":"request","method":"session/prompt","id":2,"session":"x","frame":{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"x","prompt":[]}}`
		question = `"event":"frame","dir":"agent","kind":"request","method":"session/request_permission","id":7,"session":"x","frame":{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"x","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}}`
		answer   = `"event":"frame","dir":"client","kind":"response","method":"session/request_permission","id":7,"session":"x",%"frame":{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`
		over     = `"event":"frame","dir":"agent","kind":"response","method":"session/prompt","id":2,"session":"x","frame":{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`
		exit     = `"event":"exit","status":0`
	)
	as := func(what string) string { return strings.Replace(answer, "%", what, 1) }
	swallowed := as(`"action":"swallowed",`)
	later := func(text string) string {
		return strings.Replace(text, `04:05Z","seq":6`, `04:15Z","seq":6`, 1)
	}
	for _, test := range []struct{ name, text, want string }{
		{"the client answers twice", recording(asked, agreed, session, opened, prompted, question, as(""), swallowed, over), "json-rpc/answered-twice client error"},
		{"the panel had answered", recording(asked, agreed, session, opened, prompted, question, as(`"added":true,`), swallowed, over), ""},
		{"the agent ends in a turn", later(recording(asked, agreed, session, opened, prompted, exit)), "json-rpc/unanswered agent warning"},
		{"the recording ends in a turn", recording(asked, agreed, session, opened, prompted), "json-rpc/unanswered agent info"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, f := range judge(t, test.text, nil).Findings {
				got = append(got, fmt.Sprintf("%s %s %s", f.Rule, f.By, f.Severity))
			}
			if strings.Join(got, "; ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestBaseline(t *testing.T) {
	first := judge(t, recording(asked, agreed, wrong), nil)
	var b bytes.Buffer
	if n, err := first.WriteBaseline(&b); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	known, err := conform.ReadBaseline(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	second := judge(t, recording(asked, agreed, other, strings.Replace(wrong, `"m"`, `7`, 1)), known)
	if second.Accepted != 2 || second.Counts[check.Error] != 1 {
		t.Errorf("got %d known and %+v", second.Accepted, second.Findings)
	}
	if _, err := conform.ReadBaseline(strings.NewReader("{}\n")); err == nil {
		t.Error("an entry without a rule is read")
	}
}

func TestPlain(t *testing.T) {
	text := `{"ms":1,"dir":"client","frame":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}}
{"dir":"agent","jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}

{"dir":"nobody","frame":{}}
`
	if first, _, _ := strings.Cut(text, "\n"); !conform.Plain([]byte(first)) || conform.Plain([]byte(recording(asked))) {
		t.Error("the two kinds of recordings are mixed up")
	}
	var got []string
	for e, err := range conform.PlainEvents(strings.NewReader(text)) {
		if damaged := (*journal.LineError)(nil); errors.As(err, &damaged) {
			got = append(got, fmt.Sprint("damaged ", damaged.Line))
			continue
		}
		got = append(got, fmt.Sprintf("%d %v %v %s", e.Seq, e.Dir, e.Kind, e.Body))
	}
	want := []string{
		`1 client request {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`,
		`2 agent response {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}`,
		`damaged 4`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzJudge(f *testing.F) {
	f.Add(recording(asked, agreed, wrong))
	f.Add(`{"dir":"agent","frame":{"jsonrpc":"2.0","method":"_x"}}` + "\n" + `{"dir":"client","id":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, events := range []func(func(journal.Event, error) bool){
			journal.Read(strings.NewReader(text)), conform.PlainEvents(strings.NewReader(text)),
		} {
			j := conform.New(nil)
			for e, err := range events {
				j.Take(&e, err)
			}
			r := j.End()
			var b bytes.Buffer
			if _, err := r.WriteBaseline(&b); err != nil {
				t.Fatal(err)
			}
			known, err := conform.ReadBaseline(&b)
			if err != nil {
				t.Fatal(err)
			}
			for i := range r.Findings {
				if !known.Accepts(&r.Findings[i].Finding) {
					t.Errorf("a baseline does not accept what it was made of: %+v", r.Findings[i])
				}
			}
		}
	})
}
