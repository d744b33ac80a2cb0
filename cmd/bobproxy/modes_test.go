package main

import (
	"strings"
	"testing"
)

// The modes of sessions are a column when there are any, and a session that is
// in one that asks for nothing is warned of.
func TestPsModes(t *testing.T) {
	f := office()
	f.states[1].AutoApprove = ""
	s := &f.states[1].Sessions[1]
	s.Mode, s.AutoApprove = "bypass\x1b[1mPermissions", "mode \"bypass\x1bPermissions\""
	out, _, _ := f.call(t, "ps")
	for _, want := range []string{
		"INSTANCE  STATE    MODE                  TITLE                CWD               SESSION\n",
		"abcde     waiting  -                     Fix nil token panic  ",
		"abcde     idle     bypass␛[1mPermissio…",
		"! abcde: session \"sess_2\" approves by itself (mode \"bypass␛Permissions\"); requests it never makes cannot be guarded",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if strings.Contains(out, "the agent approves") {
		t.Errorf("got:\n%s", out)
	}
	s.Mode, s.AutoApprove = "", ""
	if out, _, _ := f.call(t, "ps"); strings.Contains(out, "MODE") || strings.Contains(out, "approves by itself") {
		t.Errorf("without modes:\n%s", out)
	}
}

// A session is called unknown when the proxy says so, not because it is none of
// those that it lists: the agent's child sessions are not.
func TestUnknownSessionsAreSaidToBe(t *testing.T) {
	f := office()
	f.pending(0).Session = "child"
	out, _, _ := f.call(t, "pending")
	if !strings.Contains(out, "session  \"child\"\n") {
		t.Errorf("a child session:\n%s", out)
	}
	f.pending(0).SessionUnknown = true
	out, _, _ = f.call(t, "pending")
	if !strings.Contains(out, "session  \"child\" (not known)\n") {
		t.Errorf("an unknown session:\n%s", out)
	}
}

// What a verdict says is not said twice.
func TestVerdictsAreNotRepeated(t *testing.T) {
	f := office()
	f.pending(0).Verdict.Text = "inside the workspace"
	out, _, _ := f.call(t, "pending")
	if n := strings.Count(out, "inside the workspace\n"); n != 1 {
		t.Errorf("it is said %d times:\n%s", n, out)
	}
}
