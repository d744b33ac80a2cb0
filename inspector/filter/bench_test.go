package filter

import (
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

// BenchmarkMatch applies a filter to as many rows as are kept of a proxy.
func BenchmarkMatch(b *testing.B) {
	rows := make([]*model.Row, model.MaxRows)
	for i := range rows {
		text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 8)
		body := fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_7f3a9c01","update":{"sessionUpdate":"tool_call_update","toolCallId":"call_%d","status":"completed","locations":[{"path":"/home/me/src/file%d.go"}],"content":[{"type":"content","content":{"type":"text","text":"%s"}}]}}}`, i, i, text)
		rows[i] = &model.Row{
			Type: journal.FrameEvent, Kind: acp.Notification, From: acp.Agent, Method: "session/update",
			Update: "tool_call_update", Call: fmt.Sprint("call_", i), Size: int64(len(body)), Body: []byte(body), Time: now,
		}
	}
	for _, text := range []string{
		"m:session/update dir:in -u:message",
		"panic",
		"the lazy cat",
		`"naïve"`,
		"/panic|fatal/i",
		"/call_1[0-9]+5/",
		"/[0-9]{3}ms/",
		"file:main.go",
		"params.update.status:failed",
		"text:token",
		"after:12:04 -slow>2s",
	} {
		e, err := Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, r := range rows {
					e.Match(r, World{Now: now})
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/20k-rows")
		})
	}
	b.Run("complete", func(b *testing.B) {
		for b.Loop() {
			Complete("call:", 5, rows, nil)
			Complete("params.update.", 14, rows, nil)
			Complete("is:", 3, rows, nil)
		}
	})
}
