package panel

import (
	"strings"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// help is the page of keys for a place, made from the table.
type help struct {
	keys keys.Table
	of   keys.Place
	top  int
	rows int // of the last drawing
	all  int
}

func (h *help) show(of keys.Place) { h.of, h.top = of, 0 }

// Place is that of lists: it is only scrolled.
func (h *help) Place() keys.Place { return keys.List }

func (h *help) Draw(a paint.Area, _ pane.Context) {
	lines := h.lines(a.W - 2)
	h.rows, h.all = a.H, len(lines)
	h.top = max(min(h.top, h.all-h.rows), 0)
	for y := range min(a.H, len(lines)-h.top) {
		a.In(1, 1).Line(0, y, lines[h.top+y])
	}
}

func (h *help) lines(width int) []paint.Line {
	const column = 18
	var lines []paint.Line
	place := keys.Place("")
	for _, b := range h.keys.Lines(h.of) {
		if b.In != place {
			if place != "" {
				lines = append(lines, nil)
			}
			place = b.In
			lines = append(lines, paint.L(paint.Heading, headings[place]))
		}
		names := make([]string, len(b.Keys))
		for i, k := range b.Keys {
			names[i] = string(k)
		}
		text := strings.Join(names, " ")
		pad := strings.Repeat(" ", max(column-paint.Width(text), 1))
		for i, line := range paint.L(paint.Plain, b.Help).Wrap(max(width-column-2, 10)) {
			if i > 0 {
				text, pad = "", strings.Repeat(" ", column)
			}
			lines = append(lines, paint.Line{paint.S(paint.Plain, "  "), paint.S(paint.Key, text), paint.S(paint.Plain, pad)}.With(line))
		}
	}
	if h.of == keys.Card {
		lines = append(lines, nil)
		for _, line := range paint.L(paint.Plain, cardHelp).Wrap(width) {
			lines = append(lines, line)
		}
	}
	lines = append(lines, nil, paint.L(paint.Heading, "FILTERS"))
	for _, text := range filterHelp {
		lines = append(lines, paint.Line{paint.S(paint.Plain, "  "), paint.S(paint.Key, text[0])}.With(paint.L(paint.Plain, strings.Repeat(" ", max(32-paint.Width(text[0]), 2))+text[1])).Cut(width))
	}
	return lines
}

var headings = map[keys.Place]string{
	keys.Sessions: "SESSIONS", keys.Timeline: "TIMELINE", keys.Wire: "WIRE", keys.Info: "INFO", keys.Detail: "DETAIL",
	keys.Card: "PERMISSION", keys.Gone: "A PROXY THAT HAS ENDED", keys.Empty: "NO PROXIES", keys.List: "MOVING", keys.Everywhere: "EVERYWHERE",
}

const cardHelp = "A digit answers with the agent's option of that number, once all that is asked for has been on the screen and no key was pressed for a moment. Options that allow more than this once ask back. Enter, Esc, q, pasted text and the mouse never answer."

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
