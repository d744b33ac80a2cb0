package panel

import (
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/terminal"
)

// A key that follows at once on one that brought a card back is not for the
// card as it was on the screen before.
func TestWhatWasOnTheScreenBefore(t *testing.T) {
	for name, c := range map[string]struct{ away, back []keys.Key }{
		"help":           {[]keys.Key{"?"}, []keys.Key{"Esc"}},
		"help, q":        {[]keys.Key{"?"}, []keys.Key{"q"}},
		"a command line": {[]keys.Key{":"}, []keys.Key{"Esc"}},
		"a command":      {[]keys.Key{":", "p", "e", "n"}, []keys.Key{"Enter"}},
		"another pane":   {[]keys.Key{"Esc"}, []keys.Key{"p"}},
		"the timeline":   {[]keys.Key{"t"}, []keys.Key{"p"}},
	} {
		for _, w := range []int{50, 100, 160} {
			t.Run(name, func(t *testing.T) {
				s, out := answering(w, 40, waiting)
				s.act("p", "Space", "Space").wait(time.Second)
				s.act(c.away...).wait(time.Second)
				for _, k := range append(c.back, "1") {
					for _, e := range s.Input(terminal.Key{Key: k}, s.now) {
						if _, ok := e.(terminal.Later); ok {
							t.Errorf("%d columns: %s sent an answer", w, k)
						}
					}
				}
				s.look().wait(2 * time.Second).act("1")
				if len(out.all) != 1 {
					t.Errorf("%d columns: it cannot be answered any more:\n%s", w, s.text())
				}
			})
		}
	}
}
