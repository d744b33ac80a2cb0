package card

import (
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

func (s *scene) bar() string {
	var words []string
	for _, h := range s.card.Keys() {
		words = append(words, h.Key+" "+h.Text)
	}
	return strings.Join(words, ", ")
}

// The bar offers digits whose options are not locked.
func TestTheBarOffersWhatAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		pending func() *control.Pending
		then    func(s *scene, w *model.Permission)
		want    string
	}{
		"not read to its end":   {command, func(*scene, *model.Permission) {}, "3 answer"},
		"read":                  {command, func(s *scene, _ *model.Permission) { s.press("Space", "Space", "Space") }, "1-3 answer"},
		"short":                 {edit, func(*scene, *model.Permission) {}, "1-3 answer"},
		"only rejecting works":  {edit, func(s *scene, _ *model.Permission) { s.proxy.Greeting.Answers = "deny-only" }, "3 answer"},
		"watching":              {edit, func(s *scene, _ *model.Permission) { s.card.options.Watch = true }, ""},
		"one lasts, and is not": {edit, func(s *scene, _ *model.Permission) { s.card.options.HideAlways = true }, "1 3 answer"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			w := s.ask(test.pending())
			s.look(w)
			test.then(s, w)
			s.wait(time.Second)
			if got := s.bar(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestSpans(t *testing.T) {
	for want, of := range map[string][]int{"": nil, "3": {3}, "1-3": {1, 2, 3}, "1 3": {1, 3}, "1-2 4-6 9": {1, 2, 4, 5, 6, 9}} {
		if got := spans(of); got != want {
			t.Errorf("%v: got %q, want %q", of, got, want)
		}
	}
}

// That a key came too soon is said as long as it is so, and where it was pressed.
func TestTooSoonIsSaidWhileItIsSo(t *testing.T) {
	const said = "keys that allow open when you stop typing"
	for name, test := range map[string]struct {
		then func(s *scene, w *model.Permission)
		says bool
	}{
		"at once":              {func(*scene, *model.Permission) {}, true},
		"when the keys open":   {func(s *scene, _ *model.Permission) { s.wait(usualArm) }, false},
		"when it has ended":    {func(s *scene, w *model.Permission) { w.Ended = true; s.frame() }, false},
		"when it was answered": {func(s *scene, w *model.Permission) { s.ruleElsewhere(w) }, false},
		"after it was left": {func(s *scene, _ *model.Permission) {
			s.away = true
			s.frame()
			s.away = false
			s.frame()
		}, false},
		"after another screen": {func(s *scene, _ *model.Permission) {
			s.card.Shown(s.now)
			s.frame()
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			w := s.ask(edit())
			s.card.Show(w, s.now)
			s.frame()
			if a := answersIn(s.press("1")); len(a) > 0 {
				t.Fatalf("answered at once: %v", a)
			}
			test.then(s, w)
			if got := strings.Contains(s.text(), said); got != test.says {
				t.Errorf("said: %v, want %v:\n%s", got, test.says, paint.Text(s.whole()))
			}
		})
	}
}

// ruleElsewhere has the editor answer.
func (s *scene) ruleElsewhere(w *model.Permission) {
	s.settle(w, journal.Decision{By: string(broker.ByEditor), HasOption: true, OptionID: "no", OptionKind: "reject_once"})
	s.frame()
}

func TestADiffSideBySide(t *testing.T) {
	for _, test := range []struct {
		name          string
		ask           *control.Pending
		width, screen int
		says          string
		split         bool
	}{
		{"no diff", command(), 100, 160, "there is no diff here", false},
		{"a third of a wide screen", edit(), 62, 160, "z gives the card the whole screen", false},
		{"all of a screen that is too small", edit(), 100, 100, "side by side needs a screen of 120 columns", false},
		{"all of a wide one", edit(), 160, 160, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(Careful())
			s.grid = paint.NewGrid(test.width, 40)
			s.screen = test.screen
			s.look(s.ask(test.ask))
			s.press("d")
			if s.card.split != test.split || !strings.Contains(s.card.note, test.says) || test.says == "" && s.card.note != "" {
				t.Errorf("split: %v, note: %q", s.card.split, s.card.note)
			}
		})
	}
}

// Where nothing can be answered, nothing is promised for reading on.
func TestReadingOnUnlocksNothingToWatchers(t *testing.T) {
	const promise = "to unlock what allows"
	for name, test := range map[string]struct {
		set  func(s *scene)
		want bool
	}{
		"who may answer":     {func(*scene) {}, true},
		"who watches":        {func(s *scene) { s.card.options.Watch = true }, false},
		"who may only deny":  {func(s *scene) { s.proxy.Greeting.Answers = "deny-only" }, false},
		"a reader of a tape": {func(s *scene) { s.proxy.Link = recordedLink }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			s.grid = paint.NewGrid(100, 24)
			test.set(s)
			w := s.ask(command())
			s.look(w)
			text := s.text()
			if !strings.Contains(text, "rows 1-") {
				t.Fatalf("all of it is in sight:\n%s", text)
			}
			if got := strings.Contains(text, promise); got != test.want {
				t.Errorf("promised: %v, want %v:\n%s", got, test.want, paint.Text(s.whole()))
			}
		})
	}
}

func TestARecordingWaitsForNothing(t *testing.T) {
	for link, want := range map[model.Link]string{model.Live: "its request comes here", recordedLink: "A recording asks nothing"} {
		s := newScene(Careful())
		s.proxy.Link = link
		s.frame()
		if text := s.text(); !strings.Contains(text, want) {
			t.Errorf("link %v: %q is not in\n%s", link, want, text)
		}
	}
}

func TestAFolderOutsideIsCalledOut(t *testing.T) {
	for _, test := range []struct {
		name, folder string
		verdict      []broker.Path
		roots        []string
		says         string // of the fact, without blanks
	}{
		{"the workspace", "/home/me/src/api", nil, nil, "in folder ~/src/api"},
		{"in it", "/home/me/src/api/cmd", nil, nil, "in folder ~/src/api/cmd"},
		{"relative", "cmd", nil, nil, "in folder cmd"},
		{"another root", "/srv/data/x", nil, []string{"/srv/data/"}, "in folder /srv/data/x"},
		{"elsewhere", "/tmp", nil, nil, "! in folder /tmp, outside of the workspace"},
		{"beside it", "/home/me/src/api2", nil, nil, "! in folder ~/src/api2, outside of the workspace"},
		{"above it", "/home/me/src/api/..", nil, nil, "! in folder ~/src/api/.., outside of the workspace"},
		{"relative, and out of it", "../web", nil, nil, "! in folder ../web, outside of the workspace"},
		{"in nobody knows whose home", "~/src/api", nil, nil, "! in folder ~/src/api, outside of the workspace"},
		{"the proxy knows that it leads out", "/home/me/src/api/link", []broker.Path{{Path: "/home/me/src/api/link", Target: "/etc"}}, nil, "! in folder ~/src/api/link, outside of the workspace"},
		{"the proxy knows that it leads in", "/tmp/link", []broker.Path{{Path: "/tmp/link", Target: "/home/me/src/api", Inside: true}}, nil, "in folder /tmp/link"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(Careful())
			s.grid = paint.NewGrid(100, 40)
			s.proxy.Sessions[0].Roots = test.roots
			p := command()
			p.Cwd, p.Input, p.Verdict.Paths = "", raw(map[string]any{"command": "make", "cwd": test.folder}), test.verdict
			s.look(s.ask(p))
			var got string
			for _, l := range s.card.where(100, s.context()) {
				got += " " + l.String()
			}
			if got = strings.Join(strings.Fields(got), " "); got != test.says {
				t.Errorf("got %q, want %q", got, test.says)
			}
			if !strings.Contains(s.text(), test.says) {
				t.Errorf("it is not on the screen:\n%s", paint.Text(s.grid))
			}
		})
	}
}

// An option that was selected by hand is answered with by Enter, under the guards
// of a digit.
func TestEnterAnswersWithWhatWasSelected(t *testing.T) {
	for _, test := range []struct {
		name  string
		press []keys.Key
		wait  time.Duration
		want  int // options; -1: no answer
	}{
		{"nothing selected", []keys.Key{"Enter"}, time.Second, -1},
		{"the first, too soon", []keys.Key{"Down", "Enter"}, 0, -1},
		{"the first", []keys.Key{"Down", "Enter"}, time.Second, 1},
		{"one that lasts asks back", []keys.Key{"Down", "Down", "Enter"}, time.Second, -1},
		{"the one that rejects needs no patience", []keys.Key{"Down", "Down", "Down", "Enter"}, 0, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(Careful())
			w := s.ask(edit())
			s.card.Show(w, s.now)
			s.frame()
			s.wait(test.wait)
			got := -1
			for _, a := range answersIn(s.press(test.press...)) {
				got = a.Number
			}
			if got != test.want {
				t.Errorf("got %d, want %d; note: %q", got, test.want, s.card.note)
			}
		})
	}
}
