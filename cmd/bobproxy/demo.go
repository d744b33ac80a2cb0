package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"bobproxy/inspector"
	"bobproxy/lab"
	"bobproxy/lab/editor"
	"bobproxy/lab/retrybudget"
	"bobproxy/proxy"
)

const demoUsage = `bobproxy demo [--allow RULE] [--pace PAUSE]

A scripted editor talks through bobproxy to a scripted Bob, who repairs a small
broken program in a fresh folder. RULE says how the editor answers permissions:
first (default), reject, ask and others; see: bobproxy lab editor --help.
`

// demo is one showing.
type demo struct {
	allow editor.Rule
	pace  time.Duration
	std   streams

	exercise  string // the folder that Bob works in
	recording string
}

// runDemo is `bobproxy demo`: the main job on built-in peers. It leaves its
// folder behind, since the recording in it is what there is to look at.
func runDemo(args []string, std streams) int {
	d := demo{std: std}
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	allow := flags.String("allow", string(editor.First), "")
	flags.DurationVar(&d.pace, "pace", 15*time.Millisecond, "")
	err := flags.Parse(args)
	if err == nil {
		d.allow, err = editor.ParseRule(*allow)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(std.out, demoUsage)
		return exitDone
	case err != nil:
		return refuse(std, usageError(fmt.Sprintf("demo: %s (see: bobproxy demo --help)", inOurWords(err))))
	case flags.NArg() > 0:
		return refuse(std, usageError(fmt.Sprintf("demo takes no %q (see: bobproxy demo --help)", flags.Arg(0))))
	}
	if err := d.prepare(); err != nil {
		fmt.Fprintf(std.err, "bobproxy: preparing the demo: %v\n", err)
		return proxy.ExitOurs
	}
	return d.play()
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
	code := lab.Command([]string{"editor", "--cwd", d.exercise, "--allow", string(d.allow), "--pace", d.pace.String(), "--",
		self, "run", "--record", d.recording, "--",
		self, "lab", "agent", "--pace", d.pace.String()}, d.std.in, d.std.out, d.std.err)
	d.tell()
	if code == exitDone {
		return d.verify()
	}
	return code
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
look at it jq -c 'select(.kind=="request")|[.dir,.method,.bytes]' %s
remove it  rm -r %s

`, d.recording, d.recording, filepath.Dir(d.recording))
}

// verify has the last word: whether the program keeps its contract now.
func (d *demo) verify() int {
	check := exec.Command(filepath.Join(d.exercise, retrybudget.Verify))
	check.Dir = d.exercise
	check.Stdout, check.Stderr = d.std.out, d.std.err
	if err := check.Run(); err != nil {
		return 1
	}
	return exitDone
}
