package replay

import (
	"strings"
	"testing"

	"bobproxy/acp"
)

// TestEndsInsideATurn plays beginnings of a recording to the rest of it. Nothing
// may differ, and where a beginning ends inside the turn, that is told.
func TestEndsInsideATurn(t *testing.T) {
	frames := readFrames(t, "../../inspector/model/testdata/demo.jsonl")
	prompt := 0
	for i, f := range frames {
		if strings.Contains(string(f.Line), `"method":"session/prompt"`) {
			prompt = i
		}
	}
	for n := 1; n < len(frames); n++ {
		want := 0
		if n > prompt {
			want = 1
		}
		if m := meet(t, frames, frames[:n], true, "/else/where"); m.client.Divergences > 0 || m.client.Cut != want {
			t.Errorf("the client's first %d frames: %+v, %v", n, m.client, m.clientFound)
		}
		m := meet(t, frames[:n], frames[:n], true, "/else/where")
		if m.client.Divergences > 0 || m.client.Cut != want || m.agent.Divergences > 0 || m.agent.Cut != want {
			t.Errorf("the first %d frames: %+v, %v, %+v, %v", n, m.agent, m.agentFound, m.client, m.clientFound)
		}
		if heard := countFrom(frames[:n], acp.Agent); m.client.Heard < heard {
			t.Errorf("of the first %d frames the client heard %d of %d", n, m.client.Heard, heard)
		}
	}
}

func TestCutTurnMissesATool(t *testing.T) {
	frames := readFrames(t, "../../inspector/model/testdata/demo.jsonl")
	other := append([]Frame(nil), frames...)
	for i := range other {
		other[i].Line = []byte(strings.ReplaceAll(string(other[i].Line), `"Read retrybudget.go"`, `"Look at it"`))
	}
	m := meet(t, other, frames[:60], false, "/else/where")
	for _, f := range m.clientFound {
		if want := `"read Read retrybudget.go`; f.Divergence != strings.Contains(f.Expected, want) {
			t.Errorf("found %v", f)
		}
	}
	if m.client.Divergences != 1 {
		t.Errorf("found %d divergences, want 1", m.client.Divergences)
	}
}
