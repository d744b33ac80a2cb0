package check

import (
	"slices"

	"bobproxy/acp"
)

// twice is what is wrong with something that is in a list twice: version 2 forbids
// it, and version 1 calls the ids unique.
func (c *Checker) twice(rule, text string) {
	severity := Warning
	if c.v2() {
		severity = Error
	}
	c.say(rule, severity, text)
}

// learnModes remembers the modes there are, and judges them.
func (c *Checker) learnModes(t *talk, result []byte) {
	modes := memberOf(result, "modes")
	if len(modes) == 0 || modes[0] != '{' || c.now.frame.Cut {
		return
	}
	t.modes = ids(memberOf(modes, "availableModes"), "id")
	if name, ok := repeated(t.modes); ok {
		c.twice("mode/same-id", "two modes have the id "+quoted(name))
	}
	c.mode(t, memberOf(modes, "currentModeId"))
}

// repeated is the first word that is in a list twice, and that can be read.
func repeated(words []string) (word string, ok bool) {
	seen := make(map[string]bool, len(words))
	for _, w := range words {
		if seen[w] && !hidden(w) {
			return w, true
		}
		seen[w] = true
	}
	return "", false
}

// learnOptions remembers the config options there are, and judges them.
func (c *Checker) learnOptions(t *talk, value []byte) {
	list := memberOf(value, "configOptions")
	if len(list) == 0 || list[0] != '[' || c.now.frame.Cut {
		return
	}
	t.options = map[string]option{}
	for entry := range acp.Elements(list) {
		name, ok := acp.Unquote(memberOf(entry, "configId"))
		if !ok {
			name, ok = acp.Unquote(memberOf(entry, "id"))
		}
		if !ok || len(t.options) >= maxChoice {
			t.options = nil
			return
		}
		if _, known := t.options[clip(name)]; known && !hidden(name) {
			c.twice("config/same-id", "two config options have the id "+quoted(name))
		}
		o := option{optionValues(memberOf(entry, "options"))}
		t.options[clip(name)] = o
		c.current(name, o, entry)
	}
}

// current judges the values of a select, and the one that it has.
func (c *Checker) current(name string, o option, entry []byte) {
	if kind, _ := acp.Unquote(memberOf(entry, "type")); kind != "select" {
		return
	}
	if value, ok := repeated(o.values); ok {
		c.twice("config/same-value", "the config option "+quoted(name)+" has the value "+quoted(value)+" twice")
	}
	value, ok := acp.Unquote(memberOf(entry, "currentValue"))
	if ok && len(o.values) > 0 && !hidden(value) && !slices.ContainsFunc(o.values, func(v string) bool { return v == clip(value) || hidden(v) }) {
		c.twice("config/value", "the config option "+quoted(name)+" is at "+quoted(value)+", which is none of its values")
	}
}

// optionValues are the values of a select, its groups flattened.
func optionValues(list []byte) (values []string) {
	for entry := range acp.Elements(list) {
		if group := memberOf(entry, "options"); group != nil {
			values = append(values, ids(group, "value")...)
		} else if v, ok := acp.Unquote(memberOf(entry, "value")); ok {
			values = append(values, clip(v))
		}
		if len(values) > maxChoice {
			return nil
		}
	}
	return values
}

// ids are those of the entries of a list; nil when there are too many to know.
func ids(list []byte, name string) (all []string) {
	for entry := range acp.Elements(list) {
		if s, ok := acp.Unquote(memberOf(entry, name)); ok {
			all = append(all, clip(s))
		}
		if len(all) > maxChoice {
			return nil
		}
	}
	return all
}

// commands judges the commands that are available.
func (c *Checker) commands(u []byte) {
	list := memberOf(u, "availableCommands")
	if list == nil {
		list = memberOf(u, "commands")
	}
	if name, ok := repeated(ids(list, "name")); ok {
		c.twice("command/same-name", "two commands have the name "+quoted(name))
	}
}
