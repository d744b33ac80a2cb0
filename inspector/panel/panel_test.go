package panel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/card"
	"bobproxy/inspector/feed"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// sent are the answers that a panel sent.
type sent struct{ all []broker.Decision }

// answering is a panel in a scene that can answer; do performs its effects.
func answering(w, h int, scene func(*Panel)) (*show, *sent) {
	s := newShow(w, h, scene)
	out := &sent{}
	s.options.Decide = func(_ context.Context, _ string, _ int, d broker.Decision) (broker.Ruling, error) {
		out.all = append(out.all, d)
		return broker.Ruling{Result: broker.Applied, By: broker.ByPanel}, nil
	}
	return s, out
}

// act presses a key and performs what it does.
func (s *show) act(names ...keys.Key) *show {
	for _, k := range names {
		for _, e := range s.Input(terminal.Key{Key: k}, s.now) {
			if later, ok := e.(terminal.Later); ok {
				s.Take(later.Do(context.Background()), s.now)
			}
		}
		s.look()
	}
	return s
}

func (s *show) text() string { return paint.Text(s.grid) }

func (s *show) shows(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(s.text(), w) {
			t.Errorf("%q is not on the screen:\n%s", w, s.text())
		}
	}
}

func TestAPermissionOpensNoCard(t *testing.T) {
	for _, w := range []int{50, 100, 160} {
		s, out := answering(w, 40, func(p *Panel) { rebuilding().play(p) })
		s.act("Enter").wait(time.Minute)
		repairing().play(s.Panel)
		s.wait(2*time.Second).act("1", "x", "y", "2", "n", "3")
		if len(out.all) > 0 {
			t.Errorf("%d columns: keys typed elsewhere answered: %+v", w, out.all)
		}
		if s.focus == atCard {
			t.Errorf("%d columns: the card took the focus", w)
		}
	}
}

func TestAnswer(t *testing.T) {
	s, out := answering(80, 24, waiting)
	s.act("p", "1")
	if len(out.all) > 0 {
		t.Fatalf("answered before it could be read: %+v", out.all)
	}
	s.wait(time.Second).act("1")
	if len(out.all) > 0 {
		t.Fatalf("answered before all of it was read: %+v", out.all)
	}
	s.act("Space").wait(time.Second).act("1")
	want := broker.Decision{Request: "7f3a:6", Digest: fmt.Sprintf("%032x", 6+0xb194), Number: 1}
	if !slices.Equal(out.all, []broker.Decision{want}) {
		t.Fatalf("sent %+v, want %+v", out.all, want)
	}
	s.wait(time.Second).act("1", "1", "x")
	if len(out.all) != 1 {
		t.Errorf("answered again: %+v", out.all)
	}
}

// A card that shows nothing shows what is asked first, and takes no key that was
// pressed for what was there before.
func TestARequestComesToAnEmptyCard(t *testing.T) {
	for _, w := range []int{50, 100, 160} {
		quiet := newTape("9b1c", "bob acp", "/home/me/src/web", 51300)
		s, out := answering(w, 40, func(p *Panel) { quiet.play(p) })
		s.act("p").wait(time.Minute).shows(t, "no permission waiting", "its request comes here")
		repairing().play(s.Panel)
		s.act("1", "Enter", "y", "1")
		if s.look().shows(t, "PERMISSION", "Edit src/auth/token.go", "claimed by the agent"); len(out.all) > 0 {
			t.Errorf("%d columns: what was typed before answered: %+v", w, out.all)
		}
		if s.act("Space").wait(2 * time.Second).act("1"); len(out.all) != 1 {
			t.Errorf("%d columns: sent %+v, want one answer:\n%s", w, out.all, s.text())
		}
	}
}

func TestRejectNeedsNoPatience(t *testing.T) {
	s, out := answering(50, 40, waiting)
	s.act("p", "x")
	want := broker.Decision{Request: "7f3a:6", Digest: fmt.Sprintf("%032x", 6+0xb194), Deny: true}
	if !slices.Equal(out.all, []broker.Decision{want}) {
		t.Fatalf("sent %+v, want %+v", out.all, want)
	}
}

func TestWatchingAnswersNothing(t *testing.T) {
	s, out := answering(100, 30, waiting)
	s.options.Card.Watch = true
	s.card = card.New(s.options.Card)
	s.look().act("p").wait(time.Second).act("1", "x", "3", "Down", "Enter")
	if len(out.all) > 0 {
		t.Errorf("sent %+v", out.all)
	}
}

