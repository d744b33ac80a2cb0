package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bobproxy/inspector/setup"
	"bobproxy/proxy"
)

func editors(f *findings, v View) {
	any := slices.ContainsFunc(v.Scripts, func(s Script) bool { return len(s.Files) > 0 })
	for _, e := range v.Editors {
		if e.Path == "" || !e.Exists && e.Err == "" {
			continue
		}
		any = true
		examine(f, e)
	}
	if !any {
		f.add(Info, "editors", "none has a file with agents that can be looked at", "bobproxy setup")
	}
}

func examine(f *findings, e Editor) {
	title := e.Editor.Title
	entries, err := e.Editor.Entries(e.Text)
	switch {
	case e.Err != "":
		f.add(Warning, title, e.Path+" cannot be read: "+e.Err, "")
		return
	case err != nil:
		f.add(Warning, title, fmt.Sprintf("%s cannot be understood: %v", e.Path, err), "mend it in the editor")
		return
	case len(entries) == 0:
		f.add(Info, title, "starts no agent yet", "bobproxy setup "+e.Editor.Name)
	}
	for _, entry := range entries {
		examineEntry(f, e, entry)
	}
	for _, p := range policies {
		if p.editor == e.Editor.Name {
			p.examine(f, e)
		}
	}
}

func examineEntry(f *findings, e Editor, entry setup.Entry) {
	title, name := e.Editor.Title, quote(entry.Name)
	if len(entry.Command) == 0 {
		f.add(Info, title, name+" is started by the editor's own means; nothing of it is seen here", "")
		return
	}
	command := entry.Command[0]
	through := setup.Throughs(command)
	switch {
	case e.Missing[command]:
		f.add(Problem, title, fmt.Sprintf("%s starts %s, which is not there", name, command), fixFor(e, entry))
	case through && !filepath.IsAbs(command):
		f.add(Warning, title, fmt.Sprintf("%s starts %s without its path, which only an editor started in a shell finds", name, command), fixFor(e, entry))
	case through:
		f.add(OK, title, name+" goes through bobproxy", "")
	default:
		level := Info
		if isBob(command) {
			level = Warning
		}
		f.add(level, title, fmt.Sprintf("%s starts %s itself, so nothing of it is seen here", name, command), fixFor(e, entry))
	}
	for _, found := range weakened(entry) {
		f.add(Warning, title, name+" "+found, "leave that out of "+e.Path)
	}
	if found := approves(entry); found != "" {
		f.add(Warning, title, fmt.Sprintf("%s runs with %s: the agent approves by itself, and no permission comes here", name, found), "leave that out of "+e.Path)
	}
}

// approves names what makes the agent of an entry approve by itself.
func approves(entry setup.Entry) string {
	argv := entry.Command
	if i := slices.Index(argv, "--"); i >= 0 && i+1 < len(argv) && setup.Throughs(argv[0]) {
		argv = argv[i+1:]
	}
	if oneOf(entry.Mode, "bypassPermissions", "yolo", "acceptEdits", "auto-approve") {
		return "the mode " + entry.Mode
	}
	return proxy.AutoApproves(argv, entry.Env)
}

// weakened says which guards of bobproxy an entry weakens, by a flag or by a
// variable.
func weakened(entry setup.Entry) (all []string) {
	if !setup.Throughs(entry.Command[0]) {
		return nil
	}
	ours := entry.Command[1:]
	if i := slices.Index(ours, "--"); i >= 0 {
		ours = ours[:i]
	}
	for _, w := range weaker {
		variable := "BOBPROXY_" + strings.ToUpper(strings.ReplaceAll(w.name, "-", "_"))
		for i, arg := range ours {
			name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if !joined && i+1 < len(ours) {
				value = ours[i+1]
			}
			if strings.HasPrefix(arg, "-") && name == w.name && w.is(value) {
				all = append(all, fmt.Sprintf("has --%s %s: %s", name, value, w.text))
			}
		}
		for _, entry := range entry.Env {
			if name, value, _ := strings.Cut(entry, "="); name == variable && w.is(value) {
				all = append(all, fmt.Sprintf("has %s: %s", entry, w.text))
			}
		}
	}
	return all
}

func isBob(command string) bool {
	return strings.TrimSuffix(filepath.Base(command), ".exe") == "bob"
}

// fixFor is the command that puts an entry right: under the same name.
func fixFor(e Editor, entry setup.Entry) string {
	line := "bobproxy setup " + e.Editor.Name
	if entry.Name != "Bob" && entry.Name != "bob" {
		line += " --name " + setup.ShellWord(entry.Name)
	}
	line += " --write"
	if isBob(entry.Command[0]) || setup.Throughs(entry.Command[0]) && !slices.Contains(entry.Command, "--") {
		return line
	}
	argv := entry.Command
	if i := slices.Index(argv, "--"); i >= 0 && setup.Throughs(argv[0]) {
		argv = argv[i+1:]
	}
	line += " --"
	for _, word := range argv {
		line += " " + setup.ShellWord(word)
	}
	return line
}

// quote is a name between quotes; what is odd in it is cleaned where it is shown.
func quote(name string) string { return `"` + name + `"` }

// policies are settings that make an editor answer permissions by itself.
var policies = []policy{
	{"vscode", []string{"acp.autoApprovePermissions"}, []string{`"allowAll"`, `true`}, `set it to "ask"`},
	{"acpx", []string{"defaultPermissions"}, []string{`"approve-all"`}, `set it to "approve-reads", or leave it out`},
	{"zed", []string{"agent", "always_allow_tool_actions"}, []string{`true`}, "set it to false, or leave it out"},
	{"zed", []string{"agent", "tool_permissions", "default"}, []string{`"allow"`}, `set it to "confirm", or leave it out`},
}

type policy struct {
	editor string
	path   []string
	values []string // as JSON
	fix    string
}

func (p policy) examine(f *findings, e Editor) {
	value := setup.Value(e.Text, p.path...)
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(value)) != nil || !oneOf(compact.String(), p.values...) {
		return
	}
	f.add(Warning, e.Editor.Title, fmt.Sprintf("%s is %s: the editor answers permissions before anybody else can", strings.Join(p.path, "."), compact.String()), p.fix+" in "+e.Path)
}
