package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"bobproxy/proxy"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		args string
		want broker.Decision
		json string
	}{
		{"approve abcde:5", broker.Decision{Request: "abcde:5", Digest: digestA, Option: "yes", Number: 1},
			`{"request":"abcde:5","result":"applied","optionId":"yes","kind":"allow_once","digest":"` + digestA + `"}`},
		{"approve --digest " + digestA + " abcde:5", broker.Decision{Request: "abcde:5", Digest: digestA, Option: "yes", Number: 1},
			`{"request":"abcde:5","result":"applied","optionId":"yes","kind":"allow_once","digest":"` + digestA + `"}`},
		{"approve abcde:5 --digest=00112233", broker.Decision{Request: "abcde:5", Digest: digestA, Option: "yes", Number: 1},
			`{"request":"abcde:5","result":"applied","optionId":"yes","kind":"allow_once","digest":"` + digestA + `"}`},
		{"deny abcde:5", broker.Decision{Request: "abcde:5", Digest: digestA, Deny: true},
			`{"request":"abcde:5","result":"applied","optionId":"no","kind":"reject_once","digest":"` + digestA + `"}`},
		{"deny -- abcde:6", broker.Decision{Request: "abcde:6", Digest: digestB, Deny: true},
			`{"request":"abcde:6","result":"applied","optionId":null,"kind":"cancelled","digest":"` + digestB + `"}`},
		{"answer --number 2 abcde:6", broker.Decision{Request: "abcde:6", Digest: digestB, Option: "b", Number: 2},
			`{"request":"abcde:6","result":"applied","optionId":"b","kind":"allow_once","digest":"` + digestB + `"}`},
		{"answer abcde:5 --option ever --standing", broker.Decision{Request: "abcde:5", Digest: digestA, Option: "ever", Number: 2, Standing: true},
			`{"request":"abcde:5","result":"applied","optionId":"ever","kind":"allow_always","digest":"` + digestA + `"}`},
		{"answer abcde:6 --option c", broker.Decision{Request: "abcde:6", Digest: digestB, Option: "c", Number: 3},
			`{"request":"abcde:6","result":"applied","optionId":"c","kind":"ask_cat","digest":"` + digestB + `"}`},
	} {
		f := office()
		f.rule = func(d broker.Decision) (broker.Ruling, error) {
			if d.Deny && d.Request == "abcde:5" {
				return broker.Ruling{Result: broker.Applied, Option: "no", Kind: "reject_once"}, nil
			}
			return broker.Ruling{Result: broker.Applied}, nil
		}
		c.want.By = broker.ByCommand
		out, errs, code := f.call(t, append(strings.Fields(c.args), "--json")[:]...)
		if strings.Contains(c.args, "--") && strings.Contains(c.args, "-- ") {
			out, errs, code = f.call(t, append([]string{strings.Fields(c.args)[0], "--json"}, strings.Fields(c.args)[1:]...)...)
		}
		if code != exitDone || errs != "" || out != c.json+"\n" {
			t.Errorf("%s: exit status %d, stderr %q, stdout %q, want %s", c.args, code, errs, out, c.json)
		}
		if got := f.decisions[len(f.decisions)-1]; got != c.want {
			t.Errorf("%s: the proxy got %+v, want %+v", c.args, got, c.want)
		}
	}
}

func TestAnswersForPeople(t *testing.T) {
	var all strings.Builder
	for _, args := range []string{"approve abcde:5", "deny abcde:6", "answer abcde:6 --number 1"} {
		out, errs, code := office().call(t, strings.Fields(args)...)
		if code != exitDone || errs != "" {
			t.Errorf("%s: exit status %d, stderr %q", args, code, errs)
		}
		all.WriteString(out)
	}
	golden(t, "testdata/answers.golden", all.String())
}

