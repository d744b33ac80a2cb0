package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"bobproxy/proxy"
	"bobproxy/proxy/journal"
)

// configReport is what `bobproxy config` tells. Its JSON is a contract: fields
// are added, never changed.
type configReport struct {
	File     string          `json:"file"` // empty: nobody knows where it would be
	Exists   bool            `json:"exists"`
	Settings []settingReport `json:"settings"`
	Warnings []string        `json:"warnings"`
}

// settingReport is one setting in force. The value is as the environment would
// have it; empty: none.
type settingReport struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Source  string `json:"source"`
	Env     string `json:"env"`
	Default string `json:"default"` // in words where it is no value
}

// runConfig is `bobproxy config [--json] [FLAGS]`: which settings acp and run
// would have with the same flags, and where each is from.
func runConfig(s *settings, args []string, std streams) int {
	asJSON := asksForJSON(args) // also where the flags are wrong
	rest, err := s.parse(args, func(flags *flag.FlagSet) { flags.BoolVar(&asJSON, "json", asJSON, "") })
	if err == nil && len(rest) > 0 {
		err = usageError(fmt.Sprintf("config takes no %q (see: bobproxy help)", rest[0]))
	}
	if err == nil {
		err = s.check(std)
	}
	if _, wrong := err.(usageError); wrong && asJSON {
		writeJSON(std.err, map[string]*complaint{"error": misused("%v", err)})
		return exitUsage
	}
	if err != nil {
		return refuse(std, err)
	}
	if asJSON {
		err = writeJSON(std.out, s.report())
	} else {
		err = s.report().print(std.out)
	}
	if err != nil {
		fmt.Fprintf(std.err, "bobproxy: %v\n", err)
		return proxy.ExitOurs
	}
	return exitDone
}

// check completes the settings and says what would keep a run from starting.
func (s *settings) check(std streams) error {
	if err := s.complete("config"); err != nil {
		return err
	}
	if err := s.contradiction(std); err != nil {
		return err
	}
	_, err := s.policy()
	return err
}

func (s *settings) report() configReport {
	r := configReport{File: s.file.path, Exists: s.file.exists, Warnings: append(append([]string{}, s.doubts()...), strangers(os.Environ())...)}
	for _, row := range table {
		source := s.source[row.name]
		if source == "" {
			source = "default"
		}
		r.Settings = append(r.Settings, settingReport{row.name, s.inForce(row), source, row.env, row.defaultText()})
	}
	return r
}

// inForce is a setting's value, or empty.
func (s *settings) inForce(row setting) string {
	text := row.value(s).String()
	if text == "" && row.name == "record-dir" {
		text, _ = journal.DefaultDir() // a user without a home has none
	}
	return text
}

func (r configReport) print(out io.Writer) error {
	var b strings.Builder
	switch {
	case r.File == "":
		b.WriteString("config file: none, for want of a home directory\n\n")
	case r.Exists:
		fmt.Fprintf(&b, "config file: %s\n\n", shown(r.File))
	default:
		fmt.Fprintf(&b, "config file: %s, which is not there\n\n", shown(r.File))
	}
	columns := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range r.Settings {
		value := row.Value
		if value == "" {
			value = row.Default
		}
		fmt.Fprintf(columns, "%s\t%s\t%s\n", row.Name, shown(value), shown(row.Source))
	}
	columns.Flush()
	for i, warning := range r.Warnings {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("warning: " + warning + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// shown is text as it may stand in a line: what a terminal would obey or hide
// is escaped.
func shown(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return strconv.Quote(text)
	}
	return text
}
