package card

import (
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/control"
)

func keysOf(word string) (list []keys.Key) {
	for _, r := range word {
		list = append(list, keys.Key(string(r)))
	}
	return list
}

// What lasts takes a word and Enter.
func TestConfirm(t *testing.T) {
	for name, test := range map[string]struct {
		keys []keys.Key
		want int // -1: none
	}{
		"the word":                   {append(keysOf("2always"), "Enter"), 2},
		"no Enter":                   {keysOf("2always"), -1},
		"no word":                    {[]keys.Key{"2", "Enter"}, -1},
		"the digit again":            {[]keys.Key{"2", "2", "2", "Enter"}, -1},
		"another word":               {append(keysOf("2unread"), "Enter"), -1},
		"half of it":                 {append(keysOf("2alwa"), "Enter"), -1},
		"too much":                   {append(keysOf("2alwayss"), "Enter"), -1},
		"in capitals":                {append(keysOf("2ALWAYS"), "Enter"), -1},
		"a mistake that was undone":  {append(append(keysOf("2alx"[:3]+"b"), "Backspace"), append(keysOf("ways"), "Enter")...), 2},
		"a wrong word, then right":   {append(append(keysOf("2b"), "Enter"), append(keysOf("always"), "Enter")...), 2},
		"Esc":                        {append([]keys.Key{"2", "Esc"}, append(keysOf("always"), "Enter")...), -1},
		"Esc, then once":             {[]keys.Key{"2", "Esc", "1"}, -1},
		"the key that rejects":       {[]keys.Key{"2", "a", "x"}, 0},
		"the word alone":             {append(keysOf("always"), "Enter"), -1},
		"scrolling does not disturb": {append([]keys.Key{"2", "PgDn", "Space"}, append(keysOf("always"), "Enter")...), 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			s.look(s.ask(edit()))
			got := -1
			for _, a := range answersIn(s.press(test.keys...)) {
				got = a.Number
				if a.Standing != (got == 2) {
					t.Errorf("standing: %v", a.Standing)
				}
			}
			if got != test.want {
				t.Errorf("got %d, want %d; note: %s", got, test.want, s.card.note)
			}
		})
	}
}

// The step before an answer belongs to one request, as it was on the screen.
func TestConfirmDiesWithItsRequest(t *testing.T) {
	for name, disturb := range map[string]func(s *scene){
		"another request": func(s *scene) { s.look(s.ask(edit())) },
		"there and back": func(s *scene) {
			w := s.card.Permission()
			s.look(s.ask(edit()))
			s.look(w)
		},
		"focus":   func(s *scene) { s.card.Disturbed("you came back", s.now); s.wait(time.Second) },
		"changed": func(s *scene) { s.card.Permission().Card.Digest = "other"; s.wait(time.Second) },
		"resized": func(s *scene) { s.grid.Clear(80, 40); s.wait(time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			s.look(s.ask(edit()))
			s.press("2", "a", "l", "w", "a", "y")
			disturb(s)
			if a := answersIn(s.press("s", "Enter")); len(a) > 0 {
				t.Errorf("answered with %d", a[0].Number)
			}
		})
	}
}

// The word counts only when the question was on the screen.
func TestConfirmMustBeShown(t *testing.T) {
	s := newScene(Careful())
	s.look(s.ask(edit()))
	for _, k := range append(keysOf("2always"), "Enter") {
		if wishes, _ := s.card.Key(k, s.now, s.context()); len(answersIn(wishes)) > 0 {
			t.Error("answered a question that was never shown")
		}
	}
}

func one(kind string) *control.Pending {
	p := edit()
	p.Options = []control.Option{{Number: 1, ID: "a", Name: "Yes", Kind: kind}, {Number: 2, ID: "b", Name: "No", Kind: "reject_once"}}
	return p
}

