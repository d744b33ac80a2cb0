package card

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// witness watches a card from the outside: what was on the screen, and which
// keys came when. It knows nothing of how the card decides.
type witness struct {
	t       *testing.T
	s       *scene
	rand    *rand.Rand
	painted *model.Permission // by the last draw, in focus
	text    string
	screen  *model.Permission // shown
	digest  string
	w, h    int
	armFrom time.Time // zero: not since something happened
	armed   bool
	seen    map[string]bool // digest and marker
	pending map[string]bool // requests with an answer under way
	typed   string
	n       int
	allowed int

	disk *diskWitness // nil: nobody compares
}

func (w *witness) ask() *model.Permission {
	w.n++
	p := command()
	if w.disk != nil {
		p.Content = raw([]any{diffOf("a", "b", "c")})
	}
	n := 1 + w.rand.IntN(30)
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<%d.%d>\n", w.n, i)
	}
	p.Input = raw(map[string]any{"command": b.String()})
	if w.rand.IntN(3) == 0 {
		p.Options = options3()
	}
	if w.rand.IntN(4) == 0 {
		p.Options = append(p.Options, control.Option{Number: 4, ID: "odd", Name: "Odd", Kind: "odd"})
	}
	p.Title = fmt.Sprintf("request %d", w.n)
	p.Request, p.Digest = fmt.Sprintf("7f3a:%d", w.n), fmt.Sprintf("digest %d of %d lines", w.n, n)
	p.Deadline = nil
	return w.s.ask(p)
}

func (w *witness) disturb() { w.armFrom, w.armed = time.Time{}, false }

func (w *witness) draw() {
	w.s.draw()
	w.painted, w.text = nil, paint.Text(w.s.grid)
	if !w.s.away {
		w.painted = w.s.card.Permission()
	} else {
		w.disturb()
	}
}

func (w *witness) show() {
	w.s.card.Shown(w.s.now)
	p := w.painted
	w.painted = nil
	if p != nil && p.Card != nil && (p != w.screen || p.Card.Digest != w.digest || w.w != w.s.grid.W || w.h != w.s.grid.H) {
		w.disturb()
	}
	w.screen = p
	if p == nil || p.Card == nil {
		w.disturb()
		return
	}
	w.digest, w.w, w.h = p.Card.Digest, w.s.grid.W, w.s.grid.H
	if w.armFrom.IsZero() {
		w.armFrom = w.s.now
	}
	w.armed = w.armed || w.s.now.Sub(w.armFrom) >= quiet
	w.disk.saw(w)
	for _, field := range strings.FieldsFunc(w.text, func(r rune) bool { return r == ' ' || r == '\n' || r == '│' }) {
		if strings.HasPrefix(field, "<") && strings.HasSuffix(field, ">") {
			w.seen[w.digest+field] = true
		}
	}
}

const quiet = 700 * ms

func (w *witness) key(k keys.Key) {
	if !w.armed && !w.armFrom.IsZero() {
		w.armFrom = w.s.now
	}
	w.typed += string(k) + " "
	wishes, used := w.s.card.Key(k, w.s.now, w.s.context())
	if !used {
		if do, ok := keys.Default().Find(keys.Card, k); ok {
			wishes = append(wishes, w.s.card.Do(do, w.s.context())...)
		}
	}
	answers := answersIn(wishes)
	if len(answers) > 1 {
		w.t.Fatalf("%d answers to one key", len(answers))
	}
	for _, a := range answers {
		w.judge(a)
	}
	for _, wish := range wishes {
		if look, ok := wish.(pane.Look); ok {
			w.s.card.Show(look.Permission, w.s.now)
		}
	}
}

// judge checks an answer against what was seen.
func (w *witness) judge(a pane.Answer) {
	p := a.Permission
	switch {
	case w.pending[p.Request]:
		w.t.Fatalf("a second answer to %s", p.Request)
	case p != w.screen || a.Digest != w.digest || p.Card.Digest != a.Digest:
		w.t.Fatalf("an answer to %s, which is not what is on the screen", p.Title)
	case p.Decision != nil || p.Ended:
		w.t.Fatalf("an answer to what is over")
	}
	w.pending[p.Request] = true
	o := control.Option{Kind: "reject_once"}
	if a.Number > 0 {
		o = p.Card.Options[a.Number-1]
	}
	if o.Kind != "reject_once" && o.Kind != "allow_once" && (!a.Standing || !strings.HasSuffix(w.typed, "a l w a y s Enter ")) {
		w.t.Fatalf("an answer that lasts without the word: %s", w.typed)
	}
	if o.Kind == "reject_once" {
		return
	}
	w.allowed++
	if !w.armed {
		w.t.Fatal("allowed before it was quiet long enough")
	}
	w.disk.judge(w, a.Digest)
	var in struct{ Command string }
	unmarshal(p.Card.Input, &in)
	for _, line := range strings.Fields(in.Command) {
		if !w.seen[a.Digest+line] {
			w.t.Fatalf("allowed before %s was on the screen", line)
		}
	}
}

