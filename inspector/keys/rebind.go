package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Rebind gives action another key in a place, or none when keys is empty; several are
// separated by blanks. An error says what can be written there.
func (t Table) Rebind(in Place, do Action, names string) error {
	i := slices.IndexFunc(t, func(b Binding) bool { return b.In == in && b.Do == do })
	if i < 0 {
		return fmt.Errorf("there is no key for %q in %q", do, in)
	}
	var keys []Key
	for _, name := range strings.Fields(names) {
		key, ok := parse(name)
		if !ok {
			return fmt.Errorf("%q is no key; write a character, or Enter, Esc, Tab, Space, Up, PgDn, F1, Ctrl-A, …", name)
		}
		for j, b := range t {
			if j != i && b.In == in && slices.Contains(b.Keys, key) {
				return fmt.Errorf("%q does %q in %q already", name, b.Do, in)
			}
		}
		if in == Card && !mayBeOf(key) {
			return fmt.Errorf("%q does nothing on a permission card, so that nobody answers with it by mistake", name)
		}
		keys = append(keys, key)
	}
	t[i].Keys = keys
	return nil
}

// inert are keys that people press out of habit when they mean yes or no.
const inert = "ynaAr"

// mayBeOf says whether a card may give a key a meaning: digits are the agent's
// options.
func mayBeOf(key Key) bool {
	return !(len(key) == 1 && (key[0] >= '0' && key[0] <= '9' || strings.Contains(inert, string(key)))) && key != "Enter" && key != "Esc"
}

var names = []Key{"Enter", "Esc", "Tab", "Shift-Tab", "Space", "Up", "Down", "Left", "Right",
	"Home", "End", "PgUp", "PgDn", "Backspace", "Delete", "Insert"}

func parse(name string) (Key, bool) {
	if r, n := utf8.DecodeRuneInString(name); n == len(name) && unicode.IsPrint(r) && r != utf8.RuneError {
		return Key(name), true
	}
	for _, k := range names {
		if strings.EqualFold(string(k), name) {
			return k, true
		}
	}
	upper := strings.ToUpper(name)
	if rest, ok := strings.CutPrefix(upper, "CTRL-"); ok && len(rest) == 1 && 'A' <= rest[0] && rest[0] <= 'Z' {
		return Key("Ctrl-" + rest), true
	}
	if rest, ok := strings.CutPrefix(upper, "F"); ok && slices.Contains(strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12"), rest) {
		return Key(upper), true
	}
	return "", false
}
