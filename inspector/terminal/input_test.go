package terminal

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"bobproxy/inspector/keys"
)

func TestKeyNames(t *testing.T) {
	for _, c := range []struct {
		key  tcell.Key
		r    rune
		mod  tcell.ModMask
		want keys.Key // empty: none
	}{
		{tcell.KeyRune, 'j', 0, "j"},
		{tcell.KeyRune, 'G', 0, "G"},
		{tcell.KeyRune, 'G', tcell.ModShift, "G"},
		{tcell.KeyRune, 'é', 0, "é"},
		{tcell.KeyRune, '世', 0, "世"},
		{tcell.KeyRune, ' ', 0, "Space"},
		{tcell.KeyRune, 'a', tcell.ModCtrl, "Ctrl-A"},
		{tcell.KeyRune, 3, 0, ""},
		{tcell.KeyCtrlZ, 0, tcell.ModCtrl, "Ctrl-Z"},
		{tcell.KeyCtrlL, 0, 0, "Ctrl-L"},
		{tcell.KeyCtrlL, 0, tcell.ModCtrl | tcell.ModShift, ""},
		{tcell.KeyRune, 'x', tcell.ModAlt, ""},
		{tcell.KeyRune, '1', tcell.ModCtrl, ""},
		{tcell.KeyRune, '1', tcell.ModMeta, ""},
		{tcell.KeyRune, '\u009b', 0, ""},
		{tcell.KeyRune, '\u202e', 0, ""},
		{tcell.KeyEnter, 0, 0, "Enter"},
		{tcell.KeyEnter, 0, tcell.ModCtrl, ""},
		{tcell.KeyEnter, 0, tcell.ModAlt, ""},
		{tcell.KeyEsc, 0, 0, "Esc"},
		{tcell.KeyTab, 0, 0, "Tab"},
		{tcell.KeyTab, 0, tcell.ModShift, "Shift-Tab"},
		{tcell.KeyBacktab, 0, 0, "Shift-Tab"},
		{tcell.KeyBackspace, 0, 0, "Backspace"},
		{tcell.KeyBackspace2, 0, 0, "Backspace"},
		{tcell.KeyDelete, 0, 0, "Delete"},
		{tcell.KeyUp, 0, tcell.ModShift, "Up"},
		{tcell.KeyPgDn, 0, 0, "PgDn"},
		{tcell.KeyF12, 0, 0, "F12"},
		{tcell.KeyF13, 0, 0, ""},
		{tcell.KeyInsert, 0, 0, ""},
		{tcell.KeyCtrlSpace, 0, tcell.ModCtrl, ""},
	} {
		got, ok := keyOf(tcell.NewEventKey(c.key, c.r, c.mod))
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%v %q %v is %q %v, want %q", c.key, c.r, c.mod, got, ok, c.want)
		}
	}
}

