package model

import (
	"bytes"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

func FuzzRead(f *testing.F) {
	for _, name := range []string{"demo", "answers"} {
		f.Add(recording(f, name))
	}
	f.Add([]byte(`{"time":"2026-03-02T12:04:00Z","seq":18446744073709551615,"instance":"a","event":"gap","count":18446744073709551615}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := New()
		m.Read("fuzz", bytes.NewReader(data))
		for _, p := range m.Proxies {
			kept(t, p)
		}
		dump(m)
	})
}

// FuzzEvents makes events of bytes: any type, any order of numbers, any frame of
// a conversation, attached, taken and attached again.
func FuzzEvents(f *testing.F) {
	lines := fodder()
	f.Add([]byte("\x00\x01\x00\x02\x01\x01\x01\x03\x01\x02\x01\x04\x01\x03\x01\x01"))
	f.Add(bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		var events []journal.Event
		seq := uint64(0)
		for ; len(data) >= 4; data = data[4:] {
			seq += uint64(data[0] % 3)
			events = append(events, made(lines, seq, data[:4]))
		}
		half := len(events) / 2
		m := New()
		m.Attach(start, control.Greeting{}, state(events[:half/2]), events[:half])
		m.Lost(start, "abcde", "")
		m.Take("abcde", deltas(events[half:]))
		m.Attach(start, control.Greeting{}, state(events), events)
		m.Gone(start, "abcde", "")
		for _, p := range m.Proxies {
			kept(t, p)
			p.Debts(start)
			p.Rate(start)
		}
		m.Waiting()
		dump(m)
	})
}

// fodder is what the frames of made are made of.
func fodder() (lines [][]byte) {
	for _, e := range talk().events {
		if e.Body != nil {
			lines = append(lines, e.Body)
		}
	}
	return append(lines, []byte(`{"id":null,"method":"session/request_permission"}`), []byte("{"), []byte("text"))
}

func made(lines [][]byte, seq uint64, b []byte) journal.Event {
	types := []journal.Type{journal.OpenedEvent, journal.DecisionEvent, journal.StartEvent, journal.ExitEvent, journal.StderrEvent,
		journal.WarningEvent, journal.FlaggedEvent, journal.GapEvent, "new"}
	e := journal.Event{Seq: seq, Time: start.Add(time.Duration(b[3]) * time.Second), Type: journal.FrameEvent, Dir: acp.Direction(b[0] >> 6), ID: []byte{'0' + b[3]%4}}
	if b[1] < 160 {
		e.Form, e.Body = journal.FrameBody, lines[int(b[2])%len(lines)]
		var f acp.Frame
		acp.Scan(e.Body, &f)
		e.Kind, e.ID, e.Session, e.Bytes = f.Kind, f.ID, string(f.Session), int64(len(e.Body)+int(b[3]&1))
		e.Action = []string{"", "", "refused", "withheld", "swallowed"}[b[1]%5]
		e.Added = b[1]%7 == 0
		e.Method = string(f.Method)
		return e
	}
	e.Type = types[int(b[2])%len(types)]
	e.Session = []string{"", "s1", "s2", `a\"b`}[b[1]%4]
	e.Text = "a tool call names \"/ws/a.go\", which is odd"
	if b[3]&1 == 0 {
		e.Decision = &journal.Decision{Request: "abcde:" + string('0'+rune(b[3]%5)), By: []string{"editor", "timeout", "panel", "gone", "?"}[b[1]%5], Late: b[3]&2 == 0, Outcome: "selected"}
		e.Gap = &journal.Gap{Count: uint64(b[3] % 4)}
		e.Exit, e.Start = &journal.Exit{Signal: "killed"}, &journal.Start{}
	}
	return e
}
