package panel

import (
	"fmt"
	"strings"
	"testing"

	"bobproxy/inspector/keys"
)

// The whole screen is given back by Esc, and when the pane is left; where the pane
// has it anyway z says so and changes nothing.
func TestZoom(t *testing.T) {
	for _, test := range []struct {
		name  string
		w, h  int
		press []keys.Key
		focus spot
		alone bool // the pane has the whole screen
	}{
		{"of the session", 100, 30, []keys.Key{"Enter", "z"}, atMain, true},
		{"given back", 100, 30, []keys.Key{"Enter", "z", "z"}, atMain, false},
		{"given back by Esc", 100, 30, []keys.Key{"Enter", "z", "Esc"}, atMain, false},
		{"Esc, and Esc", 100, 30, []keys.Key{"Enter", "z", "Esc", "Esc"}, atSessions, false},
		{"given back by q", 100, 30, []keys.Key{"Enter", "z", "q"}, atMain, false},
		{"left by Tab", 100, 30, []keys.Key{"Enter", "z", "Tab"}, atCard, true},
		{"left by Tab, and Tab", 100, 30, []keys.Key{"Enter", "z", "Tab", "Tab"}, atSessions, false},
		{"left by Tab, and around", 100, 30, []keys.Key{"Enter", "z", "Tab", "Tab", "Tab"}, atMain, false},
		{"the card has it already", 100, 30, []keys.Key{"p", "z", "Esc"}, atSessions, false},
		{"the card has it already, and q", 100, 30, []keys.Key{"p", "z", "q"}, atSessions, false},
		{"of a card", 160, 45, []keys.Key{"p", "z"}, atCard, true},
		{"of a card, left", 160, 45, []keys.Key{"p", "z", "t"}, atMain, false},
		{"of a card, Esc", 160, 45, []keys.Key{"p", "z", "Esc"}, atCard, false},
		{"one pane anyway", 50, 40, []keys.Key{"Enter", "z", "Esc"}, atSessions, true},
		{"the help over it", 100, 30, []keys.Key{"Enter", "z", "?", "?"}, atMain, true},
		{"the card over it", 100, 30, []keys.Key{"Enter", "z", "p", "Esc"}, atMain, true},
		{"a detail from it", 100, 30, []keys.Key{"Enter", "]", "z", "Enter"}, atDetail, false},
		{"a detail from it, and back", 100, 30, []keys.Key{"Enter", "]", "z", "Enter", "Esc"}, atMain, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShow(test.w, test.h, busy)
			s.press(test.press...)
			if s.focus != test.focus {
				t.Fatalf("we are at %d, want %d", s.focus, test.focus)
			}
			others := 0
			for at := range spots {
				if at != s.focus && s.plan_.there(at) {
					others++
				}
			}
			if alone := others == 0; alone != test.alone {
				t.Errorf("alone: %v, want %v:\n%s", alone, test.alone, s.text())
			}
		})
	}
}

func TestZoomOfTheWholeScreenSaysSo(t *testing.T) {
	for _, size := range [][2]int{{50, 40}, {100, 30}} {
		s := newShow(size[0], size[1], busy).press("p", "z")
		s.shows(t, "this has the whole screen already")
		if strings.Contains(s.text(), "z full") {
			t.Errorf("%v: the bar offers it", size)
		}
	}
	newShow(160, 45, busy).press("p").shows(t, "z full")
}

// A window that was made small while a pane had all of it leaves no Esc dead.
func TestZoomAndAnotherSize(t *testing.T) {
	s := newShow(100, 30, busy).press("Enter", "z")
	s.w = 50
	if s.look().press("Esc"); s.focus != atSessions {
		t.Errorf("Esc leads to %d", s.focus)
	}
	s.w = 100
	if s.look(); !s.plan_.there(atMain) {
		t.Errorf("the list has the whole screen:\n%s", s.text())
	}
}

func TestShare(t *testing.T) {
	for _, test := range []struct{ rows, upper, lower, want int }{
		{38, 6, 17, 6},    // there is room for both
		{38, 104, 8, 30},  // the upper one gets what the lower one leaves
		{38, 6, 60, 6},    // and the other way round
		{38, 104, 60, 19}, // both want more than there is
		{38, 25, 17, 21},  // just too much
		{23, 104, 0, 23},
		{0, 4, 4, 0},
	} {
		if got := share(test.rows, test.upper, test.lower); got != test.want {
			t.Errorf("share(%d, %d, %d) = %d, want %d", test.rows, test.upper, test.lower, got, test.want)
		}
	}
}

