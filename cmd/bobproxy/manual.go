package main

import (
	"io"
	"os"
	"slices"
	"strings"
)

// manual is what a command's own page says, taken apart. Completions and man
// page are made of it, so that there is one text to keep right.
type manual struct {
	verb     verb
	synopsis []string
	blocks   []block // what follows it
}

// block is a part of a page: a paragraph, flags with what they do, or lines that
// are to stay as they are.
type block struct {
	text    string
	options []option
	lines   []string
}

// option is a flag as a page shows it.
type option struct {
	name string // with its dashes
	arg  string // what follows it; empty: it is a switch
	join string // what is between the two: a blank or =
	text string
}

// manuals are those of all commands, in the order of the help.
func manuals(s *settings) (all []manual, err error) {
	for _, h := range headings() {
		for _, v := range h.verbs {
			page, err := pageOf(s, v)
			if err != nil {
				return nil, err
			}
			all = append(all, newManual(v, page))
		}
	}
	return all, nil
}

// pageOf is what a command says of itself when it is asked; empty when it has no
// page of its own.
func pageOf(s *settings, v verb) (string, error) {
	if !v.own || v.name == "config" || v.name == "help" { // theirs is the help
		return "", nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	text := make(chan string)
	go func() {
		all, _ := io.ReadAll(r)
		text <- string(all)
	}()
	v.run(newSettings(s.lookup), []string{"--help"}, streams{os.Stdin, w, w})
	w.Close()
	page := <-text
	return page, r.Close()
}

func newManual(v verb, page string) manual {
	m := manual{verb: v}
	lines := strings.Split(strings.TrimRight(page, "\n"), "\n")
	for len(lines) > 0 && (strings.HasPrefix(lines[0], "bobproxy ") || len(m.synopsis) > 0 && strings.HasPrefix(lines[0], "  ")) {
		m.synopsis = append(m.synopsis, lines[0])
		lines = lines[1:]
	}
	if len(m.synopsis) == 0 {
		for _, f := range v.forms {
			m.synopsis = append(m.synopsis, strings.TrimSpace("bobproxy "+v.name+" "+f.args))
		}
	}
	for len(lines) > 0 {
		n := slices.Index(lines, "")
		if n < 0 {
			n = len(lines)
		}
		if n > 0 {
			m.blocks = append(m.blocks, newBlock(lines[:n]))
		}
		lines = lines[min(n+1, len(lines)):]
	}
	return m
}

// optionLine is a flag in a list of flags: two blanks, the flag, what follows it,
// and two blanks or more before what it does, or that on the next line.
var optionLine = pattern(`^  (--?[a-z][a-z-]*)(\[?[ =])?(\S.*?)?(?:  +(\S.*))?$`)

func newBlock(lines []string) (b block) {
	if !strings.HasPrefix(lines[0], " ") {
		b.text = strings.Join(lines, " ")
		if strings.Contains(strings.Join(lines[1:], "\n"), "\n  ") || len(lines) > 1 && strings.HasPrefix(lines[1], "  ") {
			b = block{lines: lines}
		}
		return b
	}
	for _, line := range lines {
		m := optionLine().FindStringSubmatch(line)
		switch {
		case m != nil:
			o := option{name: m[1], arg: strings.TrimSuffix(m[3], "]"), join: strings.TrimPrefix(m[2], "["), text: m[4]}
			b.options = append(b.options, o)
		case len(b.options) > 0 && strings.HasPrefix(line, "   "):
			last := &b.options[len(b.options)-1]
			last.text = strings.TrimSpace(last.text + " " + strings.TrimSpace(line))
		default:
			return block{lines: lines}
		}
	}
	return b
}

// inSynopsis is a flag in the first lines of a page.
var inSynopsis = pattern(`(?:^|[\s\[(|])(--?[a-z][a-z-]*)(?:(\[?[ =])('[^']*'|[A-Za-z|]+))?`)

// flags are those of a command: of its page, and of the settings it has a use
// for.
func (m *manual) flags(s *settings) (all []option) {
	add := func(o option) {
		i := slices.IndexFunc(all, func(other option) bool { return other.name == o.name })
		switch {
		case i < 0:
			all = append(all, o)
		case len(all[i].choices()) == 0 && len(o.choices()) > 0:
			all[i].arg, all[i].join = o.arg, o.join
		case len(o.choices()) > 0 && !slices.Contains(all[i].choices(), o.arg):
			all[i].arg += "|" + o.arg // each line has one of them
		}
	}
	for _, b := range m.blocks {
		for _, o := range b.options {
			add(o)
		}
	}
	for _, line := range m.synopsis {
		ours, _, _ := strings.Cut(line, " -- ") // the rest is another program's
		for _, f := range inSynopsis().FindAllStringSubmatch(ours, -1) {
			add(option{name: f[1], arg: f[3], join: strings.TrimPrefix(f[2], "[")})
		}
	}
	for _, row := range table {
		if row.hasFlag() && row.serves(m.verb.name) {
			add(row.option())
		}
	}
	return all
}

// option is the flag of a setting.
func (row setting) option() option {
	o := option{name: "--" + row.name, arg: row.arg, join: " ", text: plain(row.text)}
	if row.byDefault == "true" {
		o.arg, o.join = "false", "="
	}
	return o
}

// choices are the words that may follow a flag; none when that may be anything.
func (o option) choices() []string { return choicesIn(o.arg) }

// choicesIn are the words in a|b|c; of words in capitals, which stand for
// something else, there are none.
func choicesIn(arg string) (words []string) {
	for word := range strings.SplitSeq(arg, "|") {
		if word != "" && word == strings.ToLower(word) && !strings.ContainsAny(word, " ='…") {
			words = append(words, word)
		}
	}
	return words
}
