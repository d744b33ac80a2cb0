//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Proxies come and go while a panel is open, and what was seen of them stays.
func TestProxiesComeAndGo(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	panel := p.panel(50, 40)
	panel.sees("no proxies")
	one := p.obedient()
	panel.sees("1 proxy")
	two := operateFor(t, p.run, []string{"peer", "obey"})
	panel.sees("2 proxies")
	two.send("say " + titled("Second thoughts") + "\n")
	two.line()
	panel.sees("Second thoughts")
	panel.Send(":session second\r")
	panel.sees("[Timeline]", "Second thoughts")
	two.send("moan " + `"the last words"` + "\n")
	panel.sees("the last words")
	two.asks(1, "7", "mend it")
	panel.card("mend it")
	if _, code := two.finish(); code != exitDone {
		t.Errorf("exit status %d", code)
	}
	panel.sees("THIS PROXY HAS ENDED")
	panel.Send("q")
	panel.sees("[Timeline]", "never answered", "GONE")
	panel.Send("[")
	panel.sees("[Gone]", "This proxy has ended.", "stderr, last lines", "the last words", "left with exit 0")
	panel.Send("q")
	panel.sees("1 proxy", "Second thoughts", "exit 0")
	one.ends()
	panel.sees("no proxies")
	panel.quits()
}

// A recording is shown as the panel showed it, and what waited in it cannot be
// answered.
func TestPanelOfARecording(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	bob := p.talk("--allow", "none")
	var file string
	until(t, "the permission in the recording", func() bool {
		for _, file = range bob.recordings() {
			text, err := os.ReadFile(file)
			if err == nil && strings.Contains(string(text), `"event":"opened"`) {
				return true
			}
		}
		return false
	})
	copied := filepath.Join(p.home, "copy.jsonl")
	if err := os.WriteFile(copied, []byte(content(t, file)), 0o600); err != nil {
		t.Fatal(err)
	}
	panel := p.panel(50, 40, copied)
	panel.sees("1 recording · 1 session", "Repair RetryBudget", "no permission waiting")
	panel.Send("\r")
	panel.sees("I will look at the source", "read     retrybudget.go", "execute  ./verify", "not answered")
	panel.Send("p")
	panel.sees("PERMISSIONS", "no permission waiting", "CLOSED", "./verify")
	panel.Send("1x3\r?")
	panel.sees("HELP")
	p.nothingAnswered(1, "keys in a recording")
	panel.quits()
}

// A name is enough: what runs under it is watched, and when that has ended what
// it recorded is shown.
func TestPanelOfAName(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.obedient("--record-dir", filepath.Join(p.home, "state", "bobproxy"))
	s.send("say " + titled("Second thoughts") + "\n")
	s.line()
	name := s.instance()
	panel := p.panel(50, 40, name)
	panel.sees("Second thoughts", "idle")
	panel.quits()
	s.finish()
	panel = p.panel(50, 40, name)
	panel.sees("1 recording", "Second thoughts")
	panel.quits()
}

// Agents may call their sessions alike: the name of a proxy leads to its own.
func TestPanelOfANameAmongTwins(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	titles := map[string]string{} // by the name of the proxy
	for i, title := range []string{"First thoughts", "Second thoughts"} {
		s := p.obedient()
		s.send(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}` + "\n")
		for _, line := range []string{`{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}`, titled(title)} {
			s.send("say " + line + "\n")
			for s.line() != line+"\n" { // what it makes of other lines
			}
		}
		until(t, "its socket", func() bool { return len(s.names()) == i+1 })
		for _, name := range s.names() {
			if titles[name] == "" {
				titles[name] = title
			}
		}
	}
	for name, title := range titles {
		panel := p.panel(50, 40, name)
		panel.sees("[Timeline]", title)
		panel.quits()
	}
}
