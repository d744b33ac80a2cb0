package paint

import (
	"strconv"
	"strings"
)

// ANSI is row y of a grid as text for a terminal, without the blanks at the
// right: a look is switched on before and off behind what has it. Without a
// theme it is text alone.
func ANSI(g *Grid, y int, t *Theme) string {
	if t == nil {
		return strings.TrimRight(rowText(g, y, " "), " ")
	}
	var b strings.Builder
	var now Look
	for x, end := 0, seen(g, y, t); x < end; x++ {
		c := g.At(x, y)
		if look := t.Look(c.Style); look != now {
			b.WriteString(turn(now, look))
			now = look
		}
		if c.Text == "" {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(c.Text)
		if c.Wide {
			x++
		}
	}
	b.WriteString(turn(now, Look{}))
	return b.String()
}

// seen is the column behind the last cell of a row in which there is something
// to be seen.
func seen(g *Grid, y int, t *Theme) int {
	for x := g.W; x > 0; x-- {
		c := g.At(x-1, y)
		look := t.Look(c.Style)
		if c.Text != "" && c.Text != " " || look.BG != Default || look.Reverse || look.Under || x > 1 && g.At(x-2, y).Wide {
			return x
		}
	}
	return 0
}

// turn is what a terminal is told between two looks.
func turn(from, to Look) string {
	if from == to {
		return ""
	}
	var codes []string
	if from != (Look{}) {
		codes = append(codes, "0")
	}
	for _, on := range []struct {
		is   bool
		code string
	}{{to.Bold, "1"}, {to.Dim, "2"}, {to.Under, "4"}, {to.Reverse, "7"}} {
		if on.is {
			codes = append(codes, on.code)
		}
	}
	codes = append(append(codes, colourCode(to.FG, 30)...), colourCode(to.BG, 40)...)
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

func colourCode(c Color, base int) []string {
	switch n := c.ANSI(); {
	case n < 0:
		return nil
	case n < 8:
		return []string{strconv.Itoa(base + n)}
	default:
		return []string{strconv.Itoa(base + 60 + n - 8)}
	}
}
