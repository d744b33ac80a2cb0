package main

import (
	"errors"
	"flag"

	"golang.org/x/term"

	"bobproxy/inspector/compare"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/journal"
)

const diffUsage = `bobproxy diff A B [--texts] [--json]

Says what is different between two recorded conversations: abilities, sessions
and their settings, turns, tool calls, permissions and who answered them,
requests, errors, and why turns ended. Ids, times, tokens, costs, and how
messages were cut into chunks are no difference, and paths count from the
directory of their session. A and B are files, instances of proxies or
beginnings of session ids; one of them may be - for stdin.

  --texts   what was said counts, too, word by word
  --json    for scripts: one document

  - #31 …      only A has it, in its frame 31
  + #35 …      only B has it
  ~ #31 #35 …  both have it, and it differs

  bobproxy diff before.jsonl after.jsonl

Exit codes: 0 they are the same; 1 they differ; 2 wrong usage; 3 no such
recording, or no frames in it; 125 our own failure.
`

// comparing is one run of `bobproxy diff`.
type comparing struct {
	*remote
	settings *settings
	std      streams
	opts     compare.Options
}

// runDiff is `bobproxy diff`.
func runDiff(s *settings, args []string, std streams) int {
	c := &comparing{settings: s, std: std, remote: &remote{out: std.out, err: std.err, json: asksForJSON(args), width: 80}}
	if width, _, err := term.GetSize(int(std.out.Fd())); err == nil && width > 0 {
		c.width = width
	}
	flags := flag.NewFlagSet("diff", flag.ContinueOnError)
	flags.BoolVar(&c.opts.Texts, "texts", false, "")
	rest, code, done := c.parse(flags, args, diffUsage)
	switch {
	case done:
		return code
	case len(rest) != 2:
		return c.fail(misused("diff takes two recordings").with("bobproxy diff A B"))
	case rest[0] == "-" && rest[1] == "-":
		return c.fail(misused("stdin can be one of the two recordings only"))
	}
	return c.compare(rest[0], rest[1])
}

func (c *comparing) compare(one, other string) int {
	a, nameA, trouble := c.read(one)
	if trouble != nil {
		return c.fail(trouble)
	}
	b, nameB, trouble := c.read(other)
	if trouble != nil {
		return c.fail(trouble)
	}
	r := compare.Diff(a, b)
	look := compare.Look{Width: c.width, ASCII: !terminal.UTF8(c.settings.lookup)}
	if code := c.show(r.JSON(nameA, nameB), r.Text(nameA, nameB, look)); code != exitDone || len(r.Differences) == 0 {
		return code
	}
	return exitNo
}

// read reads the recording that is meant.
func (c *comparing) read(what string) (*compare.Recording, string, *complaint) {
	if what == "" {
		return nil, "", misused("the name of a recording is empty")
	}
	from, trouble := findRecording(c.settings, what)
	if trouble != nil {
		return nil, "", trouble
	}
	events, closer, _, err := openChecked(from, c.std.in)
	if err != nil {
		return nil, "", noRecording("%s: %s", quotation(from.name), field(err.Error()))
	}
	defer closer.Close()
	reader := compare.NewReader(c.opts)
	for e, err := range events {
		if line := new(journal.LineError); err != nil && !errors.As(err, &line) {
			return nil, "", broken("reading %s: %s", quotation(from.name), field(err.Error()))
		}
		reader.Take(&e, err)
	}
	r := reader.End()
	if r.Frames == 0 {
		return nil, "", noFrames(from.name, "compare", r.Damaged)
	}
	return r, from.name, nil
}