func TestNothingElseAnswers(t *testing.T) {
	disturb := map[string]terminal.Input{
		"paste":  terminal.Paste{Text: "1\n"},
		"focus":  terminal.Focus{In: true},
		"resize": terminal.Resized{W: 100, H: 30},
		"resume": terminal.Resumed{},
		"click":  terminal.Mouse{X: 4, Y: 18},
	}
	for name, in := range disturb {
		t.Run(name, func(t *testing.T) {
			s, out := answering(100, 30, waiting)
			s.act("p", "Space").wait(time.Second)
			s.Input(in, s.now)
			s.look().act("1")
			if len(out.all) > 0 {
				t.Errorf("1 right after it answered: %+v", out.all)
			}
			s.wait(2 * time.Second).wait(2 * time.Second).act("1")
			if len(out.all) != 1 {
				t.Errorf("1 later sent %d answers:\n%s", len(out.all), s.text())
			}
		})
	}
}

func TestLeaving(t *testing.T) {
	s := newShow(50, 40, waiting)
	quits := func(k keys.Key) bool {
		effects := s.Input(terminal.Key{Key: k}, s.now)
		s.look()
		return slices.ContainsFunc(effects, func(e terminal.Effect) bool { return e == terminal.Effect(terminal.Quit{}) })
	}
	s.press("Enter", "]", "G", "Enter", "p")
	for i, want := range []spot{atDetail, atMain, atSessions} {
		if quits("q") {
			t.Fatalf("q number %d left", i+1)
		}
		if s.focus != want {
			t.Errorf("after q number %d we are at %d, want %d", i+1, s.focus, want)
		}
	}
	if !quits("q") {
		t.Error("q at the sessions does not leave")
	}
	for _, where := range []keys.Key{"p", "/", ":", "?"} {
		s.press(where)
		if !quits("Ctrl-C") {
			t.Errorf("Ctrl-C after %s does not leave", where)
		}
	}
}

func TestTheBarTellsTheTruth(t *testing.T) {
	for _, scene := range scenes {
		for _, size := range [][2]int{{50, 40}, {100, 30}, {160, 45}} {
			s := scene.make(size[0], size[1])
			if s.prompt != nil {
				continue
			}
			for _, h := range s.hints(s.now) {
				for k := range strings.FieldsSeq(h.Key) {
					_, known := s.keys.Find(s.pane(s.focus).Place(), keys.Key(k))
					digits := strings.Trim(k, "0123456789-–") == ""
					if !known && !(digits && s.focus == atCard) {
						t.Errorf("%s at %d: the bar offers %q (%s), which does nothing", scene.name, size[0], h.Key, h.Text)
					}
				}
			}
		}
	}
}

// The bar has all that fits, to its last cell.
func TestTheBarIsUsedToItsEnd(t *testing.T) {
	for name, press := range map[string][]keys.Key{"sessions": nil, "timeline": {"Enter"}, "wire": {"Enter", "]"}} {
		t.Run(name, func(t *testing.T) {
			s := newShow(300, 40, waiting).press(press...)
			bar := func(w int) string {
				s.w = w
				s.look().look() // the list of keys is that for the width before
				return strings.Split(s.text(), "\n")[s.h-1]
			}
			all := bar(300)
			if got := bar(paint.Width(all)); got != all {
				t.Errorf("there is room for\n%q, got\n%q", all, got)
			}
			if got := bar(paint.Width(all) - 1); got == all || !strings.HasSuffix(got, strings.Join(strings.Fields(all)[len(strings.Fields(all))-2:], " ")) {
				t.Errorf("in a cell less: %q", got)
			}
		})
	}
}

// allKeys are what may be pressed.
func allKeys() (all []keys.Key) {
	for _, b := range keys.Default() {
		all = append(all, b.Keys...)
	}
	for c := '0'; c <= 'z'; c++ {
		all = append(all, keys.Key(string(c)))
	}
	return slices.DeleteFunc(all, func(k keys.Key) bool { return k == "Ctrl-C" || k == "Q" })
}

func TestAnyKeysAtAnySize(t *testing.T) {
	all := allKeys()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		s, out := answering(20+r.IntN(180), 1+r.IntN(60), busy)
		allowed := 0
		for range 150 {
			if r.IntN(10) == 0 {
				s.w, s.h = 1+r.IntN(200), 1+r.IntN(60)
				s.Input(terminal.Resized{W: s.w, H: s.h}, s.now)
			}
			s.now = s.now.Add(time.Duration(r.IntN(1500)) * time.Millisecond)
			s.look().act(all[r.IntN(len(all))])
			checkScreen(t, s)
		}
		for _, d := range out.all {
			if d.Number == 1 || d.Number == 2 {
				allowed++
			}
		}
		if allowed > 2 {
			t.Errorf("seed %d: %d answers that allow for two permissions", seed, allowed)
		}
	}
}

