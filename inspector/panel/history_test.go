package panel

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bobproxy/inspector/terminal"
)

func TestReadHistory(t *testing.T) {
	many, long := "", strings.Repeat("x", maxEntrySize)
	for i := range 3000 {
		many += fmt.Sprintf(":goto #%d\n", i)
	}
	for _, c := range []struct{ name, text, want string }{
		{"as it is written", ":theme dark\n/is:open\n", ":theme dark|/is:open"},
		{"nothing", "", ""},
		{"no end of line", ":a\n/b", ":a|/b"},
		{"CRLF", ":a\r\n:b\r\n", ":a|:b"},
		{"twice, not in a row", ":a\n:b\n:a\n", ":b|:a"},
		{"alike at both prompts", ":a\n/a\n", ":a|/a"},
		{"no sign", "rm -rf /\n:a\n\n:\n/ \n#b\n", ":a"},
		{"control characters", ":a\x1b[2J\x07b\x00\n/\u009bc\u2028d\n", ":a [2J b|/c d"},
		{"no UTF-8", ":a\xff\xfeb\n\xff:c\n", ":a  b|:c"},
		{"a bell in front", "\a:a\n", ":a"},
		{"a long line", ":" + long + "\n:a\n", ":a"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00:\n\x00/\n", ""},
	} {
		if got := strings.Join(ReadHistory([]byte(c.text)), "|"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := ReadHistory([]byte(many)); len(got) != maxHistory || got[maxHistory-1] != ":goto #2999" {
		t.Errorf("of 3000 lines there are %d, the last %q", len(got), got[len(got)-1])
	}
}

// Of a text that is too long the end counts, and the rest of a cut line is none.
func TestReadHistoryOfALongText(t *testing.T) {
	end := "\n:b\n"
	tail := ":no\n" + strings.Repeat("#", MaxHistorySize-4-len(end)) + end
	if got := ReadHistory([]byte(":a\n:no:no" + tail)); !slices.Equal(got, History{":b"}) {
		t.Errorf("got %q", got)
	}
	if got := ReadHistory([]byte(strings.Repeat(":", 10*MaxHistorySize))); len(got) > 0 {
		t.Errorf("got %d entries", len(got))
	}
}

func TestHistoryWith(t *testing.T) {
	h := History{":a", "/b", ":c"}
	for _, c := range []struct {
		name string
		sign rune
		text string
		want string
	}{
		{"a new one", '/', "d", ":a|/b|:c|/d"},
		{"the last one again", ':', "c", ":a|/b|:c"},
		{"an older one again", ':', "a", "/b|:c|:a"},
		{"the same at the other prompt", '/', "c", ":a|/b|:c|/c"},
		{"nothing", ':', " ", ":a|/b|:c"},
		{"several lines", ':', "x\ny\r\n:z", ":a|/b|:c|:x y  :z"},
	} {
		if got := strings.Join(h.With(c.sign, c.text), "|"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	for i := range 3 * maxHistory {
		h = h.With(':', fmt.Sprint(i))
	}
	if got := h.Of(':'); len(got) != maxHistory || got[0] != fmt.Sprint(2*maxHistory) {
		t.Errorf("%d entries, the first %q", len(got), got[0])
	}
	if got := h.Of('/'); !slices.Equal(got, []string{"b"}) {
		t.Errorf("the other prompt has %q", got)
	}
}

func TestHistoryForAFile(t *testing.T) {
	var h History
	for i := range maxHistory {
		h = h.With(':', fmt.Sprintf("%d %s", i, strings.Repeat("x", 900))).With('/', fmt.Sprintf("%d %s", i, strings.Repeat("y", 2000)))
	}
	h = h.With('/', "short")
	b := h.Bytes()
	if len(b) > MaxHistorySize || len(b) < MaxHistorySize-1000 {
		t.Errorf("it has %d bytes", len(b))
	}
	got := ReadHistory(b)
	if last := got[len(got)-1]; last != "/short" || !strings.HasPrefix(got[len(got)-2], ":199 ") || strings.Contains(string(b), "yy") {
		t.Errorf("it ends with %.20q, %.20q", got[len(got)-2], last)
	}
}

func FuzzReadHistory(f *testing.F) {
	for _, seed := range []string{":a\n/b\n", "\xff\x00:\n", strings.Repeat(":a\n", 300), "/\u2028:x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		h := ReadHistory(text)
		for _, sign := range prompts {
			if n := len(h.Of(sign)); n > maxHistory {
				t.Errorf("%d entries behind %c", n, sign)
			}
		}
		for _, e := range h {
			if !utf8.ValidString(e) || strings.ContainsFunc(e, unicode.IsControl) || len(e) > maxEntrySize || len(e) < 2 {
				t.Errorf("entry %q", e)
			}
		}
		if again := ReadHistory(h.Bytes()); len(h.Bytes()) < MaxHistorySize/2 && !slices.Equal(again, h) {
			t.Errorf("%q is read back as %q", h, again)
		}
	})
}

func TestPromptsRemember(t *testing.T) {
	s := newShow(100, 30, waiting)
	s.history = History{":theme mono", "/kind:err", ":layout wide"}
	var kept []string
	s.options.Remember = func(sign rune, text string) { kept = append(kept, string(sign)+text) }
	s.press(":", "Up", "Up")
	if got := s.prompt.String(); got != "theme mono" {
		t.Errorf("two back is %q", got)
	}
	if s.press("Up"); s.prompt.String() != "theme mono" {
		t.Errorf("in front of the first is %q", s.prompt.String())
	}
	if s.act("Enter"); s.theme != "mono" || !slices.Equal(kept, []string{":theme mono"}) {
		t.Errorf("the theme is %s, kept is %q", s.theme, kept)
	}
	s.act("Enter", "]", "/").press("Up")
	if got := s.prompt.String(); got != "kind:err" {
		t.Errorf("the filter before is %q", got)
	}
	s.act("Esc", ":", "Esc", ":", "Space", "Enter")
	s.act(":").typing("goto nowhere").act("Enter")
	if want := []string{":theme mono", ":goto nowhere"}; !slices.Equal(kept, want) {
		t.Errorf("kept is %q, want %q", kept, want)
	}
	s.press(":").typing("wri").press("Up", "Up", "Down", "Down")
	if got := s.prompt.String(); got != "wri" {
		t.Errorf("what was being typed has become %q", got)
	}
}

// What is entered last is kept as well: it stands in front of what ends the panel.
func TestQuitIsRemembered(t *testing.T) {
	s := newShow(100, 30, waiting)
	var kept []string
	s.options.Remember = func(_ rune, text string) { kept = append(kept, text) }
	s.press(":").typing("quit")
	effects := s.Input(terminal.Key{Key: "Enter"}, s.now)
	if len(effects) != 2 {
		t.Fatalf("effects %v", effects)
	}
	effects[0].(terminal.Later).Do(context.Background())
	if _, ok := effects[1].(terminal.Quit); !ok || !slices.Equal(kept, []string{"quit"}) {
		t.Errorf("kept %q, then %v", kept, effects[1])
	}
}

// A history that somebody else wrote is shown and not obeyed.
func TestAHostileHistory(t *testing.T) {
	s := newShow(60, 30, waiting)
	s.history = ReadHistory([]byte(":quit \u202egnp.exe\u200b\x1b[2J\n"))
	s.press(":", "Up")
	s.shows(t, "‹RLO›", "[2J")
	if strings.ContainsAny(s.text(), "\x1b\u202e\u200b") {
		t.Errorf("it is on the screen as it is:\n%q", s.text())
	}
}
