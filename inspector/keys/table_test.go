package keys

import (
	"slices"
	"testing"
)

var allPlaces = []Place{List, Sessions, Timeline, Wire, Info, Detail, Card, Gone, Empty, Everywhere}

func TestNoKeyTwiceInAPlace(t *testing.T) {
	for _, in := range allPlaces {
		seen := map[Key]Action{}
		for _, b := range Default() {
			if b.In != in {
				continue
			}
			for _, k := range b.Keys {
				if other, ok := seen[k]; ok {
					t.Errorf("%s: %q does %q and %q", in, k, other, b.Do)
				}
				seen[k] = b.Do
			}
		}
	}
}

func TestNoActionTwiceInAPlace(t *testing.T) {
	seen := map[[2]string]bool{}
	for _, b := range Default() {
		name := [2]string{string(b.In), string(b.Do)}
		if seen[name] {
			t.Errorf("%s: %q has two rows, so a config file could not list it", b.In, b.Do)
		}
		seen[name] = true
	}
}

func TestEveryBindingHasAHelp(t *testing.T) {
	for _, b := range Default() {
		if b.Help == "" || len(b.Keys) == 0 {
			t.Errorf("%+v", b)
		}
		for _, k := range b.Keys {
			if got, ok := parse(string(k)); !ok || got != k {
				t.Errorf("%q cannot be written in a config file", k)
			}
		}
	}
}

func TestNothingOfHabitAnswersACard(t *testing.T) {
	for _, key := range []Key{"y", "n", "a", "A", "r", "1", "2", "9", "0"} {
		if do, ok := Default().Find(Card, key); ok {
			t.Errorf("%q does %q on a card", key, do)
		}
	}
	if do, _ := Default().Find(Card, "Enter"); do != Open {
		t.Errorf("Enter does %q on a card", do)
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		in   Place
		key  Key
		want Action
	}{
		{Wire, "j", Down},
		{Wire, "x", NotThis},
		{Card, "x", Reject},
		{Card, "]", NextCard},
		{Timeline, "]", NextTab},
		{Timeline, "p", Pending},
		{Empty, "j", SnippetPrefix + "jetbrains"},
		{Empty, "k", ""},
		{Empty, "Down", Down},
		{Empty, "PgDn", PageDown},
		{Empty, "Space", PageDown},
		{Empty, "PgUp", PageUp},
		{Empty, "Home", Top},
		{Empty, "End", Bottom},
		{Sessions, "Ctrl-C", Quit},
		{Wire, "Ctrl-X", ""},
	} {
		if got, _ := Default().Find(c.in, c.key); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.key, c.in, got, c.want)
		}
	}
}

// The help of a place says of each key what that key does there.
func TestLinesAreTrue(t *testing.T) {
	for _, in := range allPlaces {
		for _, b := range Default().Lines(in) {
			for _, k := range b.Keys {
				if got, _ := Default().Find(in, k); got != b.Do {
					t.Errorf("%s: %q is told to do %q, and does %q", in, k, b.Do, got)
				}
				if in == Card && slices.Contains([]Key{"Up", "Down", "Enter"}, k) {
					t.Errorf("on a card %q is told to do %q, and the card takes it", k, b.Do)
				}
			}
		}
	}
	lines := Default().Lines(Card)
	if !slices.ContainsFunc(lines, func(b Binding) bool { return b.Do == Down && slices.Equal(b.Keys, []Key{"j"}) }) {
		t.Error("that j scrolls a card is not told")
	}
}

func TestHints(t *testing.T) {
	got := Default().Hints(Card, []Action{Reject, NextCard, NextTab, Help, Down})
	want := []Hint{{"x", "reject"}, {"]", "other card"}, {"?", "help"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRebind(t *testing.T) {
	table := Default()
	if err := table.Rebind(Card, Reject, "X f2 ctrl-x"); err != nil {
		t.Fatal(err)
	}
	for _, key := range []Key{"X", "F2", "Ctrl-X"} {
		if got, _ := table.Find(Card, key); got != Reject {
			t.Errorf("%s does %q", key, got)
		}
	}
	if got, ok := table.Find(Card, "x"); ok {
		t.Errorf("x still does %q", got)
	}
	if got, _ := Default().Find(Card, "x"); got != Reject {
		t.Errorf("the default was changed: x does %q", got)
	}
	for name, c := range map[string]struct {
		in   Place
		do   Action
		keys string
	}{
		"no such action":     {Card, "accept", "x"},
		"of another place":   {Card, Pair, "x"},
		"no key":             {Card, Reject, "Hyper-X"},
		"used":               {Card, Reject, "]"},
		"a digit":            {Card, Reject, "1"},
		"a habit":            {Card, Reject, "n"},
		"Enter, of the card": {Card, Reject, "Enter"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Default().Rebind(c.in, c.do, c.keys); err == nil {
				t.Error("no error")
			}
		})
	}
}
