package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"

	"bobproxy/acp"
	"bobproxy/inspector/export"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

const exportUsage = `bobproxy export [SESSION|FILE] [--format FORMAT] [-o FILE] [FLAGS]

Makes a copy of a recording that can be given to others: keys, and the names of
your home, your user and your machine, are taken out, and stderr says how many.
SESSION is the instance of a proxy, or the beginning of a session's id or a part
of its title, FILE a recording, - stdin; without either it is the newest one.

  --jsonl          a recording again, for every other command (default)
  --markdown       a transcript
  --html           one page with everything in it
  --otlp           traces, as a collector takes them at /v1/traces
  --format jsonl|markdown|html|otlp
                   the same in a word
  -o FILE          write to FILE, for you alone to read; default is stdout
  --force          FILE may be there already
  --workspace      put /workspace in the place of the folders worked in
  --no-contents    blank file contents, diffs, output of tools and terminals;
                   sizes and lines stay
  --no-texts       blank prompts, messages, thoughts and titles, too
  --remove FILE    remove what is in FILE, too: one string a line
  --raw            take nothing out
  --json           say what was taken out in JSON, for scripts

What looks like an ordinary word, and has no name such as password before it,
cannot be known for a secret: look at the copy, or name it with --remove. A
secret that was sent in pieces, over several frames, is only found in transcripts.

  bobproxy export --html -o session.html
  bobproxy export z69pu --no-contents --workspace > report.jsonl
  bobproxy export --otlp | curl -H 'Content-Type: application/json' \
      --data-binary @- http://localhost:4318/v1/traces

Exit codes: 0; 1 no traces can be made of it; 2 wrong usage; 3 no such recording,
or nothing in it; 125 our own failure.
`

// formats are what a copy can be.
var formats = []string{"jsonl", "markdown", "html", "otlp"}

// exporting is one run of `bobproxy export`.
type exporting struct {
	*remote
	std     streams
	format  string
	another string // a second format, of which there is to be one
	file    string
	force   bool
	remove  string
	options export.Options
	source  source
}

// runExport is `bobproxy export`.
func runExport(s *settings, args []string, std streams) int {
	x := &exporting{std: std, remote: &remote{out: std.out, err: std.err, json: asksForJSON(args)}}
	rest, code, done := x.arguments(args)
	if done {
		return code
	}
	c := x.prepare(rest)
	if c == nil {
		x.source, c = findRecording(s, strings.Join(rest, ""))
	}
	if c != nil {
		return x.fail(c)
	}
	return x.export()
}

func (x *exporting) arguments(args []string) (rest []string, code int, done bool) {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	flags.Func("format", "", func(word string) error {
		if err := (choice{new(string), formats}).Set(word); err != nil {
			return err
		}
		x.as(word)
		return nil
	})
	for _, format := range formats {
		flags.BoolFunc(format, "", func(string) error { x.as(format); return nil })
	}
	flags.StringVar(&x.file, "o", "", "")
	flags.BoolVar(&x.force, "force", false, "")
	flags.BoolVar(&x.options.Workspace, "workspace", false, "")
	flags.BoolVar(&x.options.NoContents, "no-contents", false, "")
	flags.BoolVar(&x.options.NoTexts, "no-texts", false, "")
	flags.StringVar(&x.remove, "remove", "", "")
	flags.BoolVar(&x.options.Raw, "raw", false, "")
	return x.parse(flags, args, exportUsage)
}

// as takes the format of the copy, and notes a second one.
func (x *exporting) as(format string) {
	if x.format != "" && x.format != format {
		x.another = format
		return
	}
	x.format = format
}

