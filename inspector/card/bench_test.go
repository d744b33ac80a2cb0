package card

import (
	"strings"
	"testing"

	"bobproxy/proxy/control"
)

// Drawing a card again must be cheap however much the agent sends.
func BenchmarkDraw(b *testing.B) {
	for name, p := range map[string]*control.Pending{
		"one-line":   {Kind: "execute", Options: options3(), Input: raw(map[string]any{"command": strings.Repeat("echo x; ", 8000)})},
		"lines":      {Kind: "execute", Options: options3(), Input: raw(map[string]any{"command": lines(5000)})},
		"wide":       {Kind: "execute", Options: options3(), Input: raw(map[string]any{"command": strings.Repeat("日本", 10000)})},
		"diff":       {Kind: "edit", Options: options3(), Content: raw([]any{diffOf("a", lines(2000), strings.ReplaceAll(lines(2000), "7", "8"))})},
		"hundred":    {Kind: "other", Options: many(100), Input: raw("x")},
		"thousand":   {Kind: "other", Options: many(1000), Input: raw("x")},
		"escapes":    {Kind: "execute", Options: options3(), Input: raw(map[string]any{"command": strings.Repeat("\x1b", 10000)})},
		"long-title": {Title: strings.Repeat("title ", 600), Options: options3()},
	} {
		b.Run(name, func(b *testing.B) {
			s := newScene(Careful())
			s.look(s.ask(p))
			b.ResetTimer()
			for b.Loop() {
				s.draw()
			}
		})
	}
}

// BenchmarkShow is the first drawing of a request, with all that is broken then.
func BenchmarkShow(b *testing.B) {
	p := &control.Pending{Kind: "execute", Options: options3(), Input: raw(map[string]any{"command": strings.Repeat("echo x; ", 8000)})}
	s := newScene(Careful())
	w := s.ask(p)
	for b.Loop() {
		s.card.Show(nil, s.now)
		s.card.Show(w, s.now)
		s.draw()
	}
}

func many(n int) (all []control.Option) {
	for i := range n {
		all = append(all, control.Option{Number: i + 1, ID: strings.Repeat("x", i%7), Name: "Choice of many", Kind: "allow_once"})
	}
	return all
}
