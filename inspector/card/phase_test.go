package card

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

func (s *scene) text() string { return strings.Join(strings.Fields(paint.Text(s.whole())), " ") }

// An answer is under way until the proxy has said what became of it.
func TestTwoPhases(t *testing.T) {
	decided := func(by, option, kind string) journal.Decision {
		return journal.Decision{By: by, HasOption: option != "", OptionID: option, OptionKind: kind, Outcome: "selected"}
	}
	for name, test := range map[string]struct {
		then  func(s *scene, w *permission)
		stage stage
		text  string
	}{
		"at first":        {func(s *scene, w *permission) {}, sending, "SENDING 1 Yes, apply this edit"},
		"no word for 2 s": {func(s *scene, w *permission) { s.wait(2 * time.Second) }, silent, "NOT CONFIRMED 1 Yes"},
		"taken":           {func(s *scene, w *permission) { s.rule(w, broker.Ruling{Result: broker.Applied}) }, counted, "✓ SENT 1 Yes"},
		"taken late": {func(s *scene, w *permission) {
			s.wait(5 * time.Second)
			s.rule(w, broker.Ruling{Result: broker.Applied})
		}, counted, "✓ SENT 1 Yes"},
		"recorded before the ruling": {func(s *scene, w *permission) { s.settle(w, decided("panel", "allow", "allow_once")) }, counted, "✓ SENT 1 Yes"},
		"another panel's":            {func(s *scene, w *permission) { s.settle(w, decided("panel", "no", "reject_once")) }, lost, "DID NOT COUNT"},
		"the editor's, recorded":     {func(s *scene, w *permission) { s.settle(w, decided("editor", "no", "reject_once")) }, lost, "other answer: NO"},
		"the editor's, ruled": {func(s *scene, w *permission) {
			s.rule(w, broker.Ruling{Result: broker.TooLate, By: broker.ByEditor, Option: "no", Kind: "reject_once"})
		}, lost, "editor 3 No"},
		"too late for the clock": {func(s *scene, w *permission) { s.rule(w, broker.Ruling{Result: broker.Expired, By: broker.ByTimeout}) }, lost, "DID NOT COUNT"},
		"no such request": {func(s *scene, w *permission) {
			s.rule(w, broker.Ruling{Result: broker.Unknown, Text: "There is none."})
		}, lost, "There is none."},
		"refused": {func(s *scene, w *permission) { s.rule(w, broker.Ruling{Result: broker.Refused, Text: "Not you."}) }, open, "refused that: Not you."},
		"the connection broke": {func(s *scene, w *permission) {
			s.card.Ruled(w, broker.Ruling{}, errors.New("gone"), s.now)
			s.frame()
		}, open, "NOT CONFIRMED 1 Yes"},
		"the proxy ended": {func(s *scene, w *permission) { w.Ended = true; s.frame() }, ended, "may not have counted"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			w := s.ask(edit())
			s.ask(command())
			s.look(w)
			if a := answersIn(s.press("1")); len(a) != 1 || a[0].Permission != w || a[0].Digest != w.Digest {
				t.Fatalf("got %v", a)
			}
			test.then(s, w)
			if got := s.card.stage(s.now); got != test.stage {
				t.Errorf("stage %d, want %d", got, test.stage)
			}
			if text := s.text(); !strings.Contains(text, test.text) {
				t.Errorf("%q is not in\n%s", test.text, paint.Text(s.whole()))
			}
			// However it went, keys in flight answer nothing.
			if a := answersIn(s.press("1", "1", "2", "Enter", "y")); len(a) > 0 {
				t.Errorf("answered again: %v", a)
			}
		})
	}
}

func (s *scene) rule(w *permission, r broker.Ruling) {
	s.card.Ruled(w, r, nil, s.now)
	s.frame()
}

// After a refusal, or when the connection broke, it can be answered again.
func TestAnswerAgain(t *testing.T) {
	for name, err := range map[string]error{"refused": nil, "broken": errors.New("gone")} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			w := s.ask(edit())
			s.look(w)
			s.press("1")
			s.card.Ruled(w, broker.Ruling{Result: broker.Refused}, err, s.now)
			s.frame()
			if a := answersIn(s.press("1")); len(a) > 0 {
				t.Error("is armed at once")
			}
			s.wait(time.Second)
			if a := answersIn(s.press("1")); len(a) != 1 {
				t.Errorf("cannot be answered again; note: %s", s.card.note)
			}
		})
	}
}

