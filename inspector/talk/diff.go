package talk

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

// What is shown of the diffs of a tool call.
const (
	insideDiffs = 4
	insideDiff  = 30 // lines of one of them
	around      = 2  // lines that are the same, before and after
)

// content is a diff as a tool call carries it.
type content struct {
	Type    string  `json:"type"`
	Path    string  `json:"path"`
	OldText *string `json:"oldText"`
	NewText string  `json:"newText"`
}

// diffs are the diffs of a tool call, from the newest of its frames that has
// any.
func (s *scene) diffs(it *item) []line {
	tool := it.entry.Tool
	if tool.Diffs == 0 {
		return nil
	}
	found := s.newestDiffs(it)
	if len(found) == 0 {
		about := paint.L(paint.Dim, plural(tool.Diffs, "diff")+"  ").With(changed(tool.Added, tool.Removed)).With(paint.L(paint.Dim, "  w shows its frames"))
		return []line{{at: s.sub, left: about}}
	}
	var lines []line
	for i, d := range found {
		if i == insideDiffs {
			return append(lines, line{at: s.sub, left: paint.L(paint.Dim, "… "+count(len(found)-i)+" more diffs; w shows its frames")})
		}
		lines = append(lines, s.diff(d)...)
	}
	return lines
}

// newestDiffs looks through the rows of a tool call, the newest first.
func (s *scene) newestDiffs(it *item) []content {
	if s.session.Proxy == nil {
		return nil
	}
	rows := s.session.Proxy.Rows
	last := it.entry.LastSeq
	for _, p := range it.asked {
		last = max(last, p.Seq, p.Frame)
	}
	for i := sort.Search(len(rows), func(i int) bool { return rows[i].Seq > last }) - 1; i >= 0 && rows[i].Seq >= it.seq; i-- {
		if r := rows[i]; r.Call == it.entry.Tool.ID && r.Session == s.session {
			if found := diffsIn(r); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

func diffsIn(r *model.Row) (found []content) {
	if r.Cut || !bytes.Contains(r.Body, []byte(`"diff"`)) {
		return nil
	}
	var f struct {
		Params struct {
			Update   struct{ Content json.RawMessage } `json:"update"`
			ToolCall struct{ Content json.RawMessage } `json:"toolCall"`
		} `json:"params"`
	}
	if json.Unmarshal(r.Body, &f) != nil {
		return nil
	}
	for _, raw := range []json.RawMessage{f.Params.Update.Content, f.Params.ToolCall.Content} {
		var all []content
		if json.Unmarshal(raw, &all) == nil {
			for _, c := range all {
				if c.Type == "diff" {
					found = append(found, c)
				}
			}
		}
	}
	return found
}

// diff is one of them in a box: what is removed, what is added, and a little of
// what is around.
func (s *scene) diff(c content) []line {
	width := s.width - 1 - s.sub
	if width < 12 {
		return nil
	}
	old := ""
	if c.OldText != nil {
		old = *c.OldText
	}
	rows, all := hunk(textLines(old), textLines(c.NewText))
	title := s.place().Path(c.Path, max(width-16, 4))
	if c.OldText == nil {
		title += ", a new file"
	}
	out := []line{{at: s.sub, left: edge("┌", "┐", title, width)}}
	for _, r := range rows {
		out = append(out, line{at: s.sub, left: boxedLine(r, width)})
	}
	if rest := all - len(rows); rest > 0 {
		out = append(out, line{at: s.sub, left: boxedLine(paint.L(paint.Dim, "… "+plural(rest, "line")+" more; w shows its frames"), width)})
	}
	return append(out, line{at: s.sub, left: edge("└", "┘", "", width)})
}

func textLines(s string) []string {
	if s == "" {
		return nil
	}
	return lines(strings.TrimSuffix(s, "\n"))
}

// hunk is how one text becomes the other: what they have in common at both ends
// is left out but for a few lines. It gives the first rows of that, and how many
// there are.
func hunk(from, to []string) (rows []paint.Line, all int) {
	same := 0
	for same < min(len(from), len(to)) && from[same] == to[same] {
		same++
	}
	tail := 0
	for tail < min(len(from), len(to))-same && from[len(from)-1-tail] == to[len(to)-1-tail] {
		tail++
	}
	add := func(role paint.Role, sign string, lines []string) {
		all += len(lines)
		for _, l := range lines[:min(len(lines), insideDiff-len(rows))] {
			rows = append(rows, paint.L(role, sign).With(paint.Clean(role, head(l, 1024))))
		}
	}
	add(paint.Plain, " ", from[max(0, same-around):same])
	add(paint.Removed, "−", from[same:len(from)-tail])
	add(paint.Added, "+", to[same:len(to)-tail])
	add(paint.Plain, " ", from[len(from)-tail:len(from)-tail+min(tail, around)])
	return rows, all
}
