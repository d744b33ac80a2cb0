package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
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

// parse reads the environment and then the flags in front of args; it returns
// what follows them.
func (s *settings) parse(name string, args []string) ([]string, error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	for _, row := range table {
		if text, ok := s.lookup(row.env); ok && text != "" {
			if err := row.value(s).Set(text); err != nil {
				return nil, usageError(fmt.Sprintf("%s=%q in the environment: %v", row.env, text, err))
			}
		}
		flags.Var(row.value(s), row.flag, row.text)
	}
	version := flags.Bool("version", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil, errHelp
	case err != nil:
		return nil, usageError(fmt.Sprintf("%v (see: bobproxy help)", err))
	case *version:
		return nil, errVersion
	}
	return flags.Args(), nil
}

// toggle is a switch.
type toggle bool

func (t *toggle) String() string   { return strconv.FormatBool(bool(*t)) }
func (t *toggle) IsBoolFlag() bool { return true }
func (t *toggle) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return errors.New("is neither true nor false")
	}
	*t = toggle(on)
	return nil
}

// path is a file or folder name. Editors start us without a shell, so a ~ would
// be taken for a name and make a folder that nobody meant.
type path string

func (p *path) String() string { return string(*p) }
func (p *path) Set(text string) error {
	if strings.HasPrefix(text, "~") || strings.HasPrefix(text, "$") {
		return errors.New("~ and $ are not expanded here; write the whole path")
	}
	if text == "" {
		return errors.New("needs a name")
	}
	*p = path(text)
	return nil
}

// byteSize is a number of bytes, written 500000, 64KiB, 200MB, 1GiB. Zero means
// the default.
type byteSize int64

var units = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

func (b *byteSize) String() string { return strconv.FormatInt(int64(*b), 10) }
func (b *byteSize) Set(text string) error {
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n <= 0 || n > (1<<62)/u.bytes {
			break
		}
		*b = byteSize(n * u.bytes)
		return nil
	}
	return errors.New("is not a size such as 500MB or 1GiB")
}

// age is a span of time, written 90m, 12h, 30d. Zero means the default.
type age time.Duration

func (a *age) String() string { return time.Duration(*a).String() }
func (a *age) Set(text string) error {
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(min(n, 36500)) * 24 * time.Hour
	}
	if err != nil || d <= 0 {
		return errors.New("is not an age such as 12h or 30d")
	}
	*a = age(d)
	return nil
}
