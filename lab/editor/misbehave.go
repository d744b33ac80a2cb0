package editor

import (
	"fmt"
	"slices"
	"strings"
)

// Misbehaviour is something that the editor does wrong on purpose, as clients
// have done by mistake.
type Misbehaviour string

const (
	AnswerTwice       Misbehaviour = "answer-twice"
	Contradict        Misbehaviour = "contradict"
	WrongOption       Misbehaviour = "wrong-option"
	Garbage           Misbehaviour = "garbage"
	AnswerError       Misbehaviour = "error"
	Late              Misbehaviour = "late"
	IgnoreWithdrawal  Misbehaviour = "ignore-withdrawal"
	Cancel            Misbehaviour = "cancel"
	CancelAsRequest   Misbehaviour = "cancel-as-request"
	SilentAfterCancel Misbehaviour = "silent-after-cancel"
	AllowAfterCancel  Misbehaviour = "allow-after-cancel"
	Careless          Misbehaviour = "careless"
)

// Described is a misbehaviour and what it is, in a line.
type Described struct {
	Name Misbehaviour
	Text string
}

// Misbehaviours are all of them, in the order to list them.
var Misbehaviours = []Described{
	{AnswerTwice, "gives each answer twice"},
	{Contradict, "gives a second answer that says the opposite"},
	{WrongOption, "selects an option that was not offered"},
	{Garbage, "answers in shapes that are none, another one each time"},
	{AnswerError, "answers permissions with method not found"},
	{Late, "answers only once the request is withdrawn"},
	{IgnoreWithdrawal, "takes no notice of $/cancel_request"},
	{Cancel, "sends session/cancel as soon as a permission is open"},
	{CancelAsRequest, "gives session/cancel an id"},
	{SilentAfterCancel, "leaves what is open at session/cancel unanswered"},
	{AllowAfterCancel, "answers what is open at session/cancel by its rule"},
	{Careless, "serves files and folders outside the session's directory, too"},
}

// ParseMisbehaviours reads names that are separated by commas. An empty list
// is none.
func ParseMisbehaviours(list string) ([]Misbehaviour, error) {
	var chosen []Misbehaviour
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		m := Misbehaviour(name)
		if !slices.ContainsFunc(Misbehaviours, func(d Described) bool { return d.Name == m }) {
			return nil, fmt.Errorf("no misbehaviour %q", name)
		}
		chosen = append(chosen, m)
	}
	return chosen, nil
}

func (o Options) does(m Misbehaviour) bool { return slices.Contains(o.Misbehave, m) }
