package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"bobproxy/inspector/doctor"
	"bobproxy/inspector/setup"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// examined is this machine as the checks see it.
func examined(s *settings, std streams) doctor.View {
	config := configOf(s, std)
	v := glanced(s)
	v.Config = config
	gui, from := guiPath()
	v.GUIFrom = from
	v.Bob = programOf(v.Bob.Name, gui, s.lookup)
	v.Settings, v.Guards = settingsInForce(s), guardsOf(s)
	v.State = storageOf(s)
	v.Sockets, v.Running = proxiesHere(s)
	v.Terminal = terminalOf(s, std)
	return v
}

// glanced is as much of it as can be seen without asking anybody.
func glanced(s *settings) doctor.View {
	places := userPlaces(s)
	self, note := selfPath()
	v := doctor.View{Version: version, Self: self, Passing: note, InPath: inPath("bobproxy"), Home: places.Home}
	bob, from := bobName(s)
	v.Bob, v.BobSet = programOf(bob, "", s.lookup), from
	for _, e := range setup.Editors {
		v.Editors = append(v.Editors, editorOf(e, places))
	}
	for _, p := range setup.Programs {
		v.Scripts = append(v.Scripts, scriptOf(p, places))
	}
	return v
}

// bobName is the bob that would be started, and where that is set; a command
// that has no such setting still goes by the environment.
func bobName(s *settings) (name, from string) {
	if s.bob != "" {
		return s.bob, s.source["bob"]
	}
	if name, _ := s.lookup("BOB_PATH"); name != "" {
		return name, "environment BOB_PATH"
	}
	return "bob", ""
}

// configOf completes the settings and says what would keep a run from starting.
func configOf(s *settings, std streams) doctor.Config {
	err := s.check(std)
	c := doctor.Config{Path: s.file.path, Exists: s.file.exists}
	if c.Path == "" {
		c.Path = configPath(s.lookup)
	}
	if err != nil {
		c.Problem = err.Error()
	}
	c.Doubts = append(s.doubts(), strangers(os.Environ())...)
	return c
}

func settingsInForce(s *settings) (all []doctor.Setting) {
	for _, row := range table {
		if source := s.source[row.name]; source != "" {
			all = append(all, doctor.Setting{Name: row.name, Value: s.inForce(row), Source: source})
		}
	}
	return all
}

// guardsOf are the settings that bound an agent, and its time.
func guardsOf(s *settings) (all []doctor.Setting) {
	for _, name := range []string{"bounds", "permission-timeout", "request-timeout", "prompt-timeout"} {
		if row, ok := findSetting(name); ok {
			all = append(all, doctor.Setting{Name: name, Value: s.inForce(row), Source: s.source[name]})
		}
	}
	return all
}

// programOf looks a program up, here and with the PATH of GUIs.
func programOf(name, gui string, lookup func(string) (string, bool)) doctor.Program {
	p := doctor.Program{Name: name}
	found, _, err := find(name, "", lookup)
	if err != nil {
		return p
	}
	if p.Path, err = filepath.Abs(setup.Stable(found)); err != nil {
		p.Path = found
	}
	p.InGUI = isIn(name, gui)
	if p.Interpreter = setup.Interpreter(setup.FirstLine(p.Path)); p.Interpreter != "" {
		p.Runs, p.RunsInGUI = inPath(p.Interpreter) != "", isIn(p.Interpreter, gui)
	}
	return p
}

// isIn says whether a PATH finds a program.
func isIn(name, path string) bool {
	if filepath.IsAbs(name) {
		return true
	}
	for _, dir := range filepath.SplitList(path) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil && info.Mode().IsRegular() && (info.Mode().Perm()&0o111 != 0 || !hasModes) {
			return true
		}
	}
	return false
}

// askTime is how long a program of the system may take to tell something.
const askTime = time.Second

// guiPath is the PATH of programs that are started from a menu, and where that
// is known from; on other systems it is that of a shell.
func guiPath() (path, from string) {
	switch runtime.GOOS {
	case "linux":
		for line := range strings.Lines(told("systemctl", "--user", "show-environment")) {
			if value, ok := strings.CutPrefix(strings.TrimSpace(line), "PATH="); ok {
				return value, "systemctl --user show-environment"
			}
		}
		return "/usr/local/bin:/usr/bin:/bin", "what is usual"
	case "darwin":
		if value := strings.TrimSpace(told("launchctl", "getenv", "PATH")); value != "" {
			return value, "launchctl getenv PATH"
		}
		return "/usr/bin:/bin:/usr/sbin:/sbin", "what is usual"
	}
	return "", ""
}

