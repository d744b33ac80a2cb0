package terminal

import (
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
)

// What comes late of an escape sequence is no keys.
func TestASequenceInPieces(t *testing.T) {
	const late = slowness - time.Millisecond
	for name, c := range map[string]struct {
		pieces string // as keys; ␛ is Esc
		gap    time.Duration
		want   string
	}{
		"PgDn":               {"␛[6~", late, "Esc"},
		"Home of tmux":       {"␛[1~", late, "Esc"},
		"left":               {"␛[D", late, "Esc"},
		"F1":                 {"␛OP", late, "Esc"},
		"a click":            {"␛[<0;12;31M", late, "Esc"},
		"then a key":         {"␛[6~1", late, "Esc 1"},
		"then another one":   {"␛[6~␛[5~x", late, "Esc Esc x"},
		"typed, not sent":    {"␛[1", slowness, "Esc [ 1"},
		"Esc, then a digit":  {"␛1", late, "Esc 1"},
		"[ alone":            {"[1", late, "[ 1"},
		"Esc twice":          {"␛␛[6~", late, "Esc Esc"},
		"Esc, a key, then [": {"␛j[6", late, "Esc j [ 6"},
	} {
		t.Run(name, func(t *testing.T) {
			var in input
			var got []string
			now := time.Unix(1000, 0)
			for _, r := range c.pieces {
				e := tcell.NewEventKey(tcell.KeyRune, r, 0)
				if r == '␛' {
					e = tcell.NewEventKey(tcell.KeyEsc, 0, 0)
				}
				if key, ok := in.of(e, now); ok {
					got = append(got, string(key.(Key).Key))
				}
				now = now.Add(c.gap)
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("%q are the keys %q, want %q", c.pieces, text, c.want)
			}
		})
	}
}
