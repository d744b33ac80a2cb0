package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"bobproxy/inspector/model"
	"bobproxy/inspector/report"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/journal"
)

const statsUsage = `bobproxy stats [SESSION|FILE] [--session ID] [--assert 'STAT(WHAT) < VALUE']
               [--json]

Measures a recording: how long answers, turns, tool calls and permissions took,
when the first words of an answer came, and the bytes of each method. SESSION is
the instance of a proxy, or the beginning of a session's id or a part of its
title, FILE a recording, - stdin; without either it is the recording that was
last written to.

  --session ID   only the session whose id begins with that
  --assert TEXT  what must hold; may be repeated
  --json         for scripts: one document

  STAT   p50 p90 p99 max min count sum
  WHAT   METHOD            from a request to its answer
         first-token       from a prompt to the agent's first words
         turn              from a prompt to the end of its turn
         tool, tool:KIND   a tool call, from when it began or you last answered
         permission, permission:BY
                           until it was answered, and by whom
         gap               between two chunks of one message
         bytes:METHOD      of one frame
         and of these the count alone:
         errors            answers that are an error
         unanswered        requests without an answer
         late, stray       answers that came too late, that nobody waited for
         refused, stopped  frames that the proxy refused, or stopped in any way
         unasked           tool calls that ran, and nobody was asked
         forbidden         tool calls that ran although that was not allowed
         odd, added, flagged, warnings, stderr, missing, damaged
  VALUE  with ms, s, m, or of bytes b, k, m; a number for count
         compared by < <= > >= =

  bobproxy stats recording.jsonl --assert 'p90(session/prompt) < 5s'
  bobproxy stats --assert 'max(bytes:session/update) <= 64k'
  bobproxy stats --assert 'count(errors) = 0' --assert 'count(forbidden) = 0'

Percentiles are values that were measured, by nearest rank.

Exit codes: 0; 1 an assertion does not hold; 2 wrong usage; 3 no such recording
or session, or no frames in it; 125 our own failure.
`

// measuring is one run of `bobproxy stats`.
type measuring struct {
	*remote
	settings   *settings
	std        streams
	session    string
	assertions []report.Assertion
}

// runStats is `bobproxy stats`.
func runStats(s *settings, args []string, std streams) int {
	m := &measuring{settings: s, std: std, remote: &remote{out: std.out, err: std.err, json: asksForJSON(args), width: 80}}
	if width, _, err := term.GetSize(int(std.out.Fd())); err == nil && width > 0 {
		m.width = width
	}
	rest, code, done := m.arguments(args)
	if done {
		return code
	}
	from, c := findRecording(s, strings.Join(rest, ""))
	if c != nil {
		return m.fail(c)
	}
	r, c := m.measure(from)
	if c != nil {
		return m.fail(c)
	}
	return m.tell(from, r)
}

// arguments reads the command line.
func (m *measuring) arguments(args []string) (rest []string, code int, done bool) {
	flags := flag.NewFlagSet("stats", flag.ContinueOnError)
	var wrong error
	flags.StringVar(&m.session, "session", "", "")
	flags.Func("assert", "", func(text string) error {
		a, err := report.ParseAssertion(text)
		if err != nil {
			wrong = cmp.Or(wrong, fmt.Errorf("--assert %s: %w", quotation(text), err))
			return nil
		}
		m.assertions = append(m.assertions, a)
		return nil
	})
	rest, code, done = m.parse(flags, args, statsUsage)
	switch {
	case done:
		return nil, code, true
	case wrong != nil:
		return nil, m.fail(misused("%v", wrong).with("see: bobproxy stats --help")), true
	case len(rest) > 1:
		return nil, m.fail(misused("stats takes one recording, and %s is a second word", quotation(rest[1])).with("see: bobproxy stats --help")), true
	}
	return rest, 0, false
}

// measure reads the recording.
func (m *measuring) measure(from source) (*report.Report, *complaint) {
	events, closer, plain, err := openChecked(from, m.std.in)
	if err != nil {
		return nil, noRecording("%s: %s", quotation(from.name), field(err.Error()))
	}
	defer closer.Close()
	if plain && m.asksOfDeeds() {
		return nil, misused("unasked and forbidden need a recording of bobproxy's, which says what was decided")
	}
	want := cmp.Or(m.session, from.session)
	if i := slices.IndexFunc(m.assertions, func(a report.Assertion) bool { return a.Measure.OfNoSession() }); i >= 0 && want != "" {
		return nil, misused("%s is counted for no session", m.assertions[i].Measure).with("measure the whole recording")
	}
	tally, ledger := report.New(want), model.New()
	deeds := ledger.Begin(from.name)
	frames, damaged := 0, 0
	for e, err := range events {
		if line := new(journal.LineError); err != nil && !errors.As(err, &line) {
			return nil, broken("reading %s: %s", quotation(from.name), field(err.Error()))
		}
		switch {
		case err != nil:
			damaged++
		case e.Type == journal.FrameEvent:
			frames++
		}
		if tally.Take(&e, err); m.asksOfDeeds() {
			deeds.Take(&e, err)
		}
	}
	r, meant := tally.End()
	switch {
	case frames == 0:
		return nil, noFrames(from.name, "measure", damaged)
	case r == nil:
		return nil, unclear(want, meant)
	}
	if m.asksOfDeeds() {
		deeds.End()
		countDeeds(r, ledger)
	}
	return r, nil
}

// asksOfDeeds says that what tool calls did must be known.
func (m *measuring) asksOfDeeds() bool {
	return slices.ContainsFunc(m.assertions, func(a report.Assertion) bool { return a.Measure.OfDeeds() })
}

// countDeeds puts into r what the ledger says of its session, or of all.
func countDeeds(r *report.Report, ledger *model.Model) {
	for _, s := range ledger.Sessions() {
		if r.Session != "" && s.Talk.Session != r.Session {
			continue
		}
		for _, d := range s.Deeds {
			if d.Verdict == model.Unasked {
				r.Counts.Unasked++
			}
			if d.Forbidden() {
				r.Counts.Forbidden++
			}
		}
	}
}

// unclear says why there is no session, or not only one, that want means.
func unclear(want string, meant []string) *complaint {
	c := &complaint{exit: exitUnknown, Code: "no_such_session", Message: "no session's id begins with " + quotation(want)}
	if len(meant) == 0 {
		return c
	}
	slices.Sort(meant)
	for i, id := range meant {
		meant[i] = quotation(clipped(id, 64))
	}
	c.Message = fmt.Sprintf("%s may mean %s", quotation(want), several(meant))
	return c.with("write more of the id")
}

// tell prints the report, and gives the code to exit with.
func (m *measuring) tell(from source, r *report.Report) int {
	var verdicts []report.Verdict
	holds := true
	for _, a := range m.assertions {
		v := r.Judge(a)
		verdicts, holds = append(verdicts, v), holds && v.Holds
	}
	look := report.Look{Width: m.width, ASCII: !terminal.UTF8(m.settings.lookup), Zone: time.Local}
	if code := m.show(r.JSON(from.name, verdicts), r.Text(from.name, look, verdicts)); code != exitDone || holds {
		return code
	}
	return exitNo
}
