package session

import (
	"fmt"
	"slices"
	"strings"

	"bobproxy/acp"
)

// bypassing are the words by which agents call a mode in which they ask for no
// permission, in lower case and without anything between their parts.
var bypassing = [...]string{
	"bypass", "yolo", "autoapprove", "alwaysapprove", "approveall", "allowall",
	"trustall", "fullaccess", "fullauto", "unrestricted", "skippermission",
	"neverask", "noapproval",
}

// maxBypass is how many such modes of one session are remembered.
const maxBypass = 32

// bypasses says whether a mode, or option, of one of these names asks nobody.
func bypasses(names ...string) bool {
	for _, name := range names {
		name = plain(name)
		for _, word := range bypassing {
			if strings.Contains(name, word) {
				return true
			}
		}
	}
	return false
}

// never says whether an option about approvals is set to never.
func never(option, value string) bool {
	return value == "never" && strings.Contains(plain(option), "approv")
}

// plain leaves of a name its letters and digits, in lower case.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case 'A' <= c && c <= 'Z':
			return c + ('a' - 'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			return c
		}
		return -1
	}, name)
}

const blind = "by its name it asks for no permission, so there is nothing to guard what it does"

// asksNobody says whether a mode, by its id or the name it has in r, which may
// be nil, asks nobody.
func (r *record) asksNobody(mode string) bool {
	return bypasses(mode) || r != nil && slices.Contains(r.bypass, clip(mode, maxWord))
}

// approves says what of r asks nobody now; empty: nothing.
func (r *record) approves() string {
	switch {
	case r.mode != "" && r.asksNobody(r.mode):
		return "mode " + quote(r.mode)
	case r.options != "":
		return "option " + r.options
	}
	return ""
}

// warn notes that a session is, or is to be, in a mode that asks nobody.
func (r *record) warn(verb string, mode acp.String, fact *Fact) {
	if mode.OK && r.asksNobody(mode.Value) {
		fact.Notes = append(fact.Notes, fmt.Sprintf("%s mode %s; %s", verb, quote(mode.Value), blind))
	}
}

// goTo takes the mode that a session is in, when one is named.
func (r *record) goTo(mode acp.String) {
	if r != nil && mode.OK {
		r.mode = clip(mode.Value, maxWord)
	}
}

// startMode takes what the result that opened r says of its modes and options.
func startMode(r *record, mode acp.String, result []byte, fact *Fact) {
	modes := elements(member(result, "modes", "availableModes"))
	if modes != nil {
		r.bypass = nil
	}
	for _, m := range modes {
		id := word(member(m, "id"))
		if bypasses(id, word(member(m, "name"))) && len(r.bypass) < maxBypass {
			r.bypass = append(r.bypass, clip(id, maxWord))
		}
	}
	r.goTo(mode)
	r.warn("the session starts in", mode, fact)
	options(r, result, fact)
}

// askMode takes a session/set_mode, or a session/set_config_option that may be
// one.
func (f *Fold) askMode(a *asked, frame *acp.Frame, fact *Fact) {
	_, mode := acp.ReadSession(frame.Params)
	a.mode = acp.String{Value: clip(mode.Value, maxWord), OK: mode.OK}
	if f.sessions.find([]byte(a.key)).warn("the client sets", mode, fact); fact.Notes != nil {
		return
	}
	option, value := word(member(frame.Params, "configId")), member(frame.Params, "value")
	if bypasses(word(value)) || never(option, word(value)) || string(value) == "true" && bypasses(option) {
		fact.Notes = append(fact.Notes, fmt.Sprintf("the client sets option %s to %s; %s", quote(option), shown(value), blind))
	}
}

// answerMode is for when it was accepted.
func (f *Fold) answerMode(a *asked, result []byte, fact *Fact) {
	r := f.sessions.find([]byte(a.key))
	r.goTo(a.mode)
	_, mode := acp.ReadSession(result)
	r.goTo(mode)
	options(r, result, fact)
}

// options takes the configOptions in value, which is a result or an update. It
// notes what asks nobody when that is not what it was, and nothing else was
// noted: the mode may be one of the options.
func options(r *record, value []byte, fact *Fact) {
	raw := member(value, "configOptions")
	if raw == nil {
		return
	}
	var found []string
	for _, o := range elements(raw) {
		current := member(o, "currentValue")
		if optionBypasses(o, current) && len(found) < maxBypass {
			found = append(found, quote(word(first(o, "id", "configId")))+" is "+shown(current))
		}
	}
	now := strings.Join(found, ", ")
	if now != "" && fact.Notes == nil && (r == nil || r.options != now) {
		fact.Notes = append(fact.Notes, "option "+now+"; "+blind)
	}
	if r != nil {
		r.options = now
	}
}

// shown is an option's value for people.
func shown(value []byte) string {
	if string(value) == "true" {
		return "on"
	}
	return quote(word(value))
}

// optionBypasses says whether config option o with the value current asks
// nobody: a switch by its own name, a choice by that of the value.
func optionBypasses(o, current []byte) bool {
	id := word(first(o, "id", "configId"))
	if string(current) == "true" {
		return bypasses(id, word(member(o, "name")))
	}
	value := word(current)
	return value != "" && (bypasses(value, choice(elements(member(o, "options")), value)) || never(id, value))
}

// choice is the name of the value, among choices that may be in groups.
func choice(choices [][]byte, value string) string {
	for _, c := range choices {
		if group := elements(member(c, "options")); group != nil {
			if name := choice(group, value); name != "" {
				return name
			}
			continue
		}
		if word(member(c, "value")) == value {
			return word(member(c, "name"))
		}
	}
	return ""
}
