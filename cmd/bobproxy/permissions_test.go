//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/lab/retrybudget"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// bout is one turn of the lab's editor with the lab's agent through bobproxy, as
// processes.
type bout struct {
	t      *testing.T
	screen string // what the editor showed
	code   int
	dir    string
	events []journal.Event
}

// spar plays it: the flags of the editor, of run and of the agent.
func spar(t *testing.T, editor, run, agent string) bout {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "retrybudget")
	if err := retrybudget.Materialise(dir); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"lab", "editor", "--cwd", dir, "--grace", patience.String()}, strings.Fields(editor)...)
	args = append(append(args, "--", "bobproxy", "run"), strings.Fields(run)...)
	args = append(append(args, "--", "bobproxy", "lab", "agent"), strings.Fields(agent)...)
	p := start(t, args...)
	screen, code := p.finish()
	b := bout{t: t, screen: screen, code: code, dir: dir, events: p.events()}
	b.check()
	return b
}

// check is what holds for all of them: what reaches the agent is one answer to
// each request, and what was kept back was no message that nobody knows of.
func (b bout) check() {
	b.t.Helper()
	asked, answered := map[string]int{}, map[string]int{}
	for _, e := range frames(b.events) {
		switch {
		case e.Method != acp.MethodRequestPermission || e.Action == "swallowed":
		case e.Kind == acp.Request:
			asked[string(e.ID)]++
		case e.Kind == acp.Response || e.Kind == acp.Error:
			answered[string(e.ID)]++
		}
	}
	for id, n := range answered {
		if n != asked[id] {
			b.t.Errorf("%d requests under id %s and %d answers reach the agent\n%s", asked[id], id, n, b.screen)
		}
	}
	if len(asked) != len(answered) {
		b.t.Errorf("%d ids were asked under, and %d got an answer", len(asked), len(answered))
	}
}

