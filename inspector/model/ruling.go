package model

import "bobproxy/proxy/journal"

// Ruling is what a decision says, in words.
type Ruling struct {
	By   string // who decided, as the subject of a sentence; empty: nobody is named
	What string // allowed once; not clean
	Kind string // of the option that was chosen, where it is a known one
}

// RulingOf is what d says; nothing for nil.
func RulingOf(d *journal.Decision) Ruling {
	if d == nil {
		return Ruling{}
	}
	by, named := deciders[d.By]
	if !named {
		by = clip(d.By, shortText)
	}
	if what, ok := rulings[d.OptionKind]; ok {
		return Ruling{by, what, d.OptionKind}
	}
	if d.HasOption {
		return Ruling{By: by, What: "chose " + either(clip(d.OptionID, shortText), "an option without a name")}
	}
	return Ruling{By: by, What: either(clip(d.Outcome, shortText), "gave no outcome")}
}

// String is the sentence.
func (r Ruling) String() string {
	if r.By == "" {
		return r.What
	}
	return r.By + " " + r.What
}

var deciders = map[string]string{
	"editor":  "the editor",
	"agent":   "the agent",
	"panel":   "a panel",
	"command": "a command",
	"timeout": "nobody answered:",
	"bounds":  "the bounds",
	"gone":    "the proxy, ending,",
}

var rulings = map[string]string{
	"allow_once":    "allowed once",
	"allow_always":  "allowed always",
	"reject_once":   "refused once",
	"reject_always": "refused always",
}
