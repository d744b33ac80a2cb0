package card

import (
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// answersIn are the answers among wishes.
func answersIn(wishes []pane.Wish) (all []pane.Answer) {
	for _, w := range wishes {
		if a, ok := w.(pane.Answer); ok {
			all = append(all, a)
		}
	}
	return all
}

const ms = time.Millisecond

// What allows is taken only after a quiet time on the screen; what rejects at
// once.
func TestArming(t *testing.T) {
	for name, test := range map[string]struct {
		do   func(s *scene)
		key  keys.Key
		want int // number that is wished for; -1: none
	}{
		"at once":                       {func(s *scene) {}, "1", -1},
		"too early":                     {func(s *scene) { s.wait(699 * ms) }, "1", -1},
		"after the time":                {func(s *scene) { s.wait(700 * ms) }, "1", 1},
		"a key on the way":              {func(s *scene) { s.wait(600 * ms); s.press("j"); s.wait(600 * ms) }, "1", -1},
		"a key on the way, then quiet":  {func(s *scene) { s.wait(600 * ms); s.press("j"); s.wait(700 * ms) }, "1", 1},
		"the key itself was too early":  {func(s *scene) { s.wait(600 * ms); s.press("1"); s.wait(200 * ms) }, "1", -1},
		"the time is over, unseen":      {func(s *scene) { s.stop(800 * ms) }, "1", -1},
		"stopped on the way":            {func(s *scene) { s.stop(5 * time.Second); s.frame() }, "1", -1},
		"stopped, then quiet":           {func(s *scene) { s.stop(5 * time.Second); s.frame(); s.wait(700 * ms) }, "1", 1},
		"slow to be shown":              {func(s *scene) { s.wait(699 * ms); s.stop(ms); s.draw(); s.stop(time.Second); s.card.Shown(s.now) }, "1", -1},
		"a key after the time":          {func(s *scene) { s.wait(700 * ms); s.press("j") }, "1", 1},
		"focus gained":                  {func(s *scene) { s.wait(time.Second); s.card.Disturbed("you came back", s.now); s.frame() }, "1", -1},
		"focus gained, then quiet":      {func(s *scene) { s.card.Disturbed("you came back", s.now); s.frame(); s.wait(700 * ms) }, "1", 1},
		"disturbed and not drawn since": {func(s *scene) { s.card.Disturbed("pasted", s.now); s.now = s.now.Add(time.Hour) }, "1", -1},
		"resized":                       {func(s *scene) { s.wait(time.Second); s.grid.Clear(60, 30); s.frame() }, "1", -1},
		"resized, then quiet":           {func(s *scene) { s.grid.Clear(60, 30); s.frame(); s.wait(700 * ms) }, "1", 1},
		"focus elsewhere":               {func(s *scene) { s.away = true; s.frame(); s.wait(time.Hour) }, "1", -1},
		"not on the screen":             {func(s *scene) { s.card.Shown(s.now); s.now = s.now.Add(time.Hour) }, "1", -1},
		"reject at once":                {func(s *scene) {}, "x", 0},
		"reject by its digit at once":   {func(s *scene) {}, "3", 3},
		"reject when disturbed":         {func(s *scene) { s.card.Disturbed("pasted", s.now) }, "x", 0},
		"nothing for y":                 {func(s *scene) { s.wait(time.Second) }, "y", -1},
		"nothing for n":                 {func(s *scene) { s.wait(time.Second) }, "n", -1},
		"nothing for Enter":             {func(s *scene) { s.wait(time.Second) }, "Enter", -1},
		"nothing for Esc":               {func(s *scene) { s.wait(time.Second) }, "Esc", -1},
		"nothing for a digit too high":  {func(s *scene) { s.wait(time.Second) }, "4", -1},
		"nothing for 0":                 {func(s *scene) { s.wait(time.Second) }, "0", -1},
		"Enter on a selection":          {func(s *scene) { s.wait(time.Second); s.press("Down") }, "Enter", 1},
		"Enter on a selection, early":   {func(s *scene) { s.press("Down") }, "Enter", -1},
		"Enter on the last one":         {func(s *scene) { s.press("Up") }, "Enter", 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			s.card.Show(s.ask(edit()), s.now)
			s.frame()
			test.do(s)
			got := -1
			// Not scene.press, which draws.
			wishes, _ := s.card.Key(test.key, s.now, s.context())
			for _, a := range answersIn(wishes) {
				got = a.Number
			}
			if got != test.want {
				t.Errorf("got %d, want %d; note: %s", got, test.want, s.card.note)
			}
		})
	}
}

func TestArmHasAFloor(t *testing.T) {
	s := newScene(Options{Arm: time.Millisecond})
	s.card.Show(s.ask(edit()), s.now)
	s.frame()
	s.wait(249 * ms)
	if got := answersIn(s.press("1")); len(got) > 0 {
		t.Error("was armed after 249 ms")
	}
	s.wait(250 * ms)
	if got := answersIn(s.press("1")); len(got) != 1 {
		t.Error("was not armed after 250 ms")
	}
}

