package acp_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
)

// benchFrames are the frames whose cost matters: a streamed chunk of text, a
// tool call with a diff, a file in one string, and many small objects.
func benchFrames() map[string][]byte {
	update := func(content string) []byte {
		return []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_01","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + content + `"}}}}` + "\n")
	}
	source := strings.Repeat(`\tif err := budget.Spend(ctx, 1); err != nil {\n`, 1<<20/48)
	var objects bytes.Buffer
	objects.WriteString(`{"jsonrpc":"2.0","id":7,"result":{"entries":[`)
	for i := range 12_000 {
		if i > 0 {
			objects.WriteByte(',')
		}
		fmt.Fprintf(&objects, `{"path":"/ws/src/file_%05d.go","line":%d,"kind":"edit","ok":true,"note":"x%06d"}`, i, i, i)
	}
	objects.WriteString("]}}\n")
	return map[string][]byte{
		"200B":      update(strings.Repeat("retry ", 6)[:34]),
		"10KB":      update(source[:10_000-6]),
		"1MBstring": update(source),
		"1MBobject": objects.Bytes(),
	}
}

func BenchmarkScan(b *testing.B) {
	frames := benchFrames()
	for _, name := range []string{"200B", "10KB", "1MBstring", "1MBobject"} {
		line := frames[name]
		b.Run(name, func(b *testing.B) {
			var f acp.Frame
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				acp.Scan(line, &f)
			}
			if f.Reason != 0 || f.Kind == acp.Text {
				b.Fatalf("got %v, %v", f.Kind, f.Reason)
			}
		})
	}
}
