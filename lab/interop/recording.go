package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// record is one line of a recording, as far as it is looked at here.
type record struct {
	Seq    uint64
	Event  string
	Dir    string
	Kind   string
	Method string
	ID     json.RawMessage
	Bytes  int
	Added  bool
	Action string
	Masked int
	EOL    string
	Frame  json.RawMessage
	Raw    *string
	Base64 *string
	Status int
	Text   string

	By, Outcome, OptionKind string
	Late                    bool
}

// body is the line of the wire without its end.
func (r record) body() []byte {
	switch {
	case r.Raw != nil:
		return []byte(*r.Raw)
	case r.Base64 != nil:
		b, _ := base64.StdEncoding.DecodeString(*r.Base64)
		return b
	}
	return r.Frame
}

func (r record) end() string {
	return map[string]string{"": "\n", "crlf": "\r\n", "none": ""}[r.EOL]
}

func (r record) String() string {
	return fmt.Sprintf("seq %d, %s %s %s id %s", r.Seq, r.Dir, r.Kind, r.Method, r.ID)
}

func readRecording(lines []byte) (records []record, problems []string) {
	for n, line := range bytes.Split(bytes.TrimSuffix(lines, []byte("\n")), []byte("\n")) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			problems = append(problems, fmt.Sprintf("recording: line %d: %v: %.200s", n+1, err, line))
			continue
		}
		records = append(records, r)
	}
	return records, problems
}

// checkRecording holds a recording against what it promises about itself. Where
// nothing is gated, bobproxy did and remarked nothing.
func checkRecording(records []record, gated bool) (problems []string) {
	bad := func(r record, format string, args ...any) {
		problems = append(problems, "recording: "+fmt.Sprintf(format, args...)+": "+r.String()+" "+r.Text)
	}
	open := map[string]string{} // method of a request by its sender and id
	other := map[string]string{"client": "agent", "agent": "client"}
	for i, r := range records {
		if r.Seq != uint64(i+1) {
			bad(r, "record %d has another number", i+1)
		}
		if (r.Event == "start") != (i == 0) {
			bad(r, "a start stands first and only there")
		}
		switch {
		case r.Event == "gap", r.Event == "warning", r.Event == "flagged" && !gated:
			bad(r, "an event %q", r.Event)
		}
		if r.Event != "frame" || r.Action == "swallowed" {
			continue
		}
		if !gated && (r.Added || r.Action != "") {
			bad(r, "the proxy meddled (added %v, action %q)", r.Added, r.Action)
		}
		switch r.Kind {
		case "request":
			open[r.Dir+string(r.ID)] = r.Method
		case "response", "error":
			asked := other[r.Dir] + string(r.ID)
			if r.Method == "" || r.Method != open[asked] {
				bad(r, "its request's method was %q", open[asked])
			}
			delete(open, asked)
		case "notification":
		default:
			bad(r, "a frame that is %q", r.Kind)
		}
	}
	return problems
}

// wrote and got are what a side wrote, and what the other side got of it.
func wrote(r record) bool { return !r.Added }
func got(r record) bool   { return r.Action == "" }

// checkWire holds the frames of one direction that count against the bytes that
// were seen on the wire.
func checkWire(records []record, dir string, counts func(record) bool, wire []byte) (problems []string) {
	rest := wire
	for _, r := range records {
		if r.Event != "frame" || r.Dir != dir || !counts(r) {
			continue
		}
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		size := r.Bytes + len(r.end())
		if size > len(rest) {
			return append(problems, fmt.Sprintf("recording: more than there was of the %s: %v", dir, r))
		}
		if r.Masked == 0 && !bytes.Equal(rest[:size], append(bytes.Clone(r.body()), r.end()...)) {
			return append(problems, fmt.Sprintf("recording: %v is not what there was of the %s:\n     - %.300s\n     + %.300s", r, dir, line, r.body()))
		}
		rest = rest[size:]
	}
	if len(rest) > 0 {
		problems = append(problems, fmt.Sprintf("recording: %d bytes of the %s are missing: %.300s", len(rest), dir, rest))
	}
	return problems
}
