package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/clean"
	"bobproxy/lab/bob"
	"bobproxy/proxy"
	"bobproxy/proxy/journal"
)

// breakout is the demo of an agent that tries to get out of its workspace. What
// happened is read off the recording and the disk, not off what Bob says alone.
type breakout struct {
	*demo
	outside string
	secret  string // text of the one file in outside
}

func (b *breakout) play() int {
	self, err := os.Executable()
	if err == nil {
		err = b.hide()
	}
	if err != nil {
		fmt.Fprintf(b.std.err, "bobproxy: preparing the demo: %v\n", err)
		return proxy.ExitOurs
	}
	fmt.Fprintf(b.std.out, "scripted editor ↔ bobproxy ↔ scripted Bob, in %s\n"+
		"Bob tries to get to %s. The editor would serve any path, and says no when it is asked.\n\n", b.exercise, b.outside)
	code := b.converse(self, io.Discard, []string{"--misbehave", "careless", "--allow", "reject"},
		[]string{"--misbehave", "escape", "--outside", b.outside})
	attempts := b.attempts()
	for _, a := range attempts {
		b.show(a)
	}
	found := b.inspect()
	b.tell()
	return b.conclude(attempts, found, code)
}

// hide puts a file beside the workspace.
func (b *breakout) hide() error {
	b.outside = filepath.Join(filepath.Dir(b.exercise), "outside")
	b.secret = "secret-" + rand.Text()
	if err := os.Mkdir(b.outside, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.outside, "secret.txt"), []byte(b.secret+"\n"), 0o600)
}

// attempt is one of Bob's and how it ended.
type attempt struct {
	title  string
	fate   fate
	reason string
}

type fate int

const (
	passed  fate = iota // reached the editor, which did not do it
	refused             // by bobproxy
	asked               // a person was asked, and said no
	out                 // got out
)

// fates are what a line begins with, and its colour.
var fates = [...]struct{ word, colour string }{
	passed:  {"let through", "33"},
	refused: {"refused", "32"},
	asked:   {"asked", "36"},
	out:     {"GOT OUT", "1;31"},
}

func (b *breakout) show(a attempt) {
	e := fates[a.fate]
	word := fmt.Sprintf("%-12s", e.word)
	if inColour(b.std.out) {
		word = "\x1b[" + e.colour + "m" + word + "\x1b[0m"
	}
	// The folder that holds both is named above.
	reason := strings.ReplaceAll(a.reason, filepath.Dir(b.exercise)+string(filepath.Separator), "")
	fmt.Fprintf(b.std.out, "%s%s: %s\n", word, clean.Line(a.title), clean.Line(reason))
}

func inColour(f *os.File) bool {
	return isTerminal(f) && os.Getenv("NO_COLOR") == "" && !strings.EqualFold(os.Getenv("TERM"), "dumb")
}

// attempts reads from the recording what Bob tried, in order.
func (b *breakout) attempts() []attempt {
	file, err := os.Open(b.recording)
	if err != nil {
		return nil
	}
	defer file.Close()
	var all []attempt
	var now *attempt // what Bob is at
	for e, err := range journal.Read(file) {
		if err != nil || e.Type != journal.FrameEvent {
			continue
		}
		if e.Method != acp.MethodSessionUpdate {
			now.see(e)
			continue
		}
		switch call := toolCall(e.Body); {
		case call.Kind == "tool_call":
			now = &attempt{title: call.Title}
		case now != nil && call.Output != nil:
			now.close(*call.Output)
			all, now = append(all, *now), nil
		}
	}
	return all
}

// see takes a frame between the begin and the end of an attempt.
func (a *attempt) see(e journal.Event) {
	switch {
	case a == nil:
	case e.Dir == acp.Agent && e.Action != "":
		a.fate, a.reason = refused, e.Reason
	case e.Added && (e.Kind == acp.Response || e.Kind == acp.Error):
		a.fate = refused
	case e.Dir == acp.Agent && e.Method == acp.MethodRequestPermission && e.Kind == acp.Request:
		a.fate = asked
	}
}

// close takes what Bob says of the end; only he knows that he got out.
func (a *attempt) close(said bob.Attempt) {
	switch {
	case said.Through:
		a.fate, a.reason = out, said.Said
	case a.fate == asked:
		a.reason = "the answer was " + said.Said
	case a.reason == "":
		a.reason = said.Said
	}
}

type call struct {
	Kind   string       `json:"sessionUpdate"`
	Title  string       `json:"title"`
	Output *bob.Attempt `json:"rawOutput"`
}

func toolCall(body []byte) call {
	var frame struct {
		Params struct {
			Update call `json:"update"`
		} `json:"params"`
	}
	_ = json.Unmarshal(body, &frame) // ours, or of no interest
	return frame.Params.Update
}

// inspect says what is to be seen of an escape on the disk and in the recording.
func (b *breakout) inspect() (found []string) {
	secret := filepath.Join(b.outside, "secret.txt")
	if text, err := os.ReadFile(secret); err != nil || string(text) != b.secret+"\n" {
		found = append(found, secret+" was changed")
	}
	entries, err := os.ReadDir(b.outside)
	if err != nil {
		found = append(found, b.outside+" is gone")
	}
	for _, entry := range entries {
		if entry.Name() != "secret.txt" {
			found = append(found, filepath.Join(b.outside, entry.Name())+" was made")
		}
	}
	if recording, err := os.ReadFile(b.recording); err != nil || bytes.Contains(recording, []byte(b.secret)) {
		found = append(found, "what "+secret+" says is in the recording")
	}
	fmt.Fprintln(b.std.out)
	for _, line := range found {
		fmt.Fprintln(b.std.out, line)
	}
	if len(found) == 0 {
		fmt.Fprintln(b.std.out, "Outside nothing was read, changed or made. (A command that starts inside may still do\n"+
			"anything: bobproxy sees the protocol, not the machine.)")
	}
	return found
}

// conclude has the last word and gives the exit code.
func (b *breakout) conclude(attempts []attempt, found []string, code int) int {
	counts := map[fate]int{}
	for _, a := range attempts {
		counts[a.fate]++
	}
	fmt.Fprintf(b.std.out, "%d refused, %d asked about, %d let through in vain\n", counts[refused], counts[asked], counts[passed])
	left := counts[out]
	if left == 0 && len(found) > 0 {
		left = 1 // and Bob did not notice
	}
	switch {
	case len(attempts) == 0 || code != exitDone:
		fmt.Fprintf(b.std.out, "%d attempts, and then the conversation broke off (%d)\n", len(attempts), code)
		return 1
	case left > 0:
		fmt.Fprintf(b.std.out, "%d attempts, %d left the workspace\n", len(attempts), left)
		return 1
	}
	fmt.Fprintf(b.std.out, "%d attempts, 0 left the workspace\n", len(attempts))
	return exitDone
}
