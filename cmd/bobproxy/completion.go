package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bobproxy/inspector/setup"
	"bobproxy/proxy"
)

const completionUsage = `bobproxy completion bash|zsh|fish|powershell

Prints what makes a shell complete commands, flags, their values, and the names
of proxies and of requests that wait.

  bash        source <(bobproxy completion bash)
  zsh         source <(bobproxy completion zsh)
  fish        bobproxy completion fish | source
  powershell  bobproxy completion powershell | Out-String | Invoke-Expression

The line belongs into ~/.bashrc, ~/.zshrc behind compinit,
~/.config/fish/config.fish or $PROFILE.
`

// completing is all that shells are told.
type completing struct {
	verbs []completed
	flags []option // those in front of the word acp
}

// completed is a command.
type completed struct {
	name, text string
	words      []string // that may follow it
	kinds      []string // what may follow it: files, recordings, requests
	flags      []option
}

var shells = map[string]func(*completing) string{"bash": bash, "zsh": zsh, "fish": fish, "powershell": powershell}

// runCompletion is `bobproxy completion`.
func runCompletion(s *settings, args []string, std streams) int {
	if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
		return giveHelp(std, completionUsage)
	}
	if len(args) != 1 || shells[args[0]] == nil {
		return refuse(std, usageError("completion of which shell? bash, zsh, fish or powershell (see: bobproxy completion --help)"))
	}
	c, err := newCompleting(s)
	if err != nil {
		fmt.Fprintf(std.err, "bobproxy: %v\n", err)
		return proxy.ExitOurs
	}
	return giveHelp(std, shells[args[0]](c))
}

func newCompleting(s *settings) (*completing, error) {
	all, err := manuals(s)
	if err != nil {
		return nil, err
	}
	c := new(completing)
	for _, m := range all {
		v := completed{name: m.verb.name, text: m.verb.forms[0].text, flags: m.flags(s)}
		for _, f := range m.verb.forms {
			v.follow(f.args)
		}
		for _, line := range m.synopsis {
			v.follow(strings.TrimPrefix(line, "bobproxy "+v.name))
		}
		if v.name == "acp" {
			c.flags = append(v.flags, option{name: "--version", text: "the version"})
			v.flags = nil // all that follows is the agent's
		} else if m.verb.own || v.name == "version" {
			v.flags = append(v.flags, option{name: "--help", text: "how it is used"})
		}
		c.verbs = append(c.verbs, v)
	}
	return c, nil
}

// follow takes what may follow a command from one of its forms.
func (v *completed) follow(form string) {
	words := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(form))
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return
	}
	for word := range strings.SplitSeq(words[0], "|") {
		switch word {
		case "FILE", "DIR":
			v.add(&v.kinds, "files")
		case "SESSION", "RECORDING", "A", "B":
			v.add(&v.kinds, "recordings")
			v.add(&v.kinds, "files")
		case "REQ":
			v.add(&v.kinds, "requests")
		case "EDITOR":
			for _, e := range setup.Editors {
				v.add(&v.words, e.Name)
			}
		case "COMMAND":
			for _, name := range verbNames() {
				v.add(&v.words, name)
			}
		default:
			for _, choice := range choicesIn(word) {
				v.add(&v.words, choice)
			}
		}
	}
}

func (v *completed) add(to *[]string, word string) {
	if !slices.Contains(*to, word) {
		*to = append(*to, word)
	}
}

// dynamic says whether a command is followed by names that only a look can tell.
func (v *completed) dynamic() (what string) {
	for _, kind := range v.kinds {
		if kind != "files" {
			return kind
		}
	}
	return ""
}

// runNames prints names, one a line, for shells that complete them.
func runNames(s *settings, args []string, std streams) int {
	var names []string
	switch strings.Join(args, " ") {
	case "requests":
		for _, o := range look(context.Background(), running{s.lookup}).waiting() {
			names = append(names, o.Request)
		}
	case "recordings":
		if shelf, c := openShelf(s); c == nil {
			for _, b := range shelf.books[:min(len(shelf.books), 50)] {
				names = append(names, b.instance)
			}
		}
	}
	for _, name := range names {
		fmt.Fprintln(std.out, field(name))
	}
	return exitDone
}
