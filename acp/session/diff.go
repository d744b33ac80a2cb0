package session

import (
	"strconv"
	"strings"

	"bobproxy/acp"
)

// maxCounted is how many bytes of one diff are read to count its lines.
const maxCounted = 256 << 10

// diffs reads the diffs in the content of a call, when there are any.
func (s *Story) diffs(c *scene, t *Tool, said *told) {
	cut := c.frame.Cut || said.contentSize > len(said.content)
	if said.content != nil && len(said.diffs) == 0 && !said.moreDiffs {
		return
	}
	t.Added, t.Removed, t.Diffs, t.Cut, t.reading.diffPaths = 0, 0, 0, false, nil
	for item := range acp.Elements(whatIsThere(said)) {
		t.counts(item, cut)
	}
}

// counts takes one piece of content that may be a diff. Of one that may be cut
// no lines are counted, since half of a file looks like a deletion.
func (t *Tool) counts(item []byte, cut bool) {
	var kind, path, before, after, changes, patch []byte
	for name, value := range acp.Members(item) {
		switch string(name) {
		case "type":
			kind = value
		case "path":
			path = value
		case "oldText":
			before = value
		case "newText":
			after = value
		case "changes":
			changes = value
		case "patch":
			patch = value
		}
	}
	if what := plainText(kind); what != "diff" && (what != "" || changes == nil && after == nil) {
		return
	}
	if path != nil {
		t.Diffs++
		t.changed(path)
	}
	for change := range acp.Elements(changes) {
		t.Diffs++
		t.changed(get(change, "oldPath"))
		t.changed(get(change, "path"))
	}
	if cut || len(before)+len(after)+len(patch) > maxCounted {
		t.Cut = true
		return
	}
	added, removed := countLines(plainText(before), plainText(after))
	if patch != nil {
		added, removed = countPatch(plainText(get(patch, "text")))
	}
	t.Added += added
	t.Removed += removed
}

func (t *Tool) changed(path []byte) {
	if p := plainText(path); p != "" && len(t.reading.diffPaths) < maxToolPaths {
		t.reading.diffPaths = append(t.reading.diffPaths, clip(p, 4*maxName))
	}
}

// countLines counts the lines of after that before has not, and the reverse. A
// line that only moved is not counted: that takes time linear in both.
func countLines(before, after string) (added, removed int) {
	old, now := lines(before), lines(after)
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	if len(old) == 0 || len(now) == 0 {
		return len(now), len(old)
	}
	there := make(map[string]int, len(old))
	for _, line := range old {
		there[line]++
	}
	removed = len(old)
	for _, line := range now {
		if there[line] > 0 {
			there[line]--
			removed--
		} else {
			added++
		}
	}
	return added, removed
}

// lines are those of a text; its last one may lack a line break.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// countPatch counts the lines that a unified diff adds and removes: those in
// its hunks, as long as their heads say.
func countPatch(text string) (added, removed int) {
	old, now := 0, 0 // lines that are left of the hunk
	for line := range strings.Lines(text) {
		if old <= 0 && now <= 0 {
			old, now = hunk(line)
			continue
		}
		switch line[0] {
		case '+':
			added++
			now--
		case '-':
			removed++
			old--
		case '\\':
		default:
			old--
			now--
		}
	}
	return added, removed
}

// hunk reads how many lines of both files a hunk has from its head,
// "@@ -1,2 +3,4 @@".
func hunk(head string) (old, now int) {
	fields := strings.Fields(head)
	if len(fields) < 3 || fields[0] != "@@" {
		return 0, 0
	}
	return hunkLines(fields[1]), hunkLines(fields[2])
}

func hunkLines(side string) int {
	_, n, ok := strings.Cut(side, ",")
	if !ok {
		return 1
	}
	count, _ := strconv.Atoi(n)
	return count
}
