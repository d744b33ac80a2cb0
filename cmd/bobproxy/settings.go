package main

import (
	"bobproxy/inspector/guess"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// settings are what flags, environment and config file decide. Flags win over
// the environment, which wins over the file.
type settings struct {
	bounds            string
	workspaceRoot     directory
	allow, allowRead  directories
	permissionTimeout span
	requestTimeout    span
	promptTimeout     span
	maxSessions       number
	withdraw          bool
	answerCLI         string
	refuseAutoApprove bool

	record         string
	recordDir      string
	recordRequired bool
	recordMaxSize  byteSize
	recordMaxAge   age

	bob       string
	arguments commaList
	apiKey    secret
	pipe      bool

	panel panelSettings

	given  []string                    // names of the flags that were given
	source map[string]string           // by name, where a value is from; of those that are not the default
	lookup func(string) (string, bool) // the environment
	file   configFile
}

// newSettings has the defaults.
func newSettings(lookup func(string) (string, bool)) *settings {
	s := &settings{lookup: lookup, source: map[string]string{}}
	for _, row := range table {
		if row.byDefault == "" {
			continue
		}
		if err := row.value(s).Set(row.byDefault); err != nil {
			panic(fmt.Sprintf("the default of %s %v", row.name, err))
		}
	}
	return s
}

// What the user may ask for by a flag.
var (
	errHelp    = errors.New("help was asked for")
	errVersion = errors.New("the version was asked for")
)

// parse reads the flags in front of args, with more flags of the command's own,
// and returns what follows them.
func (s *settings) parse(args []string, own ...func(*flag.FlagSet)) ([]string, error) {
	flags := flag.NewFlagSet("bobproxy", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	for _, row := range table {
		if row.hasFlag() {
			flags.Var(row.value(s), row.name, row.text)
		}
	}
	for _, define := range own {
		define(flags)
	}
	version := flags.Bool("version", false, "")
	err := flags.Parse(args)
	flags.Visit(func(f *flag.Flag) { s.note(f.Name) })
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, errHelp
	case err != nil:
		return nil, usageError(inOurWords(err, flags) + " (see: bobproxy help)")
	case *version:
		return nil, errVersion
	}
	return flags.Args(), nil
}

// define adds the flags of the settings that a command has a use for.
func (s *settings) define(flags *flag.FlagSet, command string) {
	for _, row := range table {
		if row.hasFlag() && row.serves(command) && flags.Lookup(row.name) == nil {
			flags.Var(row.value(s), row.name, row.text)
		}
	}
}

// note remembers that a flag was given.
func (s *settings) note(name string) {
	if _, ok := findSetting(name); ok {
		s.given = append(s.given, name)
		s.source[name] = "flag --" + name
	}
}

// inOurWords gives flags the two dashes they have everywhere else, and guesses
// which one was meant.
func inOurWords(err error, flags *flag.FlagSet) string {
	text := strings.NewReplacer(
		"flag provided but not defined: -", "there is no flag --",
		"flag needs an argument: -", "a value is missing behind --",
		"invalid boolean value", "invalid value",
		"for flag -", "for --",
		"for -", "for --",
	).Replace(err.Error())
	name, unknown := strings.CutPrefix(text, "there is no flag --")
	if !unknown || len(name) > maxKeySize {
		return text
	}
	if row, ok := findSetting(name); ok && !row.hasFlag() {
		return text + ", since everybody on this machine can read a command line; use " + row.env + " or the config file"
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near := guess.Nearest(name, names); near != "" {
		text += "; did you mean --" + near + "?"
	}
	return text
}

// complete reads from the environment and the config file what no flag gave. A
// variable counts only where the command has a use for it; a file must be right
// as a whole.
func (s *settings) complete(command string) error {
	if err := s.fromEnvironment(command); err != nil {
		return err
	}
	return s.fromFile()
}

func (s *settings) fromEnvironment(command string) error {
	for _, row := range table {
		text, ok := s.lookup(row.env)
		if !ok || text == "" || s.source[row.name] != "" || !row.serves(command) {
			continue
		}
		v := row.value(s)
		var err error
		if several, ok := v.(list); ok {
			err = several.replace(several.split(text))
		} else {
			err = v.Set(text)
		}
		if err != nil {
			return usageError(fmt.Sprintf("%s in the environment: %v", quoted(row.env, v, text), err))
		}
		s.source[row.name] = "environment " + row.env
	}
	return nil
}

// quoted is an assignment that was wrong, without what is secret in it.
func quoted(name string, v flag.Value, text string) string {
	if _, hidden := v.(*secret); hidden {
		return name
	}
	return fmt.Sprintf("%s=%q", name, text)
}

// refuseFor says that a flag was given to a command that has no use for it.
func (s *settings) refuseFor(command string) error {
	for _, name := range s.given {
		row, _ := findSetting(name)
		if row.serves(command) {
			continue
		}
		whose := "acp and run"
		if row.group == ofPanel {
			whose = "panel"
		}
		return usageError(fmt.Sprintf("--%s is for %s; %s has no such flag", name, whose, command))
	}
	return nil
}
