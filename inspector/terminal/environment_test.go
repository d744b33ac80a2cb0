package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"

	"bobproxy/acp/clean"
)

// env makes an environment of words like NAME=value.
func env(words string) environment {
	return environment{func(name string) (string, bool) {
		for _, word := range strings.Fields(words) {
			if value, ok := strings.CutPrefix(word, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}}
}

func TestColourWishes(t *testing.T) {
	for _, c := range []struct {
		asked, env string
		want       when
	}{
		{"", "", ifPossible}, {"auto", "", ifPossible},
		{"", "NO_COLOR=1", never}, {"auto", "NO_COLOR=0", never}, {"", "NO_COLOR=", ifPossible},
		{"always", "NO_COLOR=1", always}, {"never", "CLICOLOR_FORCE=1", never},
		{"", "CLICOLOR_FORCE=1", always}, {"", "CLICOLOR_FORCE=0", ifPossible},
		{"", "NO_COLOR=1 CLICOLOR_FORCE=1", never},
		{"", "CLICOLOR=0", never}, {"", "CLICOLOR=1", ifPossible}, {"", "CLICOLOR=0 CLICOLOR_FORCE=1", always},
	} {
		if got := env(c.env).colours(c.asked); got != c.want {
			t.Errorf("asked %q with %q: %v, want %v", c.asked, c.env, got, c.want)
		}
	}
}

func TestBackground(t *testing.T) {
	for words, want := range map[string]string{
		"": "dark", "COLORFGBG=15;0": "dark", "COLORFGBG=0;15": "light", "COLORFGBG=0;default;15": "light",
		"COLORFGBG=0;7": "light", "COLORFGBG=7;8": "dark", "COLORFGBG=12;8": "dark", "COLORFGBG=x": "dark", "COLORFGBG=;": "dark",
	} {
		if got := env(words).background(); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

func TestLocale(t *testing.T) {
	for words, want := range map[string]bool{
		"": true, "LANG=C": false, "LANG=POSIX": false, "LANG=C.UTF-8": true, "LANG=de_DE.utf8": true,
		"LANG=de_DE.UTF-8@euro": true, "LANG=de_DE.ISO-8859-1": false, "LANG=de_DE": true, "LANG=de_DE@euro": true,
		"LC_ALL=C LANG=en_US.UTF-8": false, "LC_CTYPE=en_US.UTF-8 LANG=C": true, "LC_ALL= LANG=C": false,
	} {
		if got := env(words).utf8(); got != want {
			t.Errorf("%q: %v, want %v", words, got, want)
		}
	}
}

func TestNotificationMethod(t *testing.T) {
	for words, want := range map[string]string{
		"": "osc777", "TERM=xterm-kitty": "osc99", "KITTY_WINDOW_ID=1 TERM=xterm": "osc99", "TERM_PROGRAM=iTerm.app": "osc9",
		"TERM_PROGRAM=Apple_Terminal": "bell", "TERM_PROGRAM=vscode": "bell", "WT_SESSION=x": "bell",
		"TERM=alacritty": "bell", "ALACRITTY_WINDOW_ID=1": "bell", "TERM=linux": "bell", "TERM=vt100": "bell",
		"TERM_PROGRAM=WezTerm TERM=xterm-256color": "osc777",
	} {
		if got := env(words).notify(); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 5, ""}, {"abc", 5, "abc"}, {"abcde", 5, "abcde"}, {"abcdef", 5, "abcd…"},
		{"世界世界世界", 5, "世界世界…"}, {"a\x1b\\b", 5, "a␛\\b"}, {"\n\n\n\n\n\n", 5, "↵↵↵↵…"},
	} {
		if got := short(c.in, c.n); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func FuzzNotification(f *testing.F) {
	f.Add("title", "body")
	f.Add("\x1b\\\a;", "\u009c\x9c;\x1b]")
	f.Fuzz(func(t *testing.T, first, second string) {
		for method, parts := range map[string]int{"osc9": 2, "osc777": 4, "osc99": 3} {
			for i, s := range strings.SplitAfter(notification(method, first, second), terminator) {
				text := strings.TrimSuffix(strings.TrimPrefix(s, "\x1b]"), terminator)
				if !clean.Is(text) || !utf8.ValidString(text) || utf8.RuneCountInString(text) > 3*maxNote {
					t.Errorf("%s %d: %q", method, i, s)
				}
				if n := strings.Count(text, ";") + 1; text != "" && n != parts {
					t.Errorf("%s: %d fields in %q, want %d", method, n, text, parts)
				}
			}
		}
		if s := title(first); !clean.Is(strings.TrimSuffix(strings.TrimPrefix(s, "\x1b]"), terminator)) {
			t.Errorf("title %q", s)
		}
	})
}

func TestThrough(t *testing.T) {
	for in, want := range map[string]string{"": "", "\x1b]9;x\x1b\\": "\x1bPtmux;\x1b\x1b]9;x\x1b\x1b\\\x1b\\"} {
		if got := through(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