// Before it was shown, nothing is answered, not even no.
func TestNothingBeforeItIsShown(t *testing.T) {
	for _, key := range []keys.Key{"1", "3", "x", "Enter"} {
		s := newScene(Careful())
		w := s.ask(edit())
		s.card.Show(w, s.now)
		s.draw()
		s.now = s.now.Add(time.Minute)
		if wishes, _ := s.card.Key(key, s.now, s.context()); len(answersIn(wishes)) > 0 {
			t.Errorf("%s answered what was painted but not shown", key)
		}
	}
}

// A key is for what was on the screen: if that is not it any more, nothing is
// sent, and the card says so.
func TestKeyIsForWhatWasOnTheScreen(t *testing.T) {
	for name, change := range map[string]func(s *scene, w *permission){
		"another request is shown": func(s *scene, w *permission) { s.card.Show(s.ask(command()), s.now) },
		"it was told anew, otherwise": func(s *scene, w *permission) {
			p := edit()
			p.Request, p.Digest, p.Opened = w.Request, "other", w.Opened
			w.Card = p
		},
		"its text is another under the same digest": func(s *scene, w *permission) {
			p := command()
			p.Request, p.Digest, p.Opened = w.Request, w.Digest, w.Opened
			w.Card = p
		},
		"its digest is another": func(s *scene, w *permission) { w.Card.Digest = "other" },
		"it was answered":       func(s *scene, w *permission) { s.settle(w, journal.Decision{By: "editor", Outcome: "selected"}) },
		"it was cancelled":      func(s *scene, w *permission) { s.settle(w, journal.Decision{By: "cancel"}) },
		"its proxy ended":       func(s *scene, w *permission) { w.Ended = true },
		"none is shown":         func(s *scene, w *permission) { s.card.Show(nil, s.now) },
	} {
		for _, key := range []keys.Key{"1", "2", "3", "x", "Enter"} {
			t.Run(name+", "+string(key), func(t *testing.T) {
				s := newScene(Careful())
				w := s.ask(edit())
				s.look(w)
				s.press("Down")
				change(s, w)
				wishes, _ := s.card.Key(key, s.now, s.context())
				if a := answersIn(wishes); len(a) > 0 {
					t.Errorf("answered with %d", a[0].Number)
				}
				if key != "Enter" && s.card.Permission() != nil && s.card.note == "" {
					t.Error("did not say why nothing was sent")
				}
			})
		}
	}
}

// What is told anew word by word is the same.
func TestToldAnewIsNoChange(t *testing.T) {
	s := newScene(Careful())
	w := s.ask(edit())
	s.look(w)
	same := *w.Card
	w.Card = &same
	if a := answersIn(s.press("1")); len(a) != 1 {
		t.Errorf("%d answers; note: %s", len(a), s.card.note)
	}
}

// A key that is held down answers one card at most.
func TestHeldKey(t *testing.T) {
	for _, key := range []keys.Key{"x", "3", "1", "Enter"} {
		t.Run(string(key), func(t *testing.T) {
			s := newScene(Careful())
			s.ask(edit())
			s.ask(edit())
			s.ask(edit())
			s.look(s.proxy.Pending[0])
			if key == "Enter" {
				s.press("Down")
			}
			n := 0
			for range 300 { // ten seconds
				for _, a := range answersIn(s.press(key)) {
					n++
					s.settleHere(a)
				}
				s.now = s.now.Add(23 * ms)
				s.frame()
				s.moveOn()
			}
			if n != 1 {
				t.Errorf("%d answers", n)
			}
		})
	}
}

type permission = model.Permission

// settleHere is the proxy's yes to an answer.
func (s *scene) settleHere(a pane.Answer) {
	ch, ok := numbered(s.card.choices, a.Number)
	if a.Number == 0 {
		ch, ok = refusal(s.card.choices)
	}
	s.card.Ruled(a.Permission, broker.Ruling{Result: broker.Applied}, nil, s.now)
	s.settle(a.Permission, journal.Decision{By: "panel", HasOption: ok, OptionID: ch.ID, OptionKind: ch.Kind, Outcome: "selected"})
}

// moveOn fulfils what the card wishes by itself.
func (s *scene) moveOn() {
	for _, w := range s.card.Tick(s.now, s.context()) {
		if look, ok := w.(pane.Look); ok {
			s.card.Show(look.Permission, s.now)
			s.frame()
		}
	}
}

// Enter takes what is marked on the screen, and nothing that was marked since.
func TestEnterTakesTheSelectionOnTheScreen(t *testing.T) {
	s := newScene(Careful())
	s.card.Show(s.ask(edit()), s.now)
	s.frame()
	s.wait(time.Second)
	for _, k := range []keys.Key{"Down", "Enter"} { // one behind the other, before anything is drawn
		if wishes, _ := s.card.Key(k, s.now, s.context()); len(wishes) > 0 {
			t.Fatalf("%s answered with what nobody has seen marked: %v", k, wishes)
		}
	}
	if want := "not yet: the selection was not on the screen"; s.card.note != want {
		t.Errorf("got %q, want %q", s.card.note, want)
	}
	s.frame()
	if wishes := s.press("Enter"); len(wishes) != 1 {
		t.Errorf("got %v, want an answer", wishes)
	}
}