// What the command line alone rules out, or what the request offers, never
// reaches the proxy.
func TestNotAsked(t *testing.T) {
	odd := func(f *fleet) { f.pending(0).Options[0].Odd = true }
	twins := func(f *fleet) { f.pending(0).Options[2].ID = "yes" }
	none := func(f *fleet) { f.pending(0).Options = nil }
	for _, c := range []struct {
		args   string
		change func(*fleet)
		code   int
		want   string
	}{
		{"approve", nil, exitUsage, "which request?"},
		{"approve abcde:5 abcde:6", nil, exitUsage, `"abcde:6" is a second word`},
		{"approve 5", nil, exitUsage, `"5" is not a request's full name, which is <instance>:<number>; waiting now: abcde:5, abcde:6`},
		{"approve abcde", nil, exitUsage, "waiting now: abcde:5, abcde:6"},
		{"approve abcde:5x", nil, exitUsage, "waiting now: abcde:5, abcde:6"},
		{"approve abcde:5 --number 1", nil, exitUsage, "there is no flag --number; see: bobproxy approve --help"},
		{"approve abcde:5 --digest", nil, exitUsage, "a value is missing behind --digest"},
		{"approve abcde:5 --digest 0011", nil, exitUsage, `"0011" is no digest`},
		{"deny abcde:5 --digest 00112233", nil, exitUsage, "there is no flag --digest"},
		{"answer abcde:5", nil, exitUsage, "answer with what?"},
		{"answer abcde:5 --number 1 --option yes", nil, exitUsage, "leave one of them out"},
		{"answer abcde:5 --number -1", nil, exitUsage, "counts from 1"},
		{"answer abcde:5 --number one", nil, exitUsage, `invalid value "one" for --number`},
		{"deny -- --json", nil, exitUsage, `"--json" is not a request's full name`},
		{"ps x", nil, exitUsage, `ps takes no "x"`},
		{"pending --wait 30s", nil, exitUsage, "--wait=30s"},
		{"pending --wait=soon", nil, exitUsage, `invalid value "soon" for --wait: is not a time`},
		{"pending --wait=-1s", nil, exitUsage, "is not a time"},

		{"approve zzzz9:1", nil, exitUnknown, "no proxy zzzz9 is running; running: new22, abcde"},

		{"approve abcde:6", nil, exitRefused, `abcde:6 has 2 options of kind allow_once; its options: 1 allow_once "Run", 2 allow_once "Run in a sandbox", 3 ask_cat "Ask the cat" (lasts; needs --standing). To choose: bobproxy answer abcde:6 --number N`},
		{"approve abcde:5", odd, exitRefused, "abcde:5 has no option of kind allow_once"},
		{"approve abcde:5", twins, exitRefused, "another option of abcde:5 has the same id"},
		{"approve abcde:5", none, exitRefused, "it has no options"},
		{"approve abcde:5 --digest ffeeddcc", nil, exitRefused, "abcde:5 has digest " + digestA + ", not ffeeddcc; look at it again"},
		{"answer abcde:5 --number 4", nil, exitRefused, "abcde:5 has no option 4; its options: 1 allow_once"},
		{"answer abcde:5 --number 1", odd, exitRefused, "option 1 of abcde:5 is malformed; only the editor can choose it"},
		{"answer abcde:5 --option maybe", nil, exitRefused, `abcde:5 has no option with the id "maybe"`},
		{"answer abcde:5 --option yes", twins, exitRefused, `2 options of abcde:5 have the id "yes"`},
	} {
		f := office()
		if c.change != nil {
			c.change(f)
		}
		out, errs, code := f.call(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(errs, c.want) || lineCount(errs) != 1 || out != "" {
			t.Errorf("%s: exit status %d, want %d; stdout %q, stderr %q, want %q", c.args, code, c.code, out, errs, c.want)
		}
		if len(f.decisions) > 0 {
			t.Errorf("%s: the proxy got %+v", c.args, f.decisions)
		}
	}
}

// Every ruling has its exit code, for people and for scripts.
func TestRulings(t *testing.T) {
	for _, c := range []struct {
		args   string
		ruling broker.Ruling
		err    error
		code   int
		want   string
		json   string // members of the error, in order
	}{
		{"approve abcde:5", broker.Ruling{Result: broker.TooLate, By: broker.ByEditor, Option: "no", Kind: "reject_once"}, nil, exitTooLate,
			`the editor answered abcde:5 first with 3 reject_once "Reject"; your answer does not count`,
			`"code":"too_late","message":"the editor answered abcde:5 first with 3 reject_once \"Reject\"","hint":"your answer does not count","by":"editor","optionId":"no","kind":"reject_once"`},
		{"deny abcde:5", broker.Ruling{Result: broker.TooLate, By: broker.ByPanel, Option: "yes", Kind: "allow_once"}, nil, exitTooLate,
			`somebody at a panel answered abcde:5 first with 1 allow_once "Allow"`, `"code":"too_late"`},
		{"deny abcde:4", broker.Ruling{Result: broker.TooLate, By: broker.ByCommand, Option: "y", Kind: "allow_once"}, nil, exitTooLate,
			`another command answered abcde:4 first with option "y", allow_once`, `"code":"too_late"`},
		{"deny abcde:4", broker.Ruling{Result: broker.TooLate, By: broker.ByEditor, Text: "It said\ncancelled."}, nil, exitTooLate,
			`the editor answered abcde:4 first (It said↵cancelled.); your answer does not count`, `"code":"too_late"`},
		{"approve abcde:4", broker.Ruling{Result: broker.TooLate, By: broker.ByBounds, Option: "n"}, nil, exitTooLate,
			`the proxy itself, for its workspace bounds, answered abcde:4 first with option "n"; your`, `"code":"too_late"`},
		{"approve abcde:4", broker.Ruling{Result: broker.TooLate, By: "moon"}, nil, exitTooLate,
			`somebody else answered abcde:4 first; your`, `"code":"too_late"`},
		{"approve abcde:5", broker.Ruling{Result: broker.Expired, By: broker.ByTimeout, Option: "no", Kind: "reject_once"}, nil, exitExpired,
			`abcde:5 ran out of time: nobody answered, and it was settled with 3 reject_once "Reject"`, `"code":"expired"`},
		{"approve abcde:5", broker.Ruling{Result: broker.Expired, By: broker.ByAgent}, nil, exitExpired, "the agent has withdrawn abcde:5", `"code":"expired"`},
		{"approve abcde:5", broker.Ruling{Result: broker.Expired, By: broker.ByCancel}, nil, exitExpired, "abcde:5 was cancelled in the editor", `"code":"expired"`},
		{"approve abcde:5", broker.Ruling{Result: broker.Expired, By: broker.ByGone}, nil, exitExpired, "abcde:5 ended with its proxy", `"code":"expired"`},
		{"approve abcde:5", broker.Ruling{Result: broker.Expired}, nil, exitExpired, "abcde:5 is not open any more", `"code":"expired"`},
		{"approve abcde:5", broker.Ruling{}, errGone, exitExpired, "abcde:5 ended with its proxy", `"code":"expired","message":"abcde:5 ended with its proxy, agent or editor","hint":"your answer does not count; to have it after all, ask the agent again","by":"gone"}`},
		{"approve abcde:9", broker.Ruling{Result: broker.Unknown}, nil, exitUnknown, "there is no request abcde:9; bobproxy pending lists those that wait", `"code":"no_such_request"`},
		{"approve abcde:9", broker.Ruling{Result: broker.Refused, Text: "another digest"}, nil, exitUnknown, "there is no request abcde:9", `"code":"no_such_request"`},
		{"answer abcde:5 --number 2", broker.Ruling{Result: broker.Refused, Text: "allow_always lasts:\nadd \x1b[31m--standing"}, nil, exitRefused,
			`the proxy refuses this answer to abcde:5: allow_always lasts:↵add ␛[31m--standing`, `"code":"refused"`},
		{"approve abcde:5", broker.Ruling{Result: "maybe"}, nil, proxy.ExitOurs, `the proxy said "maybe" to the answer for abcde:5`, `"code":"failed"`},
		{"approve abcde:5", broker.Ruling{}, errors.New("broken pipe"), proxy.ExitOurs, "proxy abcde cannot be asked: broken pipe; whether your answer counts is not known", `"code":"failed"`},
		{"approve abcde:5", broker.Ruling{}, context.DeadlineExceeded, proxy.ExitOurs, "proxy abcde did not answer within", `"code":"failed"`},
	} {
		f := office()
		f.rule = func(broker.Decision) (broker.Ruling, error) { return c.ruling, c.err }
		out, errs, code := f.call(t, strings.Fields(c.args)...)
		if code != c.code || !strings.HasPrefix(errs, "bobproxy: "+c.want) || lineCount(errs) != 1 || out != "" {
			t.Errorf("%s, %+v: exit status %d, want %d; stdout %q, stderr %q, want %q", c.args, c.ruling, code, c.code, out, errs, c.want)
		}
		out, errs, code = f.call(t, append(strings.Fields(c.args), "--json")...)
		if code != c.code || !strings.HasPrefix(errs, `{"error":{`+c.json) || !json.Valid([]byte(errs)) || out != "" {
			t.Errorf("%s, %+v: exit status %d, want %d; stdout %q, stderr %q, want %s", c.args, c.ruling, code, c.code, out, errs, c.json)
		}
	}
}

// A request that nobody has looked at cannot be allowed, whatever the proxy
// thinks it is by now.
func TestNothingUnseenIsAllowed(t *testing.T) {
	for args, want := range map[string]broker.Decision{
		"approve abcde:9":             {Request: "abcde:9", Digest: "not seen", Number: 1},
		"answer abcde:9 --option yes": {Request: "abcde:9", Digest: "not seen", Number: 1},
		"answer abcde:9 --number 3 --digest 00112233 --standing": {Request: "abcde:9", Digest: "not seen", Number: 3},
		"deny abcde:9": {Request: "abcde:9", Deny: true},
	} {
		f := office()
		want.By = broker.ByCommand
		f.call(t, strings.Fields(args)...)
		if len(f.decisions) != 1 || f.decisions[0] != want {
			t.Errorf("%s: the proxy got %+v, want %+v", args, f.decisions, want)
		}
	}
}

func TestAnswerToAProxyThatIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{states: []control.State{{Instance: "hang1"}}, hung: map[string]bool{"hang1": true}}
		_, errs, code := f.call(t, "approve", "hang1:1")
		if want := "bobproxy: proxy hang1 did not answer within 10s; it may be stopped or overloaded; your answer was not given\n"; errs != want || code != proxy.ExitOurs {
			t.Errorf("exit status %d, stderr %q, want %q", code, errs, want)
		}
	})
}

