package talk

import (
	"strings"

	"bobproxy/acp/session"
	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// modeName is the mode a session is in, by its name; empty: not told.
func modeName(t *session.Talk) string {
	if t.Mode == "" {
		return optionOf(t, "mode")
	}
	for _, m := range t.Modes {
		if m.ID == t.Mode && m.Name != "" {
			return m.Name
		}
	}
	return t.Mode
}

// modelName is the language model, as far as an option tells it.
func modelName(t *session.Talk) string { return optionOf(t, "model") }

func optionOf(t *session.Talk, category string) string {
	for _, o := range t.Options {
		if o.Category == category {
			return o.Current
		}
	}
	return ""
}

// money is a cost as people write it where there is little room.
func money(cost string) string {
	if n, ok := strings.CutSuffix(cost, " USD"); ok {
		return "$" + n
	}
	return head(cost, 64)
}

// status is a session in one line: mode, model, context, cost.
func status(s *model.Session) paint.Line {
	t := s.Talk
	parts := []string{modeName(t), modelName(t)}
	if t.Usage.Size > 0 {
		parts = append(parts, tokens(t.Usage.Used)+"/"+tokens(t.Usage.Size))
	}
	parts = append(parts, money(t.Usage.Cost))
	return joined(parts)
}

// joined is what there is of some facts, with dots between.
func joined(parts []string) paint.Line {
	var l paint.Line
	for _, p := range parts {
		switch {
		case p == "":
		case len(l) > 0:
			l = l.With(paint.L(paint.Dim, " · ")).With(paint.Clean(paint.Plain, head(p, 256)))
		default:
			l = paint.Clean(paint.Plain, head(p, 256))
		}
	}
	return l
}

// turn is how long the turn goes on; nothing between turns, and when nothing goes
// on any more.
func turn(s *model.Session, c pane.Context) paint.Line {
	if _, over := s.Until(c.Now); over || !s.Talk.Running || s.Talk.Since.IsZero() {
		return nil
	}
	return paint.L(paint.Strong, "turn "+lapse.Clock(c.Now.Sub(s.Talk.Since)))
}

// tally counts what a session has done, and what was asked for it.
type tally struct {
	tools, failed         int
	asked, unasked, deeds int  // of the ledger
	questions             int  // permissions, be they about something in the ledger or not
	beside                int  // of these, those that are about nothing in the ledger
	more                  bool // there may have been more questions, which are forgotten
	despite               int  // ran although that was not allowed
	covered               int  // ran unasked, and an earlier answer may be why
}

func tallyOf(s *model.Session) (t tally) {
	for _, e := range s.Talk.Entries {
		if e.Tool == nil || e.Replay {
			continue
		}
		t.tools++
		if saidOf(e.Tool) == failed {
			t.failed++
		}
	}
	for _, d := range s.Deeds {
		t.deeds++
		if d.Despite {
			t.despite++
		}
		switch d.Verdict {
		case model.Unasked:
			if d.Cover != nil {
				t.covered++
			} else {
				t.unasked++
			}
		case model.Asking, model.Allowed, model.Refused, model.TimedOut, model.Withdrawn:
			t.asked++
		}
	}
	t.question(s)
	return t
}

// question counts the permissions of s.
func (t *tally) question(s *model.Session) {
	known := map[*model.Permission]bool{}
	for _, d := range s.Deeds {
		for _, p := range d.Asked {
			known[p] = true
		}
	}
	if s.Proxy != nil {
		t.more = len(s.Proxy.Closed) >= model.MaxClosed
		for _, list := range [][]*model.Permission{s.Proxy.Closed, s.Proxy.Pending} {
			for _, p := range list {
				if p.Session == s && !known[p] {
					known[p] = true
					t.beside++
				}
			}
		}
	}
	t.questions = max(len(known), t.asked)
}

// unguarded is what makes the agent act without asking; empty: nothing known.
func unguarded(s *model.Session) string {
	words := s.AutoApprove
	if p := s.Proxy; p != nil && p.AutoApprove != "" && !strings.Contains(words, p.AutoApprove) {
		words = head(p.AutoApprove, 512) + with(", ", words)
	}
	return head(words, 1024)
}

// program is a peer in a few words: its name and version.
func program(name, title, version string) string {
	if title == "" {
		title = name
	}
	return strings.TrimSpace(head(title, 128) + " " + head(version, 64))
}
