package main

import (
	"errors"
	"fmt"
	"io/fs"
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
	State string `json:"state"` // see below

	Agents  int      `json:"agents"`  // that its file has
	Through int      `json:"through"` // of them go through bobproxy
	Missing []string `json:"missing"` // commands of theirs that are not there
}

// States of an editorReport.
const (
	stateThrough    = "bobproxy"   // all agents go through it
	statePartly     = "partly"     // some do
	stateDirect     = "direct"     // none does
	stateNone       = "none"       // there are no agents, or there is no such editor
	stateProgram    = "program"    // it is there; its settings are a program, which is not read
	stateUnset      = "unset"      // it is there, and has no agents, or takes one when it is started
	stateUnreadable = "unreadable" // its file is there and cannot be read
)

// list is `bobproxy setup` without an editor.
func (u *settingUp) list() int {
	d := editorsDocument{}
	rows := [][]string{{"EDITOR", "SET UP", "ON THIS MACHINE"}}
	for _, e := range setup.Editors {
		r := u.report(e)
		d.Editors = append(d.Editors, r)
		rows = append(rows, []string{r.Name, r.words(e), orDash(short(r.Sign, u.places.Home))})
		for _, command := range r.Missing {
			u.notes = append(u.notes, fmt.Sprintf("%s is to start %s, which is not there", e.Title, field(short(command, u.places.Home))))
		}
	}
	p := page{width: u.width}
	p.columns(rows, u.width)
	u.annotate(&p.Builder)
	p.WriteString("\nThe lines for one of them: bobproxy setup zed\n")
	return u.show(d, p.String())
}

// words are the state for people.
func (r editorReport) words(e setup.Editor) string {
	switch r.State {
	case stateThrough:
		return "through bobproxy"
	case statePartly:
		return fmt.Sprintf("%d of %d through bobproxy", r.Through, r.Agents)
	case stateDirect:
		return "past bobproxy"
	case stateProgram:
		return "there; its " + e.Language() + " is not read"
	case stateUnset:
		return "there; starts no agent yet"
	case stateUnreadable:
		return "cannot be read"
	}
	return "-"
}

func (u *settingUp) report(e setup.Editor) editorReport {
	r := editorReport{Name: e.Name, Title: e.Title, File: e.File, State: stateNone, Missing: []string{}}
	r.Sign = e.Sign(u.places, matching, inPath)
	path := e.Config(u.places)
	switch {
	case path == "" && r.Sign == "":
		return r
	case path == "" && e.Language() != "":
		r.State = stateProgram
		return r
	case r.Sign != "":
		r.State = stateUnset
	}
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
	if err != nil {
		r.State = stateUnreadable
		return r
	}
	r.count(entries)
	return r
}

// count goes through the agents of an editor. One that has no command is started
// by the editor's own means.
func (r *editorReport) count(entries []setup.Entry) {
	for _, entry := range entries {
		r.Agents++
		if len(entry.Command) == 0 {
			continue
		}
		command := entry.Command[0]
		if setup.Throughs(command) {
			r.Through++
		}
		if isMissing(command) && !slices.Contains(r.Missing, command) {
			r.Missing = append(r.Missing, command)
		}
	}
	switch {
	case r.Agents == 0:
	case r.Through == 0:
		r.State = stateDirect
	case r.Through < r.Agents:
		r.State = statePartly
	default:
		r.State = stateThrough
	}
}

// isMissing says that a command that is a whole path is not there.
func isMissing(command string) bool {
	_, err := os.Stat(command)
	return filepath.IsAbs(command) && errors.Is(err, fs.ErrNotExist)
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
