package editor

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"bobproxy/acp/clean"
	"bobproxy/lab/wire"
)

const (
	gutter       = 9        // columns of the labels
	bodyLines    = 12       // lines shown of what a tool call brought
	diffLines    = 30       // lines shown of a diff
	maxParagraph = 32 << 10 // a paragraph is printed when it grows beyond
)

// screen prints a conversation. Its methods may be called at once.
type screen struct {
	out    io.Writer
	dir    string
	width  int
	colour bool

	mu       sync.Mutex
	held     []func() // updates that came before the prompt was printed
	prompted bool
	speech   speech
	tools    map[string]*wire.ToolCall
	modes    []wire.Mode
	mode     string
	commands string
	plan     string
	title    string
	usage    *wire.Usage
}

func newScreen(o Options, dir string) *screen {
	s := &screen{out: o.out(), dir: dir, colour: o.Colour, tools: map[string]*wire.ToolCall{}}
	if o.Width > 0 {
		s.width = max(o.Width-gutter, 20)
	}
	return s
}

// paint is what the labels look like in colour.
var paint = map[string]string{
	"you": "1;36", "agent": "1;32", "thought": "2", "plan": "35", "tool": "34", "ask": "1;33", "cancel": "1;31", "end": "1",
}

// line prints lines under one label. The caller holds mu.
func (s *screen) line(label string, lines ...string) {
	s.flush()
	s.print(label, label, lines)
}

// whole is line for one that holds a path: those are not wrapped.
func (s *screen) whole(label, line string) {
	width := s.width
	s.width = 0
	s.line(label, line)
	s.width = width
}

// print begins with head in the gutter and looks like label.
func (s *screen) print(label, head string, lines []string) {
	var b strings.Builder
	for _, line := range lines {
		for _, part := range wrap(line, s.width) {
			column := fmt.Sprintf("%-*s", gutter, head)
			if s.colour && head != "" {
				column = "\x1b[" + or(paint[label], "2") + "m" + column + "\x1b[0m"
			}
			if s.colour && label == "thought" {
				part = "\x1b[2m" + part + "\x1b[0m"
			}
			b.WriteString(strings.TrimRight(column+part, " ") + "\n")
			head = ""
		}
	}
	_, _ = io.WriteString(s.out, b.String())
}

// note prints one line.
func (s *screen) note(label, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line(label, clean.Line(text))
}

func (s *screen) agent(hello wire.InitializeResult) {
	name := "an agent without a name"
	if i := hello.AgentInfo; i != nil {
		name = or(i.Title, i.Name) + " " + i.Version
	}
	s.note("with", fmt.Sprintf("%s, protocol %d", name, hello.ProtocolVersion))
}

func (s *screen) session(state wire.SessionState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole("session", clean.Line(state.SessionID+" in "+s.dir))
	if m := state.Modes; m != nil {
		s.modes = m.AvailableModes
		var names []string
		for _, mode := range s.modes {
			names = append(names, mode.Name)
		}
		s.mode = m.CurrentModeID
		s.line("mode", clean.Line(s.modeName(s.mode)+", of "+strings.Join(names, ", ")))
	}
}

// entered prints a mode that the editor itself has set.
func (s *screen) entered(mode string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.showMode(wire.CurrentMode{CurrentModeID: mode})
}

// prompt prints what a person asks, and then what the agent has sent so far:
// updates that follow session/new would else come before or after it by chance.
func (s *screen) prompt(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line("you", cleanLines(text)...)
	s.release()
}

func (s *screen) release() {
	s.prompted = true
	for _, show := range s.held {
		show()
	}
	s.held = nil
}

// end prints what belongs at the end of a turn.
func (s *screen) end(stop string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release()
	s.flush()
	if u := s.usage; u != nil {
		text := fmt.Sprintf("%s of %s tokens", thousands(u.Used), thousands(u.Size))
		if u.Cost != nil {
			text += fmt.Sprintf(", %.3f %s", u.Cost.Amount, u.Cost.Currency)
		}
		s.line("usage", clean.Line(text))
	}
	if err == nil {
		s.line("end", clean.Line(stop))
	}
}

func (s *screen) modeName(id string) string {
	for _, m := range s.modes {
		if m.ID == id {
			return m.Name
		}
	}
	return id
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
