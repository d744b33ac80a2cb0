package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"bobproxy/acp/check"
	"bobproxy/inspector/conform"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

const checkUsage = `bobproxy check [RECORDING] [FLAGS]

Says where client and agent break the protocol (agentclientprotocol.com), by
rule, with the frames: the shape of every message, and when it is sent. RECORDING
is a file, - for stdin, the instance of a proxy, or the beginning of a session's
id; without one it is the newest. A line may also be {"dir":"agent","frame":…}.

  --level error|warning|info
                         what makes it fail, and all that is worse
  --baseline FILE        what is in there is known and does not count
  --write-baseline FILE  write what was found, to be known the next time, and
                         do not fail for it
  --no-unasked edit|delete|move|execute
                         fail, too, when a tool call of one of these kinds ran
                         and nobody was asked, or although it was refused;
                         several are separated by commas
  --strict               with --no-unasked: fail, too, when only an earlier
                         "allow always" covers a call, and when what was refused
                         is called completed in words that say it did not run
  --rules                all rules, and nothing else
  --json                 for scripts: one document, with every finding

  bobproxy check recording.jsonl --level warning --baseline known.jsonl
  bobproxy check z69pu --no-unasked execute,delete

Exit codes: 0 nothing as bad as that; 1 there is; 2 wrong usage; 3 no such
recording, or no frames in it; 125 our own failure.
`

// checking is one run of `bobproxy check`.
type checking struct {
	*remote
	std      streams
	level    check.Severity
	baseline string
	write    string
	unasked  []string // kinds of tool calls for which somebody must be asked
	strict   bool     // and an earlier answer does not do
	rules    bool
}

// runCheck is `bobproxy check`.
func runCheck(s *settings, args []string, std streams) int {
	k := &checking{std: std, remote: &remote{out: std.out, err: std.err, json: asksForJSON(args), width: 80}}
	if width, _, err := term.GetSize(int(std.out.Fd())); err == nil && width > 0 {
		k.width = max(width, 40)
	}
	rest, code, done := k.arguments(args)
	if done {
		return code
	}
	if k.rules {
		return k.showRules()
	}
	known, c := k.known()
	if c != nil {
		return k.fail(c)
	}
	from, c := findRecording(s, strings.Join(rest, ""))
	if c != nil {
		return k.fail(c)
	}
	return k.judge(from, known)
}

// arguments reads the command line.
func (k *checking) arguments(args []string) (rest []string, code int, done bool) {
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	var level, unasked string
	flags.StringVar(&level, "level", "error", "")
	flags.StringVar(&k.baseline, "baseline", "", "")
	flags.StringVar(&k.write, "write-baseline", "", "")
	flags.StringVar(&unasked, "no-unasked", "", "")
	flags.BoolVar(&k.strict, "strict", false, "")
	flags.BoolVar(&k.rules, "rules", false, "")
	rest, code, done = k.parse(flags, args, checkUsage)
	if done {
		return nil, code, true
	}
	var ok bool
	var c *complaint
	if k.level, ok = check.ParseSeverity(level); !ok {
		c = misused("--level: %s is not error, warning or info", quotation(level))
	}
	if given(flags, "no-unasked") {
		k.unasked = strings.Split(unasked, ",")
	}
	for _, kind := range k.unasked {
		if !slices.Contains([]string{"edit", "delete", "move", "execute"}, kind) {
			c = misused("--no-unasked: %s is not edit, delete, move or execute", quotation(kind))
		}
	}
	switch {
	case k.strict && len(k.unasked) == 0:
		c = misused("--strict belongs to --no-unasked")
	case len(rest) > 1:
		c = misused("check takes one recording, and %s is a second word", quotation(rest[1]))
	case k.rules && len(rest) > 0:
		c = misused("check --rules looks at no recording")
	}
	if c != nil {
		return nil, k.fail(c.with("see: bobproxy check --help")), true
	}
	return rest, 0, false
}

