package session

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// tales are frames that a story is made of, written as said is.
var tales = []string{
	`> {"id":$I,"method":"session/prompt","params":{"sessionId":"$S","prompt":[{"type":"text","text":"do $J"}]}}`,
	`> {"id":$I,"method":"session/resume","params":{"sessionId":"$S","cwd":"/client/$T","replayFrom":{"type":"start"}}}`,
	`< {"id":$I,"result":{"stopReason":"end_turn","messageId":"$J"}}`,
	`< {"id":$I,"result":{"messageId":"$J","sessionId":"$S"}}`,
	`< {"id":$I,"error":{"code":-1,"message":"no $J"}}`,
	`< {"id":$I,"result":{"sessionId":"$S","modes":{"currentModeId":"$J","availableModes":[{"id":"1","name":"One"}]},"configOptions":[{"id":"o","name":"O","currentValue":"$J","options":[{"value":"2","name":"Two"}]}],"models":{"currentModelId":"$J"}}}`,
	`< {"id":$I,"method":"terminal/output","params":{"sessionId":"$S","terminalId":"$J"}}`,
	`> {"id":$I,"result":{"output":"all $J","exitStatus":{"exitCode":$J}}}`,
	`> {"id":$I,"result":{"outcome":{"outcome":"selected","optionId":"$J"}}}`,
	`< {"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":"nobody"}}}`,
	`<u {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"say $J\n"}}`,
	`<u {"sessionUpdate":"agent_thought_chunk","messageId":"$J","content":[{"text":"$T"},7,"x"]}`,
	`<u {"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"do"}}`,
	`<u {"sessionUpdate":"user_message","messageId":"$J","content":[{"type":"text","text":"do $J"}]}`,
	`<u {"sessionUpdate":"agent_message","messageId":"$J","content":null}`,
	`<u {"sessionUpdate":"tool_call","toolCallId":"$J","title":"$T","kind":"edit","content":[{"type":"diff","path":"/a","oldText":"1\n2","newText":"2\n3\n"},{"type":"terminal","terminalId":"$J"},{"type":"content","content":{"type":"text","text":"$J"}}]}`,
	`<u {"sessionUpdate":"tool_call_update","toolCallId":"$J","status":"completed","content":null,"rawOutput":{"stdout":"$J","exit_code":$J},"locations":[{"path":"/$J"},3]}`,
	`<u {"sessionUpdate":"tool_call_update","toolCallId":"$J","status":null,"title":null,"rawInput":{"x":$J},"_meta":{"terminal_output":{"terminal_id":"$T","data":"$J"},"terminal_exit":{"terminal_id":"$T","exit_code":$J}}}`,
	`<u {"sessionUpdate":"tool_call_content_chunk","toolCallId":"$J","content":{"type":"diff","changes":[{"path":"/$J","oldPath":"/o"}],"patch":{"text":"@@ -1 +1,$J @@\n-a\n+b\n"}}}`,
	`<u {"sessionUpdate":"terminal_update","terminalId":"$J","output":{"data":"YWI="},"exitStatus":{"signal":"$J"}}`,
	`<u {"sessionUpdate":"terminal_output_chunk","terminalId":"$J","data":"YWI="}`,
	`<u {"sessionUpdate":"plan","entries":[{"content":"$J","status":"completed"},"$T",5]}`,
	`<u {"sessionUpdate":"plan_update","plan":{"planId":"$J","type":"file","uri":"file:///$J"}}`,
	`<u {"sessionUpdate":"plan_removed","planId":"$J"}`,
	`<u {"sessionUpdate":"available_commands_update","availableCommands":[{"name":"$J","description":"$T","input":{"hint":"h"}}]}`,
	`<u {"sessionUpdate":"config_option_update","configOptions":[{"id":"mode","currentValue":"$J"},{"configId":"o","currentValue":true}]}`,
	`<u {"sessionUpdate":"usage_update","used":$J,"size":1e$J,"cost":{"amount":$J.5,"currency":"USD"}}`,
	`<u {"sessionUpdate":"state_update","state":"idle","stopReason":"$J"}`,
	`<u {"sessionUpdate":"notice","severity":"$J","title":"$T"}`,
	`<u {"sessionUpdate":"compaction_update","compactionId":"$J","status":"completed","summary":[{"text":"$T"}]}`,
	`<u {"sessionUpdate":"compaction_summary_chunk","compactionId":"$J","content":{"text":"$T"}}`,
	`<u {"sessionUpdate":"session_message_chunk","messageId":"$J","senderSessionId":"$T","content":{"text":"$J"}}`,
	`<u {"sessionUpdate":"$J","what":"$T"}`,
	`<u [$J]`,
}

