package paint

import "strings"

// Role is what a piece of text means; a theme says what that looks like.
type Role uint8

const (
	Plain Role = iota
	Dim
	Strong
	Heading // of a pane or a block
	Good    // ✓, inside, allowed once
	Bad     // ×, failed, refused
	Warn    // slow, odd, little time left
	Danger  // outside, the last seconds
	Key     // a key in the bar
	You     // words of the person
	Agent   // words of the agent
	Added   // diff: line
	Removed
	AddedWord // diff: what changed in the line
	RemovedWord
	Odd    // stands for a character that is not shown as it is
	Letter // a letter that looks like another
	Tag    // ALLOW ALWAYS
	Alert  // the strip while somebody is asked
	Bar    // title line
	Border // lines between panes and of boxes
	Out    // → client to agent
	In     // ← agent to client
	Roles  // how many there are
)

// Style is a role, and what is put on top of it.
type Style struct {
	Role     Role
	Selected bool // reverse
	Under    bool
	Bold     bool
}

// Span is a piece of one line in one style.
type Span struct {
	Text  string
	Style Style
}

// Line is one line of text.
type Line []Span

// S is a span in a role.
func S(role Role, text string) Span { return Span{text, Style{Role: role}} }

// L is a line of one span.
func L(role Role, text string) Line { return Line{S(role, text)} }

// String is the text of the line alone.
func (l Line) String() string {
	var b strings.Builder
	for _, span := range l {
		b.WriteString(span.Text)
	}
	return b.String()
}

// With is the line with another behind it.
func (l Line) With(more Line) Line { return append(l[:len(l):len(l)], more...) }