// checkScreen holds what must be so on every screen.
func checkScreen(t *testing.T, s *show) {
	t.Helper()
	text := s.text()
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
		t.Fatalf("a control character is on the screen:\n%q", text)
	}
	if s.plan_.class != tiny && s.prompt == nil {
		lines := strings.Split(text, "\n")
		strip := lines[s.h-3]
		if s.barHidden {
			strip = lines[s.h-1]
		}
		if !strings.Contains(strip, "permission") && !strings.HasPrefix(strip, " ! ") && !strings.HasPrefix(strip, " next: ") {
			t.Fatalf("the strip is not in its row: %q in\n%s", strip, text)
		}
	}
}

func TestSomebodyElsewhereIsCalled(t *testing.T) {
	s := newShow(50, 40, nil)
	calls := func(effects []terminal.Effect) (n int) {
		for _, e := range effects {
			if call, ok := e.(terminal.Notify); ok {
				n++
				if strings.ContainsAny(call.Title+call.Body, "/\x1b;") || !strings.Contains(call.Body, "edit token.go") {
					t.Errorf("the call says %q", call)
				}
			}
		}
		return n
	}
	s.Input(terminal.Focus{In: true}, s.now)
	s.press("j")
	tape := repairing()
	tape.play(s.Panel)
	s.now = tape.at
	s.Input(terminal.Key{Key: "j"}, s.now)
	if n := calls(s.Wake(s.now.Add(2 * time.Second))); n > 0 {
		t.Error("called although the panel has the keyboard")
	}
	s.Input(terminal.Focus{In: false}, s.now)
	if n := calls(s.Wake(s.now.Add(70 * time.Second))); n != 1 {
		t.Errorf("called %d times at half of the time", n)
	}
	if n := calls(s.Wake(s.now.Add(72 * time.Second))); n != 0 {
		t.Error("called again right after that")
	}
	if n := calls(s.Wake(s.now.Add(91 * time.Second))); n != 1 {
		t.Errorf("called %d times when half a minute was left", n)
	}
}

func TestQuickEditorsCallNobody(t *testing.T) {
	s := newShow(50, 40, nil)
	s.Input(terminal.Focus{In: false}, s.now)
	tape := repairing()
	for _, e := range s.take(tape, tape.at.Add(900*time.Millisecond)) {
		if _, ok := e.(terminal.Notify); ok {
			t.Error("called within a second")
		}
	}
}

// take plays a tape and gives the effects of its end, seen at a time.
func (s *show) take(tape *tape, at time.Time) []terminal.Effect {
	s.Take(feed.Attached{State: tape.state}, dawn)
	return s.Take(feed.Happened{Instance: tape.state.Instance, Deltas: tape.deltas()}, at)
}

func TestAnotherPanelsAnswerIsSeen(t *testing.T) {
	s := newShow(50, 40, nil)
	tape := repairing()
	tape.play(s.Panel)
	s.press("p").wait(time.Second)
	n := len(tape.events)
	tape.wait(3*time.Second).settle(6, "sess_7f3a9c01", journal.Decision{By: "panel", Outcome: "selected", OptionID: "no", HasOption: true, OptionKind: "reject_once", Wait: 3 * time.Second, Peer: &journal.Peer{PID: 9, TTY: "pts/9"}})
	s.Take(feed.Happened{Instance: "7f3a", Deltas: tape.deltas()[n:]}, tape.at)
	s.look().shows(t, "pts/9", "No, tell Bob what to do")
}

func TestPrompt(t *testing.T) {
	s := newShow(100, 30, waiting).press("Enter", "]", "/")
	s.Input(terminal.Paste{Text: "m:fs/*\n"}, s.now)
	s.look().shows(t, "fs/read_text_file")
	if strings.Contains(s.text(), "session/new") {
		t.Errorf("the filter hides nothing:\n%s", s.text())
	}
	s.press("Enter", "/", "Ctrl-U", "k", "i", "n", "d", ":", "x").shows(t, "^ ")
	s.press("Esc", ":")
	for _, c := range "theme mono" {
		s.press(keys.Key(map[bool]string{true: "Space", false: string(c)}[c == ' ']))
	}
	effects := s.Input(terminal.Key{Key: "Enter"}, s.now)
	if !slices.Contains(effects, terminal.Effect(terminal.SetTheme{Name: "mono"})) {
		t.Errorf("effects %v", effects)
	}
}

