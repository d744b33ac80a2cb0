package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"bobproxy/lab/child"
	"bobproxy/lab/replay"
	"bobproxy/proxy"
)

const replayUsage = `bobproxy replay RECORDING --as agent [FLAGS]
bobproxy replay RECORDING --as client [FLAGS] -- CMD…

Plays one side of a recording, and says where the other side now does something
else. RECORDING is a file, the instance of a proxy, or the beginning of a
session's id.

As the agent it is what an editor starts: on stdin and stdout, it says what the
agent said, at its pace, and waits where that had waited. What differs is told on
stderr. As the client it starts the agent CMD, asks what the client asked and
answers as it did; what differs is told on stdout. It permits only what was
permitted in the recording.

  --speed N      pauses N times as short as recorded; default 1, as client none
  --instant      without any pause
  --patience T   how long to wait for what does not come; default 30s. With 0 as
                 long as it takes, such as a person in an editor
  --strict       texts count, too: prompts, messages, files, output
  --cwd DIR      as client: the session's folder; default: this one
  --files        as client: read and write files in it, instead of answering
                 as recorded
  --instance I   only what this proxy recorded, where several did in one file
  --json         what differs, one object a line, and a summary at the end

Paths in the recorded workspace become paths in the live one. Ids, times and
costs do not count, nor does what was masked or blanked; what may come of blanks
that are given to the other side is told in notes.

  bobproxy lab editor --cwd DIR -- bobproxy replay "$PWD/FILE" --as agent
  bobproxy replay FILE --as client --cwd DIR -- bobproxy lab agent

Exit codes: 0 nothing differs; 1 something does, or the recording ends inside a
turn, and nobody knows; 2 wrong usage; 3 no such recording; 125 our own failure;
126 the agent is not executable; 127 it is not found.
`

// replaying is one run of `bobproxy replay`.
type replaying struct {
	*remote
	std      streams
	as       string
	speed    float64
	instant  bool
	instance string
	opts     replay.Options
	command  []string // the agent to start
}

// leaveGrace is how long an agent may take to leave when its input has ended.
const leaveGrace = 5 * time.Second

// runReplay is `bobproxy replay`.
func runReplay(s *settings, args []string, std streams) int {
	p := &replaying{std: std, remote: &remote{out: std.out, err: std.err, json: asksForJSON(args)}}
	separated := slices.Index(args, "--")
	if separated >= 0 {
		p.command, args = args[separated+1:], args[:separated]
	}
	flags := p.flags()
	rest, code, done := p.parse(flags, args, replayUsage)
	if done {
		return code
	}
	if c := p.check(rest, separated >= 0, flags); c != nil {
		return p.fail(c)
	}
	frames, c := p.load(s, rest[0])
	if c != nil {
		return p.fail(c)
	}
	return p.play(frames)
}

func (p *replaying) flags() *flag.FlagSet {
	flags := flag.NewFlagSet("replay", flag.ContinueOnError)
	flags.StringVar(&p.as, "as", "", "")
	flags.Float64Var(&p.speed, "speed", 0, "")
	flags.BoolVar(&p.instant, "instant", false, "")
	flags.DurationVar(&p.opts.Patience, "patience", 30*time.Second, "")
	flags.BoolVar(&p.opts.Strict, "strict", false, "")
	flags.StringVar(&p.opts.Dir, "cwd", "", "")
	flags.BoolVar(&p.opts.Files, "files", false, "")
	flags.StringVar(&p.instance, "instance", "", "")
	return flags
}

// check says what is wrong with the command line, and fills in what it leaves
// out.
func (p *replaying) check(rest []string, separated bool, flags *flag.FlagSet) *complaint {
	asClient := p.as == "client"
	switch {
	case len(rest) == 0:
		return misused("replay: say which recording").with("such as: bobproxy replay FILE --as agent")
	case len(rest) > 1:
		return misused("replay takes one recording, and %s is a second word", quotation(rest[1])).with("the agent stands behind --")
	case p.as != "agent" && !asClient:
		return misused("replay: say --as agent or --as client").with("see: bobproxy replay --help")
	case asClient && len(p.command) == 0:
		return misused("replay --as client starts an agent").with("name it behind --, as in: bobproxy replay %s --as client -- bobproxy lab agent", field(rest[0]))
	case !asClient && separated:
		return misused("replay --as agent starts nothing").with("an editor starts it; leave out -- and what follows")
	case !asClient && (p.opts.Files || given(flags, "cwd")):
		return misused("--files and --cwd are for --as client; the live client names its own folder")
	case !asClient && rest[0] == "-":
		return misused("replay --as agent talks on stdin").with("name the recording's file")
	case p.instant && given(flags, "speed"):
		return misused("--instant and --speed exclude each other")
	case given(flags, "speed") && !(p.speed > 0 && p.speed <= 1e6):
		return misused("--speed: a number above 0, such as 2 or 0.5").with("for no pauses: --instant")
	case p.opts.Patience < 0:
		return misused("--patience: a time such as 30s, or 0 for as long as it takes")
	}
	if p.opts.Patience == 0 {
		p.opts.Patience = -1
	}
	switch {
	case p.instant:
	case given(flags, "speed"):
		p.opts.Speed = p.speed
	case !asClient:
		p.opts.Speed = 1
	}
	return p.enter()
}

