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

// BenchmarkRead is reading a request that is made to take long.
func BenchmarkRead(b *testing.B) {
	var diffs []any
	for i := range 10 {
		diffs = append(diffs, diffOf("a", strings.Repeat("a\nb\n", 500), strings.Repeat("b\na\nc\n", 330+i)))
	}
	words := strings.Repeat(strings.Repeat("a ", 99)+"\n", 150)
	for name, p := range map[string]*control.Pending{
		"diffs":  {Content: raw(diffs)},
		"words":  {Content: raw([]any{diffOf("a", words, strings.ReplaceAll(words, "a \n", "b \n"))})},
		"empty":  {Content: raw([]any{diffOf("a", nil, strings.Repeat(strings.Repeat("\n", 8)+"a\n", 3000))})},
		"nested": {Input: []byte(strings.Repeat("[", 900) + strings.Repeat("]", 900))},
		"tokens": {Input: []byte("[" + strings.Repeat("1,", 30000) + "1]")},
		"bells":  {Input: raw(strings.Repeat("\a", 10000))},
		"marks":  {Input: raw(map[string]any{"command": strings.Repeat("a\u0301", 10000)})},
		"names":  {Input: []byte("{" + strings.Repeat(`"a":1,`, 10000) + `"b":1}`)},
	} {
		p.Options = options3()
		b.Run(name, func(b *testing.B) {
			s := newScene(Careful())
			w := s.ask(p)
			for b.Loop() {
				s.card.Show(nil, s.now)
				s.card.Show(w, s.now)
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
