package talk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/acp/session"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/talk"
)

// full is a talk with as much as is ever kept.
func full() *builder {
	b := nilToken()
	long := strings.Repeat("Words and more words, as they come, until the text is as long as it may be. ", session.MaxEntryText/76)
	for i := range session.MaxEntries {
		switch i % 4 {
		case 0:
			b.say(session.UserMessage, float64(i), "Do the next thing")
		case 1:
			b.say(session.AgentMessage, float64(i), long)
		case 2:
			e := b.tool(float64(i), 1, "completed", "execute", fmt.Sprintf("make target-%d", i))
			e.Tool.ID = fmt.Sprint("call_", i)
			e.Tool.Output = "ok\n"
		case 3:
			b.say(session.Thought, float64(i), long)
		}
	}
	return b
}

func BenchmarkFirstDraw(b *testing.B) {
	s := full()
	g := paint.NewGrid(66, 40)
	for b.Loop() {
		timelineOf(s).Draw(g.All(), seenBy(s.m, 5000))
	}
}

func BenchmarkSteadyDraw(b *testing.B) {
	s := full()
	g := paint.NewGrid(66, 40)
	tl := timelineOf(s)
	for b.Loop() {
		tl.Draw(g.All(), seenBy(s.m, 5000))
	}
}

// A long message that grows while it is on the screen.
func BenchmarkGrowingDraw(b *testing.B) {
	s := full()
	e := s.say(session.AgentMessage, 6000, strings.Repeat("A line of a long message.\n", 2000))
	g := paint.NewGrid(66, 40)
	tl := timelineOf(s)
	tl.Draw(g.All(), seenBy(s.m, 6000))
	text := e.Text
	for b.Loop() {
		if len(e.Text) > session.MaxEntryText {
			e.Text = text
		}
		e.Text += "chunk "
		e.Frames++
		tl.Draw(g.All(), seenBy(s.m, 6000))
	}
}

func BenchmarkPageUp(b *testing.B) {
	s := full()
	g := paint.NewGrid(66, 40)
	tl := timelineOf(s)
	c := seenBy(s.m, 6000)
	tl.Draw(g.All(), c)
	for b.Loop() {
		tl.Do(keys.PageUp, c)
		tl.Draw(g.All(), c)
	}
}

func BenchmarkOneLongWord(b *testing.B) {
	s := newBuilder()
	s.say(session.AgentMessage, 0, strings.Repeat("x", session.MaxEntryText))
	g := paint.NewGrid(66, 40)
	for b.Loop() {
		timelineOf(s).Draw(g.All(), seenBy(s.m, 5000))
	}
}

func BenchmarkOneLongWideWord(b *testing.B) {
	s := newBuilder()
	s.say(session.AgentMessage, 0, strings.Repeat("界", session.MaxEntryText/3))
	g := paint.NewGrid(66, 40)
	for b.Loop() {
		timelineOf(s).Draw(g.All(), seenBy(s.m, 5000))
	}
}

func BenchmarkSide(b *testing.B) {
	s := full()
	g := paint.NewGrid(33, 30)
	for b.Loop() {
		talk.Summarize(g.All().W, s.s, seenBy(s.m, 5000)).Draw(g.All())
	}
}

func BenchmarkFind(b *testing.B) {
	s := full()
	g := paint.NewGrid(66, 40)
	tl := timelineOf(s)
	c := seenBy(s.m, 6000)
	tl.Draw(g.All(), c)
	for b.Loop() {
		tl.Find("until the tool", c)
	}
}

func BenchmarkWholeLedger(b *testing.B) {
	s := newBuilder()
	for i := range model.MaxDeeds {
		e := s.tool(float64(i), 1, "completed", "execute", fmt.Sprintf("make target-%d", i))
		s.deed(e, model.Allowed, s.settle(s.ask(e, float64(i), 0), "editor", 1, time.Second))
	}
	i := infoOf(s)
	c := seenBy(s.m, 5000)
	g := paint.NewGrid(66, 40)
	i.Draw(g.All(), c)
	i.Do(keys.Down, c)
	i.Do(keys.Open, c)
	for b.Loop() {
		i.Draw(g.All(), c)
	}
}