// How the key that rejects is put to the agent is the proxy's to choose.
func TestRejectIsAnyRejection(t *testing.T) {
	for name, test := range map[string]struct {
		d    journal.Decision
		want stage
	}{
		"the option":     {journal.Decision{By: "panel", HasOption: true, OptionID: "no", OptionKind: "reject_once"}, counted},
		"another option": {journal.Decision{By: "panel", HasOption: true, OptionID: "never", OptionKind: "reject_once"}, counted},
		"cancelled":      {journal.Decision{By: "panel", Outcome: "cancelled"}, counted},
		"allowed":        {journal.Decision{By: "panel", HasOption: true, OptionID: "allow", OptionKind: "allow_once"}, lost},
		"the editor":     {journal.Decision{By: "editor", HasOption: true, OptionID: "no", OptionKind: "reject_once"}, lost},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			w := s.ask(edit())
			s.look(w)
			s.press("x")
			s.settle(w, test.d)
			if got := s.card.stage(s.now); got != test.want {
				t.Errorf("stage %d, want %d", got, test.want)
			}
		})
	}
}

// However many requests are looked at, none is answered twice.
func TestWhatIsUnderWayIsNotForgotten(t *testing.T) {
	s := newScene(Careful())
	w := s.ask(edit())
	s.look(w)
	s.press("1")
	for range 2 * mostDossiers {
		s.look(s.ask(edit()))
	}
	s.look(w)
	if a := answersIn(s.press("1")); len(a) > 0 {
		t.Error("answered twice")
	}
	if n := len(s.card.dossiers); n > mostDossiers {
		t.Errorf("%d requests are remembered", n)
	}
}

// The first word on an answer is the last one.
func TestRuledTwice(t *testing.T) {
	s := newScene(Careful())
	w := s.ask(edit())
	s.look(w)
	s.press("1")
	s.rule(w, broker.Ruling{Result: broker.Applied})
	s.rule(w, broker.Ruling{Result: broker.Refused})
	s.rule(w, broker.Ruling{Result: broker.TooLate})
	s.card.Ruled(&model.Permission{Proxy: s.proxy, Request: "7f3a:99"}, broker.Ruling{Result: broker.Applied}, nil, s.now)
	if got := s.card.stage(s.now); got != counted {
		t.Errorf("stage %d", got)
	}
}

// What became of an answer that nobody knew the fate of is told when the record
// has it.
func TestDoubtIsResolved(t *testing.T) {
	for option, want := range map[string]stage{"allow": counted, "no": lost} {
		s := newScene(Careful())
		w := s.ask(edit())
		s.look(w)
		s.press("1")
		s.card.Ruled(w, broker.Ruling{}, errors.New("gone"), s.now)
		s.settle(w, journal.Decision{By: "panel", HasOption: true, OptionID: option})
		if got := s.card.stage(s.now); got != want {
			t.Errorf("%s: stage %d, want %d", option, got, want)
		}
	}
}

// What became of a request without us, each told in its own way.
func TestOutcomes(t *testing.T) {
	for name, test := range map[string]struct {
		d    journal.Decision
		text []string
	}{
		"editor":                {journal.Decision{By: "editor", HasOption: true, OptionID: "allow", OptionKind: "allow_once", Wait: 8200 * ms}, []string{"✓ ANSWERED IN THE EDITOR (Zed) after 8.20s", "1 Yes, apply this edit", "Next card in 3s"}},
		"editor's error":        {journal.Decision{By: "editor", Outcome: "error -32800"}, []string{"· ANSWERED IN THE EDITOR", "error -32800"}},
		"panel":                 {journal.Decision{By: "panel", HasOption: true, OptionID: "no", OptionKind: "reject_once", Peer: &journal.Peer{TTY: "pts/4"}}, []string{"× ANSWERED IN ANOTHER PANEL (pts/4)"}},
		"command":               {journal.Decision{By: "command", HasOption: true, OptionID: "no", OptionKind: "reject_once", Peer: &journal.Peer{PID: 7}}, []string{"× ANSWERED BY A COMMAND (pid 7)"}},
		"bounds":                {journal.Decision{By: "bounds", HasOption: true, OptionID: "no", OptionKind: "reject_once"}, []string{"REFUSED BY THE WORKSPACE BOUNDS"}},
		"time-out":              {journal.Decision{By: "timeout", HasOption: true, OptionID: "no", OptionKind: "reject_once", Wait: 2 * time.Minute}, []string{"! NOBODY ANSWERED IN 2:00", "3 No, tell Bob", "ask Bob again"}},
		"cancelled by time-out": {journal.Decision{By: "timeout", Outcome: "cancelled"}, []string{"Sent to the agent: cancelled"}},
		"turn":                  {journal.Decision{By: "cancel"}, []string{"· WITHDRAWN: the turn was cancelled in the editor"}},
		"withdrawn":             {journal.Decision{By: "agent"}, []string{"· WITHDRAWN by the agent"}},
		"gone":                  {journal.Decision{By: "gone"}, []string{"× IT HAS ENDED", "Nothing can be answered"}},
		"unknown":               {journal.Decision{By: "someone", Outcome: "odd"}, []string{"ANSWERED BY someone"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			w := s.ask(edit())
			s.ask(command())
			s.look(w)
			s.settle(w, test.d)
			s.frame()
			for _, want := range test.text {
				if text := s.text(); !strings.Contains(text, want) {
					t.Errorf("%q is not in\n%s", want, paint.Text(s.whole()))
				}
			}
			if a := answersIn(s.press("1", "x", "3", "Enter")); len(a) > 0 {
				t.Error("answered")
			}
		})
	}
}

