package journal

import (
	"strings"
	"testing"

	"bobproxy/acp"
)

// A message with something garbled in it is masked like any other: what the
// places of secrets hold, and nothing of what an agent asks permission for.
func TestMaskingOfGarbledMessages(t *testing.T) {
	for _, garbage := range []string{`\ud83d`, "\xff"} {
		fill := func(s string) string { return strings.ReplaceAll(s, "§", garbage) }
		m := newMasker([]string{"given-secret"})
		ask := fill(`{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"toolCall":{"title":"§","rawInput":{"command":"x --token=now; rm","env":{"A":"b"}}}}}`)
		for _, tt := range []struct {
			name, line, want string
			from             acp.Direction
		}{
			{"permission", ask, ask, acp.Agent},
			{"server environment", fill(`{"id":1,"method":"session/new","params":{"cwd":"/§","mcpServers":[{"name":"§","env":[{"name":"A","value":"sess-secret§"}]}]}}`),
				fill(`{"id":1,"method":"session/new","params":{"cwd":"/§","mcpServers":[{"name":"§","env":[{"name":"A","value":"[masked]"}]}]}}`), acp.Client},
			{"known value", fill(`{"method":"session/update","params":{"text":"§ given-secret"}}`), "[masked]", acp.Agent},
			{"known value in escapes", fill(`{"method":"session/update","params":{"a":"§","text":"given\u002dsecret"}}`), fill(`{"method":"session/update","params":{"a":"§","text":"[masked]"}}`), acp.Agent},
		} {
			e := masked(t, m, tt.from, "", tt.line)
			if body := string(e.Body); !strings.Contains(body, tt.want) || strings.Contains(body, "secret") {
				t.Errorf("%s: %q became %q, want %q", tt.name, tt.line, body, tt.want)
			}
		}
	}
}

// A garbled message that waits in a recording comes back as what it was.
func TestGarbledMessagesAreRecorded(t *testing.T) {
	for _, tt := range []struct {
		garbage string
		form    Form
		reason  string
	}{{`\ud83d`, RawBody, "lone surrogate"}, {"\xff", Base64Body, "invalid UTF-8"}} {
		line := `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s","title":"` + tt.garbage + `"}}`
		f := frames(acp.Agent, line+"\n")[0]
		b := newBuilder(Options{Instance: "abcde"})
		e := b.build([]item{{line: f.Line, dir: acp.Agent, kind: f.Scan.Kind, id: f.Scan.ID, method: f.Scan.Method, session: f.Scan.Session, odd: f.Scan.Reason, strict: f.Scan.Strict}})[0]
		if e.Kind != acp.Request || e.Reason != tt.reason || e.Form != tt.form || e.Session != "s" || string(e.Body) != line {
			t.Errorf("%q: got %+v", tt.garbage, e)
		}
		var back acp.Frame
		if !e.Replay(&back) || back.Kind != acp.Request || string(back.Params) != string(f.Scan.Params) {
			t.Errorf("%q comes back as %+v", tt.garbage, back)
		}
	}
}
