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
			var f acp.Frame
			if acp.Scan([]byte(line), &f); f.Kind != acp.Notification || !f.Strict {
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
				p.out.ledger.toAgent, p.out.ledger.toClient = &client.added, &p.out.added
				if p.gate, err = newGate(Policy{Bounds: mode}, "bench", p.out.ledger, client, p.out); err != nil {
					b.Fatal(err)
				}
			}
			if err := p.run(); err != nil {
				b.Fatal(err)
			}
			if err := j.Close(defaults.drain); err != nil {
				b.Fatal(err)
			}
		})
	}
}
