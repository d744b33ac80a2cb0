package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"bobproxy/acp"
	"bobproxy/lab/replay"
	"bobproxy/proxy/journal"
)

// load reads what the peers said to each other in a recording.
func (p *replaying) load(s *settings, name string) ([]replay.Frame, *complaint) {
	source, c := findRecording(s, name)
	if c != nil {
		return nil, c
	}
	if p.instance != "" {
		source.instance = p.instance
	}
	tape, err := source.open(p.std.in)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noRecording("%s is not there", quotation(name))
	case err != nil:
		return nil, broken("reading %s: %v", quotation(name), err)
	}
	defer tape.Close()
	t := &taken{warn: func(text string) { fmt.Fprintln(p.std.err, "bobproxy: "+text) }}
	for event, err := range tape.events() {
		if c := t.take(&event, err); c != nil {
			return nil, c
		}
	}
	t.tellDamage()
	switch {
	case len(t.instances) > 1:
		return nil, misused("several proxies recorded here: %s", several(t.instances)).with("say --instance and one of them")
	case len(t.frames) == 0:
		return nil, noRecording("%s has no frames to replay", quotation(name))
	}
	return t.frames, nil
}

// taken is what was read of a recording so far.
type taken struct {
	frames    []replay.Frame
	size      int
	instances []string
	damaged   int // lines that cannot be read
	first     int // the first of them
	warn      func(string)
}

// tellDamage says what could not be read, in one line.
func (t *taken) tellDamage() {
	switch {
	case t.damaged == 1:
		t.warn(fmt.Sprintf("line %d of the recording cannot be read, and may be missed", t.first))
	case t.damaged > 1:
		t.warn(fmt.Sprintf("%d lines of the recording cannot be read, from line %d on, and may be missed", t.damaged, t.first))
	}
}

// take takes in the next event, or what could not be read of one.
func (t *taken) take(e *journal.Event, err error) *complaint {
	var damaged *journal.LineError
	switch {
	case errors.As(err, &damaged):
		if t.damaged++; t.damaged == 1 {
			t.first = damaged.Line
		}
		return nil
	case err != nil:
		return broken("reading the recording: %v", err)
	case e.Type == journal.GapEvent:
		t.warn(fmt.Sprintf("%d records are missing from the recording, and may be missed", e.Gap.Count))
		return nil
	}
	var f acp.Frame
	if !e.Replay(&f) || e.Added && f.Kind != acp.Response && f.Kind != acp.Error {
		return nil
	}
	return t.keep(e)
}

// maxNamed is how many proxies are told apart in one file.
const maxNamed = 16

func (t *taken) keep(e *journal.Event) *complaint {
	if !slices.Contains(t.instances, e.Instance) && len(t.instances) < maxNamed {
		t.instances = append(t.instances, e.Instance)
	}
	var whole acp.Frame
	acp.Scan(e.Body, &whole)
	switch {
	case e.Form == journal.NoBody && e.Kind == acp.Text:
		return nil // a blank line
	case e.Form == journal.NoBody, whole.Kind != e.Kind:
		return broken("frame %d of the recording cannot be replayed, since only the beginning of its %d bytes is there", e.Seq, e.Bytes)
	}
	frame := replay.Frame{Number: e.Seq, At: e.Time, From: e.Dir, Line: e.Body, Blank: e.Blanked > 0}
	if t.size += frame.Size(); t.size > replay.MaxSize {
		return broken("%v", replay.ErrTooLarge)
	}
	t.frames = append(t.frames, frame)
	return nil
}
