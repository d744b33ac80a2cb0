package report_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/report"
	"bobproxy/proxy/journal"
)

// talk is a recording in the making.
type talk struct {
	lines []string
	at    float64 // milliseconds
}

func (k *talk) after(ms float64) *talk { k.at += ms; return k }

func (k *talk) say(dir, frame string) *talk {
	k.lines = append(k.lines, fmt.Sprintf(`{"ms":%g,"dir":%q,"frame":{"jsonrpc":"2.0",%s}}`, k.at, dir, frame))
	return k
}

func (k *talk) update(session, body string) *talk {
	return k.say("agent", fmt.Sprintf(`"method":"session/update","params":{"sessionId":%q,"update":{%s}}`, session, body))
}

func (k *talk) prompt(id int, session string) *talk {
	return k.say("client", fmt.Sprintf(`"id":%d,"method":"session/prompt","params":{"sessionId":%q,"prompt":[]}`, id, session))
}

func (k *talk) stop(id int) *talk {
	return k.say("agent", fmt.Sprintf(`"id":%d,"result":{"stopReason":"end_turn"}`, id))
}

func (k *talk) text() string { return strings.Join(k.lines, "\n") + "\n" }

func chunk(words string) string {
	return fmt.Sprintf(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%q}`, words)
}

// one turn in session s: words after 100 ms and then every 10 ms, and a tool call
// of 20 ms after a person was asked for 500 ms.
func oneTurn() *talk {
	k := (&talk{}).prompt(1, "s").after(100).update("s", chunk("a")).after(10).update("s", chunk("b")).after(10).update("s", chunk("c"))
	k.update("s", `"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit","kind":"edit","status":"in_progress"`).after(10)
	k.say("agent", `"id":1,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"n","name":"No","kind":"reject_once"}]}`)
	k.after(500).say("client", `"id":1,"result":{"outcome":{"outcome":"selected","optionId":"n"}}`)
	k.after(20).update("s", `"sessionUpdate":"tool_call_update","toolCallId":"c","status":"failed"`)
	return k.after(50).stop(1)
}

func TestMeasures(t *testing.T) {
	r := measured(t, oneTurn().text(), "")
	for _, test := range []struct {
		measure string
		count   int
		want    time.Duration // of all
	}{
		{"first-token", 1, 100 * time.Millisecond},
		{"turn", 1, 700 * time.Millisecond},
		{"tool", 1, 20 * time.Millisecond},
		{"tool:edit", 1, 20 * time.Millisecond},
		{"permission", 1, 500 * time.Millisecond},
		{"permission:client", 1, 500 * time.Millisecond},
		{"gap", 2, 20 * time.Millisecond},
		{"session/prompt", 1, 700 * time.Millisecond},
		{"session/request_permission", 1, 500 * time.Millisecond},
	} {
		m, ok := report.ParseMeasure(test.measure)
		s := r.Series(m)
		if !ok || s == nil || s.Count != test.count || time.Duration(s.Sum) != test.want {
			t.Errorf("%s: got %+v, want %d of %v", test.measure, s, test.count, test.want)
		}
	}
	if turn := r.Turns[0]; turn.Asked != 500*time.Millisecond || turn.Tools != 1 || turn.Stop != "end_turn" || turn.Frame != 1 || turn.End != 9 {
		t.Errorf("the turn: got %+v", turn)
	}
	if p := r.Slowest[0]; p.Method != acp.MethodSessionPrompt || p.Asked != 1 || p.Frame != 9 || p.By != "agent" {
		t.Errorf("the slowest: got %+v", p)
	}
	if got := r.Flows()[0]; got.Method != acp.MethodSessionUpdate || got.Frames[acp.Agent] != 5 || got.Frames[acp.Client] != 0 {
		t.Errorf("most bytes: got %+v", got)
	}
}

func TestAnOldTalkIsNotMeasured(t *testing.T) {
	k := (&talk{}).say("client", `"id":1,"method":"session/load","params":{"sessionId":"s","cwd":"/w","mcpServers":[]}`)
	for range 3 {
		k.after(10).update("s", chunk("old"))
	}
	k.update("s", `"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit","kind":"edit","status":"completed"`)
	r := measured(t, k.say("agent", `"id":1,"result":{}`).text(), "")
	for _, m := range r.Measures() {
		if m.Of != report.Bytes && m.Of != report.Answer {
			t.Errorf("%s was measured", m)
		}
	}
}

func TestOneSession(t *testing.T) {
	k := (&talk{}).prompt(1, "s-1").after(5).prompt(2, "s-12").after(5).stop(1).after(90).stop(2).prompt(3, "t").stop(3)
	for _, test := range []struct {
		want  string
		meant int // sessions
		took  time.Duration
	}{
		{"s-12", 1, 95 * time.Millisecond},
		{"s-1", 1, 10 * time.Millisecond},
		{"t", 1, 0},
		{"s", 2, 0},
		{"x", 0, 0},
	} {
		tally := report.New(test.want)
		for e, err := range plainEvents(k.text()) {
			tally.Take(&e, err)
		}
		r, meant := tally.End()
		switch {
		case len(meant) != test.meant, (r == nil) != (test.meant != 1):
			t.Errorf("%s: it may mean %q", test.want, meant)
		case r != nil && (r.AllTurns != 1 || r.Turns[0].Took != test.took || r.Frames[acp.Client] != 1):
			t.Errorf("%s: got %+v, frames %v", test.want, r.Turns, r.Frames)
		}
	}
}

// TestPercentiles holds them against their definition: the least value that at
// least so many percent are not above.
func TestPercentiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 250; n += 1 + n/20 {
		var values []int64
		k := &talk{}
		for i := range n {
			ms := float64(random.IntN(50))
			k.say("client", fmt.Sprintf(`"id":%d,"method":"_x"`, i)).after(ms).say("agent", fmt.Sprintf(`"id":%d,"result":{}`, i))
			values = append(values, int64(ms)*int64(time.Millisecond))
		}
		slices.Sort(values)
		s := measured(t, k.text(), "").Series(report.Measure{Of: report.Answer, Name: "_x"})
		for _, percent := range []int{50, 90, 99} {
			got := s.Percentile(percent)
			below, upTo := 0, 0
			for _, v := range values {
				if v < got {
					below++
				}
				if v <= got {
					upTo++
				}
			}
			if upTo*100 < percent*n || below*100 >= percent*n {
				t.Fatalf("p%d of %v: got %v", percent, values, got)
			}
		}
		if s.Min != values[0] || s.Max != values[n-1] || s.Count != n {
			t.Fatalf("of %v: got %+v", values, s)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	tally := report.New("")
	e := journal.Event{Type: journal.FrameEvent, Dir: acp.Agent, Kind: acp.Text, Instance: "aaaaa", Bytes: 7}
	for range report.MaxValues + 5 {
		tally.Take(&e, nil)
	}
	for i := range 3 * report.MaxNames {
		e.Method, e.Kind = fmt.Sprintf("_%d", i), acp.Notification
		e.Body, e.Form = fmt.Appendf(nil, `{"method":"_%d"}`, i), journal.FrameBody
		tally.Take(&e, nil)
	}
	r, _ := tally.End()
	s := r.Series(report.Measure{Of: report.Bytes, Name: "(text)"})
	if s.Kept() != report.MaxValues || s.Count != report.MaxValues+5 || s.Sum != 7*int64(s.Count) {
		t.Errorf("got %d of %d values, %d bytes", s.Kept(), s.Count, s.Sum)
	}
	if n := len(r.Flows()); n != report.MaxNames+1 {
		t.Errorf("got %d methods", n)
	}
	if d := r.JSON("x", nil); d.Methods[0].Method == report.Others || d.Methods[0].Kept != report.MaxValues {
		t.Errorf("got %+v", d.Methods[0])
	}
}

func TestALiarIsMeasured(t *testing.T) {
	r := measured(t, hostile, "")
	if r.Counts.Damaged != 1 || r.Frames[acp.Client] != 2 || r.Counts.Masked != 0 {
		t.Errorf("got %+v", r)
	}
}
