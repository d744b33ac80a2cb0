package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bobproxy/inspector/setup"
)

const setupUsage = `bobproxy setup [--json]
bobproxy setup EDITOR [--agent 'CMD…'] [--name NAME] [--write [--dry-run]]
bobproxy setup EDITOR [--name NAME] [--write] -- CMD…

Without EDITOR lists the editors, and how each is set up on this machine. With
one prints the lines that make it start bob through bobproxy, and where they
belong. The lines alone are on stdout.

  --agent 'CMD…'  start another agent instead of bob; also behind --
  --name NAME     what the editor calls the agent
  --write         put the lines into the editor's file, where that is JSON:
                  comments and everything else in it stay, a copy of before is
                  kept beside it, and what has changed is shown
  --dry-run       only show what --write would change
  --file FILE     the editor's file, where it is not in its usual place
  --json          for scripts

EDITOR is one of zed, jetbrains, neovim (agentic.nvim), codecompanion, avante,
emacs (agent-shell), vscode, acpx, toad.

Paths are whole ones, since an editor often has another PATH than a shell. A
link in PATH is taken as it is, not what it leads to: it stays right when a
version changes. When bob is a script for node, a PATH that finds node is
among the lines.

Exit codes: 0, also when the lines were there already; 1 the file cannot be
changed, and why; 2 wrong usage; 125 our own failure.
`

// settingUp is one run of `bobproxy setup`.
type settingUp struct {
	*remote
	settings *settings
	places   setup.Places
	notes    []string // for people, on what may not work

	command     string
	name, file  string
	write, test bool
}

// runSetup is `bobproxy setup`.
func runSetup(s *settings, args []string, std streams) int {
	u := &settingUp{remote: tellerFor(args, std), settings: s, places: userPlaces(s)}
	if err := s.complete("acp"); err != nil { // which says where bob is
		u.notes = append(u.notes, err.Error())
	}
	args, argv := behindDashes(args)
	flags := flag.NewFlagSet("setup", flag.ContinueOnError)
	flags.StringVar(&u.command, "agent", "", "")
	flags.StringVar(&u.name, "name", "", "")
	flags.StringVar(&u.file, "file", "", "")
	flags.BoolVar(&u.write, "write", false, "")
	flags.BoolVar(&u.test, "dry-run", false, "")
	rest, code, done := u.parse(flags, args, setupUsage)
	if done {
		return code
	}
	if len(rest) == 0 && argv == nil && u.command == "" && u.name == "" && u.file == "" && !u.write {
		return u.list()
	}
	if len(rest) != 1 {
		return u.fail(misused("setup takes one editor, such as zed").with("see: bobproxy setup --help"))
	}
	return u.one(rest[0], argv)
}

// tellerFor is what prints results and complaints, and knows from the start
// whether in JSON.
func tellerFor(args []string, std streams) *remote {
	return &remote{now: time.Now, out: std.out, err: std.err, width: 80, json: asksForJSON(args)}
}

// behindDashes cuts off the words behind --, which are an agent's command.
func behindDashes(args []string) (ours, argv []string) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:]
	}
	return args, nil
}

func userPlaces(s *settings) setup.Places {
	home, _ := os.UserHomeDir()
	config, _ := s.lookup("XDG_CONFIG_HOME")
	return setup.Places{Home: home, Config: config, OS: runtime.GOOS}
}

// one is about a single editor.
func (u *settingUp) one(name string, argv []string) int {
	e, ok := setup.Named(name)
	if !ok {
		c := misused("there is no editor %s that is known here", quotation(name))
		return u.fail(c.with("they are %s", strings.Join(editorNames(), ", ")))
	}
	if u.command != "" && argv != nil {
		return u.fail(misused("setup: --agent and -- both name an agent; leave one of them out"))
	}
	if u.command != "" {
		var err error
		if argv, err = splitWords(u.command); err != nil {
			return u.fail(misused("setup: --agent %s: %v", quotation(u.command), err))
		}
	}
	agent, c := u.agent(argv)
	switch {
	case c != nil:
		return u.fail(c)
	case u.test && !u.write:
		return u.fail(misused("setup: --dry-run is for --write"))
	case u.write:
		return u.put(e, agent)
	}
	return u.tell(e, agent)
}

