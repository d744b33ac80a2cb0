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
		if s.wait(2 * announcedFor); strings.Contains(s.text(), "the demo is over") {
			t.Errorf("after %v %T is still shown", 2*time.Minute, message)
		}
	}
}

func TestNoLetterIsOfferedWhileAWordIsTyped(t *testing.T) {
	s := atCardOf(100, 30).press("2", "a")
	s.shows(t, "type always", "a_", " always and Enter  Esc go back  x reject  ? help\n")
}

// TestAMissingSessionIsTold asks for a session that is not there: that is said
// once, when it could have been told of, and not where it came in time.
func TestAMissingSessionIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		session string
		missing bool
	}{"not there": {"nothere", true}, "there": {"sess_7f3a", false}} {
		t.Run(name, func(t *testing.T) {
			s := newShow(100, 40, nil)
			s.options.Session = c.session
			s.Take(feed.Attached{State: repairing().state, Events: repairing().events}, dawn)
			s.Wake(dawn.Add(missWithin - 1))
			if s.said.text != "" {
				t.Errorf("it says at once %q", s.said.text)
			}
			s.Wake(dawn.Add(missWithin))
			if got := strings.Contains(s.said.text, "no session is like "+c.session); got != c.missing {
				t.Errorf("it says %q", s.said.text)
			}
		})
	}
}

// TestAKeyTakesNoticesAway presses keys at notices: one that there was time to
// read goes, the outcome of the demo stays.
func TestAKeyTakesNoticesAway(t *testing.T) {
	p := New(Options{})
	p.now = dawn
	p.tell("there is no such thing", dawn)
	if p.heard(dawn.Add(readWithin - 1)); p.said.text == "" {
		t.Error("a key took away what nobody can have read")
	}
	if p.heard(dawn.Add(readWithin)); p.said.text != "" {
		t.Errorf("a key left %q", p.said.text)
	}
	p.announce("the demo is over")
	if p.heard(dawn.Add(readWithin)); p.said.text == "" {
		t.Error("a key took away the outcome of the demo")
	}
}

// Sessions of two proxies may have the same id: the one is gone to whose proxy was
// named, be it there first or later.
func TestTheSessionOfTheNamedProxyIsEntered(t *testing.T) {
	const id = "sess_7f3a9c01"
	twin := newTape("9b1c", "bob acp", "/home/me/src/web", 51300)
	hello(twin, "Zed", "1.5.4")
	twin.client(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/home/me/src/web","mcpServers":[]}}`)
	twin.agent(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":%q}}`, id)
	for name, c := range map[string]struct{ instance, session, want string }{
		"the first of them":       {"7f3a", id, "7f3a"},
		"the other one":           {"9b1c", id, "9b1c"},
		"no proxy was named":      {"", id, "7f3a"},
		"no session was named":    {"9b1c", "", ""},
		"the proxy has none such": {"9b1c", "sess_c0ffee", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := New(Options{Session: c.session, Instance: c.instance})
			repairing().play(p)
			twin.play(p)
			got := ""
			if p.entered {
				got = p.shown.Proxy.Instance
			}
			if got != c.want {
				t.Errorf("went to %q, want %q", got, c.want)
			}
		})
	}
}