func TestOnlyTheEditorCanAnswer(t *testing.T) {
	f := office()
	f.pending(0).Unanswerable = "answer in the\neditor"
	f.rule = func(broker.Decision) (broker.Ruling, error) {
		return broker.Ruling{Result: broker.Refused, Text: "Answer there."}, nil
	}
	for args, want := range map[string]string{
		"approve abcde:5":           "no option of abcde:5 can be chosen from here: answer in the↵editor",
		"answer abcde:5 --number 3": "no option of abcde:5 can be chosen from here: answer in the↵editor",
		"deny abcde:5":              "the proxy refuses this answer to abcde:5: Answer there.",
	} {
		_, errs, code := f.call(t, strings.Fields(args)...)
		if errs != "bobproxy: "+want+"\n" || code != exitRefused {
			t.Errorf("%s: exit status %d, stderr %q, want %q", args, code, errs, want)
		}
	}
	if len(f.decisions) != 1 {
		t.Errorf("the proxy got %+v, want one denial", f.decisions)
	}
}

func TestRemoteHelp(t *testing.T) {
	for _, name := range []string{"ps", "pending", "answer", "approve", "deny"} {
		for _, args := range [][]string{{name, "--help"}, {name, "-h"}, {name, "abcde:5", "-help"}} {
			out, errs, code := office().call(t, args...)
			if code != exitDone || errs != "" || !strings.HasPrefix(out, "bobproxy "+name+" ") || !strings.Contains(out, "Exit codes:") {
				t.Errorf("%q: exit status %d, stdout %q, stderr %q", args, code, out, errs)
			}
		}
	}
}
