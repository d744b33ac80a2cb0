package replay

import (
	"bytes"
	"testing"

	"bobproxy/acp"
)

// seeds are conversations, one frame a line.
func seeds(f *testing.F) {
	for _, recording := range [][]Frame{talk, cancelledTalk} {
		var text []byte
		for _, frame := range recording {
			text = append(append(text, frame.Line...), '\n')
		}
		f.Add(text, text)
	}
	f.Add([]byte("{\"id\":null,\"method\":\"session/prompt\"}\n{\"id\":null,\"result\":null}"), []byte("[]\n{}\nnull\n\"\""))
}

// FuzzParts plays any recording as either side, and lets any peer speak. Nothing
// may panic, every line that goes out is one plain frame, and the play moves on.
func FuzzParts(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, recording, live []byte) {
		var frames []Frame
		for i, line := range bytes.Split(recording, []byte("\n")) {
			frames = append(frames, Frame{Number: uint64(i), From: acp.Direction(1 + i%2), Line: line})
		}
		agent, err := newAgent(frames, Options{Strict: true})
		if err != nil {
			return
		}
		client, err := newClient(frames, Options{Strict: true, Dir: "/live"})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []part{agent, client} {
			moves(t, p, len(frames))
			for _, line := range bytes.Split(live, []byte("\n")) {
				p.hear(line)
				moves(t, p, len(frames))
			}
			p.gone()
			moves(t, p, len(frames))
		}
		agent.leave()
		client.leave()
	})
}

// moves lets a part do what it can do now.
func moves(t *testing.T, p part, most int) {
	for n := 0; ; n++ {
		m := p.next()
		if m.line == nil {
			return
		}
		if bytes.Count(m.line, []byte("\n")) != 1 {
			t.Fatalf("sent %q", m.line)
		}
		if n > most+2 {
			t.Fatalf("sent %d frames of %d at once", n, most)
		}
		p.done()
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add([]byte(`{"sessionId":"s","a":["/ws/b","\/ws"],"t":"\ud800 /ws."}`))
	f.Fuzz(func(t *testing.T, v []byte) {
		var p places
		p.root("/ws", "/live")
		p.name("s", "L")
		got := p.value(v)
		var was, is acp.Frame
		acp.Scan(v, &was)
		acp.Scan(got, &is)
		if was.Kind != is.Kind {
			t.Errorf("%q is %v, and was %v: %q", got, is.Kind, was.Kind, v)
		}
	})
}
