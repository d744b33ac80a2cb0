package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

func TestPending(t *testing.T) {
	out, errs, code := office().call(t, "pending")
	if code != exitDone || errs != "" {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
	golden(t, "testdata/pending.golden", out)
}

func TestPendingJSON(t *testing.T) {
	f := office()
	f.pending(1).Options, f.pending(1).Verdict.Paths = nil, nil
	out, errs, code := f.call(t, "pending", "--json")
	if code != exitDone || errs != "" || lineCount(out) != 1 {
		t.Errorf("exit status %d, stderr %q, stdout %s", code, errs, out)
	}
	golden(t, "testdata/pending.json.golden", out)
}

// What scripts rely on is there under its name, whatever else is.
func TestJSONMembers(t *testing.T) {
	for _, c := range []struct {
		command, list, at string
		want              string
	}{
		{"ps", "proxies", "", "agent bounds client command cwd instance pending pid recording sessions started timeout"},
		{"ps", "proxies", "sessions", "cwd id state title"},
		{"pending", "pending", "", "deadline digest id input instance kind options request session title verdict"},
		{"pending", "pending", "options", "kind name number optionId"},
	} {
		out, _, _ := office().call(t, c.command, "--json")
		var doc map[string][]map[string]json.RawMessage
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatal(err)
		}
		one := doc[c.list][0]
		if c.at != "" {
			var list []map[string]json.RawMessage
			if err := json.Unmarshal(one[c.at], &list); err != nil {
				t.Fatal(err)
			}
			one = list[0]
		}
		names := slices.Collect(maps.Keys(one))
		for _, name := range strings.Fields(c.want) {
			if !slices.Contains(names, name) {
				t.Errorf("%s: %s %s has no %s, but %q", c.command, c.list, c.at, name, names)
			}
		}
	}
}

func TestPendingInOtherShapes(t *testing.T) {
	f := office()
	late := noon.Add(-time.Second)
	*f.pending(0) = control.Pending{
		SessionUnknown: true,
		Request:        "abcde:7", Digest: digestA, Session: "sess_9", Opened: noon, Deadline: &late,
		Verdict:      broker.Verdict{Level: broker.LevelUnjudged, Text: "a shell command cannot be judged from its text"},
		Clipped:      `{"content":"a long`,
		Unanswerable: "its id is no string and no integer",
	}
	*f.pending(1) = control.Pending{
		Request: "abcde:8; rm -rf ~", Digest: "`x`", Session: "sess_1", Opened: noon,
		Verdict: broker.Verdict{Level: "nonsense"},
		Kind:    "Ünknown", Title: strings.Repeat("long ", 60),
		Options: []control.Option{{Number: 1, ID: "x", Kind: "reject_once", Odd: true}, {Number: 2, Kind: "reject_once", Name: `No" 3 allow_once "Yes`}},
	}
	for i := range mostPaths + 2 {
		f.pending(0).Verdict.Paths = append(f.pending(0).Verdict.Paths, broker.Path{Path: fmt.Sprintf("/p/%d", i), Inside: i%2 == 0})
	}
	out, _, _ := f.call(t, "pending")
	golden(t, "testdata/pending-shapes.golden", out)
}

// The commands that are printed are commands that are understood.
func TestPrintedCommands(t *testing.T) {
	f := office()
	out, _, _ := f.call(t, "pending")
	ran := 0
	for line := range strings.Lines(out) {
		words := strings.Fields(strings.ReplaceAll(line, "--number N", "--number 1"))
		if len(words) < 3 || words[1] != "bobproxy" {
			continue
		}
		ran++
		if _, errs, code := f.call(t, words[2:]...); code != exitDone {
			t.Errorf("%s: exit status %d, stderr %q", line, code, errs)
		}
	}
	if ran != 5 {
		t.Errorf("%d commands were printed, want 5:\n%s", ran, out)
	}
}

func TestPendingOfAllProxiesIsOldestFirst(t *testing.T) {
	f := office()
	other := office().states[1]
	other.Instance, other.Started = "zzzz9", noon.Add(-time.Hour)
	other.Pending = slices.Clone(other.Pending[:1])
	other.Pending[0].Request, other.Pending[0].Opened = "zzzz9:1", noon.Add(-5*time.Second)
	f.states = append(f.states, other)
	out, _, _ := f.call(t, "pending")
	a, b, c := strings.Index(out, "abcde:5"), strings.Index(out, "zzzz9:1"), strings.Index(out, "abcde:6")
	if a < 0 || b < a || c < b {
		t.Errorf("they stand at %d, %d, %d", a, b, c)
	}
}

