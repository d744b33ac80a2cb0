package imported

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"

	"bobproxy/proxy/journal"
)

// Options says what a file does not.
type Options struct {
	Start    time.Time // of the first frame, where the file tells no date
	Instance string    // in which name it is recorded
}

// Report is what was found in a file.
type Report struct {
	Format   string `json:"format"`             // in plain words
	Frames   int    `json:"frames"`             // that were read
	Told     int    `json:"told"`               // of which the file says who sent them
	Inferred int    `json:"inferred"`           // of which the protocol says that
	Guessed  int    `json:"guessed"`            // of which nothing does
	Skipped  int    `json:"skipped"`            // lines or messages that are no frames
	Times    string `json:"times"`              // told, part or none
	Arrows   bool   `json:"arrows,omitempty"`   // arrows, sent or received were taken for the client's
	Finished bool   `json:"finished,omitempty"` // the file was read to its end
}

// ErrRecording says that a file is a recording already.
var ErrRecording = errors.New("it is a recording of bobproxy already")

// Into reads r to its end, and puts what it finds into j. An error is one of r;
// what could be read is in j.
func Into(j *journal.Journal, r io.Reader, o Options) (Report, error) {
	w := &writer{journal: j, instance: o.Instance, start: o.Start, report: Report{Format: "one frame a line"}}
	in := bufio.NewReaderSize(r, 1<<20)
	err := read(in, w)
	w.end()
	w.report.Finished = err == nil
	return w.report, err
}

func read(in *bufio.Reader, w *writer) error {
	head, _ := in.Peek(1 << 20)
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	line, _, whole := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	line = bytes.TrimSpace(line)
	switch {
	case isRecord(line):
		return ErrRecording
	case len(line) > 0 && line[0] == '[' && (line[len(line)-1] == ',' || len(line) == 1 || json.Valid(line) || !whole):
		return document(in, w)
	case len(line) > 0 && line[0] == '{' && (!json.Valid(line) || hasList(line)):
		return document(in, w)
	}
	return eachLine(in, w)
}

// isRecord says that a line is one of a recording of ours.
func isRecord(line []byte) bool {
	var r struct{ Event, Instance, Time string }
	return json.Unmarshal(line, &r) == nil && r.Event != "" && r.Instance != "" && r.Time != ""
}

// lists are the names under which a document has its messages.
var lists = map[string]bool{"messages": true, "frames": true, "events": true, "entries": true, "log": true, "records": true, "traffic": true}

// hasList says that a whole document stands in one line.
func hasList(line []byte) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil || members["jsonrpc"] != nil || members["method"] != nil {
		return false
	}
	for name, value := range members {
		if lists[name] && len(value) > 0 && value[0] == '[' {
			return true
		}
	}
	return false
}

func eachLine(in *bufio.Reader, w *writer) error {
	for {
		line, end := in.ReadBytes('\n')
		if text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))); len(text) > 0 {
			w.take(text)
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
	}
}

// document reads a JSON document whose messages are in a list. What follows a
// place that is broken cannot be read.
func document(in io.Reader, w *writer) error {
	w.report.Format = "a JSON list"
	d := json.NewDecoder(in)
	first, err := d.Token()
	if err != nil {
		return err
	}
	if first == json.Delim('[') {
		return w.list(d)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		key, _ := name.(string)
		if lists[key] {
			switch next, err := d.Token(); {
			case err != nil:
				return err
			case next == json.Delim('['):
				if err := w.list(d); err != nil {
					return err
				}
				continue
			case next == json.Delim('{'):
				return errors.New("its " + key + " is no list")
			}
			continue
		}
		if err := d.Decode(&value); err != nil {
			return err
		}
		w.about(key, value)
	}
	return nil
}

// list reads the messages of a list, whose bracket is read.
func (w *writer) list(d *json.Decoder) error {
	for d.More() {
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		w.take(value)
	}
	_, err := d.Token()
	return err
}

const devtools = "a session of acp-devtools"

// about takes what a document says of its messages.
func (w *writer) about(name string, value []byte) {
	switch name {
	case "tool":
		var tool struct{ Name, Version string }
		if json.Unmarshal(value, &tool) == nil && tool.Name == "acp-devtools" {
			w.report.Format = devtools
		}
	case "session":
		var s struct {
			AgentCommand *string
			StartedAt    float64
		}
		if json.Unmarshal(value, &s) == nil {
			if s.AgentCommand != nil { // nobody else tells that
				w.command, w.report.Format = *s.AgentCommand, devtools
			}
			w.started, _ = moment(s.StartedAt)
		}
	}
}
