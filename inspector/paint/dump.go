package paint

import "strings"

// Text is the text of a grid, one line a row, without the blanks at the right.
func Text(g *Grid) string {
	var b strings.Builder
	for y := range g.H {
		b.WriteString(strings.TrimRight(rowText(g, y, " "), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// rowText is the text of row y, with blank for cells without any.
func rowText(g *Grid, y int, blank string) string {
	var b strings.Builder
	for x := 0; x < g.W; x++ {
		c := g.At(x, y)
		if c.Text == "" {
			b.WriteString(blank)
			continue
		}
		b.WriteString(c.Text)
		if c.Wide {
			x++
		}
	}
	return b.String()
}

// Styles is the styles of a grid, one letter a cell, and below what the letters
// stand for, in the order in which they come. A plain blank has none. A role has
// the same letter in every dump, a capital when it is selected; what is made
// bold or underlined has a digit.
func Styles(g *Grid) string {
	var b strings.Builder
	d := dump{letters: map[Style]byte{}}
	for y := range g.H {
		b.WriteString(strings.TrimRight(d.row(g, y), " "))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	for _, s := range d.order {
		b.WriteString(string(d.letters[s]) + "  " + s.String() + "\n")
	}
	return b.String()
}

// dump gives letters to styles.
type dump struct {
	letters map[Style]byte
	order   []Style
	digits  int
}

func (d *dump) row(g *Grid, y int) string {
	row := make([]byte, g.W)
	for x := range row {
		c := g.At(x, y)
		row[x] = ' '
		half := x > 0 && g.At(x-1, y).Wide
		if half || c.Style != (Style{}) || strings.TrimSpace(c.Text) != "" {
			row[x] = d.letter(c.Style)
		}
	}
	return string(row)
}

func (d *dump) letter(s Style) byte {
	if l, ok := d.letters[s]; ok {
		return l
	}
	var l byte
	switch {
	case s == Style{Role: s.Role}:
		l = roles[s.Role].letter
	case s == Style{Role: s.Role, Selected: true}:
		l = roles[s.Role].selected
	default:
		l = digits[d.digits%len(digits)]
		d.digits++
	}
	d.letters[s] = l
	d.order = append(d.order, s)
	return l
}

const digits = "0123456789!@$%&*+/?~"

// String is the name of a style: its role and what is put on top of it.
func (s Style) String() string {
	name := s.Role.String()
	if s.Bold {
		name += " bold"
	}
	if s.Under {
		name += " under"
	}
	if s.Selected {
		name += " selected"
	}
	return name
}

// String is the name of a role.
func (r Role) String() string {
	if r >= Roles {
		return "no role"
	}
	return roles[r].name
}

var roles = [Roles]struct {
	name             string
	letter, selected byte
}{
	Plain:       {"plain", '.', '#'},
	Dim:         {"dim", 'd', 'D'},
	Strong:      {"strong", 's', 'S'},
	Heading:     {"heading", 'h', 'H'},
	Good:        {"good", 'g', 'G'},
	Bad:         {"bad", 'b', 'B'},
	Warn:        {"warn", 'w', 'W'},
	Danger:      {"danger", 'x', 'X'},
	Key:         {"key", 'k', 'K'},
	You:         {"you", 'y', 'Y'},
	Agent:       {"agent", 'a', 'A'},
	Added:       {"added", 'p', 'P'},
	Removed:     {"removed", 'm', 'M'},
	AddedWord:   {"added word", 'q', 'Q'},
	RemovedWord: {"removed word", 'n', 'N'},
	Odd:         {"odd", 'o', 'O'},
	Letter:      {"letter", 'l', 'L'},
	Tag:         {"tag", 't', 'T'},
	Alert:       {"alert", 'r', 'R'},
	Bar:         {"bar", 'c', 'C'},
	Border:      {"border", '-', '='},
	Out:         {"out", '>', ')'},
	In:          {"in", '<', '('},
}
