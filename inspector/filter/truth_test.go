package filter

import (
	"testing"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

func TestWhatIsNotKeptIsNotClaimed(t *testing.T) {
	chunk := model.Row{Type: journal.FrameEvent, From: acp.Agent, Kind: acp.Notification, Method: acp.MethodSessionUpdate, Size: 2150}
	unread := chunk
	unread.Unread = true
	dropped := chunk
	dropped.Update, dropped.First, dropped.Chunk = "agent_message_chunk", "some words", true
	cut := chunk
	cut.Update, cut.Body, cut.Cut = "tool_call", []byte(`{"params":{"update":{"kind":"edit","path":"/a"`), true
	whole := dropped
	whole.Body = []byte(`{"params":{"update":{"content":{"text":"some words"}}}}`)
	ask := unread
	ask.Kind, ask.Method, ask.ID = acp.Request, acp.MethodRequestPermission, "5"
	stderr := model.Row{Type: journal.StderrEvent, Text: "words", Size: 9}

	const y, n, u = "yes", "no", "unknown"
	for _, tt := range []struct {
		name, filter string
		row          model.Row
		want         string
	}{
		{"an update", "update:agent_message_chunk", unread, u},
		{"all but an update", "-update:agent_message_chunk", unread, u},
		{"an update, body dropped", "-update:agent_message_chunk", dropped, n},
		{"another update, body dropped", "-update:plan", dropped, y},
		{"the method", "m:session/update", unread, y},
		{"not the method", "-m:session/update", unread, n},
		{"the kind", "kind:err", unread, n},
		{"the size", "size>2k", unread, y},
		{"no chunks", "-is:chunk", unread, u},
		{"no chunks, body dropped", "-is:chunk", dropped, n},
		{"no errors", "-is:error", unread, y},
		{"a word of the envelope", "update", unread, y},
		{"a word", "nothing", unread, u},
		{"not a word", "-nothing", dropped, u},
		{"a word that is there", "-words", dropped, n},
		{"a word, all of it kept", "-nothing", whole, y},
		{"text", "-text:nothing", dropped, u},
		{"text, all of it kept", "-text:nothing", whole, y},
		{"a file", "-file:b", dropped, u},
		{"a file, cut", "-file:/b", cut, u},
		{"a file that is there, cut", "file:/a", cut, y},
		{"a value, cut", "params.update.kind:edit", cut, y},
		{"a number", "params.update.size>3", unread, u},
		{"a tool", "-tool:edit", unread, u},
		{"a tool of a message", "-tool:edit", dropped, y},
		{"a call of a request", "-call:x", ask, u},
		{"an id", "-id:6", ask, y},
		{"both, one is not so", "m:initialize -u:message", unread, n},
		{"both, one is so", "m:session/update -u:message", unread, u},
		{"either, one is so", "m:session/update or u:plan", unread, y},
		{"either, one is not so", "m:initialize or u:plan", unread, u},
		{"neither", "-(m:initialize or u:plan)", unread, u},
		{"what is no frame", "-nothing", stderr, y},
	} {
		e, err := Parse(tt.filter)
		if err != nil {
			t.Fatal(err)
		}
		got := n
		switch {
		case e.Match(&tt.row, World{}):
			got = y
		case e.Unsure(&tt.row, World{}):
			got = u
		}
		if got != tt.want {
			t.Errorf("%s: %s is %s, want %s", tt.name, tt.filter, got, tt.want)
		}
	}
}
