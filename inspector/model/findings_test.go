package model

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// flaggedRows are the numbers and rules of the rows with findings.
func flaggedRows(p *Proxy) (all []string) {
	for _, r := range p.Rows {
		for _, f := range r.Findings() {
			all = append(all, f.Rule)
		}
	}
	return all
}

func TestFindings(t *testing.T) {
	var s script
	s.begin()
	s.agent(`{"jsonrpc":"2.0","id":9,"method":"terminal/kill","params":{"sessionId":"s1","terminalId":"nobody's"}}`)
	s.agent(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c"}}}`)
	p := New().add("abcde")
	for i := range s.events {
		p.take(&s.events[i], nil)
	}
	last := p.Rows[len(p.Rows)-1]
	if got := last.Findings(); len(got) != 1 || got[0].Rule != "shape/missing" || got[0].Seq != last.Seq {
		t.Errorf("asked for the last one: got %v", got)
	}
	if got := strings.Join(flaggedRows(p), " "); !strings.Contains(got, "terminal/unknown") {
		t.Errorf("got %s", got)
	}
}

func TestFindingsOfWhatIsSound(t *testing.T) {
	for _, name := range []string{"demo", "answers"} {
		m := New()
		p, err := m.Read(name, bytes.NewReader(recording(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(flaggedRows(p), " ")
		if want := map[string]string{"answers": "tool-call/path"}[name]; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestFindingsOfWhatWasSwallowed has the editor answer twice, after itself and
// after a panel.
func TestFindingsOfWhatWasSwallowed(t *testing.T) {
	for _, panel := range []bool{false, true} {
		var s script
		s.begin()
		s.tell(fmt.Sprintf(edit, "c1", "Edit a.go"))
		s.ask(7, `{"toolCallId":"c1"}`)
		if panel {
			s.panel("7", "yes", "allow_once")
		} else {
			s.say(7, "yes")
		}
		s.line(acp.Client, `{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, func(e *journal.Event) { e.Action = "swallowed" })
		p := New().add("abcde")
		for i := range s.events {
			p.take(&s.events[i], nil)
		}
		if got, want := len(p.Rows[len(p.Rows)-1].Findings()), map[bool]int{false: 1, true: 0}[panel]; got != want {
			t.Errorf("answered in a panel before %v: got %d findings, want %d", panel, got, want)
		}
	}
}

// TestFindingsAfterAHole forgets the beginning before anybody asks.
func TestFindingsAfterAHole(t *testing.T) {
	p := New().add("abcde")
	for n := range uint64(MaxRows + 100) {
		e := flood(n + 1)
		p.take(&e, nil)
	}
	for _, rule := range flaggedRows(p) {
		if strings.Contains(rule, "unknown") || rule == "initialize/first" {
			t.Fatalf("got %s", rule)
		}
	}
	e := journal.Event{Seq: p.LastSeq + 1, Type: journal.WarningEvent}
	p.take(&e, nil)
	if got := p.Rows[len(p.Rows)-1].Findings(); got != nil {
		t.Errorf("a warning: got %v", got)
	}
}

func BenchmarkFindings(b *testing.B) {
	p := New().add("abcde")
	for n := range uint64(MaxRows) {
		e := flood(n + 1)
		p.take(&e, nil)
	}
	last := p.Rows[len(p.Rows)-1]
	b.ReportAllocs()
	for b.Loop() {
		p.mem.judging = judging{}
		last.Findings()
	}
}
