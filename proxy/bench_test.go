package proxy

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// again reads the same text over and over, n bytes in all, in reads as a pipe
// gives them.
type again struct {
	text string
	at   int
	n    int
}

func (a *again) Read(b []byte) (int, error) {
	if a.n == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), a.n, 64<<10)], a.text[a.at:])
	a.at, a.n = (a.at+n)%len(a.text), a.n-n
	return n, nil
}

// BenchmarkPump is one direction without its processes and pipes: reading,
// scanning, entering and recording to a file, for each frame.
func BenchmarkPump(b *testing.B) { benchmarkPump(b, "") }

// BenchmarkGate is the same with a gate that looks at every frame.
func BenchmarkGate(b *testing.B) {
	for _, mode := range []Mode{Off, Enforce} {
		b.Run(string(mode), func(b *testing.B) { benchmarkPump(b, mode) })
	}
}

func benchmarkPump(b *testing.B, mode Mode) {
	for _, size := range []int{200, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			const head, tail = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"load","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"`, `"}}}}` + "\n"
			line := head + strings.Repeat(`if a < b {\n\treturn \"x\"\n}\n`, size/20)[:(size-len(head+tail))/2*2-1]
			line = strings.TrimRight(line, `\`) + tail
			benchmarkLine(b, mode, line)
		})
	}
}

// BenchmarkToolCallUpdate is the same for the updates that are looked into, with
// paths that are inside. What it costs to remember tool calls is in all of them.
func BenchmarkToolCallUpdate(b *testing.B) {
	for _, mode := range []Mode{"", Off, Enforce} {
		for _, size := range []int{200, 100_000, 5_000_000} {
			b.Run(fmt.Sprintf("gate=%s/%dB", mode, size), func(b *testing.B) {
				dir := b.TempDir()
				head := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"load","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","locations":[{"path":"` + dir + `/a"}],"content":[{"type":"diff","path":"` + dir + `/a","newText":"`
				benchmarkLine(b, mode, head+strings.Repeat(`if a < b {\n\treturn \"x\"\n}\n`, size/33)+`"}]}}}`+"\n",
					`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"`+dir+`"}}`, `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"load"}}`)
			})
		}
	}
}

// BenchmarkPermission is a permission request that shows a change of this size,
// from its arrival to where the editor reads it.
func BenchmarkPermission(b *testing.B) {
	for _, size := range []int{200, 1_000_000, 14_000_000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			dir := b.TempDir()
			head := `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"load","options":[],"toolCall":{"toolCallId":"c","kind":"edit","content":[{"type":"diff","path":"` + dir + `/a","newText":"`
			benchmarkLine(b, Enforce, head+strings.Repeat(`if a < b {\n\treturn \"x\"\n}\n`, size/33)+`"}]}}}`+"\n",
				`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"`+dir+`"}}`, `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"load"}}`)
		})
	}
}

// benchmarkLine sends the same line over and over, after a request of the
// editor and its answer, if there is to be one.
func benchmarkLine(b *testing.B, mode Mode, line string, first ...string) {
	var f acp.Frame
	if acp.Scan([]byte(line), &f); f.Kind == acp.Ambiguous || !f.Strict {
		b.Fatalf("a frame that is %v: %v", f.Kind, f.Reason)
	}
	j, err := journal.New(journal.Options{Path: filepath.Join(b.TempDir(), "recording")})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	p := newPump(acp.Agent, io.Discard, &ledger{journal: j}, false, lines{src: &again{text: line, n: b.N * len(line)}, pool: journal.NewPool(), most: MaxFrame})
	if mode != "" {
		client := newOutlet(acp.Client, p.out.ledger, false)
		client.out = io.Discard
		p.out.ledger.toAgent, p.out.ledger.toClient = &client.added, &p.out.added
		if p.gate, err = newGate(Policy{Bounds: mode}, "bench", p.out.ledger, client, p.out); err != nil {
			b.Fatal(err)
		}
		go p.gate.flags.run()
		defer p.gate.flags.close()
		for i, text := range first {
			f := journal.Frame{Dir: acp.Direction(i + 1), Line: []byte(text + "\n")}
			if acp.Scan(f.Line, &f.Scan); i == 0 {
				err = p.gate.pass(&f)
			} else {
				err = p.out.pass([]journal.Frame{f}, f.Line)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := p.run(); err != nil {
		b.Fatal(err)
	}
	if err := j.Close(defaults.drain); err != nil {
		b.Fatal(err)
	}
}
