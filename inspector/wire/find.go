package wire

import (
	"fmt"
	"strings"

	"bobproxy/inspector/pane"
)

// match is a place where the text stands that is looked for.
type match struct {
	node int
	at   int // byte of the node's text; -1: in its key
}

const (
	maxMatches = 10000
	longFind   = 256 // bytes
)

// Find looks for text in all of the frame, folded or not, and goes to the first
// place from the cursor on.
func (d *Detail) Find(text string, _ pane.Context) (found string) {
	d.find = lower(head(text))
	if len(d.find) > longFind {
		d.find = d.find[:cutAt(d.find, longFind)]
	}
	d.search()
	if d.find == "" || d.row == nil {
		return ""
	}
	if len(d.matches) == 0 {
		return "not found"
	}
	d.layout(d.width)
	d.match = 0
	if l, ok := d.line(); ok {
		for d.match < len(d.matches)-1 && before(d.matches[d.match], l) {
			d.match++
		}
	}
	return d.visit()
}

// before says that m is above the line.
func before(m match, l textLine) bool {
	return m.node < l.node || m.node == l.node && m.at < l.from && l.part > 0
}

// search finds all places.
func (d *Detail) search() {
	d.matches, d.match = nil, 0
	if d.find == "" || d.row == nil {
		return
	}
	if d.raw {
		d.collect(0, d.rawText())
		return
	}
	for i := d.first(); i < len(d.tree.nodes) && len(d.matches) < maxMatches; i++ {
		n := &d.tree.nodes[i]
		if n.named && strings.Contains(lower(n.key), d.find) {
			d.matches = append(d.matches, match{i, -1})
		}
		d.collect(i, n.text)
	}
}

func (d *Detail) collect(i int, text string) {
	text = lower(text)
	for at := 0; len(d.matches) < maxMatches; {
		k := strings.Index(text[at:], d.find)
		if k < 0 {
			return
		}
		d.matches = append(d.matches, match{i, at + k})
		at += k + len(d.find)
	}
}

// step goes to the next place, or with -1 to the one before.
func (d *Detail) step(by int) []pane.Wish {
	if len(d.matches) == 0 {
		if d.find == "" {
			return nil
		}
		return say("not found")
	}
	d.match = (d.match + by + len(d.matches)) % len(d.matches)
	return say(d.visit())
}

// visit puts the cursor at the place, and unfolds what hides it.
func (d *Detail) visit() string {
	m := d.matches[d.match]
	if !d.raw {
		for p := d.tree.nodes[m.node].parent; p >= 0; p = d.tree.nodes[p].parent {
			d.setFold(p, false)
		}
	}
	d.layout(d.width)
	d.at = min(d.lineAt(textLine{node: m.node, piece: piece{from: max(m.at, 0), to: max(m.at, 0)}}), max(len(d.lines)-1, 0))
	return fmt.Sprintf("%d of %d", d.match+1, len(d.matches))
}
