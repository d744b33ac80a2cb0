package panel

import (
	"testing"
	"time"

	"bobproxy/inspector/feed"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/journal"
)

func both(p *Panel) {
	rebuilding().play(p)
	repairing().play(p)
}

// cutShown has the proxy of the session that is shown end.
func (s *show) cutShown() {
	tape := repairing()
	if s.shown.Proxy.Instance != tape.state.Instance {
		tape = rebuilding()
	}
	n := len(tape.events)
	tape.at = s.now
	tape.note(journal.Event{Type: journal.ExitEvent, Exit: &journal.Exit{Signal: "SIGKILL"}})
	s.Take(feed.Happened{Instance: tape.state.Instance, Deltas: tape.deltas()[n:]}, s.now)
	s.Take(feed.Gone{Instance: tape.state.Instance, Why: "the proxy has gone"}, s.now)
	s.look()
}

// Who uses a pane of a session keeps that session, also when it ends and nobody
// has chosen it in the list.
func TestWhatIsReadStays(t *testing.T) {
	for _, test := range []struct {
		name string
		w, h int
		do   func(s *show)
		keep bool
	}{
		{"nothing was pressed", 100, 30, func(*show) {}, false},
		{"a tab", 100, 30, func(s *show) { s.press("]") }, true},
		{"rows of the wire", 100, 30, func(s *show) { s.press("]", "k", "k") }, true},
		{"rows of the wire, one pane", 50, 40, func(s *show) { s.press("]", "k", "k") }, true},
		{"the pane beside", 160, 45, func(s *show) { s.press("Tab") }, true},
		{"and back to the list", 100, 30, func(s *show) { s.press("Tab", "Esc") }, true},
		{"a click", 100, 30, func(s *show) { s.Input(terminal.Mouse{X: 60, Y: 9}, s.now) }, true},
		{"the wheel", 100, 30, func(s *show) { s.Input(terminal.Mouse{X: 60, Y: 9, Wheel: -1}, s.now) }, true},
		{"the card and back", 100, 30, func(s *show) { s.press("p", "Esc") }, true},
		{"the help over it", 100, 30, func(s *show) { s.press("]", "?") }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShow(test.w, test.h, both)
			test.do(s)
			shown, tab := s.shown, s.tab
			s.cutShown()
			s.wait(10 * time.Second)
			if kept := s.shown == shown; kept != test.keep {
				t.Errorf("kept: %v, want %v", kept, test.keep)
			}
			if s.tab != tab {
				t.Errorf("the tab is %s, want %s", s.tab, tab)
			}
		})
	}
}

// Esc goes back to where a jump began, with the filter that was there.
func TestEscGoesBackAlongJumps(t *testing.T) {
	type at struct {
		focus  spot
		tab    keys.Place
		filter string
	}
	timeline, info, list := at{atMain, keys.Timeline, ""}, at{atMain, keys.Info, ""}, at{atSessions, keys.Timeline, ""}
	for _, test := range []struct {
		name  string
		press []keys.Key
		want  []at // at first, and after each Esc
	}{
		{"Enter in the list", []keys.Key{"Enter"}, []at{timeline, list}},
		{"stderr, from the timeline", []keys.Key{"Enter", "E"}, []at{{atMain, keys.Wire, "kind:stderr"}, timeline, list}},
		{"stderr, in the info", []keys.Key{"Enter", "[", "E"}, []at{info, {atSessions, keys.Info, ""}}},
		{"frames of an entry", []keys.Key{"Enter", "k", "k", "w"}, []at{{atMain, keys.Wire, ""}, timeline, list}},
		{"two jumps", []keys.Key{"Enter", "k", "k", "w", "E"}, []at{{atMain, keys.Wire, "kind:stderr"}, {atMain, keys.Wire, ""}, timeline, list}},
		{"the talk that led to a card", []keys.Key{"p", "t"}, []at{timeline, {atCard, keys.Timeline, ""}, list}},
		{"the card of a frame", []keys.Key{"Enter", "]", "p", "t"}, []at{timeline, {atCard, keys.Wire, ""}, {atMain, keys.Wire, ""}, {atSessions, keys.Wire, ""}}},
		{"the tab was changed since", []keys.Key{"Enter", "E", "]"}, []at{{atMain, keys.Info, "kind:stderr"}, {atSessions, keys.Info, "kind:stderr"}}},
		{"a command for the tab since", []keys.Key{"Enter", "E", ":", "t", "i", "m", "e", "Enter"}, []at{{atMain, keys.Timeline, "kind:stderr"}, {atSessions, keys.Timeline, "kind:stderr"}}},
		{"another filter since", []keys.Key{"Enter", "E", ":", "f", "i", "l", "t", "e", "r", "Space", "i", "d", ":", "5", "Enter"}, []at{{atMain, keys.Wire, "id:5"}, {atMain, keys.Wire, ""}, timeline, list}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShow(100, 30, waiting)
			s.press(test.press...)
			for i, want := range test.want {
				if i > 0 {
					s.press("Esc")
				}
				if got := (at{s.focus, s.tab, s.filter}); got != want {
					t.Fatalf("after %d × Esc: %+v, want %+v:\n%s", i, got, want, s.text())
				}
			}
		})
	}
}

func TestAFilterOfOnesOwnOutlivesAJump(t *testing.T) {
	s := newShow(100, 30, waiting)
	s.run("filter id:5")
	s.look().press("E", "Esc")
	if s.filter != "id:5" || s.tab != keys.Wire || s.focus != atMain {
		t.Errorf("the filter is %q at %s", s.filter, s.tab)
	}
}

// A card that Esc goes back to is as one that was just opened.
func TestEscBackToACardAnswersNothing(t *testing.T) {
	s, out := answering(100, 30, waiting)
	s.act("p", "Space").wait(time.Second).act("t", "Esc")
	if s.focus != atCard {
		t.Fatalf("Esc leads to %d", s.focus)
	}
	if s.act("1"); len(out.all) > 0 {
		t.Errorf("1 right after it answered: %+v", out.all)
	}
	if s.wait(time.Second).act("1"); len(out.all) != 1 {
		t.Errorf("1 later sent %+v", out.all)
	}
}

func TestATrailIsShort(t *testing.T) {
	s := newShow(100, 30, waiting)
	for range 10 * longestTrail {
		s.visit(pane.Visit{Session: s.shown, Tab: keys.Wire})
		s.visit(pane.Visit{Session: s.shown, Tab: keys.Timeline})
	}
	if n := len(s.trail); n > longestTrail {
		t.Errorf("%d jumps are remembered", n)
	}
}
