package vttest

import (
	"slices"
	"testing"
)

func TestSequences(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []Sequence
	}{
		"text":            {"aé世", []Sequence{{Text, "aé世"}}},
		"a place":         {"a\x1b[3;4Hb", []Sequence{{Text, "a"}, {CSI, "\x1b[3;4H"}, {Text, "b"}}},
		"controls":        {"\r\n\a", []Sequence{{Control, "\r"}, {Control, "\n"}, {Control, "\a"}}},
		"a title":         {"\x1b]2;x\ay\x1b]2;z\x1b\\", []Sequence{{String, "\x1b]2;x\a"}, {Text, "y"}, {String, "\x1b]2;z\x1b\\"}}},
		"through tmux":    {"\x1bPtmux;\x1b\x1b]9;x\x1b\x1b\\\x1b\\a", []Sequence{{String, "\x1bPtmux;\x1b\x1b]9;x\x1b\x1b\\\x1b\\"}, {Text, "a"}}},
		"a character set": {"\x1b(B\x1b=", []Sequence{{Escape, "\x1b(B"}, {Escape, "\x1b="}}},
		"unfinished":      {"a\x1b[3", []Sequence{{Text, "a"}, {CSI, "\x1b[3"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Sequences([]byte(c.in)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestForeign(t *testing.T) {
	for in, want := range map[string][]string{
		"plain\r\n\x1b[2;3H\x1b[1;31mx\x1b[?1049h":      nil,
		"\x1b]2;title ␛\x1b\\\x1b]777;notify;a;b\x1b\\": nil,
		"\x1b]2;title\a":                         {"\x1b]2;title\a"},
		"\x1b]0;title\x1b\\":                     {"\x1b]0;title\x1b\\"},
		"a\u009b2Jb":                             {"a\u009b2Jb"},
		"\x1b]2;a\u009cb\x1b\\":                  {"\x1b]2;a\u009cb\x1b\\"},
		"a\x9bb":                                 {"a\x9bb"},
		"\x1b[6n":                                {"\x1b[6n"},
		"\x1bc":                                  {"\x1bc"},
		"\x1b[?1047h":                            {"\x1b[?1047h"},
		"\x1bPtmux;\x1b\x1b]0;x\x1b\x1b\\\x1b\\": {"\x1bPtmux;\x1b\x1b]0;x\x1b\x1b\\\x1b\\"},
		"\x1b]52;c;%%\x1b\\":                     {"\x1b]52;c;%%\x1b\\"},
		"\x00":                                   {"\x00"},
		"\x1b[3":                                 {"\x1b[3"},
	} {
		if got := Foreign([]byte(in)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestColoured(t *testing.T) {
	for in, want := range map[string]bool{
		"\x1b[m": false, "\x1b[0;1;2;4;7m": false, "\x1b[39;49m": false, "\x1b[>4;2m": false, "31m": false,
		"\x1b[31m": true, "\x1b[1;42m": true, "\x1b[97m": true, "\x1b[103m": true, "\x1b[38;5;1m": true,
	} {
		if got := Coloured([]byte(in)); len(got) > 0 != want {
			t.Errorf("%q: %q, want any: %v", in, got, want)
		}
	}
}

func TestLeft(t *testing.T) {
	for in, want := range map[string][]string{
		"\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?7h\x1b[?25h\x1b[?1049l": nil,
		"\x1b[?1049h": {"mode 1049h"}, "\x1b[?25l": {"mode 25l"},
		"\x1b[22;2t":          {`1 × "\x1b[22;2t", 0 × "\x1b[23;2t"`},
		"\x1b[>1u\x1b[?2004h": {`1 × "\x1b[>1u", 0 × "\x1b[<u"`, "mode 2004h"},
	} {
		if got := Left([]byte(in)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestScreen(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"lines":            {"ab\r\ncd", "ab\ncd\n\n"},
		"places":           {"\x1b[2;3Hx\x1b[1;1Hy", "y\n  x\n\n"},
		"wide":             {"世界\x1b[1;2Hx", " x界\n\n\n"},
		"wide over narrow": {"abcd\x1b[1;2H世", "a世d\n\n\n"},
		"narrow over wide": {"世b\x1b[1;1Hx", "x b\n\n\n"},
		"combining":        {"e\u0301x", "e\u0301x\n\n\n"},
		"back":             {"ab  \b\bc", "abc\n\n\n"},
		"wrapping":         {"abcdefgh", "abcdef\ngh\n\n"},
		"no wrapping":      {"\x1b[?7labcdefgh", "abcdeh\n\n\n"},
		"scrolling":        {"a\r\nb\r\nc\r\nd", "b\nc\nd\n"},
		"erasing":          {"abc\r\ndef\x1b[1;2H\x1b[J", "a\n\n\n"},
		"all of it":        {"abc\x1b[2J", "\n\n\n"},
		"the other screen": {"abc\x1b[?1049hxyz\x1b[?1049ld", "abcd\n\n\n"},
		"a cut sequence":   {"a\x1b[2", "a\n\n\n"},
		"beyond the edge":  {"\x1b[99;99Hx", "\n\n     x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for n := 1; n < 6; n++ {
				s := newScreen(6, 3)
				for b := []byte(c.in); len(b) > 0; b = b[min(n, len(b)):] {
					s.write(b[:min(n, len(b))])
				}
				s.flush()
				if got := s.text(); got != c.want {
					t.Errorf("in pieces of %d: %q, want %q", n, got, c.want)
				}
			}
		})
	}
}

func TestScreenTells(t *testing.T) {
	s := newScreen(6, 3)
	s.write([]byte("\x1b]2;title\x1b\\\a\a\x1b]9;note\x1b\\\x1b]8;;\x1b\\x"))
	if s.title != "title" || s.bells != 2 || !slices.Equal(s.notes, []string{"9;note"}) {
		t.Errorf("%q, %d, %q", s.title, s.bells, s.notes)
	}
}