// enter makes the session's folder a whole path.
func (p *replaying) enter() *complaint {
	dir, err := filepath.Abs(p.opts.Dir)
	if err == nil && p.opts.Dir != "" {
		dir, err = filepath.EvalSymlinks(dir)
	}
	info, e := os.Stat(dir)
	if err = errors.Join(err, e); err != nil || !info.IsDir() {
		return misused("--cwd: %s is not a folder", quotation(p.opts.Dir))
	}
	p.opts.Dir = dir
	return nil
}

// play plays and reports.
func (p *replaying) play(frames []replay.Frame) int {
	to := io.Writer(p.std.err)
	if p.as == "client" {
		to = p.std.out
	}
	t := &replayReport{to: to, json: p.json, prefix: "replay: "}
	if p.as == "client" {
		t.prefix, t.width = "", p.textWidth()
	}
	p.opts.Found = t.found
	var report replay.Report
	var err error
	if p.as == "agent" {
		report, err = replay.Agent(context.Background(), frames, p.std.in, p.std.out, p.opts)
	} else {
		report, err = p.playClient(frames)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return p.fail(broken("replay: interrupted"))
	case err != nil:
		c := broken("replay: %v", err)
		if of := new(notStarted); errors.As(err, &of) {
			c.exit = of.code()
		}
		return p.fail(c)
	case t.summary(report) != nil:
		return proxy.ExitOurs
	case report.Divergences+report.Cut > 0:
		return exitNo
	}
	return exitDone
}

// playClient plays to an agent that it starts. An interrupt ends both.
func (p *replaying) playClient(frames []replay.Frame) (replay.Report, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	agent, err := child.Start(child.Command{Argv: p.command, Dir: p.opts.Dir, Stderr: p.std.err})
	if err != nil {
		return replay.Report{}, &notStarted{err}
	}
	report, err := replay.Client(ctx, frames, agent.Stdout, agent.Stdin, p.opts)
	agent.Leave(p.grace())
	return report, err
}

// notStarted is why there is no agent.
type notStarted struct{ error }

func (e *notStarted) Error() string { return fmt.Sprintf("starting the agent: %v", e.error) }
func (e *notStarted) Unwrap() error { return e.error }

// code is the one that shells have for that.
func (e *notStarted) code() int {
	if errors.Is(e, exec.ErrNotFound) || errors.Is(e, fs.ErrNotExist) {
		return proxy.ExitNotFound
	}
	return proxy.ExitNotExecutable
}

// grace is how long the agent may take to leave: no longer than to say anything.
func (p *replaying) grace() time.Duration {
	if p.opts.Patience > 0 {
		return min(leaveGrace, p.opts.Patience)
	}
	return leaveGrace
}

// textWidth is the width of the terminal; 80 where there is none.
func (p *replaying) textWidth() int {
	if width, _, err := term.GetSize(int(p.std.out.Fd())); err == nil && width > 0 {
		return max(width, 40)
	}
	return 80
}

// replayReport writes what a replay finds.
type replayReport struct {
	to     io.Writer
	json   bool
	prefix string
	width  int // to fold lines at; 0: never
}

func (r *replayReport) found(f replay.Finding) {
	kind, word := "note", "note: "
	if f.Divergence {
		kind, word = "divergence", "differs: "
	}
	if r.json {
		_ = writeJSON(r.to, findingLine{kind, f.Frame, f.About, f.Expected, f.Came, f.Why, f.Then})
		return
	}
	_ = r.line(word + f.String()) // who does not read it does not want it
}

// line writes one line, folded.
func (r *replayReport) line(text string) error {
	out := r.prefix + text + "\n"
	if r.width > 0 {
		out = strings.Join(inLines(text, r.width-2), "\n  ") + "\n"
	}
	_, err := io.WriteString(r.to, out)
	return err
}

// findingLine is a finding in JSON. Members are only ever added.
type findingLine struct {
	Kind     string `json:"kind"` // divergence, note
	Frame    uint64 `json:"frame,omitempty"`
	About    string `json:"about"`
	Expected string `json:"expected,omitempty"`
	Came     string `json:"came,omitempty"`
	Why      string `json:"why,omitempty"`
	Then     string `json:"then,omitempty"`
}

// summaryLine is the last line in JSON.
type summaryLine struct {
	Kind        string `json:"kind"` // summary
	Divergences int    `json:"divergences"`
	Notes       int    `json:"notes"`
	Sent        int    `json:"sent"`
	Heard       int    `json:"heard"`
	Left        int    `json:"left"`                // frames that were not sent
	Cut         int    `json:"cut,omitempty"`       // turns in which the recording ends
	Uncounted   int    `json:"uncounted,omitempty"` // notes that may come of blanks
}

func (r *replayReport) summary(s replay.Report) error {
	if r.json {
		return writeJSON(r.to, summaryLine{"summary", s.Divergences, s.Notes, s.Sent, s.Heard, s.Left, s.Cut, s.Uncounted})
	}
	text := fmt.Sprintf("%s sent, %d heard; ", howMany(s.Sent, "frame"), s.Heard)
	if s.Left > 0 {
		text += fmt.Sprintf("%d of the recording not sent; ", s.Left)
	}
	switch {
	case s.Divergences > 0:
		text += howMany(s.Divergences, "divergence")
	case s.Cut > 0:
		text += "nothing differs until the recording ends inside a turn"
	case s.Uncounted > 0:
		text += "nothing differs for certain"
	default:
		text += "nothing differs"
	}
	if s.Uncounted > 0 {
		text += ", " + howMany(s.Uncounted, "difference") + " that may come of the blanks"
	}
	if s.Notes > 0 {
		text += ", " + howMany(s.Notes, "note")
	}
	return r.line(text)
}
