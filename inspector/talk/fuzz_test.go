package talk_test

import (
	"testing"
	"time"

	"bobproxy/acp/clean"
	"bobproxy/acp/session"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/talk"
)

// Any text in any place at any size is shown without harm, and what is shown is
// clean.
func FuzzAnything(f *testing.F) {
	f.Add("hello", "read", "completed", []byte(`{"a":1}`), uint8(50), uint8(20), uint8(3))
	f.Add("a\x1b[31m\nb\r\n\tc\u202e", "\x00", "\xff", []byte(`{"a":"x\ny"`), uint8(1), uint8(1), uint8(9))
	f.Add("日本語のとても長い文章", "e\u0301dit", "👩‍👩‍👧", []byte(`[]`), uint8(3), uint8(5), uint8(0))
	f.Add("\n\n\n\n", "", "", []byte(nil), uint8(70), uint8(40), uint8(255))
	f.Fuzz(func(t *testing.T, text, kind, status string, raw []byte, w, h, action uint8) {
		b := longDay()
		for k := range session.Subagent + 3 {
			e := b.named(k, 30, status, text)
			e.Size += int(action)
		}
		e := b.tool(31, float64(action)-100, status, kind, text, text, kind)
		e.Tool.Input, e.Tool.Output, e.Tool.Exit, e.Tool.Diffs = raw, text, status, int(action)
		b.row(&model.Row{Session: b.s, Call: e.Tool.ID, Body: raw, Method: kind, ID: status, First: text})
		b.settle(b.ask(e, 32, 0), kind, 1, time.Duration(action)*time.Second).Decision.OptionID = text
		b.deed(e, model.Verdict(action))
		b.stderr(33, text, kind, text)
		b.s.Cwd, b.p.Agent.Title, b.s.Talk.Mode, b.s.Talk.Usage.Cost = kind, text, status, text
		b.s.Talk.Plans = append(b.s.Talk.Plans, session.Plan{Text: text}, session.Plan{Steps: []session.Step{{Text: text, Status: status}}})
		b.s.Talk.Commands = append(b.s.Talk.Commands, session.Command{Name: text, Hint: kind, Description: status})

		c := pane.Context{Now: at(40), Model: b.m, Focus: true, Home: kind}
		tl, info := timelineOf(b), infoOf(b)
		tl.Pin = action%2 == 0
		g := paint.NewGrid(int(w), int(h))
		for _, p := range []pane.Headed{tl, info} {
			for _, do := range []keys.Action{keys.Open, keys.Up, keys.Open, keys.PageUp, keys.Thoughts, keys.Top, keys.Copy, keys.Frames, keys.PageDown, keys.Stderr, keys.Bottom} {
				p.Draw(g.All(), c)
				p.Do(do, c)
				p.Head(c)
			}
			p.(pane.Clicker).Click(int(action), int(h)/2, true, c)
			p.Draw(g.All(), c)
		}
		tl.Find(text, c)
		tl.Select(uint64(action))
		tl.Draw(g.All(), c)
		talk.Summarize(g.All().W, b.s, c).Draw(g.All())
		for _, cell := range g.Cells {
			if !clean.Is(cell.Text) {
				t.Fatalf("%q is on the screen", cell.Text)
			}
		}
	})
}
