//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// The card tells when the file on disk is not what the agent says that it
// replaces, and looks again before an answer that lasts.
func TestPanelComparesTheDisk(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.obedient()
	panel := p.panel(80, 30)
	work := t.TempDir()
	file := filepath.Join(work, "token.go")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("package token\n\nvar Limit = 5\n")
	session := `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":` + strconv.Quote(work) + `,"mcpServers":[]}}`
	s.send(session + "\n")
	s.expect("heard " + session + "\n")
	granted := `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`
	s.send("say " + granted + "\n")
	s.expect(granted + "\n")
	ask := `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"Raise the limit","kind":"edit",` +
		`"content":[{"type":"diff","path":` + strconv.Quote(file) + `,"oldText":"var Limit = 3\n","newText":"var Limit = 9\n"}]},"options":[` +
		`{"optionId":"yes","name":"Run it","kind":"allow_once"},{"optionId":"ever","name":"Always","kind":"allow_always"},{"optionId":"no","name":"Leave it","kind":"reject_once"}]}}`
	s.send("say " + ask + "\n")
	s.expect(ask + "\n")
	panel.opened("Raise the limit")
	panel.sees(`! the file on disk does not have the "old" side`)
	write("package token\n\nvar Limit = 3\n")
	panel.Send("2")
	panel.sees(`✓ the file on disk has the "old" side`)
	panel.allows("Raise the limit")
	s.agentHears("7", "yes")
	panel.quits()
}
