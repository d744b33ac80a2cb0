package editor

import (
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// Options say what to run and how to show it.
type Options struct {
	Command []string  // the agent and its arguments; for Run
	Dir     string    // the session's directory; empty means the current one
	Env     []string  // added to the agent's environment
	Stderr  io.Writer // where the agent's stderr goes; nil drops it

	Prompt string
	Mode   string // id or name of a mode to set first; empty leaves the agent's own
	Allow  Rule   // empty means First

	Answers io.Reader     // where Rule Ask reads what a person types
	Pace    time.Duration // pause before a rule answers, so that a person can follow

	Out    io.Writer // where the conversation is printed; nil drops it
	Width  int       // columns to wrap at; zero means never
	Colour bool

	Misbehave []Misbehaviour // what to do wrong

	NoFiles    bool // do not offer fs methods
	NoTerminal bool // do not offer terminals

	// Grace is how long to wait for the turn to end after session/cancel, for
	// the agent to take the last answers, and for it to leave after the end of
	// its input. Zero means 5s.
	Grace time.Duration
}

func (o Options) out() io.Writer {
	if o.Out == nil {
		return io.Discard
	}
	return o.Out
}

func (o Options) grace() time.Duration {
	if o.Grace <= 0 {
		return 5 * time.Second
	}
	return o.Grace
}

func (o Options) dir() (string, error) { return filepath.Abs(o.Dir) }

// Rule says how permissions are answered.
type Rule string

const (
	First  Rule = "first"  // the first allow_once option, else the first that allows
	Once   Rule = "once"   // the first allow_once option
	Always Rule = "always" // the first allow_always option
	Reject Rule = "reject" // the first reject_once option
	None   Rule = "none"   // no answer: somebody else has to give it
	Ask    Rule = "ask"    // a person is asked
)

// Rules are all of them, in the order to list them.
var Rules = []Rule{First, Once, Always, Reject, None, Ask}

// ParseRule reads a rule by name.
func ParseRule(name string) (Rule, error) {
	for _, r := range Rules {
		if string(r) == name {
			return r, nil
		}
	}
	return "", fmt.Errorf("no rule %q: use one of %v", name, Rules)
}

// Result is how a run ended.
type Result struct {
	Session    string
	StopReason string
	Permitted  int  // permission requests this editor allowed, by its first answer
	Refused    int  // those it did not, whatever it said instead
	Elsewhere  int  // those that were withdrawn
	Late       int  // of these, those that it answered all the same
	Killed     bool // the agent did not leave by itself
}

// ExitCode is 0 for a turn that ended by itself and 1 for any other.
func (r Result) ExitCode() int {
	if r.StopReason == "end_turn" {
		return 0
	}
	return 1
}
