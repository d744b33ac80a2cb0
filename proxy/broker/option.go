package broker

import (
	"fmt"

	"bobproxy/acp"
)

// choose finds what d answers to e, or why it does not.
func (e *entry) choose(d Decision) (a answer, objection string) {
	switch {
	case d.Digest != "" && d.Digest != e.Digest:
		return a, "This is not what was shown (its digest differs): look at the request again, then answer."
	case e.ambiguous:
		return a, "Only the editor can answer: " + e.public().Unanswerable + "."
	case d.Deny && (d.Number != 0 || d.Option != ""):
		return a, "Either deny or choose an option, not both."
	case d.Deny:
		return e.refusal(), ""
	case e.Unanswerable != "":
		return a, "No option can be chosen here: " + e.Unanswerable + "."
	}
	option, objection := e.option(d)
	if objection == "" {
		objection = e.forbidden(d, option)
	}
	return answer{outcomeSelected, option, e.kindShown(d, option)}, objection
}

// option finds the option that d means.
func (e *entry) option(d Decision) (option acp.String, objection string) {
	switch {
	case d.Number == 0 && d.Option == "":
		return option, "Name an option, by its number or its id."
	case d.Number == 0:
		return e.byID(d.Option)
	case d.Number < 0 || d.Number > len(e.Options):
		return option, fmt.Sprintf("There is no option %d: choose from 1 to %d.", d.Number, len(e.Options))
	}
	o := e.Options[d.Number-1]
	switch {
	case o.Odd:
		return option, fmt.Sprintf("Option %d cannot be repeated exactly: choose another, or answer in the editor.", d.Number)
	case d.Option != "" && d.Option != o.ID.Value:
		return option, fmt.Sprintf("Option %d is %q, not %q: look at the request again.", d.Number, clip(o.ID.Value, 64), clip(d.Option, 64))
	}
	return o.ID, ""
}

func (e *entry) byID(id string) (option acp.String, objection string) {
	var found []acp.Option
	for _, o := range e.Options {
		if o.ID.OK && o.ID.Value == id {
			found = append(found, o)
		}
	}
	switch {
	case len(found) == 0:
		return option, fmt.Sprintf("There is no option %q: the ids are the agent's own words; bobproxy pending lists them.", clip(id, 64))
	case len(found) > 1:
		return option, fmt.Sprintf("%d options have the id %q: choose by number.", len(found), clip(id, 64))
	case found[0].Odd:
		return option, fmt.Sprintf("The option %q cannot be repeated exactly: choose another, or answer in the editor.", clip(id, 64))
	}
	return found[0].ID, ""
}

// forbidden says why this caller may not choose option. Options with one id
// are the same answer to the agent, so the strictest of them counts.
func (e *entry) forbidden(d Decision, option acp.String) (objection string) {
	for _, o := range e.Options {
		if !o.ID.OK || o.ID.Value != option.Value {
			continue
		}
		switch {
		case d.DenyOnly && (o.Odd || !rejecting(o.Kind)):
			return onlyReject(d.Why)
		case d.Standing || !lasting(o.Kind) && !o.Odd:
			continue
		case o.Kind == allowAlways, o.Kind == rejectAlways:
			return fmt.Sprintf("This option lasts (%s): say that this is meant (--standing), or choose one that counts once.", o.Kind)
		default:
			return fmt.Sprintf("Nobody here knows how far an option of kind %q reaches: say that this is meant (--standing), or choose another.", clip(o.Kind, 64))
		}
	}
	return ""
}

// kindShown is the kind of the option that was pointed at.
func (e *entry) kindShown(d Decision, option acp.String) string {
	if d.Number > 0 && d.Number <= len(e.Options) {
		return e.Options[d.Number-1].Kind
	}
	kind, _ := e.kindOf(option.Value)
	return kind
}

func onlyReject(why string) string {
	if why == "" {
		why = "this caller may only reject"
	}
	return why + "; allow it in the editor"
}
