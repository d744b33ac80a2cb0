package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"bobproxy/inspector/filter"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/journal"
)

const logUsage = `bobproxy log [SESSION|FILE] [-e FILTER] [-n N] [-f] [--since T] [--until T]
bobproxy log [SESSION|FILE] --view timeline
bobproxy log [SESSION|FILE] --json|--raw
bobproxy log --list [-n N] [--json]

Prints a recording: a line for each frame and each other event, as the panel
shows them. SESSION is the instance of a proxy, or the beginning of a session's
id or a part of its title, FILE a recording, - stdin; without either it is the
recording that was last written to.

  -e FILTER             only what matches, such as 'kind:err or slow>2s'; the
                        language is the panel's: bobproxy help filter
  -n N                  only the last N
  -f                    go on with what comes, until the proxy has ended
  --since T             only from then on: 12:04, -5m, 2026-03-02, RFC 3339; a
                        time of day is one of the recording's days, with -f the
                        last one that has been
  --until T             only before then
  --view wire|timeline  frames, or what was said and done, for people; with -e
                        that of which a frame matches
  --json                the records of the recording, one object a line
  --raw                 the frames alone, byte by byte as they crossed the wire
  --list                list the recordings here instead, newest first: when they
                        were written to, whether the proxy runs, their sessions;
                        with --json their files, too
  --color auto|always|never
                        whether there are colours

A request that was not answered is marked open. Of -f that is not known yet.

Exit codes: 0, also of an empty list; 1 nothing matched; 2 wrong usage; 3 no such
recording, or nothing in it; 125 our own failure.
`

// logging is one run of `bobproxy log`.
type logging struct {
	settings *settings
	std      streams
	filter   string
	follow   bool
	last     int // how many; 0: all
	since    string
	until    string
	view     string
	json     bool
	raw      bool
	lists    bool

	source source
	sieve  sieve
	width  int
	ink    terminal.Ink
	now    time.Time
}

func (l *logging) flags() *flag.FlagSet {
	flags := flag.NewFlagSet("log", flag.ContinueOnError)
	for _, name := range []string{"e", "filter"} {
		flags.StringVar(&l.filter, name, "", "only what matches")
	}
	for _, name := range []string{"f", "follow"} {
		flags.BoolVar(&l.follow, name, false, "go on with what comes")
	}
	for _, name := range []string{"n", "last"} {
		flags.IntVar(&l.last, name, 0, "only the last ones")
	}
	flags.StringVar(&l.since, "since", "", "only from then on")
	flags.StringVar(&l.until, "until", "", "only before then")
	flags.Var(choice{&l.view, []string{"wire", "timeline"}}, "view", "frames, or what was said and done")
	flags.BoolVar(&l.json, "json", false, "records, one object a line")
	flags.BoolVar(&l.raw, "raw", false, "the bytes of the frames")
	flags.BoolVar(&l.lists, "list", false, "list the recordings")
	l.settings.define(flags, "log")
	return flags
}

// runLog is `bobproxy log`.
func runLog(s *settings, args []string, std streams) int {
	l := &logging{settings: s, std: std, view: "wire", now: time.Now(), width: 80}
	r := &remote{out: std.out, err: std.err, json: asksForJSON(args)}
	flags := l.flags()
	rest, err := arguments(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return giveHelp(std, logUsage)
	case err != nil:
		return r.fail(misused("log: %s", flagWords(err, flags)).with("see: bobproxy log --help"))
	}
	flags.Visit(func(f *flag.Flag) { s.note(f.Name) })
	if c := l.prepare(rest, flags); c != nil {
		return r.fail(c)
	}
	print := l.print
	if l.lists {
		print = l.list
	}
	var c *complaint
	switch found, err := print(); {
	case errors.Is(err, syscall.EPIPE): // whoever read has seen enough
		return exitDone
	case errors.As(err, &c):
		return r.fail(c)
	case err != nil:
		return r.fail(broken("%v", err))
	case !found:
		return exitNo
	}
	return exitDone
}

