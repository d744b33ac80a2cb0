package proxy

import (
	"strings"
	"testing"
)

// What a tool call shows is there for who answers, said in the request itself
// or before it.
func TestPendingShowsContent(t *testing.T) {
	const diff = `[{"type":"diff","path":"/w/a","oldText":"1","newText":"2"}]`
	call := func(content string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit","kind":"other","content":` + content + `}}}`
	}
	long := `[{"type":"content","content":{"type":"text","text":"` + strings.Repeat("x", maxShown) + `"}}]`
	for _, tt := range []struct{ name, update, request, whole, clipped string }{
		{"in the request", "", asks4("1", `"sessionId":"s","toolCall":{"toolCallId":"c","content":`+diff+`},"options":`+threeOptions), diff, ""},
		{"before it", call(diff), asks4("1", `"sessionId":"s","toolCall":{"toolCallId":"c"},"options":`+threeOptions), diff, ""},
		{"both: the request's", call(`[]`), asks4("1", `"sessionId":"s","toolCall":{"toolCallId":"c","content":`+diff+`},"options":`+threeOptions), diff, ""},
		{"nowhere", call(`null`), asks4("1", `"sessionId":"s","toolCall":{"toolCallId":"c"},"options":`+threeOptions), "", ""},
		{"too long", call(long), asks4("1", `"sessionId":"s","toolCall":{"toolCallId":"c"},"options":`+threeOptions), "", long[:maxShown]},
		{"too long in the request", "", asks4("1", `"sessionId":"s","toolCall":{"toolCallId":"c","content":`+long+`},"options":`+threeOptions), "", long[:maxShown]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sit(t, Policy{Bounds: Off}, func(x *table) {
				if tt.update != "" {
					x.bob(tt.update)
				}
				x.bob(tt.request)
				open := x.host.State().Pending
				if len(open) != 1 || string(open[0].Content) != tt.whole || open[0].ContentClipped != tt.clipped {
					t.Errorf("pending: %.300v, want %.50q or %.50q", open, tt.whole, tt.clipped)
				}
			})
		})
	}
}

// Entries that come one by one are shown as if they had come at once.
func TestPendingShowsContentInChunks(t *testing.T) {
	chunk := func(text string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_content_chunk","toolCallId":"c","content":{"type":"content","content":{"type":"text","text":"` + text + `"}}}}}`
	}
	sit(t, Policy{Bounds: Off}, func(x *table) {
		x.editor(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2}}`)
		x.bob(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":2}}`)
		x.bob(chunk("a"), chunk("b"), asks4("1", `"sessionId":"s","title":"t","subject":{"type":"command","command":"make test","cwd":"/w","toolCallId":"c"},"options":`+threeOptions))
		open := x.host.State().Pending
		want := `[{"type":"content","content":{"type":"text","text":"a"}},{"type":"content","content":{"type":"text","text":"b"}}]`
		if len(open) != 1 || string(open[0].Content) != want || open[0].Command != "make test" || open[0].Cwd != "/w" {
			t.Errorf("pending: %+v, want content %s", open, want)
		}
	})
}
