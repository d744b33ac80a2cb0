//go:build linux

package main

import (
	"fmt"
	"strings"
	"testing"

	"bobproxy/inspector/terminal/vttest"
	"bobproxy/lab/retrybudget"
)

// The demo is played to its end with keys alone, and says how it went in the
// panel and behind it.
func TestDemoInThePanel(t *testing.T) {
	for _, size := range [][2]int{{50, 40}, {160, 45}} {
		t.Run(fmt.Sprintf("%d×%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			panel := p.show(size[0], size[1], p.command("demo", "--pace", "0s"))
			for _, title := range []string{"./verify", "Edit retrybudget.go", "to-do list", "./verify"} {
				panel.allows(title)
			}
			panel.sees(retrybudget.Verified + " · Q leaves")
			panel.Send("qqq")
			v := panel.left(exitDone)
			if text := strings.TrimSpace(v.Screen); !v.Main || !strings.HasSuffix(text, retrybudget.Verified) || !strings.Contains(text, "recording.jsonl") {
				t.Errorf("behind it the terminal shows:\n%s", v.Screen)
			}
		})
	}
}

// Who leaves the demo early leaves nothing running.
func TestLeavingTheDemo(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.command("demo", "--pace", "0s")
	mark := "MARK=" + t.Name()
	c.Env = append(c.Env, mark)
	panel := p.show(50, 40, c)
	panel.card("./verify")
	panel.Send("Q")
	status, v := panel.Exit()
	if status != 1 || !v.Main || len(vttest.Left(v.Raw)) > 0 || !strings.Contains(v.Screen, "contract broken") {
		t.Errorf("exit status %d, left %q, and the terminal shows:\n%s", status, vttest.Left(v.Raw), v.Screen)
	}
	nothingLeft(t, mark)
}
