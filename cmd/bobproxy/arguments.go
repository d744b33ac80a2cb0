package main

import (
	"errors"
	"flag"
	"io"
	"strings"
	"time"
)

// arguments reads flags wherever they stand among args and returns the rest in
// its order; what follows -- is never a flag.
func arguments(flags *flag.FlagSet, args []string) (rest []string, err error) {
	flags.SetOutput(io.Discard)
	for len(args) > 0 {
		switch word := args[0]; {
		case word == "--":
			return append(rest, args[1:]...), nil
		case len(word) > 1 && word[0] == '-':
			n := min(words(flags, word), len(args))
			if err := flags.Parse(args[:n]); err != nil {
				return nil, err
			}
			args = args[n:]
		default:
			rest, args = append(rest, word), args[1:]
		}
	}
	return rest, nil
}

// words is how many arguments a flag takes, itself included.
func words(flags *flag.FlagSet, word string) int {
	name := strings.TrimPrefix(word[1:], "-")
	f := flags.Lookup(name)
	if f == nil { // unknown, or name=value
		return 1
	}
	if toggle, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && toggle.IsBoolFlag() {
		return 1
	}
	return 2
}

// asksForJSON says whether an error in args is to be told in JSON, which must
// be known before they are read.
func asksForJSON(args []string) bool {
	for _, word := range args {
		switch word {
		case "--":
			return false
		case "--json", "-json", "--json=true", "-json=true":
			return true
		}
	}
	return false
}

// patienceFlag is --wait, alone or with the longest time to wait.
type patienceFlag struct {
	set   bool
	limit time.Duration // negative: none
}

func (p *patienceFlag) String() string   { return p.limit.String() }
func (p *patienceFlag) IsBoolFlag() bool { return true }
func (p *patienceFlag) Set(text string) error {
	switch text {
	case "true":
		*p = patienceFlag{true, -1}
		return nil
	case "false":
		*p = patienceFlag{}
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("is not a time such as 30s or 10m")
	}
	*p = patienceFlag{true, d}
	return nil
}
