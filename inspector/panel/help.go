package panel

import (
	"fmt"
	"strings"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// help is the page of keys for a place, made from the table, or a page of the
// panel's own.
type help struct {
	keys  keys.Table
	of    keys.Place
	title string
	page  func() manual // instead of the keys; nil: those
	top   int
	rows  int // of the last drawing
	all   int
}

func (h *help) show(of keys.Place) {
	h.of, h.title, h.page, h.top = of, "HELP  "+strings.ToLower(headings[of]), nil, 0
}

func (h *help) showPage(title string, page func() manual) { h.title, h.page, h.top = title, page, 0 }

// Place is that of lists: it is only scrolled.
func (h *help) Place() keys.Place { return keys.List }

// twoColumns is from which width on the help stands in two columns.
const twoColumns = 96

func (h *help) Draw(a paint.Area, _ pane.Context) {
	left := a.In(1, 1)
	if h.page != nil {
		h.drawColumn(left, h.page())
		return
	}
	own, rest := h.parts()
	if a.W < twoColumns {
		h.drawColumn(left, own, rest)
		return
	}
	left = left.Sub(0, 0, left.W*3/8, a.H)
	right := a.In(1+left.W+2, 1)
	first, second := own.lines(left.W), rest.lines(right.W)
	h.scrolled(a.H, max(len(first), len(second)))
	drawLines(left, first[min(h.top, len(first)):])
	drawLines(right, second[min(h.top, len(second)):])
}

// drawColumn paints parts below each other.
func (h *help) drawColumn(a paint.Area, parts ...manual) {
	a.W = min(a.W, 100)
	var lines []paint.Line
	for i, m := range parts {
		if i > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, m.lines(a.W)...)
	}
	h.scrolled(a.H, len(lines))
	drawLines(a, lines[h.top:])
}

// scrolled takes how much there is, and how much of it is on the screen.
func (h *help) scrolled(rows, all int) {
	h.rows, h.all = rows, all
	h.top = max(min(h.top, h.all-h.rows), 0)
}

func drawLines(a paint.Area, lines []paint.Line) {
	for y, line := range lines[:min(len(lines), max(a.H, 0))] {
		a.Line(0, y, line)
	}
}

// Head implements [pane.Headed].
func (h *help) Head(pane.Context) pane.Head {
	if h.all <= h.rows {
		return pane.Head{}
	}
	return pane.Head{Right: paint.L(paint.Dim, fmt.Sprintf("%d-%d of %d", h.top+1, min(h.top+h.rows, h.all), h.all))}
}

// manual is a part of the help: headings, keys or examples and what they do, and
// paragraphs.
type manual []paragraph

type paragraph struct {
	heading string // alone, with a blank row above
	key     string
	column  int // where text begins
	text    string
}

// parts are what belongs to the place, and what does not.
func (h *help) parts() (own, rest manual) {
	place := keys.Place("")
	part := &own
	for _, b := range h.keys.Lines(h.of) {
		if b.In == keys.Everywhere {
			part = &rest
		}
		if b.In != place {
			place = b.In
			*part = append(*part, paragraph{heading: headings[place]})
		}
		names := make([]string, len(b.Keys))
		for i, k := range b.Keys {
			names[i] = string(k)
		}
		*part = append(*part, paragraph{key: strings.Join(names, " "), column: 14, text: b.Help})
	}
	switch h.of {
	case keys.Card:
		own = append(howToAnswer(), own...)
	case keys.Sessions:
		own = append(own, paragraph{heading: "THE LIST"}, paragraph{text: listHelp})
	}
	rest = append(rest, paragraph{heading: "COMMANDS"})
	for _, text := range commandHelp {
		rest = append(rest, paragraph{key: text[0], column: 16, text: text[1]})
	}
	rest = append(rest, paragraph{heading: "FILTERS"})
	for _, text := range filterHelp {
		rest = append(rest, paragraph{key: text[0], column: 28, text: text[1]})
	}
	return own, rest
}

// howToAnswer is what of the help of a card no table has.
func howToAnswer() (m manual) {
	m = append(m, paragraph{heading: "ANSWERING"})
	for _, text := range answerHelp {
		m = append(m, paragraph{key: text[0], column: 14, text: text[1]})
	}
	return append(m, paragraph{text: cardHelp})
}

