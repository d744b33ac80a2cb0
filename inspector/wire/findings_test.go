package wire

import (
	"strings"
	"testing"

	"bobproxy/inspector/model"
)

// broken is a recording in which the agent does not say what a tool call is
// called.
const broken = `{"time":"2026-01-02T03:04:05Z","seq":1,"instance":"aaaaa","event":"frame","dir":"client","kind":"request","method":"initialize","id":0,"frame":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}}
{"time":"2026-01-02T03:04:05Z","seq":2,"instance":"aaaaa","event":"frame","dir":"agent","kind":"response","method":"initialize","id":0,"frame":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}}
{"time":"2026-01-02T03:04:05Z","seq":3,"instance":"aaaaa","event":"frame","dir":"agent","kind":"notification","method":"_x","frame":{"jsonrpc":"2.0","method":"_x"}}
{"time":"2026-01-02T03:04:05Z","seq":4,"instance":"aaaaa","event":"frame","dir":"agent","kind":"request","method":"fs/read_text_file","id":4,"frame":{"jsonrpc":"2.0","id":4,"method":"fs/read_text_file","params":{"sessionId":"s","path":7}}}
`

func TestWhatBreaksTheProtocolIsMarked(t *testing.T) {
	s := talk()
	p, err := model.New().Read("broken", strings.NewReader(broken))
	if err != nil {
		t.Fatal(err)
	}
	w := NewWire()
	w.Show(nil, p)
	var marked []string
	for _, line := range screen(w, s, 80, 10) {
		if strings.Contains(line, "←!") {
			marked = append(marked, line)
		}
	}
	if len(marked) != 1 || !strings.Contains(marked[0], "fs/read_text_file") {
		t.Errorf("got %q", screen(w, s, 80, 10))
	}
	d := NewDetail()
	d.Show(p.Rows[3])
	text := strings.Join(screen(d, s, 100, 20), "\n")
	for _, want := range []string{"shape/type: fs/read_text_file: path is 7 and should be a string", "session/unknown: fs/read_text_file is about the session \"s\""} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %s in it", text, want)
		}
	}
}
