package model

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/session"
)

// Subject is what something is about: a command, or else files. The title is
// only what the agent calls it, and comes behind what is known besides.
type Subject struct {
	Command string // line that runs; empty: none is known
	File    string // path of the first file; empty where there is a command, or no file
	More    int    // how many files there are besides
	Title   string // empty: it says nothing else
}

// Whole is all of it in one line, which is not clean: what it is about and, behind
// that, the title.
func (s Subject) Whole() string {
	about := s.Command
	if s.File != "" {
		about = s.File + more(s.More)
	}
	switch {
	case about == "":
		return s.Title
	case s.Title == "":
		return about
	}
	return about + " — " + s.Title
}

func more(files int) string {
	switch files {
	case 0:
		return ""
	case 1:
		return " and 1 more file"
	}
	return " and " + strconv.Itoa(files) + " more files"
}

// maxCommand is how many bytes of a command a Subject has.
const maxCommand = 4 << 10

// SubjectOf is what a tool call is about, by itself or else by what was asked for
// it.
func SubjectOf(t *session.Tool, asked []*Permission) Subject {
	own := told(t)
	if own.observed() {
		return own
	}
	for _, o := range slices.Backward(asked) {
		if s := o.Subject(); s.observed() {
			return s
		}
	}
	return own
}

// told is what a tool call itself says that it is about. What only looks for
// something is about that, and not about the files in which it was found.
func told(t *session.Tool) Subject {
	title := either(t.Title, t.Name)
	if command := commandIn(t.Kind, t.Input, len(t.Paths) > 0); command != "" {
		return subject(command, nil, title)
	}
	if t.Diffs == 0 && looks(t.Kind) {
		return Subject{Title: title}
	}
	return subject("", t.Paths, title)
}

// Subject is what is asked for.
func (o *Permission) Subject() Subject {
	if o.kept != nil {
		return *o.kept
	}
	files, command := o.files(), ""
	if c := o.Card; c != nil {
		command = either(inked(clip(c.Command, maxCommand)), commandIn(o.Kind, c.Input, len(files) > 0), commandIn(o.Kind, []byte(c.Clipped), len(files) > 0))
	}
	return subject(command, files, o.Title)
}

// files are those that the proxy has judged, what is not inside the workspace
// first, else those that the request names.
func (o *Permission) files() []string {
	if o.Card == nil || len(o.Card.Verdict.Paths) == 0 {
		return o.paths
	}
	var inside, outside []string
	for _, path := range o.Card.Verdict.Paths {
		if path.Inside {
			inside = append(inside, path.Path)
		} else {
			outside = append(outside, path.Path)
		}
	}
	return append(outside, inside...)
}

// Subject is what was done: by its tool call, else by what was asked for it, else
// by what the agent asked the editor to do.
func (d *Deed) Subject() Subject {
	switch {
	case d.kept != nil:
		return *d.kept
	case d.What == "write":
		return Subject{File: d.Title}
	case d.What == "terminal":
		return Subject{Command: d.Title}
	}
	tool := &session.Tool{}
	if d.Entry != nil && d.Entry.Tool != nil {
		tool = d.Entry.Tool
	}
	if s := SubjectOf(tool, d.Asked); s.observed() {
		return s
	}
	for _, r := range d.Requests {
		if r.Method == acp.MethodTerminalCreate && r.First != "" {
			return subject(r.First, nil, d.Title)
		}
	}
	return Subject{Title: d.Title}
}

// observed says that more than a title is known.
func (s *Subject) observed() bool { return s.Command != "" || s.File != "" }

// String is the command, or the first file, or else the title. It is not clean.
func (s Subject) String() string { return either(s.Command, s.File, s.Title) }

// keep is what remains of s when what it was read from is forgotten.
func (s Subject) keep() *Subject {
	return &Subject{Command: clip(s.Command, maxDoing), File: clip(s.File, maxDoing), More: s.More, Title: clip(s.Title, maxDoing)}
}

// subject leaves out a title that says nothing besides what is known.
func subject(command string, files []string, title string) Subject {
	s := Subject{Command: command, Title: inked(title)}
	if command == "" {
		s.File, s.More = distinct(files)
	}
	if plain := strings.Trim(title, "` "); plain == strings.TrimSpace(command) || s.File != "" && names(plain, s.File) {
		s.Title = ""
	}
	return s
}

// distinct is the first of some paths, and how many others there are.
func distinct(paths []string) (first string, more int) {
	seen := map[string]bool{"": true}
	for _, path := range paths {
		if seen[path] {
			continue
		}
		if seen[path] = true; first == "" {
			first = path
		} else {
			more++
		}
	}
	return first, more
}

// names says that a title is a path or the end of one, with at most two words in
// front.
func names(title, path string) bool {
	for range 3 {
		if samePath(title, path) {
			return true
		}
		if _, title, _ = strings.Cut(title, " "); title == "" {
			return false
		}
	}
	return false
}

// looks says that a tool of that kind looks for something.
func looks(kind string) bool {
	switch kind {
	case "search", "fetch", "think", "switch_mode":
		return true
	}
	return false
}

// commandIn is the command in a raw input, with its arguments where they stand
// beside it. Where files are named, a tool that is not said to run anything may
// call by that name what it does with them, in a word.
func commandIn(kind string, input []byte, files bool) string {
	if !bytes.HasSuffix(bytes.TrimRight(input, " \t\r\n"), []byte("}")) {
		input = acp.Close(input) // of a long one there is only the beginning
	}
	var command, cmd, args string
	for name, value := range acp.Members(input) {
		switch string(name) {
		case "command":
			command = either(lineOf(value), command)
		case "cmd":
			cmd = either(lineOf(value), cmd)
		case "args":
			args = lineFrom(wordsOf(value))
		}
	}
	line := either(command, cmd)
	if cmd != "" && cmd != line {
		line += "\n" + cmd // nobody knows which of them runs
	}
	if line != "" && args != "" {
		line += " " + args
	}
	if files && kind != "execute" && !strings.ContainsAny(line, " \t\n") {
		return ""
	}
	return clip(line, maxCommand)
}

// lineOf is a command that is told as a line, or as its arguments: then without
// the shell around it, if it is nothing but one. One of nothing but blanks is
// none.
func lineOf(value []byte) string {
	line, ok := acp.Unquote(value)
	if words := wordsOf(value); !ok {
		if line, ok = inShell(words); !ok {
			line = lineFrom(words)
		}
	}
	return clip(inked(line), maxCommand)
}

// inked is text in which there is anything but blanks.
func inked(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// wordsOf are the arguments in a list, the first ones of very many.
func wordsOf(value []byte) (words []string) {
	for v := range acp.Elements(value) {
		if len(words) == maxPaths {
			return append(words, "…")
		}
		word, ok := acp.Unquote(v)
		if !ok {
			word = string(v[:min(len(v), maxCommand)])
		}
		words = append(words, word)
	}
	return words
}

// lineFrom is arguments as they would stand in a command line.
func lineFrom(words []string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = inQuotes(word)
	}
	return strings.Join(all, " ")
}

// inQuotes is an argument as it would stand in a command line.
func inQuotes(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n\"'`$\\|&;<>()*?[]{}~#") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