// tale turns bytes into frames of both sides, four bytes a frame; some are cut,
// as those of a recording are.
func tale(data []byte) (all []recorded) {
	templates := slices.Concat(said, tales)
	for ; len(data) >= 4; data = data[4:] {
		sessions := []string{"a", "b", `c\u0063`, "d", long}
		line := strings.NewReplacer(
			"$I", fmt.Sprint(data[1]%6), "$J", fmt.Sprint(data[2]%7), "$S", sessions[data[1]/6%5], "$T", sessions[data[2]/7%5],
		).Replace(templates[int(data[0])%len(templates)])
		if update, ok := strings.CutPrefix(line, "<u "); ok {
			line = `< {"method":"session/update","params":{"sessionId":"` + sessions[data[1]/6%5] + `","update":` + update + `}}`
		}
		r := recorded{from: acp.Agent, line: line[min(len(line), 2):]}
		if strings.HasPrefix(line, ">") {
			r.from = acp.Client
		}
		if data[3] >= 128 {
			r.cut = len(r.line) * int(data[3]-127) / 128
		}
		all = append(all, r)
	}
	return all
}

// recorded is a frame of a recording.
type recorded struct {
	from acp.Direction
	line string
	cut  int // where its body was cut; 0: nowhere
}

// tell shows the frame to r, in memory that is gone afterwards.
func (f recorded) tell(r *teller) Told {
	line := []byte(f.line)
	var frame acp.Frame
	acp.Scan(line, &frame)
	if f.cut > 0 {
		kept := line[:f.cut]
		line = acp.Close(kept)
		frame.Params, frame.Result, frame.Error, frame.Update = nil, nil, nil, nil
		acp.Mend(kept, &frame)
	}
	frame.ID, frame.Method, frame.Session = bytes.Clone(frame.ID), bytes.Clone(frame.Method), bytes.Clone(frame.Session)
	told := r.frame(f.from, &frame)
	for _, memory := range [][]byte{line, frame.Params, frame.Result, frame.Error, frame.ID, frame.Method, frame.Session} {
		for i := range memory {
			memory[i] = '#'
		}
	}
	return told
}

// playTale tells frames to two stories, which must become the same, and to a
// third that begins in the middle of them, which only must hold together.
func playTale(t *testing.T, frames []recorded) {
	one, other, late := newTeller(t), newTeller(t), newTeller(t)
	for i, f := range frames {
		a, b := f.tell(one), f.tell(other)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("frame %d is %+v and %+v", i, a, b)
		}
		if len(a.First) > MaxFirst || len(a.Session) > maxName {
			t.Fatalf("frame %d: the first words are %q", i, a.First)
		}
		if i >= len(frames)/2 {
			f.tell(late)
		}
		sound(t, one.story)
		sound(t, late.story)
		if t.Failed() {
			t.Fatalf("after frame %d: %+v", i, frames[:i+1])
		}
	}
	if !reflect.DeepEqual(one.story.Talks(), other.story.Talks()) {
		t.Error("two stories of the same frames differ")
	}
}

// sound says what is wrong with a story.
func sound(t *testing.T, s *Story) {
	t.Helper()
	size := 0
	for _, talk := range s.all {
		size += talk.furniture
		for _, e := range talk.Entries {
			size += e.size
			soundEntry(t, e)
		}
		if len(talk.Entries) > MaxEntries || len(talk.Plans) > maxPlans || len(talk.terminals) > maxTalkTerminals {
			t.Errorf("%s has %d entries, %d plans, %d terminals", talk.Session, len(talk.Entries), len(talk.Plans), len(talk.terminals))
		}
		for key, e := range talk.byKey {
			if !slices.Contains(talk.Entries, e) {
				t.Errorf("%s remembers %q, which is no entry", talk.Session, key)
			}
		}
		for _, term := range talk.terminals {
			for _, e := range term.tools {
				if !slices.Contains(talk.Entries, e) {
					t.Errorf("terminal %s is of a call that is no entry", term.id)
				}
			}
		}
		if talk.echo != nil && !slices.Contains(talk.Entries, talk.echo) {
			t.Errorf("%s waits for the echo of what is no entry", talk.Session)
		}
	}
	if size != s.size || size > MaxStory+1<<20 || len(s.all) != len(s.talks) || len(s.all) != s.byUse.Len() || len(s.all) > MaxTalks {
		t.Errorf("%d bytes, counted as %d, in %d, %d and %d talks", size, s.size, len(s.all), len(s.talks), s.byUse.Len())
	}
}

func soundEntry(t *testing.T, e *Entry) {
	t.Helper()
	if e.Kind == 0 || len(e.Text) > MaxEntryText || e.Size < len(e.Text) || e.Frames < 1 || e.Last.Before(e.At) || e.LastSeq < e.Seq {
		t.Errorf("entry %+v", e)
	}
	if tool := e.Tool; tool != nil && (len(tool.Paths) > maxToolPaths || len(tool.Output) > maxOutput || tool.OutputSize < len(tool.Output) ||
		len(tool.Terminals) > maxTerminals || tool.over() == tool.Ended.IsZero() || tool.over() && tool.NotRun) {
		t.Errorf("tool call %+v", tool)
	}
}

func TestStoriesOfAnything(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		data := make([]byte, 4*(1+random.IntN(120)))
		for i := range data {
			data[i] = byte(random.Uint32())
			if i%4 == 3 && random.IntN(3) > 0 {
				data[i] = 0
			}
		}
		playTale(t, tale(data))
	}
}

