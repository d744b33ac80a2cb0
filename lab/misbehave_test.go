//go:build unix

package lab_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/acp"
	"bobproxy/lab/bob"
	"bobproxy/lab/editor"
	"bobproxy/lab/retrybudget"
	"bobproxy/lab/wire"
)

// rogue is a Bob that misbehaves.
func rogue(t *testing.T, names string) bob.Options {
	t.Helper()
	list, err := bob.ParseMisbehaviours(names)
	if err != nil || len(list) == 0 {
		t.Fatalf("%q: %v", names, err)
	}
	return bob.Options{Misbehave: list}
}

// frame is one of either side, as it can be read.
type frame struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// frames are those of a recording; lines that are no object are left out.
func frames(text string) (all []frame) {
	for line := range strings.Lines(text) {
		var f frame
		if json.Unmarshal([]byte(line), &f) == nil {
			all = append(all, f)
		}
	}
	return all
}

// asked are the ids of the permission requests, in order.
func (r round) asked() (ids []string) {
	for _, f := range frames(r.fromAgent) {
		if f.Method == acp.MethodRequestPermission {
			ids = append(ids, string(f.ID))
		}
	}
	return ids
}

// answers are what the client said to the request with an id, as it said it.
func (r round) answers(id string) (said []string) {
	for _, f := range frames(r.fromClient) {
		if f.Method == "" && string(f.ID) == id {
			said = append(said, string(f.Result)+string(f.Error))
		}
	}
	return said
}

// options are those of the permission request with an id.
func (r round) options(t *testing.T, id string) []wire.PermissionOption {
	t.Helper()
	for _, f := range frames(r.fromAgent) {
		var p wire.PermissionParams
		if f.Method == acp.MethodRequestPermission && string(f.ID) == id {
			if err := json.Unmarshal(f.Params, &p); err != nil {
				t.Fatal(err)
			}
			return p.Options
		}
	}
	t.Fatalf("no permission request %s", id)
	return nil
}

func TestFloodCounts(t *testing.T) {
	b := rogue(t, "flood")
	b.Flood = 7
	r := play(t, b, editor.Options{})
	if r.Permitted != 7 || len(r.asked()) != 7 {
		t.Errorf("asked %d times, permitted %d; want 7", len(r.asked()), r.Permitted)
	}
	r.has(t, "I ask for 7 permissions at once", "7 permissions asked for", "7 × Allow once", "end_turn")
}

func TestReusedIDs(t *testing.T) {
	r := play(t, rogue(t, "reuse-id"), editor.Options{})
	if got := r.asked(); !slices.Equal(got, []string{"0", "0", "0", "0"}) {
		t.Errorf("asked under %q, want 0 four times", got)
	}
	if got := len(r.answers("0")); got != 4 {
		t.Errorf("the editor answered %d times, want 4", got)
	}
	r.has(t, "step 1: Allow once", "step 2: Allow once")
	for _, step := range []string{"step 3: Allow once", "step 4: Allow once"} {
		r.has(t, step)
	}
}

func TestOddOptions(t *testing.T) {
	r := play(t, rogue(t, "odd-options"), editor.Options{})
	var sent []string
	for _, f := range frames(r.fromAgent) {
		var p map[string]json.RawMessage
		if f.Method != acp.MethodRequestPermission {
			continue
		}
		if err := json.Unmarshal(f.Params, &p); err != nil {
			t.Fatal(err)
		}
		sent = append(sent, string(p["options"]))
	}
	if len(sent) != 20 {
		t.Fatalf("%d requests, want 20", len(sent))
	}
	for i, want := range []string{"[]", "null", "", "{}"} {
		if sent[i] != want {
			t.Errorf("request %d has options %q, want %q", i, sent[i], want)
		}
	}
	if got := strings.Count(sent[4], `"optionId":`); got != 500 {
		t.Errorf("%d options, want 500", got)
	}
	if got := strings.Count(sent[5], `"optionId":"same"`); got != 2 {
		t.Errorf("%d options of one id, want 2", got)
	}
	for _, want := range []string{`"kind":"allow_persistent"`, `"optionId":""`, `"a\nb"`, `[null,`, `"optionId":7`, strings.Repeat("y", 4<<10)} {
		if !slices.ContainsFunc(sent, func(options string) bool { return strings.Contains(options, want) }) {
			t.Errorf("nobody offers %.40s", want)
		}
	}
	r.has(t, "- no options: cancelled", "- options an object: error -32602", "- ids that lie: Yes", "- an id that is a number: error -32602", "end_turn")
}

