package session

import (
	"testing"
	"time"

	"bobproxy/acp"
)

// BenchmarkChunk is the frame that comes most often: a piece of text.
func BenchmarkChunk(b *testing.B) {
	var f acp.Frame
	acp.Scan([]byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_01","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"retry retry retry retry retry retr"}}}}`+"\n"), &f)
	var fold Fold
	at := time.Unix(0, 0)
	b.ReportAllocs()
	for b.Loop() {
		fold.Frame(at, acp.Agent, &f)
	}
}
