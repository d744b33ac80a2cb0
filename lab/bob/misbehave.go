package bob

import (
	"fmt"
	"slices"
	"strings"
)

// Misbehaviour is something that Bob does wrong on purpose, as agents have
// done by mistake or out of malice.
type Misbehaviour struct {
	Name string
	Text string // what it is, in a line

	play  func(*turn) error // in place of the repair; nil for a habit alone
	habit func(*Options)    // changes what Bob does elsewhere; nil for none
}

// Misbehaviours are all of them, in the order to list them.
func Misbehaviours() []Misbehaviour {
	return []Misbehaviour{
		{Name: "flood", Text: "asks for many permissions at once, see --flood", play: (*turn).flood},
		{Name: "ask-three", Text: "asks for three permissions at once and says how each was answered", play: (*turn).askThree},
		{Name: "reuse-id", Text: "asks four times under the id 0: twice in a row, then twice at once", play: (*turn).reuseID},
		{Name: "odd-options", Text: "offers no options, 500, duplicate and unreadable ones, and so on", play: (*turn).oddOptions},
		{Name: "withdraw", Text: "asks and withdraws the question in the same write", play: (*turn).withdraw},
		{Name: "ignore-answers", Text: "asks and takes no notice of the answer until the turn is cancelled", play: (*turn).ignoreAnswers},
		{Name: "silent-cancel", Text: "after session/cancel waits for the open permission (as --patient)", habit: func(o *Options) { o.Patient = true }},
		{Name: "ask-after-cancel", Text: "asks another question after session/cancel", play: (*turn).askAfterCancel},
		{Name: "run-late-allow", Text: "does what is allowed after session/cancel: writes " + lateFile, play: (*turn).runLateAllow},
		{Name: "hang", Text: "never ends the turn, not even when it is cancelled", play: (*turn).hang},
		{Name: "bypass", Text: "announces the mode " + bypassMode + " and repairs without asking", play: (*turn).bypass},
		{Name: "escape", Text: "tries to read, write and run outside the session's directory, see --outside", play: (*turn).escape},
	}
}

// ParseMisbehaviours reads names that are separated by commas. An empty list
// is none.
func ParseMisbehaviours(list string) ([]Misbehaviour, error) {
	var chosen []Misbehaviour
	known := Misbehaviours()
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		at := slices.IndexFunc(known, func(m Misbehaviour) bool { return m.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("no misbehaviour %q", name)
		}
		chosen = append(chosen, known[at])
	}
	return chosen, nil
}

// adopt applies the habits among what o asks for.
func (o *Options) adopt() {
	for _, m := range o.Misbehave {
		if m.habit != nil {
			m.habit(o)
		}
	}
}

// acts are the scripts among what the options ask for; without one Bob repairs.
func (t *turn) acts() []Misbehaviour {
	return slices.DeleteFunc(slices.Clone(t.opts.Misbehave), func(m Misbehaviour) bool { return m.play == nil })
}

// misbehave plays one script after another.
func (t *turn) misbehave(acts []Misbehaviour) error {
	for _, m := range acts {
		t.title("Misbehave: " + m.Name)
		if err := m.play(t); err != nil {
			return err
		}
	}
	return nil
}