// told is what a program says on stdout; empty when it fails.
func told(name string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.WaitDelay = askTime
	out, err := c.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

func editorOf(e setup.Editor, places setup.Places) doctor.Editor {
	d := doctor.Editor{Editor: e, Path: e.Config(places), Missing: map[string]bool{}}
	if d.Path == "" {
		return d
	}
	file, err := setup.Read(d.Path)
	if err != nil {
		d.Err = err.Error()
		return d
	}
	d.Text, d.Exists = file.Text, file.Mode != 0
	entries, err := e.Entries(file.Text)
	if err != nil {
		return d // which the checks will see, too
	}
	for _, entry := range entries {
		if len(entry.Command) > 0 {
			d.Missing[entry.Command[0]] = isMissing(entry.Command[0])
		}
	}
	return d
}

// mostScript is how much of an editor's files is read, in bytes.
const mostScript = 4 << 20

// scriptOf reads the files of an editor whose settings are a program.
func scriptOf(p setup.Program, places setup.Places) doctor.Script {
	files, more := p.Files(places, matching)
	d := doctor.Script{Program: p, More: more}
	size := 0
	for _, path := range files {
		if size > mostScript {
			d.More = true
			break
		}
		f := doctor.ScriptFile{Path: path}
		file, err := setup.Read(path)
		if err != nil {
			f.Err = err.Error()
		}
		f.Text = file.Text
		size += len(f.Text)
		d.Files = append(d.Files, f)
	}
	return d
}

func storageOf(s *settings) doctor.Storage {
	d := doctor.Storage{Dir: s.recordDir, Off: s.record == "off", Limit: int64(s.recordMaxSize), Free: -1}
	if d.Dir == "" {
		var err error
		if d.Dir, err = journal.DefaultDir(); err != nil {
			d.Problem = err.Error()
			return d
		}
	}
	there := d.Dir
	for { // what is not there yet will be made in the first folder that is
		if _, err := os.Stat(there); err == nil || there == filepath.Dir(there) {
			break
		}
		there = filepath.Dir(there)
	}
	d.Exists = there == d.Dir
	if problem := writeError(there); problem != nil {
		d.Problem = problem.Error()
	}
	d.Free = freeSpace(there)
	for _, file := range matching(filepath.Join(escapeGlob(d.Dir), "*.jsonl")) {
		if info, err := os.Stat(file); err == nil {
			d.Used += info.Size()
		}
	}
	return d
}

// escapeGlob is a path as a pattern that matches only it.
func escapeGlob(path string) string {
	if runtime.GOOS == "windows" {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// proxiesHere asks all proxies what they are.
func proxiesHere(s *settings) (doctor.Sockets, []control.State) {
	p := running{s.lookup}
	list, troubles := p.find()
	d := doctor.Sockets{Dirs: control.Folders(s.lookup), Dead: control.Dead(s.lookup)}
	for _, t := range troubles {
		d.Problems = append(d.Problems, t.Message)
	}
	states, errs := make([]control.State, len(list)), make([]error, len(list))
	var asked sync.WaitGroup
	for i, e := range list {
		asked.Go(func() { states[i], errs[i] = ask(context.Background(), p, e, answerTime) })
	}
	asked.Wait()
	var alive []control.State
	for i, err := range errs {
		switch {
		case err == nil:
			alive = append(alive, states[i])
		case !errors.Is(err, errGone): // else it has ended just now
			d.Silent = append(d.Silent, silence(list[i], err, answerTime))
		}
	}
	return d, alive
}

func terminalOf(s *settings, std streams) doctor.Terminal {
	term, _ := s.lookup("TERM")
	noColor, _ := s.lookup("NO_COLOR")
	t := doctor.Terminal{Is: isTerminal(std.out), Term: term, NoColor: noColor != "", UTF8: terminal.UTF8(s.lookup)}
	if tmux, _ := s.lookup("TMUX"); tmux != "" && t.Is {
		t.Tmux = map[string]string{}
		for _, name := range []string{"allow-passthrough", "focus-events", "set-clipboard"} {
			t.Tmux[name] = strings.TrimSpace(told("tmux", "show", "-gv", name))
		}
	}
	return t
}