// The next card comes by itself, later, and disarmed.
func TestQueueAdvances(t *testing.T) {
	for name, test := range map[string]struct {
		end   func(s *scene, w *permission)
		after time.Duration
	}{
		"answered here": {func(s *scene, w *permission) { s.settleHere(answersIn(s.press("1"))[0]) }, 3 * time.Second},
		"answered here, then a key": {func(s *scene, w *permission) {
			s.settleHere(answersIn(s.press("1"))[0])
			s.frame()
			s.now = s.now.Add(time.Millisecond)
			s.press("j")
		}, time.Second - 11*time.Millisecond}, // pressing takes ten
		"in the editor": {func(s *scene, w *permission) { s.settle(w, journal.Decision{By: "editor"}) }, 3 * time.Second},
		"timed out":     {func(s *scene, w *permission) { s.settle(w, journal.Decision{By: "timeout"}) }, 3 * time.Second},
		"withdrawn":     {func(s *scene, w *permission) { s.settle(w, journal.Decision{By: "cancel"}) }, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			w, next := s.ask(edit()), s.ask(edit())
			s.ask(command())
			s.look(w)
			test.end(s, w)
			s.frame()
			at := s.now
			if s.moveOn(); s.card.Permission() != w {
				t.Fatal("moved on at once")
			}
			for s.card.Permission() == w {
				n := s.card.Next(s.now)
				if n.IsZero() {
					t.Fatal("never moves on")
				}
				s.now = n
				s.frame()
				s.moveOn()
			}
			if got := s.now.Sub(at); got != test.after {
				t.Errorf("moved on after %v", got)
			}
			if s.card.Permission() != next {
				t.Error("not to the oldest one")
			}
			if a := answersIn(s.press("1")); len(a) > 0 {
				t.Error("the next card is armed")
			}
		})
	}
}

// What is looked at when it is over already stays, and so does what there is no
// next one for.
func TestWhatStays(t *testing.T) {
	s := newScene(Careful())
	w := s.ask(edit())
	s.settle(w, journal.Decision{By: "editor"})
	s.ask(edit())
	s.look(w)
	s.wait(time.Hour)
	if s.moveOn(); s.card.Permission() != w {
		t.Error("a card that was opened to read what was decided went away")
	}
	s = newScene(Careful())
	w = s.ask(edit())
	s.look(w)
	s.settle(w, journal.Decision{By: "timeout"})
	s.wait(time.Hour)
	if s.moveOn(); s.card.Permission() != w {
		t.Error("the last card went away")
	}
}

// That an answer did not count stays until somebody has read it.
func TestLostStays(t *testing.T) {
	s := newScene(Careful())
	w, next := s.ask(edit()), s.ask(edit())
	s.look(w)
	s.press("1")
	s.settle(w, journal.Decision{By: "editor", HasOption: true, OptionID: "no", OptionKind: "reject_once"})
	s.frame()
	if len(s.press("Enter")) > 0 {
		t.Error("closed by a key that was meant for something else")
	}
	s.wait(time.Hour)
	if s.moveOn(); s.card.Permission() != w {
		t.Error("went away")
	}
	wishes := s.press("Enter")
	if len(wishes) != 1 || wishes[0] != (pane.Look{Permission: next}) {
		t.Errorf("wished for %v", wishes)
	}
}

// One answer is under way at most for each request, whatever is looked at.
func TestOneAnswerUnderWay(t *testing.T) {
	s := newScene(Careful())
	w, other := s.ask(edit()), s.ask(edit())
	s.look(w)
	s.press("1")
	s.look(other)
	if p := s.card.next(s.model); p != nil {
		t.Error("what is under way comes next")
	}
	s.look(w)
	if a := answersIn(s.press("1", "3", "x")); len(a) > 0 {
		t.Error("answered twice")
	}
	if s.card.next(s.model) != other {
		t.Error("what is under way is next")
	}
}

func TestLookBeside(t *testing.T) {
	s := newScene(Careful())
	a, b, c := s.ask(edit()), s.ask(edit()), s.ask(edit())
	s.look(a)
	for _, step := range []struct {
		key  keys.Key
		want *permission
	}{{"]", b}, {"]", c}, {"]", a}, {"[", c}} {
		wishes := s.press(step.key)
		if len(wishes) != 1 || wishes[0] != (pane.Look{Permission: step.want}) {
			t.Fatalf("%s: %v", step.key, wishes)
		}
		s.look(step.want)
	}
}

