package wire

import (
	"fmt"
	"testing"

	"bobproxy/acp"
	"bobproxy/inspector/filter"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

// busy is a talk of many rows, as a session has them.
func busy(rows int) *story {
	s := newStory()
	for i := 0; len(s.proxy.Rows) < rows; i++ {
		s.request(acp.Client, "session/prompt", fmt.Sprint(i), 300, "The login crashes with a nil token. Fix it.")
		for range 10 {
			s.update("agent_message_chunk", 190, "some words ", fmt.Sprint("m", i)).Body =
				[]byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_7f3a9c01","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"some words "}}}}`)
		}
		s.update("tool_call", 400, "call_0041 read token.go", "")
		s.answer(acp.Agent, fmt.Sprint(i), 100, "end_turn")
	}
	return s
}

func BenchmarkDraw(b *testing.B) {
	s := busy(model.MaxRows)
	w := list(s, 160, 45)
	w.Filter(notChunks{})
	g := paint.NewGrid(160, 45)
	do(w, s, keys.PageUp)
	b.ReportAllocs()
	for b.Loop() {
		g.Clear(160, 45)
		w.Draw(g.All(), s.context())
	}
}

func BenchmarkFilter(b *testing.B) {
	s := busy(model.MaxRows)
	w := list(s, 160, 45)
	e, err := filter.Parse("-update:message or text:token or kind:err")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		w.Filter(parsed{e})
	}
}

// BenchmarkAppend adds a row to a full list that drops its oldest for it.
func BenchmarkAppend(b *testing.B) {
	s := busy(model.MaxRows)
	w := list(s, 160, 45)
	w.Filter(notChunks{})
	for b.Loop() {
		s.update("plan", 10, "", "")
		w.Selected()
	}
}

func BenchmarkAppendToFull(b *testing.B) {
	s := busy(model.MaxRows)
	w := list(s, 160, 45)
	for b.Loop() {
		s.update("plan", 10, "", "")
		s.proxy.Rows = s.proxy.Rows[1:]
		w.Selected()
	}
}

type notChunks struct{}

func (notChunks) Match(r *model.Row) bool { return r.Run == "" }
func (notChunks) Unsure(*model.Row) bool  { return false }
func (notChunks) String() string          { return "-is:chunk" }

type parsed struct{ filter.Expr }

func (p parsed) Match(r *model.Row) bool  { return p.Expr.Match(r, filter.World{}) }
func (p parsed) Unsure(r *model.Row) bool { return p.Expr.Unsure(r, filter.World{}) }

func BenchmarkDetail(b *testing.B) {
	s := talk()
	d := NewDetail()
	d.Show(s.open["agent5"])
	g := paint.NewGrid(160, 45)
	b.ReportAllocs()
	for b.Loop() {
		g.Clear(160, 45)
		d.Draw(g.All(), s.context())
	}
}

func BenchmarkDetailOfLargeFrame(b *testing.B) {
	s := newStory()
	r := s.update("tool_call", 0, "", "")
	r.Body = []byte(`{"params":{"content":"`)
	for len(r.Body) < maxBody {
		r.Body = append(r.Body, `some words of a file\n\twith lines, é and 世界 `...)
	}
	r.Body, r.Cut = r.Body[:maxBody], true
	d := NewDetail()
	g := paint.NewGrid(160, 45)
	for b.Loop() {
		d.Show(nil)
		d.Show(r)
		d.Draw(g.All(), s.context())
		d.Do(keys.Raw, s.context())
		d.Draw(g.All(), s.context())
	}
}
