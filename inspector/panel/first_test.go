package panel

import (
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/feed"
)

func TestTheFirstProxyIsListed(t *testing.T) {
	s := newShow(50, 40, nil)
	s.shows(t, "Waiting for an editor")
	waiting(s.Panel)
	s.look()
	if s.focus != atSessions {
		t.Errorf("the keys go to %d, want the sessions", s.focus)
	}
	s.press("Enter")
	rebuilding().play(s.Panel)
	if s.look(); s.focus != atMain {
		t.Errorf("a second proxy took the keys to %d", s.focus)
	}
}

func TestTheFirstProxyIsEntered(t *testing.T) {
	s := newShow(50, 40, nil)
	s.options.Enter = true
	waiting(s.Panel)
	if s.look(); s.focus != atMain {
		t.Errorf("the keys go to %d, want the session", s.focus)
	}
}

func TestWhatIsStartedIsTold(t *testing.T) {
	p := New(Options{Starting: "the demo"})
	s := &show{Panel: p, w: 50, h: 40, grid: newShow(50, 40, nil).grid, now: dawn}
	s.look().shows(t, "Starting the demo")
	if strings.Contains(s.text(), "Waiting for an editor") {
		t.Errorf("somebody is waited for:\n%s", s.text())
	}
	waiting(p)
	if s.look(); strings.Contains(s.text(), "Starting") {
		t.Errorf("it is still being started:\n%s", s.text())
	}
}

func TestNoHintTwice(t *testing.T) {
	s := newShow(200, 40, waiting).press("Enter", "]")
	rows := strings.Split(s.text(), "\n")
	if bar := rows[39]; strings.Count(bar, "/ filter") != 1 {
		t.Errorf("the bar is %q", bar)
	}
}

func TestNoticesGo(t *testing.T) {
	s := newShow(100, 30, waiting)
	for _, message := range []any{Told{"the demo is over"}, feed.Refused{Why: "the demo is over"}, played{outcome: "the demo is over"}} {
		s.Take(message, s.now)
		s.look().shows(t, "the demo is over")
		if s.wait(2 * toldFor); strings.Contains(s.text(), "the demo is over") {
			t.Errorf("after %v %T is still shown", 2*time.Minute, message)
		}
	}
}

func TestNoLetterIsOfferedWhileAWordIsTyped(t *testing.T) {
	s := atCardOf(100, 30).press("2", "a")
	s.shows(t, "type always", "a_", " always and Enter  Esc go back  x reject  ? help\n")
}
