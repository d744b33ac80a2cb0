package card

import (
	"encoding/json"
	"slices"
	"strings"
)

// twice finds what a raw input says that a change on the card shows in a better
// way. Only names that tools are known to use for that are left out: another
// name says something itself.
type twice struct {
	changes []change
	looked  int // texts that were looked for
}

// mostLooked bounds how often the texts of all changes are looked through.
const mostLooked = 256

var (
	pathNames = []string{"path", "file_path", "filePath", "filepath", "abs_path", "absolute_path", "absolutePath", "target_file", "filename", "fileName", "file"}
	textNames = []string{"old_string", "new_string", "oldString", "newString", "old_str", "new_str", "oldStr", "newStr",
		"old_text", "new_text", "oldText", "newText", "content", "file_text", "new_content", "newContent"}
	listNames = []string{"edits", "changes", "files"}
)

// told says that a member says nothing else.
func (t *twice) told(name string, value json.RawMessage) bool {
	text, isText := stringOf(value)
	switch {
	case len(t.changes) == 0:
		return false
	case slices.Contains(listNames, name):
		return t.list(value)
	case !isText:
		return false
	case slices.Contains(pathNames, name):
		return t.find(func(ch *change) bool { return text == ch.path })
	case slices.Contains(textNames, name):
		return t.find(func(ch *change) bool { return strings.Contains(ch.old, text) || strings.Contains(ch.new, text) })
	}
	return false
}

// list says that the objects of a list say nothing else.
func (t *twice) list(value json.RawMessage) bool {
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil {
		return false
	}
	return !slices.ContainsFunc(items, func(item json.RawMessage) bool {
		members, ok := membersOf(item)
		return !ok || slices.ContainsFunc(members, func(m member) bool {
			return slices.Contains(listNames, m.name) || !t.told(m.name, m.value)
		})
	})
}

func (t *twice) find(is func(*change) bool) bool {
	if t.looked++; t.looked > mostLooked {
		return false
	}
	for i := range t.changes {
		if is(&t.changes[i]) {
			return true
		}
	}
	return false
}