// known is the baseline; nil when there is none.
func (k *checking) known() (*conform.Baseline, *complaint) {
	if k.baseline == "" {
		return nil, nil
	}
	f, err := os.Open(k.baseline)
	if err != nil {
		return nil, misused("--baseline: %s", field(err.Error())).with("to make one: bobproxy check FILE --write-baseline %s", field(k.baseline))
	}
	defer f.Close()
	b, err := conform.ReadBaseline(f)
	if err != nil {
		return nil, misused("--baseline: %s: %v", quotation(k.baseline), err)
	}
	return b, nil
}

// judge reads the recording and reports.
func (k *checking) judge(from source, known *conform.Baseline) int {
	events, closer, _, err := openChecked(from, k.std.in)
	if err != nil {
		return k.fail(noRecording("%s: %s", quotation(from.name), field(err.Error())))
	}
	defer closer.Close()
	judge, deeds := conform.New(known), model.New()
	ledger := deeds.Begin(from.name)
	for e, err := range events {
		var line *journal.LineError
		if err != nil && !errors.As(err, &line) {
			return k.fail(broken("reading %s: %s", quotation(from.name), field(err.Error())))
		}
		if judge.Take(&e, err); len(k.unasked) > 0 {
			ledger.Take(&e, err)
		}
	}
	report := judge.End()
	if report.Frames == 0 {
		return k.fail(noFrames(from.name, "check", report.Damaged))
	}
	ledger.End() // which complains of what was counted already
	if c := k.writeBaseline(report); c != nil {
		return k.fail(c)
	}
	return k.tell(from, report, k.whatRan(deeds))
}

// noFrames is the complaint about a recording in which there is nothing to judge,
// which must not pass for one in which nothing was found.
func noFrames(name, verb string, damaged int) *complaint {
	c := noRecording("%s has no frames to %s", quotation(name), verb)
	if damaged > 0 {
		c = c.with("%s cannot be read", howMany(damaged, "line"))
	}
	return c
}

// openChecked opens a recording, of ours or of another program.
func openChecked(from source, stdin io.Reader) (events iter.Seq2[journal.Event, error], closer io.Closer, plain bool, err error) {
	in := stdin
	var file *os.File
	if from.file != "-" && from.file != "" {
		if file, err = os.Open(from.file); err != nil {
			return nil, nil, false, err
		}
		in = file
	}
	if in != nil && from.file != "" {
		peeked := bufio.NewReaderSize(in, 1<<20)
		first, _ := peeked.Peek(1 << 20)
		line, _, _ := strings.Cut(string(first), "\n")
		switch plain = conform.Plain([]byte(line)); {
		case plain && file != nil:
			return conform.PlainEvents(peeked), file, true, nil
		case plain:
			return conform.PlainEvents(peeked), io.NopCloser(peeked), true, nil
		}
		stdin = peeked
	}
	if file != nil {
		file.Close()
	}
	t, err := from.open(stdin)
	if err != nil {
		return nil, nil, false, err
	}
	return t.events(), t, false, nil
}

func (k *checking) writeBaseline(report *conform.Report) *complaint {
	if k.write == "" {
		return nil
	}
	f, err := os.Create(k.write)
	if err != nil {
		return misused("--write-baseline: %s", field(err.Error()))
	}
	entries, err := report.WriteBaseline(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return broken("writing the baseline: %v", err)
	}
	if !k.json {
		fmt.Fprintf(k.err, "bobproxy: %s: %s\n", field(k.write), howMany(entries, "known finding"))
	}
	return nil
}

// tell prints what was found, and gives the code to exit with.
func (k *checking) tell(from source, report *conform.Report, r ran) int {
	code := k.show(checkDocumentOf(from, report, &r), k.text(from, report, &r))
	switch {
	case code != exitDone:
		return code
	case report.Fails(k.level) && k.write == "", r.fails(k.strict):
		return exitNo
	}
	return exitDone
}