func editorNames() (names []string) {
	for _, e := range setup.Editors {
		names = append(names, e.Name)
	}
	return names
}

// agent is what the editor is to start, with whole paths.
func (u *settingUp) agent(argv []string) (setup.Agent, *complaint) {
	a := setup.Agent{Name: "Bob", Self: u.self()}
	if argv != nil {
		if len(argv) == 0 || argv[0] == "" {
			return a, misused("setup: which agent? Its command follows --").with("such as: bobproxy setup zed -- goose acp")
		}
		if setup.Throughs(argv[0]) {
			return a, misused("setup: the agent would be bobproxy itself").with("name what it is to start: bobproxy setup zed -- goose acp")
		}
		a.Name, a.Argv = agentName(argv), slices.Clone(argv)
		a.Argv[0], a.Path = u.program(argv[0])
	} else {
		bob, _ := bobName(u.settings)
		a.Bob, a.Path = u.program(bob)
		if a.Bob == "bob" { // let bobproxy look for it when it starts
			a.Bob = ""
		}
	}
	if u.name != "" {
		a.Name = u.name
	}
	for _, text := range append([]string{a.Name, a.Self, a.Bob, a.Path}, a.Argv...) {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			return a, misused("setup: %s has characters in it that no editor's file can hold", quotation(text))
		}
	}
	return a, nil
}

// self is the path of bobproxy that the editor should have.
func (u *settingUp) self() string {
	self, note := selfPath()
	if note != "" {
		u.notes = append(u.notes, note)
	}
	return self
}

// program is the path of a program that the editor should have, and the PATH
// that it needs there. One that is not found stays as it is.
func (u *settingUp) program(name string) (file, path string) {
	found, _, err := find(name, "", u.settings.lookup)
	if err != nil {
		u.notes = append(u.notes, fmt.Sprintf("%s is not found from here, so the editor may not find it either", field(name)))
		return name, ""
	}
	if file, err = filepath.Abs(setup.Stable(found)); err != nil {
		file = found
	}
	interpreter := setup.Interpreter(setup.FirstLine(file))
	if interpreter == "" {
		return file, ""
	}
	there, _, err := find(interpreter, "", u.settings.lookup)
	if err != nil {
		u.notes = append(u.notes, fmt.Sprintf("%s is a script for %s, which is not found in PATH", field(file), field(interpreter)))
		return file, ""
	}
	return file, setup.PathFor(filepath.Dir(setup.Stable(there)), runtime.GOOS)
}

// agentName is what an agent is called by its command.
func agentName(argv []string) string {
	name := filepath.Base(argv[0])
	if !slices.Contains([]string{"npx", "bunx", "uvx", "pnpx"}, name) {
		return name
	}
	for _, word := range argv[1:] {
		if !strings.HasPrefix(word, "-") {
			name = word[strings.LastIndexByte(word, '/')+1:]
			if at := strings.LastIndexByte(name, '@'); at > 0 {
				name = name[:at]
			}
			return name
		}
	}
	return name
}

// setupDocument is what `setup EDITOR --json` prints. Members are only ever
// added.
type setupDocument struct {
	Editor   string   `json:"editor"`
	Title    string   `json:"title"`
	File     string   `json:"file"`     // where the lines belong, in words
	Path     string   `json:"path"`     // the same as a path, where bobproxy knows it; else empty
	Editable bool     `json:"editable"` // --write works
	Name     string   `json:"name"`     // of the agent in the editor
	Command  []string `json:"command"`  // that the editor is to start
	Snippet  string   `json:"snippet"`
	Then     string   `json:"then"`
	Notes    []string `json:"notes"`

	Written *writing `json:"written,omitempty"` // with --write
}

// writing is what --write did.
type writing struct {
	Changed bool   `json:"changed"` // the file was, or would be, another one
	DryRun  bool   `json:"dryRun"`
	Backup  string `json:"backup"` // empty: there was nothing to keep
	Diff    string `json:"diff"`
}

func (u *settingUp) document(e setup.Editor, a setup.Agent) setupDocument {
	return setupDocument{
		Editor: e.Name, Title: e.Title, File: e.File, Path: u.path(e), Editable: e.Editable(),
		Name: a.Name, Command: append([]string{a.Self}, a.Args()...), Snippet: e.Text(a), Then: e.Next(a), Notes: neverNull(u.notes),
	}
}