func TestTheTableKnowsEveryNamedKey(t *testing.T) {
	for _, name := range named {
		err := keys.Default().Rebind(keys.Everywhere, keys.Help, string(name))
		if err != nil && strings.Contains(err.Error(), "is no key") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInputs(t *testing.T) {
	key := func(r rune) tcell.Event { return tcell.NewEventKey(tcell.KeyRune, r, 0) }
	special := func(k tcell.Key, mod tcell.ModMask) tcell.Event { return tcell.NewEventKey(k, 0, mod) }
	mark := func(begin bool) tcell.Event { return tcell.NewEventPaste(begin) }
	focus := func(in bool) tcell.Event { return tcell.NewEventFocus(in) }
	mouse := func(x, y int, b tcell.ButtonMask) tcell.Event { return tcell.NewEventMouse(x, y, b, 0) }
	press, release := mouse(3, 4, tcell.Button1), mouse(3, 4, 0)
	wait := func(d time.Duration) time.Duration { return d }

	for name, c := range map[string]struct {
		events []any // tcell.Event, or time that passes
		want   []Input
	}{
		"a key":                   {[]any{key('x')}, []Input{Key{"x"}}},
		"a paste by keys":         {[]any{mark(true), key('y'), special(tcell.KeyEnter, 0), special(tcell.KeyCtrlJ, 0), special(tcell.KeyTab, 0), special(tcell.KeyUp, 0), key('世'), mark(false), key('k')}, []Input{Paste{"y\n\t世"}, Key{"k"}}},
		"marks after Esc":         {[]any{special(keyPasteBegin, tcell.ModAlt), key('y'), special(keyPasteEnd, tcell.ModAlt), key('k')}, []Input{Paste{"y"}, Key{"k"}}},
		"an end without a begin":  {[]any{mark(false), key('k')}, []Input{Key{"k"}}},
		"focus in a paste":        {[]any{mark(true), key('y'), focus(false), key('n'), mark(false)}, []Input{Focus{false}, Paste{"yn"}}},
		"a click":                 {[]any{press, press, release}, []Input{Mouse{X: 3, Y: 4}}},
		"a double click":          {[]any{press, release, wait(300 * time.Millisecond), press, release, press, release}, []Input{Mouse{X: 3, Y: 4}, Mouse{X: 3, Y: 4, Double: true}, Mouse{X: 3, Y: 4}}},
		"two slow clicks":         {[]any{press, release, wait(time.Second), press}, []Input{Mouse{X: 3, Y: 4}, Mouse{X: 3, Y: 4}}},
		"clicks in two cells":     {[]any{press, release, mouse(3, 5, tcell.Button1)}, []Input{Mouse{X: 3, Y: 4}, Mouse{X: 3, Y: 5}}},
		"other buttons":           {[]any{mouse(1, 1, tcell.Button2), mouse(1, 1, tcell.Button3)}, nil},
		"the wheel":               {[]any{mouse(1, 2, tcell.WheelUp), mouse(1, 2, tcell.WheelDown)}, []Input{Mouse{1, 2, -1, false}, Mouse{1, 2, 1, false}}},
		"the click for the focus": {[]any{focus(true), wait(100 * time.Millisecond), press, release, press}, []Input{Focus{true}, Mouse{X: 3, Y: 4}}},
		"a click long after it":   {[]any{focus(true), wait(swallowing), press}, []Input{Focus{true}, Mouse{X: 3, Y: 4}}},
		"a click after a key":     {[]any{focus(true), key('x'), press}, []Input{Focus{true}, Key{"x"}, Mouse{X: 3, Y: 4}}},
		"nothing to us":           {[]any{tcell.NewEventClipboard([]byte("x")), tcell.NewEventInterrupt(nil)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var in input
			var got []Input
			now := time.Unix(1000, 0)
			for _, e := range c.events {
				if d, ok := e.(time.Duration); ok {
					now = now.Add(d)
				} else if i, ok := in.of(e.(tcell.Event), now); ok {
					got = append(got, i)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
}

func TestAPasteByKeysIsBounded(t *testing.T) {
	var in input
	in.of(tcell.NewEventPaste(true), time.Time{})
	for range maxPaste + 100 {
		in.of(tcell.NewEventKey(tcell.KeyRune, '世', 0), time.Time{})
	}
	got, _ := in.of(tcell.NewEventPaste(false), time.Time{})
	if n := len(got.(Paste).Text); n > maxPaste || n < maxPaste-3 {
		t.Errorf("%d bytes", n)
	}
}

// pieces filters text in pieces of n bytes.
func pieces(f *pasteFilter, text string, n int) string {
	var kept []byte
	for b := []byte(text); len(b) > 0; {
		m := min(n, len(b))
		kept = append(kept, f.filter(b[:m])...)
		b = b[m:]
	}
	return string(kept)
}

func TestPasteFilter(t *testing.T) {
	begin, end := pasteBegin, pasteEnd
	for name, c := range map[string]struct {
		in, kept string
		pastes   []string
	}{
		"no paste":          {"abc\x1b[A", "abc\x1b[A", nil},
		"one":               {"a" + begin + "b" + end + "c", "a" + begin + end + "c", []string{"b"}},
		"two":               {begin + "a" + end + begin + "b" + end, begin + end + begin + end, []string{"a", "b"}},
		"almost marks":      {"\x1b\x1b[20" + begin + "\x1b\x1b[201\x1b" + end, "\x1b\x1b[20" + begin + end, []string{"\x1b\x1b[201\x1b"}},
		"line ends":         {begin + "a\rb\r\nc\nd" + end, begin + end, []string{"a\nb\nc\nd"}},
		"unfinished":        {begin + "a\x1b[201", begin, nil},
		"end without begin": {end + "a", end + "a", nil},
		"too many":          {strings.Repeat(begin+end, 20), strings.Repeat(begin+end, 20), make([]string, maxPastes)},
	} {
		t.Run(name, func(t *testing.T) {
			for n := 1; n < 10; n++ {
				var f pasteFilter
				if got := pieces(&f, c.in, n); got != c.kept || !slices.Equal(f.pastes, c.pastes) {
					t.Errorf("in pieces of %d: %q and %q, want %q and %q", n, got, f.pastes, c.kept, c.pastes)
				}
			}
		})
	}
}

func FuzzPasteFilter(f *testing.F) {
	f.Add("a"+pasteBegin+"b\xff\r"+pasteEnd+"c", 3)
	f.Add(pasteBegin+"\x1b"+pasteEnd+pasteEnd, 1)
	f.Fuzz(func(t *testing.T, text string, n int) {
		var whole, cut pasteFilter
		a := pieces(&whole, text, len(text)+1)
		b := pieces(&cut, text, max(1, n))
		if a != b || !slices.Equal(whole.pastes, cut.pastes) {
			t.Errorf("as a whole %q %q, in pieces %q %q", a, whole.pastes, b, cut.pastes)
		}
		for _, p := range whole.pastes {
			if !utf8.ValidString(p) || strings.Contains(p, "\r") || strings.Contains(p, pasteEnd) {
				t.Errorf("pasted %q", p)
			}
		}
	})
}

func TestPasteText(t *testing.T) {
	long := strings.Repeat("x", maxPaste-1)
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"a\r\n\r\nb", "a\n\nb"}, {"\xff", "\uFFFD"}, {long + "世界", long}, {long + "yz", long + "y"}, {"世", "世"},
	} {
		if got := pasteText([]byte(c.in)); got != c.want {
			t.Errorf("%.20q is %.20q, want %.20q", c.in, got, c.want)
		}
	}
}