func TestOtherKeys(t *testing.T) {
	s := newScene(Careful())
	w := s.ask(command())
	s.look(w)
	for key, want := range map[keys.Key]string{
		"c":   fmt.Sprint([]pane.Wish{pane.Copied{What: "the command", Text: script}}),
		"t":   fmt.Sprint([]pane.Wish{pane.Visit{Session: w.Session, Tab: keys.Timeline, Seq: w.Seq}}),
		"Esc": fmt.Sprint([]pane.Wish{pane.Close{}}),
	} {
		if got := fmt.Sprint(s.press(key)); got != want {
			t.Errorf("%s: %s", key, got)
		}
	}
	s.press("i")
	if text := s.text(); !strings.Contains(text, `"command": "set -e\n`) || !strings.Contains(text, "raw input") {
		t.Errorf("no raw input in %s", text)
	}
	s.press("i")
	if strings.Contains(s.text(), "raw input") {
		t.Error("raw input stays")
	}
}

// A click looks, and never answers.
func TestClicks(t *testing.T) {
	s := newScene(Careful())
	w, other := s.ask(edit()), s.ask(edit())
	s.look(w)
	looked := false
	for y := range s.grid.H {
		for _, wish := range s.card.Click(5, y, true, s.context()) {
			if wish != (pane.Look{Permission: other}) {
				t.Errorf("row %d: %v", y, wish)
			}
			looked = true
		}
	}
	if !looked {
		t.Error("the queue cannot be clicked")
	}
}

func TestClock(t *testing.T) {
	for left, want := range map[time.Duration]string{
		90 * time.Second: "1:30", 89500 * ms: "1:30", 10 * time.Second: "0:10", 5 * time.Second: "0:05.0",
		4210 * ms: "0:04.3", 0: "0:00.0", -time.Second: "0:00.0", 61 * time.Minute: "1:01:00",
	} {
		if got := clockText(left); got != want {
			t.Errorf("%v: %s, want %s", left, got, want)
		}
	}
}

// The card is drawn anew each time what it tells of the time changes.
func TestClockTicks(t *testing.T) {
	s := newScene(Careful())
	s.look(s.ask(edit()))
	last, n := "", 0
	for s.now.Before(start.Add(time.Minute)) {
		now := clockText(s.card.told.Deadline.Sub(s.now))
		if now == last {
			t.Fatalf("drawn for nothing at %s", now)
		}
		last = now
		n++
		next := s.card.Next(s.now)
		if !next.After(s.now) {
			t.Fatalf("stands still at %s", now)
		}
		s.now = next
	}
	if n < 90 {
		t.Errorf("only drawn %d times", n)
	}
}

// What another proxy asks under the same name is another request: nothing that
// was read or answered before counts for it.
func TestAnotherProxyUnderTheSameName(t *testing.T) {
	s := newScene(Careful())
	w := s.ask(long(60))
	s.look(w)
	readThrough(s)
	s.wait(time.Second)
	if a := answersIn(s.press("1")); len(a) != 1 {
		t.Fatal("not answered")
	}
	again := *s.proxy
	again.State.PID++
	s.proxy.Link, again.Pending = model.Gone, nil
	s.proxy = &again
	s.model.Proxies = append(s.model.Proxies, s.proxy)
	p := *w.Card
	other := s.ask(&p)
	s.look(other)
	if got := s.card.stage(s.now); got != open {
		t.Fatalf("it is at stage %d:\n%s", got, paint.Text(s.grid))
	}
	if a := answersIn(s.press("1")); len(a) > 0 {
		t.Error("answered what was not read")
	}
	s.card.Ruled(w, broker.Ruling{Result: broker.Applied}, nil, s.now)
	if got := s.card.stage(s.now); got != open {
		t.Errorf("after the other's ruling it is at stage %d", got)
	}
	s.look(w)
	if got := s.card.stage(s.now); got != counted {
		t.Errorf("the other is at stage %d", got)
	}
}

// A result that is none of the known ones says nothing.
func TestAResultThatIsNotKnown(t *testing.T) {
	for _, result := range []broker.Result{"", "done", "APPLIED"} {
		s := newScene(Careful())
		w := s.ask(edit())
		s.look(w)
		s.press("1")
		s.card.Ruled(w, broker.Ruling{Result: result}, nil, s.now)
		s.frame()
		text := paint.Text(s.grid)
		if !strings.Contains(text, "NOT CONFIRMED") || strings.Contains(text, "COUNT\n") || strings.Contains(text, "SENT ") {
			t.Errorf("after %q:\n%s", result, text)
		}
	}
}
