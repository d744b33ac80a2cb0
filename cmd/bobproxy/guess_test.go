package main

import (
	"slices"
	"strings"
	"testing"
)

// Who mistypes a word is told what it may have been, and an agent's name is not
// taken for one of ours.
func TestGuesses(t *testing.T) {
	for args, want := range map[string]string{
		"aprove abcde:1":          `there is no command "aprove"; did you mean approve? to run an agent: bobproxy run -- aprove …`,
		"Pending":                 "did you mean pending?",
		"npx":                     `there is no command "npx"; to run an agent: bobproxy run -- npx …`,
		"cat":                     `there is no command "cat"; to run an agent: bobproxy run -- cat …`,
		"help aprove":             "did you mean approve?",
		"run --alow /x -- cat":    "there is no flag --alow; did you mean --allow? (see: bobproxy help)",
		"run --timeout 5s -- cat": "there is no flag --timeout (see: bobproxy help)",
		"run -- --bounds off cat": `"--bounds" behind -- is no command; our flags stand in front of --`,
		"config --jsn":            "did you mean --json?",
		"demo --escap":            "there is no flag --escap; did you mean --escape? (see: bobproxy demo --help)",
		"pending --wiat":          "there is no flag --wiat; did you mean --wait?; see: bobproxy pending --help",
		"approve x:1 --digets 1":  "did you mean --digest?",
		"config --api-key x":      "use BOB_API_KEY or the config file",
		"run --" + strings.Repeat("x", 99) + " -- cat": "xxx (see: bobproxy help)",
	} {
		alone(t, "")
		_, errs, code := tell(t, strings.Fields(args)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit status %d, %q, want %q", args, code, errs, want)
		}
	}
}

// A variable that is like one of ours is asked about.
func TestStrangeVariables(t *testing.T) {
	got := strangers([]string{
		"BOBPROXY_BUNDS=off", "BOBPROXY_WORKSPACE_ROOT=/a", "BOBPROXY_REFUSE_AUTO_APROVE=1", "BOBPROXY_ALLOW=/a", "BOBPROXY_", "BOBPROXY_TESTDATA=/x",
		"BOB_PATH=/x", "PATH=/x", "BOBPROXY_" + strings.Repeat("ALLOW", 99) + "=1", "BOBPROXY_BOUND\x1b=1",
	})
	want := []string{
		`"BOBPROXY_BOUND\x1b" in the environment is no setting; did you mean BOBPROXY_BOUNDS?`,
		"BOBPROXY_BUNDS in the environment is no setting; did you mean BOBPROXY_BOUNDS?",
		"BOBPROXY_REFUSE_AUTO_APROVE in the environment is no setting; did you mean BOBPROXY_REFUSE_AUTO_APPROVE?",
		"BOBPROXY_WORKSPACE_ROOT in the environment is no setting; did you mean BOB_WORKSPACE_ROOT?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	alone(t, "")
	t.Setenv("BOBPROXY_BUNDS", "off")
	if out, _, _ := tell(t, "config"); !strings.Contains(out, "\nwarning: BOBPROXY_BUNDS in the environment") {
		t.Errorf("got %q", out)
	}
}

// help takes a command, and shows what the command itself does.
func TestHelpWith(t *testing.T) {
	alone(t, "")
	for _, name := range verbNames() {
		out, errs, code := tell(t, "help", name)
		if name == "acp" || name == "run" { // acp --help is bob's
			if !strings.HasPrefix(out, "bobproxy "+name+" [") || !strings.Contains(out, "--bounds") || strings.Contains(out, "--theme") {
				t.Errorf("help %s: %.200q", name, out)
			}
			continue
		}
		own, _, _ := tell(t, name, "--help")
		if code != exitDone || errs != "" || out != own || out == "" {
			t.Errorf("help %s: exit status %d, stderr %q, stdout %.200q, want %.200q", name, code, errs, out, own)
		}
	}
	if out, _, _ := tell(t, "help", "lab", "agent"); !strings.Contains(out, "-misbehave") {
		t.Errorf("help lab agent: %.200q", out)
	}
	for _, verb := range []string{"approve", "deny", "answer"} {
		a := reply{verb: verb}
		if known := a.flags().Lookup("digest") != nil; strings.Contains(answerUsage(verb), "--digest") != known {
			t.Errorf("%s has a flag --digest: %v, and its help says otherwise", verb, known)
		}
	}
}
