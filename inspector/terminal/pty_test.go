//go:build unix

package terminal_test

import (
	"testing"

	"bobproxy/inspector/terminal/vttest"
)

// restored fails when the terminal is not as it was before.
func restored(t *testing.T, p *vttest.Program, v vttest.View) {
	t.Helper()
	if left := vttest.Left(v.Raw); len(left) > 0 {
		t.Errorf("left in the terminal: %q", left)
	}
	if !v.Main {
		t.Error("the alternate screen is still shown")
	}
	if !p.Restored() {
		t.Error("the terminal's settings are not those from before")
	}
	if foreign := vttest.Foreign(v.Raw); len(foreign) > 0 {
		t.Errorf("sent to the terminal: %q", foreign)
	}
}

func TestQuit(t *testing.T) {
	p := startToy(t, "mouse")
	p.Shows("toy 60×20")
	p.Send("htncb")
	p.Shows("key b")
	p.Send("q")
	status, v := p.Exit()
	if status != 0 {
		t.Errorf("status %d, want 0", status)
	}
	restored(t, p, v)
}
