package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"bobproxy/acp/clean"
	"bobproxy/acp/session"
	"bobproxy/inspector/diff"
	"bobproxy/inspector/model"
)

// Transcript is what a copy for people is written from.
type Transcript struct {
	Name  string // of the recording; not clean
	Model *model.Model
	Scrub *Scrubber // that made the events fit; for texts that are put together of several

	diffs map[callKey][]change
}

// Bounds of what a transcript shows of one thing.
const (
	maxDiffLines = 400 // of one diff
	maxDiffs     = 16  // of one tool call
	maxDiffText  = 256 << 10
)

type callKey struct {
	session *model.Session
	id      string
}

// change is a diff as a tool call carries it.
type change struct {
	Type    string  `json:"type"`
	Path    string  `json:"path"`
	OldText *string `json:"oldText"`
	NewText string  `json:"newText"`
}

// changes are the newest diffs of a tool call.
func (t *Transcript) changes(s *model.Session, tool *session.Tool) []change {
	if t.diffs == nil {
		t.diffs = map[callKey][]change{}
		for _, p := range t.Model.Proxies {
			for _, r := range p.Rows {
				if found := changesIn(r); len(found) > 0 {
					t.diffs[callKey{r.Session, r.Call}] = found
				}
			}
		}
	}
	return t.diffs[callKey{s, tool.ID}]
}

func changesIn(r *model.Row) (found []change) {
	if r.Call == "" || r.Cut || !bytes.Contains(r.Body, []byte(`"diff"`)) {
		return nil
	}
	var f struct {
		Params struct {
			Update   struct{ Content json.RawMessage } `json:"update"`
			ToolCall struct{ Content json.RawMessage } `json:"toolCall"`
		} `json:"params"`
	}
	if json.Unmarshal(r.Body, &f) != nil {
		return nil
	}
	for _, raw := range []json.RawMessage{f.Params.Update.Content, f.Params.ToolCall.Content} {
		var all []change
		if json.Unmarshal(raw, &all) != nil {
			continue
		}
		for _, c := range all {
			if c.Type == "diff" && len(found) < maxDiffs {
				found = append(found, c)
			}
		}
	}
	return found
}

// diffLine is a line of a diff: its sign, and clean text.
type diffLine struct {
	sign byte // ' ', '-', '+', or '…' for what is left out, as '@'
	text string
}

// lines are the changed lines and those near them.
func (c change) lines() (lines []diffLine) {
	old := ""
	if c.OldText != nil {
		old = *c.OldText
	}
	if len(old)+len(c.NewText) > maxDiffText {
		return []diffLine{{'@', fmt.Sprintf("%d bytes become %d", len(old), len(c.NewText))}}
	}
	steps := diff.Compare(diff.Lines(old), diff.Lines(c.NewText))
	left := 0
	for i, step := range steps {
		switch {
		case len(lines) >= maxDiffLines:
			return append(lines, diffLine{'@', fmt.Sprintf("… %d more lines", len(steps)-i)})
		case !diff.Near(steps, i):
			left++
			continue
		case left > 0:
			lines = append(lines, diffLine{'@', fmt.Sprintf("… %d lines as before", left)})
			left = 0
		}
		lines = append(lines, diffLine{step.Sign, code(strings.TrimSuffix(step.Line, "\n"))})
	}
	return lines
}

// code is one line of a program, clean, with its tabs, which do no harm in a file.
func code(line string) string {
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = clean.Line(parts[i])
	}
	return strings.Join(parts, "\t")
}

// codeLines are the lines of a text, each of them clean.
func codeLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	for i := range lines {
		lines[i] = code(lines[i])
	}
	return lines
}

// stamp is a time of day; of what has no time it is empty.
func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("15:04:05")
}

// lasting is a duration for people.
func lasting(d time.Duration) string {
	switch {
	case d > 0 && d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", max(d.Seconds()*1000, 0.1))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// facts are what is known of a proxy, name and value, none of them clean.
func facts(p *model.Proxy) (all [][2]string) {
	add := func(name, value string) {
		if value != "" {
			all = append(all, [2]string{name, value})
		}
	}
	add("Client", strings.TrimSpace(p.Client.Name+" "+p.Client.Version))
	add("Agent", strings.TrimSpace(p.Agent.Name+" "+p.Agent.Version))
	add("Command", strings.Join(p.State.Command, " "))
	if p.Protocol > 0 {
		add("ACP", fmt.Sprint(p.Protocol))
	}
	if len(p.Rows) > 0 {
		first, last := p.Rows[0], p.Rows[len(p.Rows)-1]
		if !first.Time.IsZero() {
			add("Recorded", first.Time.UTC().Format("2006-01-02 15:04:05 MST")+", "+lasting(last.Time.Sub(first.Time)))
		}
	}
	add("Frames", fmt.Sprintf("%d, %s", p.Frames[0]+p.Frames[1]+p.Frames[2], size(p.Bytes[0]+p.Bytes[1]+p.Bytes[2])))
	if p.Exit != nil {
		add("Ended", exited(p))
	}
	return all
}

func exited(p *model.Proxy) string {
	if p.Exit.Signal != "" {
		return "by " + model.SignalName(p.Exit.Signal)
	}
	return fmt.Sprintf("with status %d", p.Exit.Status)
}

// omissions are sentences about what is not in a transcript.
func omissions(p *model.Proxy) (all []string) {
	if p.Dropped > 0 {
		all = append(all, fmt.Sprintf("%d older frames and events are left out: a transcript holds the newest %d.", p.Dropped, model.MaxRows))
	}
	if p.Missed > 0 {
		all = append(all, fmt.Sprintf("%d events were not recorded.", p.Missed))
	}
	for _, s := range p.Sessions {
		if s.Talk.Dropped > 0 {
			all = append(all, fmt.Sprintf("%d older entries of a session are left out.", s.Talk.Dropped))
		}
	}
	return all
}

// speaker is who an entry is of, and whether it is one that is folded away.
func speaker(e *session.Entry) string {
	switch e.Kind {
	case session.UserMessage:
		return "User"
	case session.AgentMessage:
		return "Agent"
	case session.Thought:
		return "Thought"
	case session.Notice:
		return "Notice"
	case session.Compaction:
		return "Compaction"
	case session.Setting:
		return "Setting"
	case session.Subagent:
		return "Subagent"
	}
	return "Update"
}
