package card

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/paint"
)

// reading is what we take an option for, at the right of its row.
func reading(ch choice) paint.Line {
	if ch.Odd {
		return paint.L(paint.Warn, "! malformed")
	}
	switch ch.says {
	case rejectsOnce:
		return twins(ch, paint.L(paint.Plain, "reject once"))
	case rejectsAlways:
		return twins(ch, paint.L(paint.Warn, "reject always"))
	case allowsOnce:
		return twins(ch, paint.L(paint.Good, "allow once"))
	case allowsAlways:
		return twins(ch, paint.L(paint.Tag, "[ALLOW ALWAYS]"))
	}
	if ch.Kind == "" {
		return twins(ch, paint.L(paint.Tag, "[no kind?]"))
	}
	text := append(paint.L(paint.Tag, `[kind "`), paint.Clean(paint.Tag, paint.Cut(ch.Kind, 16))...)
	return twins(ch, append(text, paint.S(paint.Tag, `"?]`)))
}

// twins says that another option is the same answer to the agent.
func twins(ch choice, text paint.Line) paint.Line {
	if len(ch.twins) == 0 {
		return text
	}
	return append(paint.L(paint.Warn, fmt.Sprintf("! as %d  ", ch.twins[0])), text...)
}

// String is the same in words, for a line of text.
func (m meaning) String() string {
	switch m {
	case rejectsOnce:
		return "reject once"
	case rejectsAlways:
		return "reject always"
	case allowsOnce:
		return "allow once"
	case allowsAlways:
		return "allow always"
	}
	return "unknown kind"
}

// nameRows is how many rows the name of an option may take; the whole of a
// longer one is among what has to be read.
func nameRows(level int) int {
	if level >= brief {
		return 1
	}
	return 2
}

// name is the agent's name of an option.
func (ch choice) name(role paint.Role) paint.Line {
	if ch.Name == "" {
		return paint.L(paint.Dim, "(no name)")
	}
	return (&ink{}).line(role, strings.ReplaceAll(ch.Name, "\n", "↵"))
}

// option is the rows of one option, with at most so many for its name, and
// whether that is whole.
func (c *Card) option(ch choice, lock string, width, most int, now time.Time) (rows []paint.Line, whole bool) {
	role, marker := paint.Strong, " "
	live := c.stage(now) == open && lock == "" && (ch.means.rejects() || c.arming.over(now))
	if !live {
		role = paint.Dim
	}
	if c.selected == ch.Number || c.confirm != nil && c.confirm.number == ch.Number {
		marker = "►"
	}
	right := reading(ch)
	front := paint.Line{paint.S(paint.Strong, marker), paint.S(role, fmt.Sprintf("%3d  ", ch.Number))}
	if ch.Number < 10 {
		front = paint.Line{paint.S(paint.Strong, marker), paint.S(role, fmt.Sprintf(" %d  ", ch.Number))}
	}
	room := width - front.Width() - right.Width() - 3
	name := ch.name(role)
	own := c.ownLock(ch, lock)
	if own != "" && width >= lockWidth && room-name.Width() > paint.Width(own)+4 {
		right = paint.L(paint.Dim, own+"    ").With(right)
	}
	names := name.Wrap(max(room, 8))
	if whole = len(names) <= most; !whole {
		names[most-1] = rejoin(names[most-1:]).Cut(max(room, 8))
		names = names[:most]
	}
	for _, l := range names {
		rows = append(rows, front.With(l))
		front = paint.L(paint.Plain, strings.Repeat(" ", front.Width()))
	}
	gap := width - rows[0].Width() - right.Width() - 1
	rows[0] = append(rows[0], paint.S(paint.Plain, strings.Repeat(" ", max(gap, 1)))).With(right)
	return rows, whole
}

// ownLock is why this option is locked when it is not for what is told below of
// all of them.
func (c *Card) ownLock(ch choice, lock string) string {
	if ch.Odd || c.barred() != "" || c.told != nil && c.told.Unanswerable != "" {
		return ""
	}
	return lock
}

// confirming are the rows about an option that needs a word.
func (c *Card) confirming(width int) []paint.Line {
	f := c.confirm
	var texts []string
	agent := agentName(c.p)
	switch {
	case !f.lasting:
	case f.means == rejectsAlways:
		texts = append(texts, "STANDING REFUSAL. "+agent+" will not ask again, and not do, whatever it counts as the same thing. bobproxy cannot see or revoke that list.")
	case f.means == allowsAlways:
		texts = append(texts, "STANDING PERMISSION. "+agent+" will not ask again for whatever it counts as the same thing. bobproxy cannot see or revoke that list.")
	default:
		texts = append(texts, "NOBODY HERE KNOWS HOW FAR THIS REACHES. Take it for a standing permission, which bobproxy cannot see or revoke.")
	}
	if f.partial {
		texts = append(texts, "ONLY THE BEGINNING IS HERE. You would allow what you have not seen; the editor may show all of it.")
	}
	if f.skipped > 0 {
		texts = append(texts, fmt.Sprintf("NOT ALL WAS READ. %s of %s rows were never on the screen.", grouped(f.skipped), grouped(len(c.sheet.rows))))
	}
	var rows []paint.Line
	for _, t := range texts {
		rows = append(rows, paint.L(paint.Warn, t).Wrap(width)...)
	}
	word := paint.Line{paint.S(paint.Plain, "type "), paint.S(paint.Key, f.word), paint.S(paint.Plain, ", then Enter: "),
		{Text: f.typed + "_", Style: paint.Style{Role: paint.Strong, Under: true}}, paint.S(paint.Dim, "   Esc goes back")}
	return append(rows, word.Wrap(width)...)
}

// rejoin is lines that were broken at blanks as one again.
func rejoin(lines []paint.Line) (l paint.Line) {
	for i, r := range lines {
		if i > 0 {
			l = append(l, paint.S(paint.Plain, " "))
		}
		l = l.With(r)
	}
	return l
}
