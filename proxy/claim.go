package proxy

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"

	"bobproxy/proxy/control"
)

// claim is what a diff of a request says of a file.
type claim struct {
	entry int // of the content; -1: what comes behind the last one that is looked at
	path  string
	old   string // the old side; empty: there is none
	why   string // why it cannot be compared; empty: it can
}

// maxClaims is how many diffs of one request are looked at.
const maxClaims = 64

// claimsOf are the diffs of a tool call's content, of which clipped says that it
// is only the beginning.
func claimsOf(content []byte, clipped bool) (all []claim) {
	d := json.NewDecoder(bytes.NewReader(content))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil
	}
	for i := 0; d.More(); i++ {
		var entry json.RawMessage
		if d.Decode(&entry) != nil {
			break
		}
		c, ok := claimOf(entry)
		if !ok {
			continue
		}
		if len(all) == maxClaims {
			return append(all, claim{entry: -1, why: "too many diffs"})
		}
		c.entry = i
		all = append(all, c)
	}
	rest := content[min(d.InputOffset(), int64(len(content))):]
	if clipped && (len(all) > 0 || hasDiff(rest)) { // what was cut off may have others
		all = append(all, claim{entry: -1, why: "the request is too long"})
	}
	return all
}

// hasDiff says whether there may be a diff in a piece of content. Any letter of a
// name can be written as an escape.
func hasDiff(piece []byte) bool {
	return bytes.Contains(piece, []byte(`"diff"`)) || bytes.Contains(piece, []byte(`"oldText"`)) || bytes.Contains(piece, []byte(`\u`))
}

// claimOf reads one entry of a tool call's content, if it is a diff with two
// sides. What peers could read differently is not compared.
func claimOf(entry []byte) (c claim, ok bool) {
	var diff struct {
		Type    string  `json:"type"`
		Path    *string `json:"path"`
		OldText string  `json:"oldText"`
		NewText *string `json:"newText"`
	}
	err := jsonv2.Unmarshal(entry, &diff)
	switch {
	case err != nil:
		c.why = "the diff is malformed"
		return c, hasDiff(entry)
	case diff.Type != "diff", diff.Path == nil, diff.NewText == nil:
		return c, false
	}
	return claim{path: *diff.Path, old: diff.OldText}, true
}

func (c claim) found(state control.DiskState, times int, text string) control.OnDisk {
	return control.OnDisk{Entry: c.entry, Path: clip(c.path, 4<<10), State: state, Times: times, Text: text}
}

func (c claim) uncompared(why string) control.OnDisk { return c.found(control.Uncompared, 0, why) }

// against is what of c is so. A file without anything in it is as good as none to
// who would write a new one.
func (c claim) against(have content) control.OnDisk {
	switch {
	case have.why != "":
		return c.uncompared(have.why)
	case c.old == "" && have.text == "":
		return c.found(control.NoFile, 0, "")
	case c.old == "":
		return c.found(control.Exists, 0, "")
	case !have.there:
		return c.found(control.Missing, 0, "")
	case len(have.text) > maxRead:
		return c.uncompared("larger than 1 MiB")
	}
	state, times, text := sides(have.text, c.old)
	if state == control.Differs && !plain(have.text) {
		return c.uncompared("not UTF-8 text")
	}
	return c.found(state, times, text)
}

// plain says that a file's text is what an agent can have been told of it.
func plain(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

const (
	butEnds = "except for line ends"
	butLast = "except for a last line feed"
)

// sides says how the old side of a diff is to be found in a file. Agents show the
// whole file or the part that they change, and some of them read and write other
// line ends than there are.
func sides(have, old string) (state control.DiskState, times int, text string) {
	if have == old {
		return control.Same, 0, ""
	}
	unixHave, unixOld := unixEnds(have), unixEnds(old)
	bareHave, bareOld := strings.TrimSuffix(unixHave, "\n"), strings.TrimSuffix(unixOld, "\n")
	switch {
	case unixHave == unixOld:
		return control.Same, 0, butEnds
	case bareHave == bareOld && strings.Contains(have, "\r\n") == strings.Contains(old, "\r\n"):
		return control.Same, 0, butLast
	case bareHave == bareOld:
		return control.Same, 0, butEnds
	}
	if n := strings.Count(have, old); n > 0 {
		return control.Part, n, ""
	}
	if n := strings.Count(unixHave, unixOld); n > 0 {
		return control.Part, n, butEnds
	}
	if bareOld != "" && strings.HasSuffix(unixHave, bareOld) {
		return control.Part, 1, butLast
	}
	return control.Differs, 0, ""
}

func unixEnds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