func TestCommands(t *testing.T) {
	for name, c := range map[string]struct{ line, want string }{
		"unknown":      {"frobnicate", "no command \"frobnicate\"; Tab shows all"},
		"ambiguous":    {"t", "may be"},
		"no session":   {"session nowhere", "there is no session"},
		"session":      {"session 7f3a", "Timeline"},
		"goto":         {"goto #3", "session/new"},
		"goto clock":   {"goto 12:04:03", "RSP"},
		"goto nothing": {"goto later", "write a time"},
		"theme":        {"theme pink", "the themes are"},
		"filter":       {"filter kind:", "expected"},
		"save nothing": {"filter save errors", "there is no filter to save"},
		"save":         {"filter kind:err\nfilter save errors", "@errors is this filter"},
		"save badly":   {"filter save a.b", "a name is one word"},
		"help":         {"help", "EVERYWHERE"},
		"keep":         {"filter kind:err", ":filter save NAME"},
		"clip":         {"clip", "nothing was copied"},
		"cut":          {"inf", "[Info]"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShow(100, 30, waiting)
			for line := range strings.Lines(c.line) {
				s.run(line)
			}
			s.look().shows(t, c.want)
		})
	}
}

// What a command says fits where the panel is narrow, with what helps at its end.
func TestWhatCommandsSayFits(t *testing.T) {
	for line, want := range map[string]string{
		"goto 5":                          "write a time (12:04:27) or a number (#184)",
		"nosuch":                          `no command "nosuch"; Tab shows all`,
		"no" + strings.Repeat("such", 20): `no command "nosuchsuchsuchs…"; Tab shows all`,
		"filter save a.b":                 "a name is one word of letters, digits, - and _",
		"filter kind:err":                 "to keep it as @NAME: :filter save NAME",
	} {
		t.Run(line, func(t *testing.T) {
			s := newShow(50, 40, waiting)
			s.run(line)
			s.look().shows(t, want)
		})
	}
}

// An error is gone when the next command has been done, however quick that came.
func TestACommandTakesTheErrorBeforeItAway(t *testing.T) {
	s := newShow(50, 40, waiting)
	typed := func(line string) {
		s.press(":")
		for _, c := range line {
			s.press(keys.Key(string(c)))
		}
		s.press("Enter")
	}
	typed("nosuch")
	s.shows(t, "no command")
	if typed("help"); strings.Contains(s.text(), "no command") {
		t.Errorf("it is still there:\n%s", s.text())
	}
	s.announce("the demo is over")
	typed("help")
	s.shows(t, "the demo is over")
}

func TestACardThatWasCoveredIsNew(t *testing.T) {
	for _, keys := range [][2]keys.Key{{"?", "Esc"}, {"?", "q"}, {":", "Esc"}, {"/", "Esc"}, {"z", "z"}, {"H", "H"}, {"L", "L"}} {
		s, out := answering(160, 40, waiting)
		s.act("p", "Space").wait(time.Second)
		s.act(keys[0], keys[1], "1")
		if len(out.all) > 0 {
			t.Errorf("1 right after %s %s answered", keys[0], keys[1])
		}
	}
}

// In three columns the talk beside a card is the one that led to it, and who
// leaves the card is back where they were.
func TestTheTalkBesideACard(t *testing.T) {
	s := newShow(160, 45, busy)
	here := func() string { return s.shown.Proxy.Instance }
	s.press("g", "j")
	if here() != "c0ff" || s.card.Permission().Proxy.Instance != "c0ff" {
		t.Fatalf("beside the talk of %s stands the card of %s", here(), s.card.Permission().Request)
	}
	for _, step := range []struct {
		key  keys.Key
		talk string
	}{{"p", "7f3a"}, {"]", "c0ff"}, {"]", "7f3a"}, {"Esc", "c0ff"}} {
		if s.press(step.key); here() != step.talk {
			t.Errorf("after %s the talk is that of %s, want %s", step.key, here(), step.talk)
		}
		if s.focus == atCard && s.card.Permission().Session != s.shown {
			t.Errorf("after %s the card is another session's", step.key)
		}
	}
}

func TestSeveralAreCalledForOnce(t *testing.T) {
	s := newShow(100, 30, busy)
	s.Input(terminal.Focus{In: false}, s.now)
	rung := 0
	for _, e := range s.Wake(s.now.Add(2 * time.Second)) {
		if _, ok := e.(terminal.Bell); ok {
			rung++
		}
	}
	if rung != 1 {
		t.Errorf("rang %d times for two permissions", rung)
	}
}
