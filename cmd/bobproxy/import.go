package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"bobproxy/inspector/imported"
	"bobproxy/proxy/journal"
)

const importUsage = `bobproxy import FILE [-o FILE] [--force] [--json]

Makes a recording of what another program recorded, for all that reads one: log,
panel, check, stats, replay. FILE, or - for stdin, may be a session exported by
acp-devtools, or have one frame of JSON-RPC a line: alone, in an object such as
{"ms":12.5,"dir":"agent","frame":…}, or behind words or arrows that say where
it went. Values that a recording masks are masked. Stderr says what was guessed.

  -o FILE    write to FILE, for you alone to read; default is stdout
  --force    FILE may be there already
  --json     say what was found in JSON, for scripts

  bobproxy import session.json -o session.jsonl
  bobproxy import frames.log | bobproxy check -

Exit codes: 0; 1 no frame could be read; 2 wrong usage; 3 no such file; 125 our
own failure.
`

// importedName is the instance that imported frames are recorded under.
const importedName = "imported"

// importing is one run of `bobproxy import`.
type importing struct {
	*remote
	std   streams
	file  string
	force bool
}

// runImport is `bobproxy import`.
func runImport(_ *settings, args []string, std streams) int {
	m := &importing{std: std, remote: &remote{out: std.out, err: std.err, json: asksForJSON(args)}}
	flags := flag.NewFlagSet("import", flag.ContinueOnError)
	flags.StringVar(&m.file, "o", "", "")
	flags.BoolVar(&m.force, "force", false, "")
	rest, code, done := m.parse(flags, args, importUsage)
	switch {
	case done:
		return code
	case len(rest) != 1:
		return m.fail(misused("import takes one file").with("see: bobproxy import --help"))
	case m.file == "" && isTerminal(std.out):
		return m.fail(misused("a recording is for a file or a program, not for a terminal").with("name a file with -o"))
	}
	return m.bring(rest[0])
}

// bring reads the file and writes the recording.
func (m *importing) bring(name string) int {
	in, start := io.Reader(m.std.in), time.Now()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return m.fail(&complaint{exit: exitUnknown, Code: "no_such_file", Message: field(err.Error())})
		}
		defer f.Close()
		info, err := f.Stat()
		if err == nil && info.IsDir() {
			return m.fail(misused("%s is a folder", quotation(name)).with("name a file in it"))
		}
		if err == nil {
			start = info.ModTime()
		}
		in = f
	}
	if isOneOf(m.file, name) {
		return m.fail(itself(m.file, "file"))
	}
	out, err := create(m.file, m.force, m.std.out)
	if err != nil {
		return m.fail(unwritable(err))
	}
	report, err := m.record(out, in, start.UTC())
	read := report.Frames > 0 && (err == nil || !report.Finished)
	switch wrong := out.finish(read, nil); {
	case errors.Is(wrong, syscall.EPIPE):
		return exitDone
	case wrong != nil:
		return m.fail(broken("writing the recording: %s", field(wrong.Error())))
	case errors.Is(err, imported.ErrRecording):
		return m.fail(misused("%s: %v", quotation(name), err).with("every command reads it as it is"))
	case !read:
		return m.fail(nothingRead(name, err))
	}
	return m.tell(name, report, err)
}

func nothingRead(name string, err error) *complaint {
	c := &complaint{exit: exitNo, Code: "nothing", Message: fmt.Sprintf("no frame could be read from %s", quotation(name))}
	if err != nil {
		c = c.with("%s", field(err.Error()))
	}
	return c
}

// record records what is in the file, in a folder that is gone afterwards, and
// copies that.
func (m *importing) record(out io.Writer, in io.Reader, start time.Time) (report imported.Report, err error) {
	dir, err := os.MkdirTemp("", "bobproxy-import-*")
	if err != nil {
		return report, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "recording.jsonl")
	j, err := journal.New(journal.Options{Instance: importedName, Path: path, Required: true, MaxBytes: math.MaxInt64 / 2})
	if err != nil {
		return report, err
	}
	report, wrong := imported.Into(j, in, imported.Options{Start: start, Instance: importedName})
	if err := j.Close(time.Minute); err != nil {
		return imported.Report{}, err
	}
	if report.Frames == 0 {
		return report, wrong
	}
	f, err := os.Open(path)
	if err != nil {
		return imported.Report{}, err
	}
	defer f.Close()
	if _, err := io.Copy(out, f); err != nil {
		return imported.Report{}, err
	}
	return report, wrong
}

// tell says what was found.
func (m *importing) tell(name string, r imported.Report, wrong error) int {
	if m.json {
		if writeJSON(m.err, r) != nil {
			return 1
		}
		return exitDone
	}
	fmt.Fprintf(m.err, "bobproxy: %s: %s, %s\n", field(name), howMany(r.Frames, "frame"), r.Format)
	for _, note := range notes(r) {
		fmt.Fprintf(m.err, "  %s\n", note)
	}
	if wrong != nil {
		fmt.Fprintf(m.err, "  it cannot be read to its end: %s\n", field(wrong.Error()))
	}
	return exitDone
}

// notes are what a person should know of it.
func notes(r imported.Report) (all []string) {
	if r.Inferred > 0 {
		all = append(all, fmt.Sprintf("who sent it is told by the protocol alone for %s", howMany(r.Inferred, "frame")))
	}
	if r.Guessed > 0 {
		all = append(all, fmt.Sprintf("who sent it is a guess for %s", howMany(r.Guessed, "frame")))
	}
	if r.Arrows {
		all = append(all, "arrows and words such as sent were taken for the client's")
	}
	if r.Skipped > 0 {
		all = append(all, fmt.Sprintf("left out as no frame: %s", howMany(r.Skipped, "message")))
	}
	switch r.Times {
	case "none":
		all = append(all, "it tells no times: frames are 1 ms apart")
	case "part":
		all = append(all, "some frames have no time: they are 1 ms behind the one before")
	}
	return all
}
