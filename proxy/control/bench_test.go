package control

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// An event of 200 bytes on its way to a watcher and at the other end.
func BenchmarkEvent(b *testing.B) {
	e := journal.Event{
		Time: time.Now().UTC(), Seq: 12345, Instance: "abcde", Type: journal.FrameEvent, Dir: acp.Agent,
		Kind: acp.Notification, EOL: acp.LF, Method: "session/update", Session: "session-1", Bytes: 200,
		Form: journal.FrameBody, Body: []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"text":"` + strings.Repeat("x", 140) + `"}}`),
	}
	line, _ := appendEvent(nil, &e, nil)
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		var lines []byte
		for b.Loop() {
			lines, _ = appendEvent(lines[:0], &e, nil)
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		params := bytes.TrimSuffix(line[len(eventStart):], []byte("}\n"))
		for b.Loop() {
			var d delta
			if err := decode(params, &d); err != nil {
				b.Fatal(err)
			}
		}
	})
}
