package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"bobproxy/acp/clean"
	"bobproxy/inspector/diff"
	"bobproxy/inspector/setup"
)

// editorsDocument is what `setup --json` prints. Members are only ever added.
type editorsDocument struct {
	Editors []editorReport `json:"editors"`
}

// editorReport is how an editor is set up here.
type editorReport struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	File  string `json:"file"`  // where its lines belong
	Sign  string `json:"sign"`  // what shows that the editor is here; empty: nothing
	State string `json:"state"` // bobproxy, direct (agents go past bobproxy), none (no agents, or nobody knows), unreadable
}

// States of an editorReport.
const (
	stateThrough    = "bobproxy"
	stateDirect     = "direct"
	stateNone       = "none"
	stateUnreadable = "unreadable"
)

// list is `bobproxy setup` without an editor.
func (u *settingUp) list() int {
	d := editorsDocument{}
	rows := [][]string{{"EDITOR", "SET UP", "ON THIS MACHINE"}}
	for _, e := range setup.Editors {
		r := u.report(e)
		d.Editors = append(d.Editors, r)
		rows = append(rows, []string{r.Name, stateWords[r.State], orDash(short(r.Sign, u.places.Home))})
	}
	p := page{width: u.width}
	p.columns(rows, u.width)
	p.WriteString("\nThe lines for one of them: bobproxy setup zed\n")
	return u.show(d, p.String())
}

var stateWords = map[string]string{
	stateThrough: "through bobproxy", stateDirect: "past bobproxy", stateNone: "-", stateUnreadable: "cannot be read",
}

func (u *settingUp) report(e setup.Editor) editorReport {
	r := editorReport{Name: e.Name, Title: e.Title, File: e.File, State: stateNone}
	r.Sign = e.Sign(u.places, matching, inPath)
	path := e.Config(u.places)
	if path == "" {
		return r
	}
	r.File = path
	file, err := setup.Read(path)
	if err != nil {
		r.State = stateUnreadable
		return r
	}
	entries, err := e.Entries(file.Text)
	through := func(e setup.Entry) bool { return len(e.Command) > 0 && setup.Throughs(e.Command[0]) }
	switch {
	case err != nil:
		r.State = stateUnreadable
	case slices.ContainsFunc(entries, through):
		r.State = stateThrough
	case slices.ContainsFunc(entries, func(e setup.Entry) bool { return len(e.Command) > 0 }):
		r.State = stateDirect
	}
	return r
}

func matching(pattern string) []string {
	found, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	return found
}

func inPath(name string) string {
	file, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return file
}

// selfPath is the path of bobproxy that others should start, and what may be
// wrong with it; see [setup.Self].
func selfPath() (path, note string) {
	executable, err := os.Executable()
	if err != nil {
		return "bobproxy", "the path of bobproxy itself is not known: " + err.Error()
	}
	path = setup.Self(executable, inPath("bobproxy"))
	if temporary := filepath.Clean(os.TempDir()) + string(filepath.Separator); strings.HasPrefix(path, temporary) {
		note = clean.Line(path) + " is in a folder for temporary files, which does not stay"
	}
	return path, note
}

// short is a path with ~ for the home folder.
func short(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// difference is what becomes of a text, with the lines around; empty where
// nothing does.
func difference(before, after string) string {
	if before == after {
		return ""
	}
	steps := diff.Compare(diff.Lines(before), diff.Lines(after))
	var b strings.Builder
	skipped := false
	for i, s := range steps {
		if !diff.Near(steps, i) {
			skipped = true
			continue
		}
		if skipped {
			b.WriteString("  …\n")
			skipped = false
		}
		line := strings.TrimRight(strings.ReplaceAll(s.Line, "\t", "    "), "\r\n")
		b.WriteString(strings.TrimRight(string(s.Sign)+" "+clean.Line(line), " ") + "\n")
	}
	if skipped {
		b.WriteString("  …\n")
	}
	return b.String()
}