// What each kind of option needs.
func TestKinds(t *testing.T) {
	for name, test := range map[string]struct {
		options  Options
		kind     string
		shown    string
		standing bool
		confirm  bool
		locked   bool
	}{
		"allow once":              {Careful(), "allow_once", "allow once", false, false, false},
		"allow always":            {Careful(), "allow_always", "ALLOW ALWAYS", true, true, false},
		"reject once":             {Careful(), "reject_once", "reject once", false, false, false},
		"reject always":           {Careful(), "reject_always", "reject always", true, true, false},
		"unknown":                 {Careful(), "allow_persistent", `kind "allow_persistent"?`, true, true, false},
		"none":                    {Careful(), "", "no kind?", true, true, false},
		"always, unconfirmed":     {Options{ReadAll: true}, "allow_always", "ALLOW ALWAYS", true, false, false},
		"unknown, unconfirmed":    {Options{ReadAll: true}, "x", `kind "x"?`, true, true, false},
		"always, hidden":          {Options{HideAlways: true}, "allow_always", "ALLOW ALWAYS", false, false, true},
		"unknown, hidden":         {Options{HideAlways: true}, "x", `kind "x"?`, false, false, true},
		"watching":                {Options{Watch: true}, "allow_once", "allow once", false, false, true},
		"watching: not even no":   {Options{Watch: true}, "reject_once", "reject once", false, false, true},
		"once, where it is shown": {Options{HideAlways: true}, "allow_once", "allow once", false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(test.options)
			s.look(s.ask(one(test.kind)))
			if text := paint.Text(s.whole()); !strings.Contains(text, test.shown) {
				t.Errorf("%q is not in\n%s", test.shown, text)
			}
			a := answersIn(s.press("1"))
			if test.confirm {
				if len(a) > 0 {
					t.Fatal("took no word")
				}
				a = answersIn(s.press(append(keysOf("always"), "Enter")...))
			}
			if got := len(a) == 0; got != test.locked {
				t.Fatalf("locked: %v; note: %s", got, s.card.note)
			}
			if !test.locked && a[0].Standing != test.standing {
				t.Errorf("standing: %v", a[0].Standing)
			}
		})
	}
}

// Options with one id are one answer to the agent: the one that allows most.
// A digit is the place the agent gave an option, and x rejects once whatever
// the order is.
func TestKeysOfAnyOrder(t *testing.T) {
	all := map[byte]string{'y': "allow_once", 'Y': "allow_always", 'n': "reject_once", 'N': "reject_always"}
	for _, order := range []string{"yYn", "nNYy", "YynN", "nyY"} {
		p := edit()
		p.Options = nil
		for i := range order {
			p.Options = append(p.Options, control.Option{Number: i + 1, ID: order[i : i+1], Name: "option", Kind: all[order[i]]})
		}
		press := func(key keys.Key) []pane.Answer {
			s := newScene(Careful())
			s.look(s.ask(p))
			return answersIn(s.press(key))
		}
		if a := press("x"); len(a) != 1 || a[0].Number != 0 || a[0].Standing {
			t.Errorf("%s: x answers %+v", order, a)
		}
		for i := range order {
			a := press(keys.Key('1' + rune(i)))
			if once := strings.HasSuffix(all[order[i]], "once"); once && (len(a) != 1 || a[0].Number != i+1) || !once && len(a) > 0 {
				t.Errorf("%s: %d answers %+v", order, i+1, a)
			}
		}
	}
}

func TestTwins(t *testing.T) {
	s := newScene(Careful())
	p := edit()
	p.Options = []control.Option{
		{Number: 1, ID: "same", Name: "Yes, always", Kind: "allow_always"},
		{Number: 2, ID: "same", Name: "No", Kind: "reject_once"},
	}
	s.look(s.ask(p))
	if a := answersIn(s.press("2")); len(a) > 0 || s.card.confirm == nil {
		t.Error("a no that is a yes for ever took no word")
	}
	s.press("Esc")
	s.wait(time.Second)
	if a := answersIn(s.press("x")); len(a) > 0 {
		t.Error("x chose it at once")
	}
}

