package panel

import (
	"strings"
	"testing"
)

func TestTheStripSaysWhoseWhereThereIsRoom(t *testing.T) {
	for _, test := range []struct {
		width int
		want  string
		never string
	}{
		{50, "! Edit src/auth/token.go        1:50   p to look", "Bob"},
		{58, "! Edit src/auth/token.go ", "…"},
		{60, "Fix nil token…", "Bob"},
		{80, "Fix nil token panic · Bob · Zed", "…"},
	} {
		s := newShow(test.width, 24, waiting)
		strip := strings.Split(s.text(), "\n")[21]
		if !strings.Contains(strip, test.want) || strings.Contains(strip, test.never) {
			t.Errorf("%d columns: got %q, want %q in it, and not %q", test.width, strip, test.want, test.never)
		}
	}
}
