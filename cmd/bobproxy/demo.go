package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"bobproxy/inspector"
	"bobproxy/lab"
	"bobproxy/lab/editor"
	"bobproxy/lab/retrybudget"
	"bobproxy/proxy"
)

const demoUsage = `bobproxy demo [--text] [--allow RULE] [--pace PAUSE]
bobproxy demo --escape

A scripted editor talks through bobproxy to a scripted Bob, who repairs a small
broken program in a fresh folder. In a terminal the panel shows it, and you
answer what Bob asks for; a permission is yours when p has brought its card up.

With --text, --allow or without a terminal it is printed instead. RULE says how
the editor answers permissions then: first (default), reject, ask and others;
see: bobproxy lab editor --help.

With --escape Bob tries to get out of his workspace instead, to the files beside
it, and the editor would let him. Shows what bobproxy said to each attempt, and
exits 1 when something got out.
`

// demo is one showing.
type demo struct {
	allow editor.Rule
	pace  time.Duration
	flee  bool // show an agent that tries to get out
	std   streams

	exercise  string // the folder that Bob works in
	recording string
}

// runDemo is `bobproxy demo`: the main job on built-in peers. It leaves its
// folder behind, since the recording in it is what there is to look at.
func runDemo(s *settings, args []string, std streams) int {
	d := demo{std: std}
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	allow := flags.String("allow", string(editor.First), "")
	flags.BoolVar(&d.flee, "escape", false, "")
	text := flags.Bool("text", false, "")
	flags.DurationVar(&d.pace, "pace", 15*time.Millisecond, "")
	err := flags.Parse(args)
	if err == nil {
		d.allow, err = editor.ParseRule(*allow)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return giveHelp(std, demoUsage)
	case err != nil:
		return refuse(std, usageError(fmt.Sprintf("demo: %s (see: bobproxy demo --help)", inOurWords(err, flags))))
	case flags.NArg() > 0:
		return refuse(std, usageError(fmt.Sprintf("demo takes no %q (see: bobproxy demo --help)", flags.Arg(0))))
	case d.flee && given(flags, "allow"):
		return refuse(std, usageError("demo: with --escape the editor always says no; leave out --allow"))
	}
	if err := d.prepare(); err != nil {
		fmt.Fprintf(std.err, "bobproxy: preparing the demo: %v\n", err)
		return proxy.ExitOurs
	}
	if d.flee {
		return (&breakout{demo: &d}).play()
	}
	if *text || given(flags, "allow") || !isTerminal(std.in) || !isTerminal(std.out) {
		return d.play()
	}
	if !given(flags, "pace") {
		d.pace = shownPace
	}
	return d.inPanel(s)
}

func given(flags *flag.FlagSet, name string) (is bool) {
	flags.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

func (d *demo) prepare() error {
	dir, err := os.MkdirTemp("", "bobproxy-demo-")
	if err != nil {
		return err
	}
	d.exercise = filepath.Join(dir, "retrybudget")
	d.recording = filepath.Join(dir, "recording.jsonl")
	return retrybudget.Materialise(d.exercise)
}

func (d *demo) play() int {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintf(d.std.err, "bobproxy: finding our own executable: %v\n", err)
		return proxy.ExitOurs
	}
	fmt.Fprintf(d.std.out, "scripted editor ↔ bobproxy ↔ scripted Bob, in %s\n\n", d.exercise)
	code := d.converse(self, d.std.out, []string{"--allow", string(d.allow), "--pace", d.pace.String()}, []string{"--pace", d.pace.String()})
	d.tell()
	if code == exitDone {
		return d.verify()
	}
	return code
}

// converse lets editor and Bob meet with bobproxy between them.
func (d *demo) converse(self string, screen io.Writer, editor, bob []string) int {
	args := slices.Concat([]string{"editor", "--cwd", d.exercise}, editor, []string{"--",
		self, "run", "--record", d.recording, "--", self, "lab", "agent"}, bob)
	return lab.Command(args, d.std.in, screen, d.std.err)
}

// tell says what bobproxy saw and where to look at it.
func (d *demo) tell() {
	fmt.Fprintln(d.std.out)
	file, err := os.Open(d.recording)
	if err != nil {
		fmt.Fprintf(d.std.out, "There is no recording: %v\n", err)
		return
	}
	defer file.Close()
	fmt.Fprint(d.std.out, inspector.Summarise(file))
	fmt.Fprintf(d.std.out, `
recording  %s
look at it bobproxy panel %s
remove it  rm -r %s

`, d.recording, d.recording, filepath.Dir(d.recording))
}

// check is the program that says whether the exercise keeps its contract.
func (d *demo) check() string { return filepath.Join(d.exercise, retrybudget.Verify) }

// verify has the last word: whether the program keeps its contract now.
func (d *demo) verify() int {
	check := exec.Command(d.check())
	check.Dir = d.exercise
	check.Stdout, check.Stderr = d.std.out, d.std.err
	if err := check.Run(); err != nil {
		return 1
	}
	return exitDone
}