// prepare checks the command line and finds the recording.
func (l *logging) prepare(rest []string, flags *flag.FlagSet) (c *complaint) {
	switch {
	case len(rest) > 1:
		return misused("log takes one recording, and %s is a second word", quotation(rest[1])).with("see: bobproxy log --help")
	case l.json && l.raw:
		return misused("--json and --raw are two things to print").with("leave one of them out")
	case l.view == "timeline" && (l.json || l.raw):
		return misused("--json and --raw are about frames, which --view timeline does not show")
	case l.last < 0, l.last == 0 && (given(flags, "n") || given(flags, "last")):
		return misused("-n counts from 1")
	case l.raw && isTerminal(l.std.out):
		return misused("a terminal would obey what is in the frames").with("send --raw to a file or a program; to look at them: bobproxy log | less")
	}
	if err := l.settings.complete("log"); err != nil {
		return misused("%v", err)
	}
	if c := l.sift(); c != nil {
		return c
	}
	l.look()
	if l.lists {
		return l.listable(rest, flags)
	}
	l.source, c = findRecording(l.settings, strings.Join(rest, ""))
	return c
}

// sift makes the sieve.
func (l *logging) sift() (c *complaint) {
	if l.sieve.expr, c = l.parse(); c != nil {
		return c
	}
	l.sieve.world = filter.World{Now: l.now}
	for _, end := range []struct {
		flag, key, text string
		to              *filter.Expr
	}{{"since", "after", l.since, &l.sieve.since}, {"until", "before", l.until, &l.sieve.until}} {
		if end.text == "" {
			continue
		}
		if strings.ContainsAny(end.text, " ,()\"") {
			return misused("--%s %s: expected a time, as 12:04, -5m or 2026-09-30", end.flag, quotation(end.text))
		}
		e, err := filter.Parse(end.key + ":" + end.text)
		var wrong *filter.Error
		switch {
		case errors.As(err, &wrong):
			return misused("--%s %s: %s", end.flag, quotation(end.text), wrong.Want)
		case err != nil:
			return misused("--%s %s: %v", end.flag, quotation(end.text), err)
		}
		*end.to = e
	}
	return nil
}

// parse reads the filter, and the saved ones in it.
func (l *logging) parse() (filter.Expr, *complaint) {
	e, err := filter.Parse(l.filter)
	if err == nil {
		e, err = e.Resolve(func(name string) (filter.Expr, bool) {
			saved, err := filter.Parse(l.settings.panel.filters[name])
			return saved, err == nil && l.settings.panel.filters[name] != ""
		})
	}
	if err != nil {
		return e, misused("-e %s: %v", quotation(l.filter), err)
	}
	return e, nil
}

// look decides what text looks like.
func (l *logging) look() {
	if width, _, err := term.GetSize(int(l.std.out.Fd())); err == nil && width > 0 {
		l.width = width
	}
	p := &l.settings.panel
	o := terminal.Options{Theme: p.theme, Color: p.color, Looks: p.looks, Env: l.settings.lookup}
	if p.glyphs != "auto" {
		only := p.glyphs == "ascii"
		o.ASCII = &only
	}
	l.ink = terminal.InkFor(l.std.out, o)
}

// print prints all of it, and says whether there was anything.
func (l *logging) print() (found bool, err error) {
	out := newPrinted(l)
	reader := l.reader(out)
	lines, stop, err := l.lines(func() error { return errors.Join(reader.pause(), out.settle()) })
	if err != nil {
		return false, err
	}
	defer stop()
	var seen extent
	damaged := 0
	for line, err := range lines {
		if isDamage := new(journal.LineError); errors.As(err, &isDamage) {
			damaged++
			continue
		}
		if err == nil {
			if seen.take(line.Time); seen.events == 1 {
				l.inDaysOf(line.Time)
			}
			err = reader.take(&line)
		}
		if err != nil {
			return out.any, errors.Join(out.settle(), err)
		}
	}
	if seen.events == 0 && l.source.file != "" && !l.follow {
		return false, noFrames(l.source.name, "show", damaged)
	}
	if damaged > 0 {
		fmt.Fprintf(l.std.err, "bobproxy: %s of %s cannot be read\n", howMany(damaged, "line"), field(l.source.name))
	}
	err = errors.Join(reader.end(), out.settle())
	if l.unsure(); err != nil || out.any {
		return out.any, err
	}
	l.nothing(&seen)
	return false, nil
}

// logReader makes of what is recorded what is printed.
type logReader interface {
	take(*journal.Line) error // an event, in order
	pause() error             // nothing more is there yet
	end() error               // nothing more is to come
}

// reader is the one for what was asked for. Where the events alone say what is
// to be printed, they are not looked into.
func (l *logging) reader(out *printed) logReader {
	switch {
	case l.view == "timeline":
		return newTalkReader(l, out)
	case (l.json || l.raw) && l.sieve.expr.Empty() && l.source.session == "":
		return &recordReader{l, out}
	}
	return newRowReader(l, out)
}