func (u *settingUp) path(e setup.Editor) string {
	if u.file != "" {
		return u.file
	}
	return e.Config(u.places)
}

// tell prints the lines for one editor; what is said about them goes elsewhere,
// so that they can be piped.
func (u *settingUp) tell(e setup.Editor, a setup.Agent) int {
	if u.json {
		return u.show(u.document(e, a), "")
	}
	where := e.File
	if path := u.path(e); path != "" {
		where = short(path, u.places.Home)
	}
	verb := "put this into"
	if e.Name == "toad" {
		verb = "type this in"
	}
	fmt.Fprintf(u.err, "%s: %s %s\n\n", e.Title, verb, field(where))
	code := u.show(nil, e.Text(a))
	var b strings.Builder
	if then := e.Next(a); then != "" {
		u.then(&b, then)
	}
	if e.Editable() {
		b.WriteString("\nbobproxy can put it there; add --write.\n")
	}
	u.annotate(&b)
	if _, err := io.WriteString(u.err, b.String()); err != nil {
		return u.fail(broken("writing the result: %v", err))
	}
	return code
}

// then says what is left to do by hand.
func (u *settingUp) then(b *strings.Builder, text string) {
	b.WriteString("\n" + strings.Join(inLines("Then "+text+".", u.width), "\n") + "\n")
}

func (u *settingUp) annotate(b *strings.Builder) {
	for _, note := range u.notes {
		for i, line := range inLines("! "+note, u.width-2) {
			if i == 0 {
				b.WriteString("\n" + line + "\n")
			} else {
				b.WriteString("  " + line + "\n")
			}
		}
	}
}

// put puts the lines into the editor's file.
func (u *settingUp) put(e setup.Editor, a setup.Agent) int {
	path := u.path(e)
	if !e.Editable() {
		c := misused("setup: %s cannot be written: what %s has is a program, which only you can change", e.Title, e.Title)
		if e.Name == "toad" {
			c = misused("setup: toad has no file to write; it takes the command when it is started")
		}
		return u.fail(c.with("copy the lines from: bobproxy setup %s", e.Name))
	}
	file, text, err := changed(path, e, a)
	if err != nil {
		return u.fail(unwritten(path, err).with("nothing was changed; put the lines in by hand: bobproxy setup %s", e.Name))
	}
	w := &writing{Changed: !bytes.Equal(text, file.Text), DryRun: u.test, Diff: difference(string(file.Text), string(text))}
	if w.Changed && !u.test {
		if w.Backup, err = setup.Replace(file, text, u.now()); err != nil {
			return u.fail(unwritten(path, err))
		}
	}
	doc := u.document(e, a)
	doc.Written = w
	return u.show(doc, u.told(doc))
}

// changed is a file, and what its text is to be.
func changed(path string, e setup.Editor, a setup.Agent) (setup.File, []byte, error) {
	file, err := setup.Read(path)
	if err != nil {
		return file, nil, err
	}
	if info, err := os.Stat(file.Real); err == nil && hasModes && !trusted(info) {
		return file, nil, fmt.Errorf("it belongs to another user")
	}
	text, err := e.Put(file.Text, a)
	return file, text, err
}

func unwritten(path string, err error) *complaint {
	return &complaint{exit: exitNo, Code: "unchanged", Message: fmt.Sprintf("%s cannot be changed: %s", field(path), field(err.Error()))}
}

func (u *settingUp) told(d setupDocument) string {
	var b strings.Builder
	where := field(short(d.Path, u.places.Home))
	w := d.Written
	switch {
	case !w.Changed:
		fmt.Fprintf(&b, "%s has it already; nothing was changed\n", where)
	case w.DryRun:
		fmt.Fprintf(&b, "would change %s:\n\n%s", where, w.Diff)
	default:
		fmt.Fprintf(&b, "changed %s:\n\n%s", where, w.Diff)
		if w.Backup != "" {
			fmt.Fprintf(&b, "\nas it was: %s\n", field(short(w.Backup, u.places.Home)))
		}
	}
	if d.Then != "" && !w.DryRun {
		u.then(&b, d.Then)
	}
	u.annotate(&b)
	return b.String()
}
