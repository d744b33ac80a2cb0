package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// fleet is proxies that are not there.
type fleet struct {
	mu       sync.Mutex
	states   []control.State
	hung     map[string]bool // never answer
	ended    map[string]bool // since they were found
	errs     map[string]error
	troubles []trouble
	rule     func(broker.Decision) (broker.Ruling, error)

	decisions []broker.Decision
	changed   chan struct{} // closed when states change
}

func (f *fleet) find() (list []endpoint, troubles []trouble) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.states {
		list = append(list, endpoint{s.Instance, "/run/" + s.Instance})
	}
	return list, f.troubles
}

func (f *fleet) state(ctx context.Context, e endpoint) (control.State, error) {
	s, _, err := f.get(ctx, e)
	return s, err
}

func (f *fleet) get(ctx context.Context, e endpoint) (control.State, <-chan struct{}, error) {
	f.mu.Lock()
	hung, ended, err, changed := f.hung[e.instance], f.ended[e.instance], f.errs[e.instance], f.changed
	var found control.State
	for _, s := range f.states {
		if s.Instance == e.instance {
			found = s
		}
	}
	f.mu.Unlock()
	switch {
	case hung:
		<-ctx.Done()
		return found, nil, ctx.Err()
	case ended:
		return found, nil, errGone
	}
	return found, changed, err
}

func (f *fleet) asked(ctx context.Context, e endpoint) error {
	for {
		s, changed, err := f.get(ctx, e)
		if err != nil || len(s.Pending) > 0 {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// set makes states what there is.
func (f *fleet) set(states ...control.State) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.states = states
	if f.changed != nil {
		close(f.changed)
	}
	f.changed = make(chan struct{})
}

func (f *fleet) decide(ctx context.Context, e endpoint, d broker.Decision) (broker.Ruling, error) {
	f.mu.Lock()
	f.decisions = append(f.decisions, d)
	f.mu.Unlock()
	if f.rule == nil {
		return broker.Ruling{Result: broker.Applied}, nil
	}
	return f.rule(d)
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// call runs one command line against f.
func (f *fleet) call(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	r := &remote{proxies: f, now: func() time.Time { return noon }, out: &o, err: &e, width: 100}
	code = r.command(context.Background(), args[0], args[1:])
	return o.String(), e.String(), code
}

const digestA, digestB = "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"

// office is two proxies: one with two sessions and two requests, one that has
// just started.
func office() *fleet {
	soon := noon.Add(108 * time.Second)
	return &fleet{states: []control.State{
		{
			Instance: "new22", PID: 77, Version: "0.1.0", Command: []string{"goose", "acp"}, Cwd: "/home/me",
			Started: noon.Add(-3 * time.Second), Recording: "off", Bounds: "warn", Timeout: "0",
		},
		{
			Instance: "abcde", PID: 4242, Version: "0.1.0", Command: []string{"bob", "acp"}, Cwd: "/home/me/src/api",
			Started: noon.Add(-12 * time.Minute), Protocol: 1,
			Client: control.Program{Name: "zed", Title: "Zed", Version: "1.5.4"},
			Agent:  control.Program{Name: "bob", Version: "2.0.8"},
			Sessions: []control.Session{
				{ID: "sess_1", Title: "Fix nil token panic", Cwd: "/home/me/src/api", State: "waiting"},
				{ID: "sess_2", Title: "", Cwd: "/home/me/src/web", State: "idle"},
			},
			Recording: "/home/me/.local/state/bobproxy/x-abcde.jsonl", Bounds: "enforce", Timeout: "2m0s",
			AutoApprove: "--auto-approve", Watchers: 1,
			Pending: []control.Pending{
				{
					Request: "abcde:5", Digest: digestA, Instance: "abcde", Session: "sess_1", ID: json.RawMessage("7"),
					Title: "Edit src/auth/token.go", Kind: "edit",
					Verdict: broker.Verdict{Level: broker.LevelInside, Text: "everything it names is in the workspace",
						Paths: []broker.Path{{Path: "/home/me/src/api/src/auth/token.go", Inside: true}}},
					Input:  json.RawMessage(`{"path":"src/auth/token.go","replace":true,"lines":[1,2],"extra":{}}`),
					Opened: noon.Add(-12 * time.Second), Deadline: &soon,
					Options: []control.Option{
						{Number: 1, ID: "yes", Name: "Allow", Kind: "allow_once"},
						{Number: 2, ID: "ever", Name: "Always allow", Kind: "allow_always"},
						{Number: 3, ID: "no", Name: "Reject", Kind: "reject_once"},
					},
				},
				{
					Request: "abcde:6", Digest: digestB, Instance: "abcde", Session: "sess_2", ID: json.RawMessage(`"x"`),
					Title: "Clean\nand rebuild", Kind: "execute",
					Verdict: broker.Verdict{Level: broker.LevelOutside, Text: "1 of 2 paths leads outside",
						Paths: []broker.Path{
							{Path: "/home/me/src/web/build", Inside: true},
							{Path: "build/cache", Reason: "escape", Target: "/home/me/.cache"},
						}},
					Input:  json.RawMessage(`{"command":"set -e\nrm -\u0072f build/ \"$HOME/.cache\"\n\n\n\n\n\nprintf '\u001b[2K'\n"}`),
					Opened: noon.Add(-2 * time.Second),
					Options: []control.Option{
						{Number: 1, ID: "a", Name: "Run", Kind: "allow_once"},
						{Number: 2, ID: "b", Name: "Run in a sandbox", Kind: "allow_once"},
						{Number: 3, ID: "c", Name: "Ask the cat", Kind: "ask_cat"},
					},
				},
			},
		},
	}}
}

func (f *fleet) pending(i int) *control.Pending { return &f.states[1].Pending[i] }

func lineCount(text string) int { return strings.Count(text, "\n") }
