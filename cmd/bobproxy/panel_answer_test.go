//go:build linux

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/terminal/vttest"
	"bobproxy/lab/retrybudget"
	"bobproxy/proxy/broker"
)

// Somebody watches Bob, is asked four times and allows it, which the editor
// would not have done.
func TestPanelAnswers(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	panel := p.panel(50, 40, "--arm", "700ms")
	panel.sees("no proxies")
	bob := p.talk("--allow", "none")
	panel.sees("! execute  ./verify", strip)
	panel.Send("p1")
	v := panel.Until("the card and why the key was not taken", func(v vttest.View) bool {
		return waitsFor(v, "./verify") && (has(v, "this changed after it was drawn") || has(v, "1: "+unread))
	})
	waits := p.pending()
	if len(waits) != 1 || waits[0].Title != "./verify" {
		t.Fatalf("after a digit on a card that was not drawn yet %+v waits; the screen:\n%s", waits, v.Screen)
	}
	for _, title := range []string{"./verify", "Edit retrybudget.go", "to-do list", "./verify"} {
		panel.allows(title)
	}
	if said := bob.ends(); !strings.Contains(said, retrybudget.Verified) {
		t.Errorf("Bob's turn came to:\n%s", said)
	}
	panel.Send(":timeline\r")
	panel.sees("end of turn", "allowed here: 1 Allow once")
	panel.quits()
	all := bob.answers()
	if len(all) != 4 {
		t.Fatalf("%d decisions recorded, want 4", len(all))
	}
	for i, d := range all {
		if d.By != string(broker.ByPanel) || d.Peer == nil || d.Peer.PID != panel.pid || !strings.HasPrefix(d.Peer.TTY, "/dev/pts/") {
			t.Errorf("decision %d is %+v by %+v; want the panel, its process %d and its terminal", i+1, d, d.Peer, panel.pid)
		}
	}
	if all[0].Request != waits[0].Request || all[0].OptionID != waits[0].Options[0].ID {
		t.Errorf("the first decision is %+v, and %+v was asked", all[0], waits[0])
	}
}

// The editor answers while the card is open, and a panel while another's is.
func TestOthersAnswer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.obedient()
	one, two := p.panel(50, 40), p.panel(100, 30)
	s.asks(1, "7", "mend it")
	one.card("mend it")
	two.card("mend it")
	s.send(permitted("7", "no"))
	s.expect("heard " + permitted("7", "no"))
	for _, panel := range []*screen{one, two} {
		panel.sees("ANSWERED IN THE EDITOR", "3  Leave it", "Your keys do nothing here any more.")
	}
	s.asks(2, "8", "tidy up") // comes up by itself
	one.allows("tidy up")
	s.agentHears("8", "yes")
	two.sees("ANSWERED IN ANOTHER PANEL (/dev/pts/", "1  Run it")
	s.ends()
	two.quits()
	one.quits()
}

// nothingAnswered checks that as many requests wait as before.
func (p *place) nothingAnswered(want int, after string) {
	p.t.Helper()
	if waits := p.pending(); len(waits) != want {
		p.t.Errorf("after %s %d requests wait, want %d", after, len(waits), want)
	}
}

// hold presses a key as often as a keyboard repeats it, until done.
func (s *screen) hold(key string, done func(times int, v vttest.View) bool) {
	s.t.Helper()
	repeat := time.NewTicker(5 * time.Millisecond)
	defer repeat.Stop()
	for times := 0; !done(times, s.View()); times++ {
		if times > int(patience/(5*time.Millisecond)) {
			s.t.Fatalf("%s was held in vain; the screen:\n%s", key, s.View().Screen)
		}
		s.Send(key)
		<-repeat.C
	}
}

// A key that is held down allows nothing, and rejects what was there when it was
// pressed and nothing else.
func TestAKeyHeldDown(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	panel := p.panel(50, 40)
	panel.sees("no proxies")
	p.talk("--allow", "none", "--", "--misbehave", "ask-three")
	panel.hold("1", func(_ int, v vttest.View) bool { return has(v, strip) && len(p.pending()) == 3 })
	panel.Send("p")
	panel.hold("1", func(times int, v vttest.View) bool { return times > 200 && has(v, "not yet: keys that allow") })
	p.nothingAnswered(3, "1 was held down")
	v := panel.View()
	for _, word := range []string{"SENDING", "SENT", closed} {
		if has(v, word) {
			t.Errorf("the screen shows:\n%s", v.Screen)
		}
	}
	panel.Send("\x1b")
	panel.sees(strip)
	panel.Send("p")
	panel.card("Step 1 of 3")
	panel.hold("3", func(_ int, v vttest.View) bool {
		return has(v, "Step 2 of 3", "that key was held down: press it again")
	})
	p.nothingAnswered(2, "3 was held down")
	panel.quits()
	p.nothingAnswered(2, "the panel was left")
}

// What is pasted, and the keys that mean yes and no elsewhere, answer nothing
// although the card takes every key that does.
func TestOtherKeysAnswerNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.obedient()
	panel := p.panel(50, 40)
	s.asks(1, "7", "mend it")
	panel.opened("mend it")
	panel.Send("\x1b[200~1\n1\n\x1b[201~")
	panel.sees("pasted text does nothing here")
	const hint = "1-3 answer, x rejects"
	for _, key := range []string{"\r", "y", "a", "n", "A", "r"} {
		panel.opened("mend it")
		panel.Send(key)
		panel.sees(hint)
		p.nothingAnswered(1, fmt.Sprintf("%q", key))
		panel.Send("g")
		panel.Until("it to be said no more", func(v vttest.View) bool { return !has(v, hint) })
	}
	panel.Send("x")
	s.agentHears("7", "no")
	s.ends()
	panel.quits()
}

// A panel that only watches shows the card and answers nothing.
func TestWatchingPanel(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.obedient()
	panel := p.panel(100, 30, "--watch")
	s.asks(1, "7", "mend it")
	panel.card("mend it", "watching only: this panel answers nothing")
	for _, key := range []string{"1", "3", "x", "\x1b[B\r"} {
		panel.Send(key)
	}
	panel.Send("?")
	panel.sees("HELP") // so that all of them have been looked at
	p.nothingAnswered(1, "all keys that answer")
	panel.quits()
	s.send(permitted("7", "no"))
	s.expect("heard " + permitted("7", "no"))
	s.ends()
	if all := s.decided(); len(all) != 1 || all[0].By != string(broker.ByEditor) {
		t.Errorf("the decisions are %+v", all)
	}
}