func TestWithdrawnQuestion(t *testing.T) {
	r := play(t, rogue(t, "withdraw"), editor.Options{Allow: editor.None})
	lines := strings.Split(r.fromAgent, "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, acp.MethodRequestPermission) })
	id := r.asked()[0]
	if next := lines[at+1]; !strings.Contains(next, acp.MethodCancelRequest) || !strings.Contains(next, `"requestId":`+id+`}`) {
		t.Errorf("behind request %s comes %s", id, next)
	}
	if r.Elsewhere != 1 || r.Late != 0 {
		t.Errorf("got %+v", r.Result)
	}
	r.has(t, "→ withdrawn (settled elsewhere)", "The answer was: error -32800", "end_turn")
}

// TestIgnoredAnswer answers, sees that nothing follows, and presses stop.
func TestIgnoredAnswer(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	stop, press := context.WithCancel(ctx)
	r, err := playUntil(ctx, stop, exercise(t), rogue(t, "ignore-answers"),
		editor.Options{Grace: time.Minute, Out: trigger{"→ Allow once", press}})
	if err != nil || r.StopReason != wire.Cancelled || r.Permitted != 1 {
		t.Errorf("%v, %+v", err, r.Result)
	}
	if strings.Contains(r.fromAgent, wire.Completed) {
		t.Errorf("something was done:\n%s", r.screen)
	}
}

func TestAfterSessionCancel(t *testing.T) {
	for _, test := range []struct {
		name   string
		agent  string
		editor []editor.Misbehaviour
		stop   string // empty: the turn does not end
		shows  []string
		late   bool // run-late-allow did it
	}{
		{"a patient agent, answered", "silent-cancel", []editor.Misbehaviour{editor.Cancel}, wire.Cancelled, []string{"→ cancelled (the turn is over)"}, false},
		{"a patient agent, left alone", "silent-cancel", []editor.Misbehaviour{editor.Cancel, editor.SilentAfterCancel}, "", []string{"→ no answer"}, false},
		{"asks again", "ask-after-cancel", []editor.Misbehaviour{editor.Cancel}, wire.Cancelled, []string{"session/cancel", "A step after the cancel", "I asked again. The answer was: cancelled"}, false},
		{"asks again, never cancelled", "ask-after-cancel", nil, wire.EndTurn, []string{"You answered and did not cancel."}, false},
		{"runs a late allow", "run-late-allow", []editor.Misbehaviour{editor.Cancel, editor.AllowAfterCancel}, wire.Cancelled, []string{"→ Allow once (after session/cancel)", "all the same"}, true},
		{"is told cancelled in time", "run-late-allow", []editor.Misbehaviour{editor.Cancel}, wire.Cancelled, []string{"I wrote nothing"}, false},
		{"runs what is allowed in time", "run-late-allow", nil, wire.EndTurn, []string{"You did not cancel"}, true},
		{"hangs although cancelled", "hang,flood", nil, "", []string{"session/cancel"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			stop, press := context.WithCancel(ctx)
			defer press()
			o := editor.Options{Misbehave: test.editor, Grace: time.Minute, Out: trigger{"Misbehave: hang", press}}
			if test.stop == "" {
				o.Grace = 50 * time.Millisecond // it runs out in any case
			}
			r, err := playUntil(ctx, stop, exercise(t), rogue(t, test.agent), o)
			if hung := errors.Is(err, editor.ErrHung); hung != (test.stop == "") || r.StopReason != test.stop {
				t.Errorf("stopped with %q, %v; want %q", r.StopReason, err, test.stop)
			}
			if wrong := r.ExitCode() == 0; wrong != (test.stop == wire.EndTurn) {
				t.Errorf("exit code %d", r.ExitCode())
			}
			r.has(t, test.shows...)
			if _, err := os.Stat(filepath.Join(r.dir, "bob-was-late.txt")); (err == nil) != test.late {
				t.Errorf("the step was taken: %v, want %v", err == nil, test.late)
			}
		})
	}
}

func TestBypass(t *testing.T) {
	r := play(t, rogue(t, "bypass"), editor.Options{})
	if len(r.asked()) != 0 || !strings.Contains(r.fromAgent, `"currentModeId":"bypassPermissions"`) {
		t.Errorf("asked %d times", len(r.asked()))
	}
	if source(t, r.dir) != retrybudget.Fixed() {
		t.Errorf("not repaired:\n%s", r.screen)
	}
}

// TestEscape has one editor that guards its workspace and one that does not.
func TestEscape(t *testing.T) {
	for _, test := range []struct {
		name    string
		opts    editor.Options
		through string
		made    int
	}{
		{"a careless editor", editor.Options{Misbehave: []editor.Misbehaviour{editor.Careless}}, "23 attempts, 21 got through.", 10},
		{"one that says no", editor.Options{Misbehave: []editor.Misbehaviour{editor.Careless}, Allow: editor.Reject}, "23 attempts, 17 got through.", 7},
		{"one that stays inside", editor.Options{Allow: editor.Reject}, "23 attempts, 0 got through.", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := exercise(t)
			outside := filepath.Join(filepath.Dir(dir), "outside")
			if err := os.Mkdir(outside, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(outside, "secret.txt"), []byte("not for agents"), 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := playIn(t.Context(), dir, rogue(t, "escape"), test.opts)
			if err != nil {
				t.Fatal(err)
			}
			r.has(t, test.through, "end_turn")
			made, _ := filepath.Glob(filepath.Join(outside, "bob-was-here-*"))
			if len(made) != test.made {
				t.Errorf("made %q outside, want %d files", made, test.made)
			}
			if read := strings.Contains(r.fromClient, "not for agents"); read != (test.made > 0) {
				t.Errorf("the editor gave the secret away: %v", read)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "bob-*")); len(left) != 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// The frames of escape are what their titles say.
func TestEscapeFrames(t *testing.T) {
	dir := exercise(t)
	r, err := playIn(t.Context(), dir, rogue(t, "escape"), editor.Options{Allow: editor.Reject})
	if err != nil {
		t.Fatal(err)
	}
	up := filepath.Dir(dir)
	for _, want := range []string{
		`"path":"` + dir + `/../outside/secret.txt"`,
		`"path":"../outside/secret.txt"`,
		`"path":"file://` + up + `/outside/secret.txt"`,
		`"path":"` + dir + `/bob-door/../outside/secret.txt"`,
		`"path":"` + dir + `/README.md","path":"` + up + `/outside/secret.txt"`,
		`"path":"` + dir + `/README.md","Path":"` + up + `/outside/secret.txt"`,
		"\n" + `[{"jsonrpc":"2.0","id":`,
		`"method":"\u0066s/write_text_file"`,
		`"cwd":"../outside"`,
		`"kind":"read","content":[{"type":"diff","path":"` + up + `/outside/bob-was-here-21.txt"`,
	} {
		if !strings.Contains(r.fromAgent, want) {
			t.Errorf("nowhere: %s", want)
		}
	}
}

func TestScriptsInARow(t *testing.T) {
	r := play(t, rogue(t, "ask-three, withdraw"), editor.Options{})
	r.has(t, "Misbehave: ask-three", "This is what I heard", "Misbehave: withdraw", "withdrew the question", "end_turn")
	r = play(t, rogue(t, "flood"), editor.Options{Mode: "ask"})
	if len(r.asked()) != 0 {
		t.Error("misbehaves in Ask mode")
	}
}

func TestEditorAnswers(t *testing.T) {
	for _, test := range []struct {
		name      editor.Misbehaviour
		answers   int // to the first request
		permitted int
		refused   int
		repaired  bool
	}{
		{editor.AnswerTwice, 2, 4, 0, true},
		{editor.Contradict, 2, 4, 0, true},
		{editor.WrongOption, 1, 0, 1, false},
		{editor.Garbage, 1, 0, 1, false},
		{editor.AnswerError, 1, 0, 1, false},
	} {
		t.Run(string(test.name), func(t *testing.T) {
			r := play(t, bob.Options{}, editor.Options{Misbehave: []editor.Misbehaviour{test.name}})
			if r.Permitted != test.permitted || r.Refused != test.refused {
				t.Errorf("got %+v", r.Result)
			}
			if repaired := source(t, r.dir) == retrybudget.Fixed(); repaired != test.repaired {
				t.Errorf("repaired: %v, want %v", repaired, test.repaired)
			}
			id := r.asked()[0]
			said, options := r.answers(id), r.options(t, id)
			if len(said) != test.answers {
				t.Fatalf("answered %q, want %d answers", said, test.answers)
			}
			selects := func(option string) string {
				return `{"outcome":{"outcome":"selected","optionId":"` + option + `"}}`
			}
			var want []string
			switch test.name {
			case editor.AnswerTwice:
				want = []string{selects(options[0].OptionID), selects(options[0].OptionID)}
			case editor.Contradict:
				want = []string{selects(options[0].OptionID), selects(options[2].OptionID)}
			case editor.WrongOption:
				want = []string{selects("never-offered")}
			case editor.Garbage:
				want = []string{`{"approved":true}`}
			case editor.AnswerError:
				want = []string{`{"code":-32601,"message":"method not found: session/request_permission"}`}
			}
			if !slices.Equal(said, want) {
				t.Errorf("answered %q, want %q", said, want)
			}
		})
	}
}

func TestGarbageChangesItsShape(t *testing.T) {
	b := rogue(t, "flood")
	b.Flood = 8
	r := play(t, b, editor.Options{Misbehave: []editor.Misbehaviour{editor.Garbage}})
	shapes := map[string]bool{}
	for _, id := range r.asked() {
		for _, said := range r.answers(id) {
			shapes[said] = true
		}
	}
	if len(shapes) != 8 || !shapes["null"] || !shapes[`{"outcome":"selected"}`] {
		t.Errorf("%d shapes: %v", len(shapes), shapes)
	}
	if r.Permitted != 0 || r.Refused != 8 {
		t.Errorf("got %+v", r.Result)
	}
	r.has(t, "no outcome: ", "end_turn")
}

func TestLateAnswer(t *testing.T) {
	r := play(t, rogue(t, "withdraw"), editor.Options{Misbehave: []editor.Misbehaviour{editor.Late}})
	if r.Elsewhere != 1 || r.Late != 1 || r.Permitted != 0 {
		t.Errorf("got %+v", r.Result)
	}
	r.has(t, "→ waiting", "→ withdrawn (settled elsewhere)", "→ Allow once (all the same, too late)", "The answer was: Allow once")
}

// TestLateWithoutWithdrawal has nobody who would settle the request.
func TestLateWithoutWithdrawal(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	stop, press := context.WithCancel(ctx)
	r, err := playUntil(ctx, stop, exercise(t), bob.Options{Patient: true},
		editor.Options{Misbehave: []editor.Misbehaviour{editor.Late}, Grace: time.Minute, Out: trigger{"→ waiting", press}})
	if err != nil || r.Late != 0 || r.StopReason != wire.Cancelled {
		t.Errorf("%v, %+v", err, r.Result)
	}
}

func TestIgnoredWithdrawal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := playIn(t.Context(), exercise(t), rogue(t, "withdraw"),
			editor.Options{Misbehave: []editor.Misbehaviour{editor.IgnoreWithdrawal}, Pace: time.Hour})
		if err != nil || r.Permitted != 1 || r.Elsewhere != 0 {
			t.Errorf("%v, %+v", err, r.Result)
		}
		r.has(t, "→ withdrawn (and no notice taken of it)", "→ Allow once (by rule)", "The answer was: Allow once")
	})
}

func TestEditorCancels(t *testing.T) {
	cancelled := `{"outcome":{"outcome":"cancelled"}}`
	for _, test := range []struct {
		name      string
		list      []editor.Misbehaviour
		request   bool // session/cancel has an id
		answer    string
		permitted int
		stop      string
	}{
		{"as it should", []editor.Misbehaviour{editor.Cancel}, false, cancelled, 0, wire.Cancelled},
		{"and says nothing more", []editor.Misbehaviour{editor.Cancel, editor.SilentAfterCancel}, false, "", 0, wire.Cancelled},
		{"and allows", []editor.Misbehaviour{editor.Cancel, editor.AllowAfterCancel}, false, "selected", 1, wire.Cancelled},
		{"by a request", []editor.Misbehaviour{editor.Cancel, editor.CancelAsRequest}, true, cancelled, 0, wire.Cancelled},
	} {
		t.Run(test.name, func(t *testing.T) {
			// A Bob who withdraws what is open at the cancel would race with the
			// editor's answer; to one who waits the editor has to say something.
			patient := !slices.Contains(test.list, editor.SilentAfterCancel)
			r := play(t, bob.Options{Patient: patient}, editor.Options{Misbehave: test.list, Grace: time.Minute})
			if r.StopReason != test.stop || r.ExitCode() != 1 || r.Permitted != test.permitted || r.Refused != 0 {
				t.Errorf("got %+v", r.Result)
			}
			if source(t, r.dir) != retrybudget.Broken() {
				t.Error("the source was changed")
			}
			said := strings.Join(r.answers(r.asked()[0]), " ")
			if test.answer == "" && said != "" || !strings.Contains(said, test.answer) {
				t.Errorf("answered %q, want %q", said, test.answer)
			}
			order := frames(r.fromClient)
			at := slices.IndexFunc(order, func(f frame) bool { return f.Method == acp.MethodSessionCancel })
			if at < 0 || (order[at].ID != nil) != test.request {
				t.Fatalf("session/cancel is frame %d of\n%s", at, r.fromClient)
			}
			answer := slices.IndexFunc(order, func(f frame) bool { return f.Method == "" && string(f.ID) == r.asked()[0] })
			if answer >= 0 && answer < at {
				t.Error("answered before it cancelled")
			}
			if test.request {
				r.has(t, "session/cancel as a request", "method not found")
			}
		})
	}
}

func TestNamesOfMisbehaviours(t *testing.T) {
	for _, m := range bob.Misbehaviours() {
		if m.Text == "" || strings.ContainsAny(m.Name, " ,_") {
			t.Errorf("%q: %q", m.Name, m.Text)
		}
	}
	for _, m := range editor.Misbehaviours {
		if m.Text == "" || strings.ContainsAny(string(m.Name), " ,_") {
			t.Errorf("%q: %q", m.Name, m.Text)
		}
	}
	for _, args := range [][]string{{"agent", "--misbehave", "flood,nonsense"}, {"editor", "--misbehave", "nonsense", "--", "x"}} {
		if code, _, stderr := command(t, args...); code != 2 || !strings.Contains(stderr, `no misbehaviour "nonsense"`) {
			t.Errorf("%q: exit %d, stderr %q", args, code, stderr)
		}
	}
	if code, _, stderr := command(t, "agent", "--flood", "0"); code != 2 || !strings.Contains(stderr, "--flood") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	for _, of := range []string{"agent", "editor"} {
		if _, help, _ := command(t, of, "--help"); !strings.Contains(help, "-misbehave name") {
			t.Errorf("%s has no such flag in its help", of)
		}
	}
}