func crowded(n int) func(p *Panel) {
	return func(p *Panel) {
		t := newTape("7f3a", "bob acp", "/home/me/src/api", 51234)
		hello(t, "Zed", "1.5.4")
		for i := range n {
			t.client(`{"jsonrpc":"2.0","id":%d,"method":"session/new","params":{"cwd":"/home/me/src/api","mcpServers":[]}}`, i+2)
			t.agent(`{"jsonrpc":"2.0","id":%d,"result":{"sessionId":"sess_%d"}}`, i+2, i)
			t.client(`{"jsonrpc":"2.0","id":"p%d","method":"session/prompt","params":{"sessionId":"sess_%d","prompt":[{"type":"text","text":"Job %d"}]}}`, i, i, i)
		}
		t.play(p)
	}
}

// planned is a session with a plan of many steps.
func planned(p *Panel) {
	t := newTape("7f3a", "bob acp", "/home/me/src/api", 51234)
	hello(t, "Zed", "1.5.4")
	t.client(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/home/me/src/api","mcpServers":[]}}`)
	t.agent(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":"sess_1"}}`)
	var steps []string
	for i := range 25 {
		steps = append(steps, fmt.Sprintf(`{"content":"Step %d","priority":"high","status":"pending"}`, i+1))
	}
	t.update("sess_1", `"sessionUpdate":"plan","entries":[%s]`, strings.Join(steps, ","))
	t.play(p)
}

// The rows of the side bar go to what needs them.
func TestTheSideBarIsShared(t *testing.T) {
	for _, test := range []struct {
		name  string
		scene func(*Panel)
		w, h  int
		word  string
		want  int
	}{
		{"many sessions, wide", crowded(51), 160, 45, "Job ", 15},
		{"many sessions", crowded(51), 100, 30, "Job ", 7},
		{"many sessions, one pane", crowded(51), 50, 40, "Job ", 11},
		{"a long plan, wide", planned, 160, 45, "Step ", 22},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShow(test.w, test.h, test.scene)
			got := 0
			for line := range strings.Lines(s.text()) {
				left, _, _ := strings.Cut(line, "│")
				got += min(strings.Count(left, test.word), 1)
			}
			if got != test.want {
				t.Errorf("%d rows with %q, want %d:\n%s", got, test.word, test.want, s.text())
			}
		})
	}
}

// Where there is one pane the rows below the list tell of the selected session.
func TestTheListHasASummaryBelow(t *testing.T) {
	s := newShow(50, 40, waiting)
	s.shows(t, "default · bob-large", "53k of 200k", "Guard Expired() against nil", "3 tools", "SESSION sess_7f3a9c01", "BOUNDS  enforce · time-out 2m0s")
	small := newShow(40, 12, waiting)
	if text := small.text(); strings.Contains(text, "bob-large") {
		t.Errorf("it takes rows that the list needs:\n%s", text)
	}
}

func TestPagesWhileNoProxyRuns(t *testing.T) {
	s := newShow(80, 24, nil)
	s.shows(t, "Waiting for an editor", "more below")
	s.press("End").shows(t, "D plays a demo")
	if strings.Contains(s.text(), "more below") {
		t.Errorf("there is more below the end:\n%s", s.text())
	}
	s.press("Home").shows(t, "Waiting for an editor")
	if s.press("PgDn"); strings.Contains(s.text(), "Waiting for an editor") {
		t.Errorf("PgDn moves a row:\n%s", s.text())
	}
}

// The bar says what q does: it gives the screen back before it leaves.
func TestTheBarSaysThatZoomIsLeft(t *testing.T) {
	s := newShow(100, 30, busy)
	s.shows(t, "q quit")
	s.press("z").shows(t, "q back")
	if strings.Contains(s.text(), "q quit") {
		t.Errorf("it offers to quit:\n%s", s.text())
	}
	s.press("q").shows(t, "q quit")
}