// prepare checks the command line, and finds out whose names are to be replaced.
func (x *exporting) prepare(rest []string) *complaint {
	o := &x.options
	x.format = cmp.Or(x.format, "jsonl")
	switch {
	case x.another != "":
		return misused("%s and %s are two formats, and a copy has one", x.format, x.another).with("leave one of them out")
	case len(rest) > 1:
		return misused("export takes one recording, and %s is a second word", quotation(rest[1])).with("see: bobproxy export --help")
	case o.Raw && (o.Workspace || o.NoContents || o.NoTexts || x.remove != ""):
		return misused("--raw takes nothing out, and the other flags do").with("leave one of them out")
	case x.file == "" && x.format != "markdown" && isTerminal(x.std.out):
		return misused("%s is for a file or a program, not for a terminal", x.format).with("name a file with -o, or send it on; to look at the recording: bobproxy log")
	}
	if x.remove != "" {
		all, err := os.ReadFile(x.remove)
		if err != nil {
			return misused("--remove: %s", field(err.Error()))
		}
		for line := range strings.Lines(string(all)) {
			o.Secrets = append(o.Secrets, strings.TrimSpace(line))
		}
	}
	o.Home, _ = os.UserHomeDir()
	o.Host, _ = os.Hostname()
	if me, err := user.Current(); err == nil {
		o.User = filepath.Base(strings.ReplaceAll(me.Username, `\`, "/"))
	}
	return nil
}

// export makes the copy.
func (x *exporting) export() int {
	t, err := x.source.open(x.std.in)
	if err != nil {
		return x.fail(noRecording("%s: %s", quotation(x.source.name), field(err.Error())))
	}
	defer t.Close()
	if isOneOf(x.file, journal.Continued(x.source.file)...) {
		return x.fail(itself(x.file, "recording"))
	}
	out, err := create(x.file, x.force, x.std.out)
	if err != nil {
		return x.fail(unwritable(err))
	}
	damaged, read := 0, 0
	scrub := export.NewScrubber(x.options)
	n, err := x.write(out, scrub, counted(scrub.Scrubbed(ofSession(x.source.session, t.events()), &damaged), &read, new(error)))
	switch err = out.finish(err == nil && n > 0, err); {
	case errors.Is(err, syscall.EPIPE): // whoever read has seen enough
		return exitDone
	case err != nil:
		return x.fail(broken("exporting %s: %s", quotation(x.source.name), field(err.Error())))
	case read == 0:
		return x.fail(noFrames(x.source.name, "export", damaged))
	case n == 0:
		return x.fail(&complaint{exit: exitNo, Code: "nothing", Message: fmt.Sprintf("there is nothing in %s to make traces of", quotation(x.source.name))})
	}
	return x.tell(scrub.Removed(), damaged)
}

// write writes what was read, and says how much that was.
func (x *exporting) write(out io.Writer, scrub *export.Scrubber, events export.Events) (n int, err error) {
	switch x.format {
	case "jsonl":
		return export.JSONL(out, events)
	case "otlp":
		return export.OTLP(out, events, version)
	}
	m := model.New()
	m.ReadEvents(x.source.name, counted(events, &n, &err)) // nothing in it is no error here
	if n == 0 || err != nil {
		return n, err
	}
	t := &export.Transcript{Name: filepath.Base(x.source.name), Model: m, Scrub: scrub}
	if x.format == "html" {
		return n, export.HTML(out, t)
	}
	return n, export.Markdown(out, t)
}

// counted counts events that are there, and tells why there are no more.
func counted(events export.Events, n *int, wrong *error) export.Events {
	return func(yield func(journal.Event, error) bool) {
		for e, err := range events {
			if *wrong = err; err == nil {
				*n++
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// ofSession leaves out the events of other sessions, and counts them in gaps. An empty
// id leaves out nothing.
func ofSession(session string, events export.Events) export.Events {
	if session == "" {
		return events
	}
	return func(yield func(journal.Event, error) bool) {
		var gap journal.Event
		for e, err := range events {
			if err == nil && e.Session != "" && !isOf(session, &e) {
				if gap.Gap == nil {
					gap = journal.Event{Time: e.Time, Seq: e.Seq, Instance: e.Instance, Type: journal.GapEvent, Gap: new(journal.Gap)}
				}
				gap.Gap.Count++
				gap.Gap.Bytes += uint64(max(e.Bytes, 0))
				continue
			}
			if gap.Gap != nil && !yield(gap, nil) {
				return
			}
			gap.Gap = nil
			if !yield(e, err) {
				return
			}
		}
		if gap.Gap != nil {
			yield(gap, nil)
		}
	}
}

// isOf says that e is of a session. Frames have its id as it is spelled.
func isOf(session string, e *journal.Event) bool {
	if e.Session == session {
		return true
	}
	id, _ := acp.Unquote([]byte(`"` + e.Session + `"`))
	return e.Decision == nil && id == session
}

// removal is what `export --json` tells on stderr.
type removal struct {
	Removed []export.Removed `json:"removed"`
	Damaged int              `json:"damaged,omitempty"` // lines that could not be read, and are not in the copy
}

// tell says what was taken out.
func (x *exporting) tell(removed []export.Removed, damaged int) int {
	if x.json {
		if writeJSON(x.err, removal{neverNull(removed), damaged}) != nil {
			return 1
		}
		return exitDone
	}
	var parts []string
	for _, r := range removed {
		part := fmt.Sprintf("%s %d", r.What, r.Count)
		if r.Different > 0 && r.Different != r.Count {
			part += fmt.Sprintf(" (%d different)", r.Different)
		}
		parts = append(parts, part)
	}
	switch {
	case x.options.Raw:
		fmt.Fprintln(x.err, "bobproxy: nothing was taken out")
	case len(parts) == 0:
		fmt.Fprintln(x.err, "bobproxy: nothing was found to take out; look at the copy before you give it away")
	default:
		fmt.Fprintf(x.err, "bobproxy: taken out: %s; look at the copy before you give it away\n", strings.Join(parts, ", "))
	}
	if damaged > 0 {
		fmt.Fprintf(x.err, "bobproxy: %s could not be read, and is not in the copy\n", howMany(damaged, "damaged line"))
	}
	return exitDone
}