func (m manual) lines(width int) (lines []paint.Line) {
	for i, p := range m {
		if p.heading != "" {
			if i > 0 {
				lines = append(lines, nil)
			}
			lines = append(lines, paint.L(paint.Heading, p.heading))
			continue
		}
		lines = append(lines, p.lines(width)...)
	}
	return lines
}

func (p paragraph) lines(width int) (lines []paint.Line) {
	key, pad := p.key, strings.Repeat(" ", max(p.column-paint.Width(p.key), min(p.column, 1)))
	for _, line := range paint.L(paint.Plain, p.text).Wrap(max(width-p.column-2, 10)) {
		lines = append(lines, paint.Line{paint.S(paint.Plain, "  "), paint.S(paint.Key, key), paint.S(paint.Plain, pad)}.With(line))
		key, pad = "", strings.Repeat(" ", p.column)
	}
	return lines
}

var headings = map[keys.Place]string{
	keys.Sessions: "SESSIONS", keys.Timeline: "TIMELINE", keys.Wire: "WIRE", keys.Info: "INFO", keys.Detail: "DETAIL",
	keys.Card: "PERMISSION", keys.Gone: "A PROXY THAT HAS ENDED", keys.Empty: "NO PROXIES", keys.List: "MOVING", keys.Everywhere: "EVERYWHERE",
}

// answerHelp are the keys that a card takes itself.
var answerHelp = [...][2]string{
	{"1-9", "answer with the agent's option of that number"},
	{"Down Up", "select an option, also one beyond 9; this answers nothing"},
	{"Enter", "answer with the option that you have selected, if any"},
}

const cardHelp = "What allows is taken from a digit or from Enter only once all that is asked for has been on the screen and no key was pressed for a moment; options that allow more than this once ask back. Esc, q, y, n, pasted text and the mouse never answer."

const listHelp = "Who waits for an answer stands first, the longest on top; then who is in a turn, idle, or ended, the newest first in each. The age counts from what decides the place: the request that waits, the prompt in a turn, else what happened last; oldest first, the start of the session. Nothing moves for some seconds after a key."

// commandHelp is about what is typed behind the colon, and what the config file can
// do as well.
var commandHelp = [...][2]string{
	{": Tab", "the commands"},
	{":set", "the settings in force, and from where"},
	{":set KEY VALUE", "another value until you quit; guards only get stricter"},
	{"Up Down", "what was entered before, in earlier runs too"},
	{"[theme]", "in the config file, what things look like: warn = \"bold yellow\""},
}

// filterHelp is what the language can say, by example.
var filterHelp = [...][2]string{
	{"method:fs/* dir:in", "what the agent asks of files"},
	{"-u:message,thought", "no chatter"},
	{"kind:err or is:bad", "errors, and what is no message"},
	{"id:5", "a request and its answer"},
	{"slow>2s -m:session/prompt", "what took long"},
	{"size>24k", "large frames"},
	{"tool:execute status:failed", "commands that failed"},
	{"file:token.go", "whatever names the file"},
	{"params.toolCall.kind:delete", "by a value"},
	{"text:\"nil token\"", "words of people and agent"},
	{"is:open", "requests without an answer"},
	{"after:12:04 before:12:10", "by the clock"},
	{"/panic|fatal/i", "a regular expression"},
	{"@noise", "a filter that was saved under that name"},
	{":filter save NAME", "keep the filter; the config file keeps it for good: [filters]"},
	{"Tab", "what can stand here, and which values there are"},
}

func (h *help) Do(action keys.Action, _ pane.Context) []pane.Wish {
	switch action {
	case keys.Down:
		h.top++
	case keys.Up:
		h.top--
	case keys.PageDown:
		h.top += h.rows
	case keys.PageUp:
		h.top -= h.rows
	case keys.HalfDown:
		h.top += h.rows / 2
	case keys.HalfUp:
		h.top -= h.rows / 2
	case keys.Top:
		h.top = 0
	case keys.Bottom:
		h.top = h.all
	}
	h.top = max(min(h.top, h.all-h.rows), 0)
	return nil
}

func (h *help) Hints(pane.Context) []keys.Action { return []keys.Action{keys.Back} }
