package editor

import (
	"encoding/json"
	"fmt"
	"strings"

	"bobproxy/acp/clean"
	"bobproxy/lab/wire"
)

// maxHeld is how many updates are held back until the prompt is printed.
const maxHeld = 256

// update prints an update of the session; terminals are looked up in shells.
func (s *screen) update(raw json.RawMessage, sh *shells) {
	var head struct {
		Kind string `json:"sessionUpdate"`
	}
	_ = json.Unmarshal(raw, &head)
	show := func() {
		if err := s.show(head.Kind, raw, sh); err != nil {
			s.line("update", clean.Line(fmt.Sprintf("%q cannot be read: %v", head.Kind, err)))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prompted || len(s.held) == maxHeld {
		s.release()
		show()
		return
	}
	s.held = append(s.held, show)
}

func (s *screen) show(kind string, raw json.RawMessage, sh *shells) error {
	switch kind {
	case wire.AgentChunk, wire.ThoughtChunk, wire.UserChunk:
		return decoded(raw, s.chunk)
	case wire.ToolCallNew, wire.ToolCallUpdate:
		return decoded(raw, func(call wire.ToolCall) { s.toolCall(call, sh) })
	case wire.PlanUpdate:
		return decoded(raw, s.showPlan)
	case wire.CommandsUpdate:
		return decoded(raw, s.showCommands)
	case wire.ModeUpdate:
		return decoded(raw, s.showMode)
	case wire.InfoUpdate:
		return decoded(raw, s.showInfo)
	case wire.UsageUpdate:
		return decoded(raw, func(u wire.Usage) { s.usage = &u })
	case wire.ConfigUpdate:
		return nil
	}
	s.line("update", clean.Line(kind))
	return nil
}

func decoded[T any](raw json.RawMessage, use func(T)) error {
	var v T
	err := json.Unmarshal(raw, &v)
	if err == nil {
		use(v)
	}
	return err
}

var marks = map[string]string{wire.Completed: "✓", wire.InProgress: "▸", wire.Pending: "○"}

func (s *screen) showPlan(p wire.Plan) {
	var lines []string
	for _, e := range p.Entries {
		lines = append(lines, or(marks[e.Status], "?")+" "+clean.Line(e.Content))
	}
	if text := strings.Join(lines, "\n"); text != s.plan {
		s.plan = text
		s.line("plan", lines...)
	}
}

func (s *screen) showCommands(c wire.Commands) {
	var names []string
	for _, command := range c.AvailableCommands {
		names = append(names, "/"+command.Name)
	}
	if text := clean.Line(strings.Join(names, " ")); text != s.commands {
		s.commands = text
		s.line("commands", text)
	}
}

func (s *screen) showMode(m wire.CurrentMode) {
	if m.CurrentModeID != s.mode {
		s.mode = m.CurrentModeID
		s.line("mode", clean.Line(s.modeName(s.mode)))
	}
}

func (s *screen) showInfo(i wire.Info) {
	if i.Title != "" && i.Title != s.title {
		s.title = i.Title
		s.line("title", clean.Line(i.Title))
	}
}
