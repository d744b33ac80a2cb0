package paint

import (
	"fmt"
	"maps"
)

// Looks are what some roles look like instead of as the theme has it.
type Looks map[Role]Look

// Over is the theme with these looks in it; the theme itself is left as it is.
// Letters in the colour of the theme's own background keep the theme's look, and
// so do, where two roles that must not be taken for each other would look alike,
// both. A theme without colours takes the attributes alone: what is behind
// letters becomes reverse, and a look of nothing but letters in a colour is left
// out.
func (l Looks) Over(t *Theme) *Theme {
	if len(l) == 0 {
		return t
	}
	changed := l.seenOn(t)
	for {
		over := changed.laid(t)
		alike, found := over.alike()
		if !found || len(changed) == 0 {
			return over
		}
		delete(changed, alike.a)
		delete(changed, alike.b)
	}
}

// Check says which two roles these looks would make alike, in a theme with
// colours, that must not be taken for each other; nil: none.
func (l Looks) Check() *Alike {
	for _, t := range []*Theme{&dark, &light} {
		if alike, found := l.seenOn(t).laid(t).alike(); found {
			alike.theme = t.Name
			return &alike
		}
	}
	return nil
}

func (l Looks) laid(t *Theme) *Theme {
	over := *t
	for role, look := range l {
		over.Looks[role] = look
	}
	return &over
}

// seenOn is as much of it as can be seen in a theme.
func (l Looks) seenOn(t *Theme) Looks {
	seen := maps.Clone(l)
	for role, look := range l {
		switch {
		case t.Name == mono.Name:
			colours := look.FG != Default || look.BG != Default
			if seen[role] = look.colourless(); colours && seen[role] == (Look{}) {
				delete(seen, role)
			}
		case look.BG == Default && t.hides(look.FG):
			delete(seen, role)
		}
	}
	return seen
}

// colourless is a look by its attributes alone.
func (l Look) colourless() Look {
	return Look{Bold: l.Bold, Dim: l.Dim, Under: l.Under, Reverse: l.Reverse || l.BG != Default}
}

// hides says whether letters in a colour are lost on the background that the
// theme is made for.
func (t *Theme) hides(c Color) bool {
	if t.Light {
		return c.hue() == White
	}
	return c == Black
}

// Alike is two roles that look like one another.
type Alike struct {
	a, b     Role
	selected bool
	theme    string
}

// Roles are the two.
func (a *Alike) Roles() [2]Role { return [2]Role{a.a, a.b} }

func (a *Alike) Error() string {
	where, more := "in the theme "+a.theme, ""
	if a.selected {
		where, more = "in a selected row, where colours of letters are not shown,", "; make it bold or underline as well"
	}
	names := RoleNames()
	return fmt.Sprintf("%s %s would look like %s, and must not be taken for it%s", where, names[a.b], names[a.a], more)
}

// apart are roles of which the second must not be taken for the first: it
// warns, or is the other of two opposites.
var apart = [...][2]Role{
	{Plain, Bad}, {Plain, Warn}, {Plain, Danger}, {Plain, Odd}, {Plain, Letter}, {Plain, Tag}, {Plain, Alert},
	{Dim, Bad}, {Dim, Warn}, {Dim, Danger}, {Dim, Odd}, {Dim, Letter}, {Dim, Tag}, {Dim, Alert},
	{Good, Bad}, {Good, Warn}, {Good, Danger}, {Warn, Danger}, {Bad, Odd}, {Odd, Letter}, {Bar, Alert},
	{Added, Removed}, {Added, AddedWord}, {Removed, RemovedWord},
}

// apartSelected are those that must not be taken for plain text in a selected
// row either.
var apartSelected = [...]Role{Danger, Odd, Letter, Tag}

// alike finds roles that must not look alike and do.
func (t *Theme) alike() (Alike, bool) {
	for _, pair := range apart {
		if t.Look(Style{Role: pair[0]}) == t.Look(Style{Role: pair[1]}) {
			return Alike{a: pair[0], b: pair[1]}, true
		}
	}
	for _, role := range apartSelected {
		if t.Look(Style{Selected: true}) == t.Look(Style{Role: role, Selected: true}) {
			return Alike{a: Plain, b: role, selected: true}, true
		}
	}
	return Alike{}, false
}
