package panel

import (
	"slices"
	"strings"
	"unicode/utf8"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
)

// prompt is a line that is being typed: a command behind ':', or behind '/' a
// filter or a text to find.
type prompt struct {
	sign    rune
	text    []rune
	cursor  int
	history []string // what was typed before, oldest first
	at      int      // the place in it; len: none
	draft   string   // what was being typed when the history was gone into
	wrong   string   // what is wrong with the text; empty: nothing
	wrongAt int      // in cells from the start of the text
	offers  []offer  // of completion
	chosen  int      // of offers, -1: none
	stem    []rune   // the text that the offers are for
}

// offer is one way to go on.
type offer struct {
	text string // the whole line with it
	word string
	note string
}

func newPrompt(sign rune, text string, h History) *prompt {
	past := h.Of(sign)
	return &prompt{sign: sign, text: []rune(text), cursor: utf8.RuneCountInString(text), history: past, at: len(past), chosen: -1}
}

// maxTyped is how many characters a prompt takes.
const maxTyped = 4096

func (q *prompt) String() string { return string(q.text) }

// set replaces the text.
func (q *prompt) set(text string) {
	q.text = []rune(text)
	q.cursor = len(q.text)
}

// insert puts text in at the cursor; line breaks become blanks.
func (q *prompt) insert(text string) {
	add := []rune(strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text))
	add = add[:min(len(add), max(maxTyped-len(q.text), 0))]
	q.text = slices.Insert(q.text, q.cursor, add...)
	q.cursor += len(add)
	q.chosen, q.offers = -1, nil
}

// edit does what a key does to a line, and says whether it does anything.
func (q *prompt) edit(key keys.Key) bool {
	switch key {
	case "Left", "Ctrl-B":
		q.cursor = max(q.cursor-1, 0)
	case "Right", "Ctrl-F":
		q.cursor = min(q.cursor+1, len(q.text))
	case "Home", "Ctrl-A":
		q.cursor = 0
	case "End", "Ctrl-E":
		q.cursor = len(q.text)
	case "Backspace", "Ctrl-H":
		if q.cursor > 0 {
			q.remove(q.cursor-1, q.cursor)
		}
	case "Delete", "Ctrl-D":
		q.remove(q.cursor, min(q.cursor+1, len(q.text)))
	case "Ctrl-U":
		q.remove(0, q.cursor)
	case "Ctrl-K":
		q.remove(q.cursor, len(q.text))
	case "Ctrl-W":
		q.remove(q.wordStart(), q.cursor)
	case "Up", "Ctrl-P":
		q.recall(-1)
	case "Down", "Ctrl-N":
		q.recall(1)
	case "Space":
		q.insert(" ")
	default:
		if utf8.RuneCountInString(string(key)) != 1 {
			return false
		}
		q.insert(string(key))
	}
	return true
}

func (q *prompt) remove(from, to int) {
	q.text = slices.Delete(q.text, from, to)
	q.cursor = from
	q.chosen, q.offers = -1, nil
}

func (q *prompt) wordStart() int {
	i := q.cursor
	for i > 0 && q.text[i-1] == ' ' {
		i--
	}
	for i > 0 && q.text[i-1] != ' ' {
		i--
	}
	return i
}

// recall goes through the history, and at its end back to what was being typed.
func (q *prompt) recall(by int) {
	at := q.at + by
	if at < 0 || at > len(q.history) {
		return
	}
	if q.at == len(q.history) {
		q.draft = q.String()
	}
	q.at, q.chosen, q.offers = at, -1, nil
	if at == len(q.history) {
		q.set(q.draft)
		return
	}
	q.set(q.history[at])
}

// complete goes through what the line could become. Where nothing is typed yet
// to go on from, it shows what there is first; the only way is taken at once, and
// what can follow is shown.
func (q *prompt) complete(backwards bool, offers func(text string, cursor int) []offer) {
	if q.offers == nil {
		q.look(offers)
		switch {
		case len(q.offers) == 1:
			q.set(q.offers[0].text)
			if q.look(offers); q.begun() {
				q.offers = nil
			}
			return
		case !q.begun():
			return
		}
	}
	n := len(q.offers)
	if n == 0 {
		return
	}
	step := 1
	if backwards {
		step = n - 1
		if q.chosen < 0 {
			q.chosen = 0
		}
	}
	q.chosen = (q.chosen + step) % n
	q.set(q.offers[q.chosen].text)
}

// look asks for what the line could become.
func (q *prompt) look(offers func(text string, cursor int) []offer) {
	q.stem, q.chosen = slices.Clone(q.text), -1
	q.offers = offers(string(q.text), len(string(q.text[:q.cursor])))
}

// begun says that some of a word stands before the cursor.
func (q *prompt) begun() bool {
	return q.cursor > 0 && !strings.ContainsRune(" :.,(", q.text[q.cursor-1])
}

// accept takes an offer after which more has to follow, and shows what can; it
// is false where none such is chosen.
func (q *prompt) accept(offers func(text string, cursor int) []offer) bool {
	if q.chosen < 0 || q.begun() || len(q.text) == 0 || q.text[len(q.text)-1] == ' ' {
		return false
	}
	q.look(offers)
	return true
}

// draw paints the line, and above it what is wrong or what it could become.
func (q *prompt) draw(above, row paint.Area) {
	x := row.Put(1, 0, paint.Style{Role: paint.Key}, string(q.sign))
	start := 0
	room := max(row.W-x-2, 1)
	for paint.Width(string(q.text[start:q.cursor])) >= room {
		start++
	}
	role := paint.Plain
	if q.wrong != "" {
		role = paint.Bad
	}
	row.Put(x, 0, paint.Style{Role: role}, string(q.text[start:]))
	at := x + paint.Width(string(q.text[start:q.cursor]))
	under := " "
	if q.cursor < len(q.text) {
		under = string(q.text[q.cursor])
	}
	row.Put(at, 0, paint.Style{Role: role, Selected: true}, under)
	switch {
	case q.wrong != "":
		above.Line(0, 0, paint.L(paint.Border, strings.Repeat("─", above.W)))
		mark := min(max(x+q.wrongAt, 1), max(above.W-paint.Width(q.wrong)-4, 1))
		above.Line(mark, 0, paint.L(paint.Bad, "^ "+q.wrong+" "))
	case len(q.offers) > 0:
		above.Line(1, 0, q.offerLine(above.W-2))
	}
}

// offerLine is the offers from the chosen one on, each with what it is.
func (q *prompt) offerLine(width int) paint.Line {
	line := paint.L(paint.Plain, " ")
	from := max(q.chosen, 0)
	for i, o := range q.offers[from:] {
		if i > 0 {
			line = append(line, paint.S(paint.Border, "  │  "))
		}
		line = append(line, paint.Span{Text: o.word, Style: paint.Style{Role: paint.Key, Selected: from+i == q.chosen}})
		if o.note != "" {
			line = append(line, paint.S(paint.Dim, "  "+o.note))
		}
		if line.Width() > width {
			return line.Cut(width)
		}
	}
	return append(line, paint.S(paint.Plain, " "))
}