func TestWait(t *testing.T) {
	asking := office().states[1]
	quiet := asking
	quiet.Pending = nil
	hung := control.State{Instance: "hang1"}

	for _, c := range []struct {
		name    string
		args    string
		states  []control.State
		after   time.Duration // until states are then
		then    []control.State
		code    int
		took    time.Duration
		waiting int
	}{
		{"one is there", "--wait", []control.State{asking}, 0, nil, exitDone, 0, 2},
		{"one is there and there is no time", "--wait=0s", []control.State{asking}, 0, nil, exitDone, 0, 2},
		{"none comes", "--wait=3s", []control.State{quiet}, 0, nil, exitWaited, 3 * time.Second, 0},
		{"no proxy starts", "--wait=3s", nil, 0, nil, exitWaited, 3 * time.Second, 0},
		{"no time at all", "--wait=0s", nil, 0, nil, exitWaited, 0, 0},
		{"one comes", "--wait", []control.State{quiet}, time.Hour + time.Millisecond, []control.State{asking}, exitDone, time.Hour + time.Millisecond, 2},
		{"a proxy starts later", "--wait=1h", nil, 700 * time.Millisecond, []control.State{asking}, exitDone, time.Second, 2},
		{"another is stopped", "--wait", []control.State{hung, asking}, 0, nil, exitDone, answerTime, 2},
		{"the only one is stopped", "--wait=10s", []control.State{hung}, 0, nil, exitWaited, 10 * time.Second, 0},
		{"a proxy ends", "--wait=10s", []control.State{quiet}, time.Second, []control.State{}, exitWaited, 10 * time.Second, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fleet{hung: map[string]bool{"hang1": true}}
				f.set(c.states...)
				if c.then != nil {
					time.AfterFunc(c.after, func() { f.set(c.then...) })
				}
				began := time.Now()
				out, errs, code := f.call(t, "pending", "--json", c.args)
				if took := time.Since(began); took != c.took || code != c.code {
					t.Errorf("exit status %d after %v, want %d after %v; stderr %s", code, took, c.code, c.took, errs)
				}
				if got := strings.Count(out, `"request":`); got != c.waiting {
					t.Errorf("%d are waiting, want %d: %s", got, c.waiting, out)
				}
				if (errs == "") != (code == exitDone) {
					t.Errorf("exit status %d, stderr %q", code, errs)
				}
			})
		})
	}
}

// What was answered before anybody could look ends no waiting, and a proxy that
// cannot be watched is looked at again and again.
func TestWaitGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asking := office().states[1]
		f := &flighty{fleet: fleet{}}
		f.set(asking)
		f.answered = true
		time.AfterFunc(time.Minute, func() { f.mu.Lock(); f.answered = false; f.mu.Unlock() })
		began := time.Now()
		s, found := wait(t.Context(), f)
		if took := time.Since(began); !found || len(s.waiting()) != 2 || took < time.Minute || took > time.Minute+rescan {
			t.Errorf("found %v after %v: %d waiting", found, took, len(s.waiting()))
		}
		if f.looks > 2*int(time.Minute/rescan) {
			t.Errorf("it looked %d times in a minute", f.looks)
		}
	})
}

// flighty is proxies that announce requests which are then answered already.
type flighty struct {
	fleet
	answered bool
	looks    int
}

func (f *flighty) state(ctx context.Context, e endpoint) (control.State, error) {
	s, err := f.fleet.state(ctx, e)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks++
	if f.answered {
		s.Pending = nil
	}
	return s, err
}

// What the time-out answers is said only where it is sure.
func TestWhatTimeDoes(t *testing.T) {
	option := func(n int, id, kind string) control.Option {
		return control.Option{Number: n, ID: id, Name: id, Kind: kind}
	}
	odd := option(1, "x", "reject_once")
	odd.Odd = true
	for _, c := range []struct {
		name    string
		options []control.Option
		want    string
	}{
		{"nothing to choose", nil, "it is answered with: cancelled"},
		{"the first that rejects once", []control.Option{option(1, "y", "allow_once"), option(2, "n", "reject_once"), option(3, "m", "reject_once")}, `it is answered with 2 reject_once "n"`},
		{"never one that lasts", []control.Option{option(1, "n", "reject_always")}, "it is answered with: cancelled"},
		{"never an odd one", []control.Option{odd, option(2, "n", "reject_once")}, `it is answered with 2 reject_once "n"`},
		{"never an id of two meanings", []control.Option{option(1, "y", "reject_once"), option(2, "y", "allow_once")}, "it is answered with: cancelled"},
	} {
		if got := whatThen(c.options); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Of several proxies one can be named.
func TestPendingOfOneProxy(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		code  int
		shows string // in stdout, or in stderr when it fails
	}{
		{[]string{"pending", "abcde"}, exitDone, "abcde:5"},
		{[]string{"pending", "--wait", "abcde"}, exitDone, "abcde:5"},
		{[]string{"pending", "new22"}, exitDone, "no permission request is waiting (at 1 proxy;"},
		{[]string{"pending", "new22", "--wait=0s"}, exitWaited, "no permission request came"},
		{[]string{"pending", "other"}, exitUnknown, "no proxy other is running"},
		{[]string{"pending", "--wait", "1m30s"}, exitUsage, "--wait=30s"},
		{[]string{"pending", "abcde", "new22"}, exitUsage, "takes no"},
		{[]string{"pending", "abcde:5"}, exitUsage, "takes no"},
	} {
		out, errs, code := office().call(t, tt.args...)
		if text := out + errs; code != tt.code || !strings.Contains(text, tt.shows) {
			t.Errorf("%q: exit status %d, %s", tt.args, code, text)
		}
	}
}