func FuzzStory(f *testing.F) {
	for n := range len(said) + len(tales) {
		f.Add([]byte{byte(n), 1, 2, 0, byte(n), 1, 2, 250})
	}
	f.Fuzz(func(t *testing.T, data []byte) { playTale(t, tale(data[:min(len(data), 400)])) })
}

// FuzzStoryUpdate has updates that nobody thought of.
func FuzzStoryUpdate(f *testing.F) {
	for _, line := range tales {
		if update, ok := strings.CutPrefix(line, "<u "); ok {
			f.Add([]byte(update), true)
		}
	}
	f.Fuzz(func(t *testing.T, update []byte, v2 bool) {
		r := newTeller(t)
		r.fold.hello.version = 1
		if v2 {
			r.fold.hello.version = 2
		}
		var frame acp.Frame
		line := slices.Concat([]byte(`{"method":"session/update","params":{"sessionId":"s","update":`), update, []byte(`}}`))
		acp.Scan(line, &frame)
		for range 3 {
			if told := r.frame(acp.Agent, &frame); len(told.First) > MaxFirst {
				t.Fatalf("the first words are %q", told.First)
			}
			sound(t, r.story)
		}
	})
}

// TestStoryBounds says more than is kept.
func TestStoryBounds(t *testing.T) {
	r := newTeller(t)
	text := strings.Repeat("x", 60<<10)
	for i := range 40 {
		for j := range 20 {
			r.line(acp.Agent, fmt.Sprintf(`{"method":"session/update","params":{"sessionId":"s%d","update":{"sessionUpdate":"agent_message_chunk","messageId":"m%d","content":{"text":%q}}}}`, i, j, text))
		}
	}
	sound(t, r.story)
	first, last := r.story.Talk("s0"), r.story.Talk("s39")
	if len(first.Entries) != 0 || first.Dropped != 20 || len(last.Entries) != 20 || last.Dropped != 0 {
		t.Errorf("the first has %d entries and lost %d, the last %d and %d", len(first.Entries), first.Dropped, len(last.Entries), last.Dropped)
	}
	for i := range MaxEntries + 10 {
		r.line(acp.Agent, fmt.Sprintf(`{"method":"session/update","params":{"sessionId":"s39","update":{"sessionUpdate":"tool_call","toolCallId":"c%d","content":[{"type":"terminal","terminalId":"t%d"}]}}}`, i, i))
	}
	sound(t, r.story)
	if len(last.Entries) != MaxEntries || last.Dropped != 30 {
		t.Errorf("got %d entries and %d dropped", len(last.Entries), last.Dropped)
	}
	for i := range MaxTalks + 5 {
		r.line(acp.Client, fmt.Sprintf(`{"id":1,"method":"session/load","params":{"sessionId":"n%d"}}`, i))
	}
	sound(t, r.story)
	if len(r.story.Talks()) != MaxTalks || r.story.Talk("s0") != nil || r.story.Talk(fmt.Sprintf("n%d", MaxTalks)) == nil {
		t.Errorf("got %d talks", len(r.story.Talks()))
	}
}

// TestStoryEndlessMessage has very many pieces of one message, and of one
// terminal: what is kept stays small, and nothing is copied again and again.
func TestStoryEndlessMessage(t *testing.T) {
	r := newTeller(t)
	r.line(acp.Agent, `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","content":[{"type":"terminal","terminalId":"t"}]}}}`)
	var message, terminal acp.Frame
	acp.Scan([]byte(`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"é piece "}}}}`), &message)
	acp.Scan([]byte(`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"terminal_output_chunk","terminalId":"t","data":"w6kgcGllY2Ug"}}}`), &terminal)
	const pieces = 200000
	allocated := testing.AllocsPerRun(1, func() {
		for range pieces / 2 {
			r.frame(acp.Agent, &message)
			r.frame(acp.Agent, &terminal)
		}
	})
	sound(t, r.story)
	e, tool := r.story.Talk("s").Entries[1], r.story.Talk("s").Entries[0].Tool
	if e.Size != pieces*len("é piece ") || !strings.HasPrefix(e.Text, "é piece é") || len(e.Text) < MaxEntryText-2 {
		t.Errorf("got %d of %d bytes", len(e.Text), e.Size)
	}
	if tool.OutputSize != pieces*len("é piece ") || !strings.HasSuffix(tool.Output, "é piece ") || len(tool.Output) < maxOutput-2 {
		t.Errorf("got %d of %d bytes of output", len(tool.Output), tool.OutputSize)
	}
	if allocated > 12*pieces {
		t.Errorf("%.1f allocations a piece", allocated/pieces)
	}
}

func TestStoryBeforeAnything(t *testing.T) {
	s := NewStory(&Fold{})
	var frame acp.Frame
	acp.Scan([]byte("no frame"), &frame)
	if told := s.Frame(time.Unix(0, 0), 1, acp.Agent, &frame, &Fact{}); !reflect.DeepEqual(told, Told{}) || s.Talk("s") != nil || len(s.Talks()) != 0 {
		t.Errorf("got %+v", told)
	}
}
