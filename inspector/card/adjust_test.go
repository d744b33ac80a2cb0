package card

import (
	"testing"
	"time"

	"bobproxy/inspector/keys"
)

func TestDelay(t *testing.T) {
	for arm, want := range map[time.Duration]time.Duration{0: usualArm, time.Millisecond: leastArm, 3 * time.Second: 3 * time.Second} {
		if got := (Options{Arm: arm}).Delay(); got != want {
			t.Errorf("%v: got %v, want %v", arm, got, want)
		}
	}
}

// A card that was open is shut by another setting, and opens as that says.
func TestAdjust(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		wait time.Duration
		key  keys.Key
		want int // answers
	}{
		{"at once", Options{Arm: 300 * ms}, 0, "1", 0},
		{"a shorter time", Options{Arm: 300 * ms}, 300 * ms, "1", 1},
		{"a longer time", Options{Arm: 3 * time.Second}, 2999 * ms, "1", 0},
		{"after it", Options{Arm: 3 * time.Second}, 3 * time.Second, "1", 1},
		{"rejecting needs no time", Options{Arm: 3 * time.Second}, 0, "x", 1},
		{"answers that last", Options{HideAlways: true}, time.Second, "2", 0},
		{"watching", Options{Watch: true}, time.Second, "x", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(Options{})
			s.card.Show(s.ask(edit()), s.now)
			s.frame()
			s.wait(time.Second)
			s.card.Adjust(c.o)
			s.frame()
			s.wait(c.wait)
			if got := answersIn(s.press(c.key)); len(got) != c.want {
				t.Errorf("%d answers, want %d; note: %s", len(got), c.want, s.card.note)
			}
		})
	}
}