// An option that is called a rejection and has the id of one that allows is kept
// back like that one.
func TestTwinsAreKeptBack(t *testing.T) {
	for name, set := range map[string]func(s *scene, w *permission){
		"not armed":      func(s *scene, w *permission) { s.card.Show(w, s.now); s.frame() },
		"not read":       func(s *scene, w *permission) { w.Card.Input = raw(lines(100)); s.look(w) },
		"only rejecting": func(s *scene, w *permission) { s.proxy.Greeting.Answers = "deny-only"; s.look(w) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			p := edit()
			p.Options = []control.Option{
				{Number: 1, ID: "same", Name: "Yes", Kind: "allow_once"},
				{Number: 2, ID: "same", Name: "No", Kind: "reject_once"},
			}
			set(s, s.ask(p))
			if a := answersIn(s.press("2")); len(a) > 0 {
				t.Error("taken for a rejection")
			}
		})
	}
}

// A key that says no never says yes: where nothing rejects once, it takes a
// second one to tell the agent that it is cancelled.
func TestRejectWithoutAnOption(t *testing.T) {
	for name, options := range map[string][]control.Option{
		"only allows":   {{Number: 1, ID: "a", Name: "No", Kind: "allow_once"}, {Number: 2, ID: "b", Name: "Reject", Kind: "allow_always"}},
		"an odd reject": {{Number: 1, ID: "", Name: "No", Kind: "reject_once", Odd: true}},
		"none":          nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			p := edit()
			p.Options = options
			s.look(s.ask(p))
			if a := answersIn(s.press("x", "x", "x")); len(a) > 0 {
				t.Fatal("answered a key that was held down")
			}
			s.wait(time.Second)
			if a := answersIn(s.press("x")); len(a) != 1 || a[0].Number != 0 || a[0].Standing {
				t.Errorf("got %v; note: %s", a, s.card.note)
			}
		})
	}
}

// Who may not answer is told why.
func TestLocks(t *testing.T) {
	for name, test := range map[string]struct {
		set    func(s *scene, w *permission)
		why    string
		reject bool // works all the same
	}{
		"may not answer": {func(s *scene, w *permission) {
			s.proxy.Greeting = control.Greeting{Answers: "none", Why: "no terminal"}
		}, "no terminal", false},
		"may only reject": {func(s *scene, w *permission) {
			s.proxy.Greeting = control.Greeting{Answers: "deny-only", Why: "a setting"}
		}, "a setting", true},
		"not known yet":      {func(s *scene, w *permission) { s.proxy.Greeting.Answers = "" }, "has not said", false},
		"no connection":      {func(s *scene, w *permission) { s.proxy.Link = lostLink }, "no connection", false},
		"a recording":        {func(s *scene, w *permission) { s.proxy.Link = recordedLink }, "a recording", false},
		"unanswerable":       {func(s *scene, w *permission) { w.Card.Unanswerable = "only in the editor, since so" }, "since so", true},
		"malformed":          {func(s *scene, w *permission) { w.Card.Options[0].Odd = true }, "malformed", true},
		"never told":         {func(s *scene, w *permission) { w.Card = nil }, "", false},
		"of another request": {func(s *scene, w *permission) { w.Digest = "other" }, "not surely what is asked", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			w := s.ask(one("allow_once"))
			test.set(s, w)
			s.look(w)
			text := paint.Text(s.whole())
			if a := answersIn(s.press("1")); len(a) > 0 {
				t.Fatal("allowed")
			}
			text = strings.Join(strings.Fields(text+s.card.note), " ")
			if !strings.Contains(text, test.why) {
				t.Errorf("%q is not in %s", test.why, text)
			}
			s.wait(time.Second)
			if a := answersIn(s.press("x")); (len(a) == 1) != test.reject {
				t.Errorf("rejecting: %v; note: %s", a, s.card.note)
			}
		})
	}
}

// With many options each can be reached and is seen before it is chosen.
func TestManyOptions(t *testing.T) {
	s := newScene(Careful())
	p := edit()
	p.Options = nil
	for i := range 40 {
		p.Options = append(p.Options, control.Option{Number: i + 1, ID: string(rune('A' + i)), Name: "Choice", Kind: "allow_once"})
	}
	s.look(s.ask(p))
	for range 33 {
		s.press("Down")
	}
	if a := answersIn(s.press("1")); len(a) > 0 {
		t.Error("chose an option that was not on the screen")
	}
	if a := answersIn(s.press("Enter")); len(a) != 1 || a[0].Number != 33 {
		t.Errorf("got %v; note: %s", a, s.card.note)
	}
}