// step is one thing that happens.
func (w *witness) step() {
	s := w.s
	s.now = s.now.Add(time.Duration(w.rand.IntN(400)) * ms)
	w.disk.step(w)
	p := s.card.Permission()
	switch n := w.rand.IntN(100); {
	case n < 40:
		all := []keys.Key{"1", "1", "1", "2", "3", "4", "x", "j", "Space", "Space", "Space", "G", "Enter", "Up", "Down", "Esc", "]", "[", "i", "y", "n", "d", "Backspace"}
		w.key(all[w.rand.IntN(len(all))])
	case n < 45:
		for _, k := range append(keysOf("2always"), "Enter") {
			w.draw()
			w.show()
			w.key(k)
			s.now = s.now.Add(time.Duration(w.rand.IntN(20)) * ms)
		}
	case n < 68:
		w.draw()
		w.show()
		s.now = s.now.Add(quiet + time.Duration(w.rand.IntN(100)-50)*ms)
		w.draw()
		w.show()
	case n < 74:
		w.draw()
	case n < 76:
		w.show()
	case n < 79:
		s.card.Disturbed("you came back", s.now)
		w.disturb()
	case n < 81:
		sizes := [][2]int{{50, 33}, {100, 23}, {62, 38}, {40, 10}, {30, 8}, {0, 0}, {130, 40}}
		size := sizes[w.rand.IntN(len(sizes))]
		s.grid.Clear(size[0], size[1])
	case n < 83:
		s.away = !s.away
	case n < 86 && len(s.proxy.Pending) < 5:
		w.ask()
	case n < 88 && p != nil && p.Decision == nil:
		s.settle(p, journal.Decision{By: []string{"editor", "timeout", "cancel"}[w.rand.IntN(3)], HasOption: true, OptionID: "no", OptionKind: "reject_once"})
	case n < 89 && p != nil && p.Decision == nil:
		changed := *p.Card
		changed.Digest += " changed"
		p.Card, p.Digest = &changed, changed.Digest
		w.disturb()
	case n < 92 && len(s.proxy.Pending) > 0:
		s.card.Show(s.proxy.Pending[w.rand.IntN(len(s.proxy.Pending))], s.now)
		w.disturbIf(p)
	case n < 93:
		s.card.Show(nil, s.now)
		w.disturb()
	default:
		w.rule()
	}
	for _, wish := range s.card.Tick(s.now, s.context()) {
		if look, ok := wish.(pane.Look); ok {
			s.card.Show(look.Permission, s.now)
		}
	}
	w.disturbIf(p)
}

func (w *witness) disturbIf(before *model.Permission) {
	if w.s.card.Permission() != before {
		w.disturb()
	}
}

// rule tells what became of an answer.
func (w *witness) rule() {
	for request := range w.pending {
		asked := &model.Permission{Proxy: w.s.proxy, Request: request}
		switch w.rand.IntN(3) {
		case 0:
			w.s.card.Ruled(asked, broker.Ruling{Result: broker.Refused}, nil, w.s.now)
		case 1:
			w.s.card.Ruled(asked, broker.Ruling{}, errors.New("gone"), w.s.now)
		default:
			w.s.card.Ruled(asked, broker.Ruling{Result: broker.Applied}, nil, w.s.now)
			for _, p := range w.s.proxy.Pending {
				if p.Request == request {
					w.s.settle(p, journal.Decision{By: "panel", HasOption: true, OptionID: "allow", OptionKind: "allow_once"})
				}
			}
			continue
		}
		delete(w.pending, request)
		if p := w.s.card.Permission(); p != nil && p.Request == request {
			w.disturb()
		}
		return
	}
}

// diskWitness knows what a card was told of the disk, and what of that was on the
// screen.
type diskWitness struct {
	asked []*model.Permission
	told  map[string]control.DiskState // by digest
	seen  map[string]bool              // that it differs
}

// step asks what the card wants to know, or tells it.
func (d *diskWitness) step(w *witness) {
	if d == nil {
		return
	}
	if p := w.s.card.Compare(w.s.now); p != nil {
		d.asked = append(d.asked, p)
	}
	if len(d.asked) == 0 || w.rand.IntN(3) > 0 {
		return
	}
	p := d.asked[0]
	d.asked = d.asked[1:]
	state := []control.DiskState{control.Same, control.Same, control.Differs}[w.rand.IntN(3)]
	if before, ok := d.told[p.Card.Digest]; (!ok && state == control.Differs || ok && before != state) && p == w.s.card.Permission() {
		w.disturb()
	}
	if state != d.told[p.Card.Digest] {
		d.seen[p.Card.Digest] = false
	}
	d.told[p.Card.Digest] = state
	w.s.card.Compared(p, []control.OnDisk{found(0, state)}, nil, w.s.now)
}

func (d *diskWitness) saw(w *witness) {
	if d != nil && strings.Contains(w.text, "disk does") {
		d.seen[w.digest] = true
	}
}

// judge checks that what is allowed was compared, and that it was told when it is
// not as it should be.
func (d *diskWitness) judge(w *witness, digest string) {
	if d == nil {
		return
	}
	switch d.told[digest] {
	case "":
		w.t.Fatal("allowed before the disk was compared")
	case control.Differs:
		if !d.seen[digest] {
			w.t.Fatal("allowed before it was seen that the disk differs")
		}
	}
}

// Whatever happens in whatever order, nothing is allowed that was not on the
// screen, quietly and as a whole, and nothing is answered twice.
func TestNothingIsAnsweredByAccident(t *testing.T) {
	allowed := 0
	for seed := range uint64(80) {
		s := newScene(Careful())
		w := &witness{t: t, s: s, rand: rand.New(rand.NewPCG(seed, 7)), seen: map[string]bool{}, pending: map[string]bool{}}
		if seed%4 == 3 {
			w.disk = &diskWitness{told: map[string]control.DiskState{}, seen: map[string]bool{}}
			s.card.options.Disk, s.proxy.Greeting.Disk = true, true
		}
		w.ask()
		w.ask()
		s.card.Show(s.proxy.Pending[0], s.now)
		for range 300 {
			w.step()
		}
		allowed += w.allowed
	}
	if allowed < 60 {
		t.Errorf("only %d answers allowed something: this has not tested much", allowed)
	}
}