// decisions are counted by what they say.
func (b bout) decisions() map[string]int {
	counts := map[string]int{}
	for _, e := range b.events {
		if d := e.Decision; d != nil && e.Type == journal.DecisionEvent {
			words := []string{d.By, d.Outcome, d.OptionKind}
			if d.Late {
				words = append(words, "late")
			}
			counts[strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")]++
		}
	}
	return counts
}

func (b bout) decided(want map[string]int) {
	b.t.Helper()
	if got := b.decisions(); fmt.Sprint(got) != fmt.Sprint(want) { // maps are printed in order
		b.t.Errorf("the decisions are %v, want %v\n%s", got, want, b.screen)
	}
}

func (b bout) shows(code int, want ...string) {
	b.t.Helper()
	for _, w := range want {
		if !strings.Contains(b.screen, w) {
			b.t.Errorf("the screen lacks %q:\n%s", w, b.screen)
		}
	}
	if b.code != code {
		b.t.Errorf("exit status %d, want %d\n%s", b.code, code, b.screen)
	}
}

func (b bout) kept() (n int) {
	for _, e := range frames(b.events) {
		if e.Action != "" {
			n++
		}
	}
	return n
}

// An editor that cancels the turn and then allows what was open: the agent,
// which would do it, is told cancelled.
func TestLateAllowRunsNothing(t *testing.T) {
	b := spar(t, "--misbehave cancel,allow-after-cancel", "", "--misbehave run-late-allow")
	b.shows(1, "(after session/cancel)", "I wrote nothing.", "cancelled")
	b.decided(map[string]int{"cancel cancelled": 1, "editor selected allow_once late": 1})
	if _, err := os.Stat(filepath.Join(b.dir, "bob-was-late.txt")); err == nil {
		t.Error("the agent did what was allowed too late")
	}
}

// An editor that answers only what was withdrawn has answered nothing.
func TestLateEditor(t *testing.T) {
	b := spar(t, "--misbehave late", "--permission-timeout 100ms", "--misbehave ask-three")
	b.shows(0, "step 1: Reject", "step 2: Reject", "step 3: Reject", "too late")
	got := b.decisions()
	if n := got["timeout selected reject_once"]; n != 3 {
		t.Errorf("%d of 3 requests timed out", n)
	}
	delete(got, "timeout selected reject_once")
	for what, n := range got {
		if strings.HasPrefix(what, "editor ") && strings.HasSuffix(what, " late") {
			continue // as far as the editor was heard
		}
		t.Errorf("%d decisions are %s", n, what)
	}
}

// What the editor does wrong with its answers reaches the agent once, or as it
// is.
func TestMisbehavingEditors(t *testing.T) {
	for _, test := range []struct {
		editor, agent string
		shows         []string
		decided       map[string]int
		kept          int
	}{
		{"answer-twice", "ask-three", []string{"step 1: Allow once", "step 2: Allow once", "step 3: Allow once"},
			map[string]int{"editor selected allow_once": 3, "editor selected late": 3}, 3},
		{"contradict", "ask-three", []string{"step 1: Allow once", "step 2: Allow once", "step 3: Allow once"},
			map[string]int{"editor selected allow_once": 3, "editor selected late": 3}, 3},
		{"wrong-option", "ask-three", []string{`an option that was not offered: "never-offered"`},
			map[string]int{"editor selected": 3}, 0},
		{"error", "ask-three", []string{"error -32601"}, map[string]int{"editor error": 3}, 0},
		{"garbage", "flood --flood 8", []string{"no outcome: null", `no outcome: {"approved":true}`, "no outcome: []"},
			map[string]int{"editor unknown": 7, "editor selected": 1}, 0},
	} {
		t.Run(test.editor, func(t *testing.T) {
			b := spar(t, "--misbehave "+test.editor, "", "--misbehave "+test.agent)
			b.shows(0, append(test.shows, "end_turn")...)
			b.decided(test.decided)
			if n := b.kept(); n != test.kept {
				t.Errorf("%d frames were kept back, want %d", n, test.kept)
			}
			if strings.Contains(b.screen, "answers too many") {
				t.Errorf("the agent got more answers than it asked for:\n%s", b.screen)
			}
		})
	}
}

// An editor that cancels and leaves the question open would hang an agent that
// waits for it: the proxy answers after a while.
func TestSilentAfterCancel(t *testing.T) {
	b := spar(t, "--misbehave cancel,silent-after-cancel", "", "--misbehave silent-cancel")
	b.shows(1, "cancelled")
	b.decided(map[string]int{"cancel cancelled": 1})
	for _, e := range b.events {
		if d := e.Decision; d != nil && d.By == "cancel" && d.Wait < 2*time.Second {
			t.Errorf("answered for the editor after %v", d.Wait)
		}
	}
}

// Agents that ask in odd ways get their answers, and nobody hangs.
func TestMisbehavingAgents(t *testing.T) {
	for _, test := range []struct {
		name, editor, agent string
		code                int
		shows               []string
		decided             map[string]int // nil: not looked at
	}{
		{"one id for all", "", "reuse-id", 0, []string{"step 1: Allow once", "step 2: Allow once", "step 3: Allow once", "step 4: Allow once"},
			map[string]int{"editor selected allow_once": 4}},
		{"odd options", "", "odd-options", 0, []string{"no options: cancelled", "ids that lie: Yes", "end_turn"}, nil},
		{"withdrawn at once", "--allow none", "withdraw", 0, []string{"error -32800", "end_turn"}, map[string]int{"agent error": 1}},
		{"asks after the cancel", "--misbehave cancel", "ask-after-cancel", 1, []string{"I asked again. The answer was: cancelled"},
			map[string]int{"cancel cancelled": 1, "editor cancelled": 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := spar(t, test.editor, "", "--misbehave "+test.agent)
			b.shows(test.code, test.shows...)
			if test.decided != nil {
				b.decided(test.decided)
			}
		})
	}
}

// With nobody answering odd options are refused in time, and the editor's
// answers to what was withdrawn go nowhere.
func TestOddOptionsTimeOut(t *testing.T) {
	b := spar(t, "--allow none", "--permission-timeout 20ms", "--misbehave odd-options")
	b.shows(0, "no options: cancelled", "only options that allow: cancelled", "two that reject once: Abort everything", "ids that lie: No",
		"four that allow once: cancelled", "kinds nobody knows: cancelled", "500 options: cancelled", "end_turn")
}

// More permissions than the proxy keeps: the surplus is answered at once, and
// when the turn is cancelled the rest is.
func TestFloodOfPermissions(t *testing.T) {
	p := start(t, "lab", "editor", "--cwd", t.TempDir(), "--allow", "none", "--grace", patience.String(), "--",
		"bobproxy", "run", "--permission-timeout", "0", "--", "bobproxy", "lab", "agent", "--misbehave", "flood", "--flood", "2000")
	var screen string
	read := make(chan int)
	go func() { screen = p.rest(); read <- p.exit() }()
	until(t, "the surplus to be answered", func() bool {
		return len(p.recordings()) > 0 && strings.Count(p.recording(), `"by":"bounds"`) == 2000-broker.MaxOwed
	})
	p.Process.Signal(syscall.SIGINT)
	b := bout{t: t, code: <-read, screen: screen, events: p.events()}
	b.shows(1, "end      cancelled")
	b.decided(map[string]int{"bounds cancelled": 2000 - broker.MaxOwed, "cancel cancelled": broker.MaxOwed})
	b.check()
}

// A turn that runs out of time is cancelled, and what is open in it is settled.
func TestPromptTimeoutThroughProcesses(t *testing.T) {
	b := spar(t, "--allow none", "--prompt-timeout 300ms", "--misbehave ask-three")
	if strings.Count(b.screen, "withdrawn (settled elsewhere)") != 3 {
		t.Errorf("not all dialogs are withdrawn:\n%s", b.screen)
	}
	if got := b.decisions(); got["timeout cancelled"] != 3 {
		t.Errorf("the decisions are %v", got)
	}
	if n := addedCancels(b.events); n != 1 {
		t.Errorf("session/cancel was added %d times", n)
	}
}

// An agent that does not end its turn even then is told once, and the rest is
// the editor's to do.
func TestPromptTimeoutOfAHangingAgent(t *testing.T) {
	p := start(t, "lab", "editor", "--cwd", t.TempDir(), "--grace", "100ms", "--", "bobproxy", "run", "--prompt-timeout", "100ms", "--",
		"bobproxy", "lab", "agent", "--misbehave", "hang")
	until(t, "the turn to be cancelled", func() bool { return p.recorded(`"added":true`) })
	p.Process.Signal(syscall.SIGINT)
	if rest, code := p.finish(); code != 1 {
		t.Errorf("exit status %d\n%s%s", code, rest, p.errs)
	}
	until(t, "the proxy to end", func() bool { return p.recorded(`"event":"exit"`) })
	if n := addedCancels(p.events()); n != 1 {
		t.Errorf("session/cancel was added %d times", n)
	}
}

// recorded says that there is a recording with this text in it.
func (p *process) recorded(text string) bool {
	return len(p.recordings()) > 0 && strings.Contains(p.recording(), text)
}

func addedCancels(events []journal.Event) (n int) {
	for _, e := range frames(events) {
		if e.Added && e.Method == acp.MethodSessionCancel && e.Dir == acp.Client {
			n++
		}
	}
	return n
}

// The proxy stands still past its time-out, as when a lid is closed. When it
// goes on, nobody has had the time to look yet: nothing is refused at once, the
// recording says what happened, and the editor can still allow.
func TestStoppedProxyRefusesNothingAtOnce(t *testing.T) {
	s := script{Steps: []step{
		fromAgent(oneQuestion),
		fromClient(`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}` + "\n"),
		hangUp,
	}}
	heard, command := s.stage(t)
	p := prepare(t, append([]string{"run", "--permission-timeout", "2s", "--"}, command...)...)
	p.begin()
	p.expect(oneQuestion)
	p.Process.Signal(syscall.SIGSTOP)
	until(t, "it to stop", func() bool { return stopped(p.Process.Pid) })
	if err := exec.Command("sleep", "4").Run(); err != nil { // another process's clock: ours is not to matter
		t.Fatal(err)
	}
	p.Process.Signal(syscall.SIGCONT)
	until(t, "a word of the standstill", func() bool { return p.recorded("stood still") })
	if p.recorded(`"event":"decision"`) {
		t.Errorf("it was decided at once:\n%s", p.recording())
	}
	p.send(string(s.Steps[1].Text))
	rest, code := p.finish()
	if rest != "" || code != 0 {
		t.Errorf("exit status %d, the editor reads %q", code, rest)
	}
	got, err := os.ReadFile(heard)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the agent read", got, s.Steps[1].Text)
	if b := (bout{t: t, events: p.events()}); b.decisions()["editor selected allow_once"] != 1 {
		t.Errorf("the decisions are %v", b.decisions())
	}
}

const oneQuestion = `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},` +
	`"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}` + "\n"

// stopped says that a process is stopped.
func stopped(pid int) bool {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(rest, "T")
}
