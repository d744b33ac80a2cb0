package card

import (
	"slices"

	"bobproxy/proxy/control"
)

// meaning is what an answer with an option means; what allows more is greater.
type meaning uint8

const (
	rejectsOnce meaning = iota
	rejectsAlways
	allowsOnce
	allowsAlways
	unclear // nobody here knows its reach
)

var meanings = map[string]meaning{
	"reject_once":   rejectsOnce,
	"reject_always": rejectsAlways,
	"allow_once":    allowsOnce,
	"allow_always":  allowsAlways,
}

// meaningOf is what an option's own kind says.
func meaningOf(o control.Option) meaning {
	if m, ok := meanings[o.Kind]; ok {
		return m
	}
	return unclear
}

func (m meaning) rejects() bool { return m <= rejectsAlways }

func (m meaning) lasts() bool { return m != rejectsOnce && m != allowsOnce }

// choice is an option as it is to be taken.
type choice struct {
	control.Option
	says  meaning // by its own kind
	means meaning // the most that any option with its id allows, which is the same answer
	twins []int   // numbers of the others with its id
}

// choicesOf reads the options of a request.
func choicesOf(options []control.Option) []choice {
	same := map[string][]int{}
	for i, o := range options {
		same[o.ID] = append(same[o.ID], i)
	}
	all := make([]choice, len(options))
	for i, o := range options {
		ch := choice{Option: o, says: meaningOf(o), means: meaningOf(o)}
		for _, j := range same[o.ID][:min(len(same[o.ID]), mostTwins)] {
			if j != i {
				ch.means = max(ch.means, meaningOf(options[j]))
				ch.twins = append(ch.twins, options[j].Number)
			}
		}
		if len(same[o.ID]) > mostTwins {
			ch.means = unclear
		}
		all[i] = ch
	}
	return all
}

// mostTwins is how many options with one id are looked at.
const mostTwins = 16

// refusal is the option that rejects once, and that x and the time-out choose.
func refusal(all []choice) (choice, bool) {
	i := slices.IndexFunc(all, func(ch choice) bool {
		return ch.Kind == "reject_once" && !ch.Odd && ch.means == rejectsOnce
	})
	if i < 0 {
		return choice{}, false
	}
	return all[i], true
}

// numbered is the option with a number.
func numbered(all []choice, number int) (choice, bool) {
	for _, ch := range all {
		if ch.Number == number {
			return ch, true
		}
	}
	return choice{}, false
}
