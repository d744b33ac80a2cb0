package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// settings are what flags and environment decide. Flags win.
type settings struct {
	bob            string
	pipe           bool
	record         string
	recordDir      string
	recordRequired bool
	recordMaxSize  byteSize
	recordMaxAge   age

	given  []string                    // names of the flags that were given
	lookup func(string) (string, bool) // the environment
}

// setting is one row of the table that flags, environment and help come from.
type setting struct {
	flag, env string
	arg       string // what the help calls the value; empty for a switch
	byDefault string // said in the help
	text      string
	value     func(*settings) flag.Value
}

var table = []setting{
	{"bob", "BOB_PATH", "FILE", "bob, from PATH", "the bob that `acp` runs", func(s *settings) flag.Value { return (*path)(&s.bob) }},
	{"record", "BOBPROXY_RECORD", "FILE|off", "a new file for each run", "record to this file, or not at all", func(s *settings) flag.Value { return (*path)(&s.record) }},
	{"record-dir", "BOBPROXY_RECORD_DIR", "DIR", "$XDG_STATE_HOME/bobproxy", "where the files for each run are made", func(s *settings) flag.Value { return (*path)(&s.recordDir) }},
	{"record-required", "BOBPROXY_RECORD_REQUIRED", "", "off", "no recording, no traffic: end the run when a record cannot be kept", func(s *settings) flag.Value { return (*toggle)(&s.recordRequired) }},
	{"record-max-size", "BOBPROXY_RECORD_MAX_SIZE", "SIZE", "1GiB", "most that the recordings in the directory take together", func(s *settings) flag.Value { return &s.recordMaxSize }},
	{"record-max-age", "BOBPROXY_RECORD_MAX_AGE", "AGE", "30d", "recordings older than this are removed", func(s *settings) flag.Value { return &s.recordMaxAge }},
	{"pipe", "BOBPROXY_PIPE", "", "off", "stand between the streams even if stdin is a terminal", func(s *settings) flag.Value { return (*toggle)(&s.pipe) }},
}

func newSettings(lookup func(string) (string, bool)) *settings { return &settings{lookup: lookup} }

// What the user may ask for by a flag.
var (
	errHelp    = errors.New("help was asked for")
	errVersion = errors.New("the version was asked for")
)

// parse reads the flags in front of args and returns what follows them.
func (s *settings) parse(args []string) ([]string, error) {
	flags := flag.NewFlagSet("bobproxy", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	for _, row := range table {
		flags.Var(row.value(s), row.flag, row.text)
	}
	version := flags.Bool("version", false, "")
	err := flags.Parse(args)
	flags.Visit(func(f *flag.Flag) { s.given = append(s.given, f.Name) })
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, errHelp
	case err != nil:
		return nil, usageError(inOurWords(err) + " (see: bobproxy help)")
	case *version:
		return nil, errVersion
	}
	return flags.Args(), nil
}

// inOurWords gives flags the two dashes they have everywhere else.
func inOurWords(err error) string {
	return strings.NewReplacer(
		"flag provided but not defined: -", "there is no flag --",
		"flag needs an argument: -", "a value is missing behind --",
		"for flag -", "for --",
	).Replace(err.Error())
}

// complete reads from the environment what no flag gave.
func (s *settings) complete() error {
	for _, row := range table {
		text, ok := s.lookup(row.env)
		if !ok || text == "" || slices.Contains(s.given, row.flag) {
			continue
		}
		if err := row.value(s).Set(text); err != nil {
			return usageError(fmt.Sprintf("%s=%q in the environment: %v", row.env, text, err))
		}
	}
	return nil
}

// refuseFor says that flags were given to a command that has none.
func (s *settings) refuseFor(command string) error {
	if len(s.given) == 0 {
		return nil
	}
	return usageError(fmt.Sprintf("--%s is for acp and run; %s has no such flag", s.given[0], command))
}
