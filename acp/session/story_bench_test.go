package session

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// BenchmarkStoryChunk is what a piece of text costs beside the fold.
func BenchmarkStoryChunk(b *testing.B) {
	var f acp.Frame
	acp.Scan([]byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_01","update":{"sessionUpdate":"agent_message_chunk","messageId":"m1","content":{"type":"text","text":"retry retry retry retry retry retr"}}}}`+"\n"), &f)
	r := newTeller(b)
	fact := r.fold.Frame(r.at, acp.Agent, &f)
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		r.story.Frame(r.at, i, acp.Agent, &f, &fact)
	}
}

// BenchmarkStoryMessages has a message for each of some pieces.
func BenchmarkStoryMessages(b *testing.B) {
	frames := make([]acp.Frame, 1000)
	for i := range frames {
		acp.Scan([]byte(`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","messageId":"m`+strconv.Itoa(i/20)+`","content":{"type":"text","text":"retry retry retry"}}}}`), &frames[i])
	}
	r := newTeller(b)
	at := time.Unix(0, 0)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f := &frames[i%len(frames)]
		fact := r.fold.Frame(at, acp.Agent, f)
		r.story.Frame(at, uint64(i), acp.Agent, f, &fact)
	}
}

// BenchmarkStoryDiff is a large update of a tool call.
func BenchmarkStoryDiff(b *testing.B) {
	text := strings.Repeat("a line of some file\\n", 1400)
	var f acp.Frame
	acp.Scan([]byte(`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","content":[{"type":"diff","path":"/ws/a","oldText":"`+text+`","newText":"`+text+`more\n"}],"rawOutput":"`+text[:4000]+`"}}}`), &f)
	r := newTeller(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(f.Params)))
	for i := uint64(0); b.Loop(); i++ {
		fact := r.fold.Frame(r.at, acp.Agent, &f)
		r.story.Frame(r.at, i, acp.Agent, &f, &fact)
	}
}
