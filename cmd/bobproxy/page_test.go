package main

import (
	"flag"
	"strings"
	"testing"
)

func TestFields(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "",
		"a b  c ":                            "a b  c ",
		strings.Repeat(" ", 40) + "x":        strings.Repeat(" ", 40) + "x",
		strings.Repeat(" ", 41) + "x":        "‹41 blanks›x",
		"a" + strings.Repeat(" ", 999) + "b": "a‹999 blanks›b",
		"a" + strings.Repeat(" ", 9) + "b":   "a‹9 blanks›b",
		"a\n\tb\x1b":                         "a↵→b␛",
	} {
		if got := field(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 5, ""},
		{"abcde", 5, "abcde"},
		{"abcdef", 5, "abcde|f"},
		{"ab  cdef", 4, "ab  |cdef"},
		{"統一統", 5, "統一|統"},
		{"統", 1, "統"},
		{"統一", 1, "統|一"},
		{"aae\u0301b", 3, "aa|e\u0301b"},
		{"e\u0301e\u0301", 1, "e\u0301|e\u0301"},
	} {
		if got := strings.Join(fold(c.text, c.width), "|"); got != c.want {
			t.Errorf("%q in %d is %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestSeveral(t *testing.T) {
	names := strings.Fields("a b c d e f g h i j k l")
	for n, want := range map[int]string{0: "", 1: "a", 10: "a, b, c, d, e, f, g, h, i, j", 12: "a, b, c, d, e, f, g, h, i, j and 2 more"} {
		if got := several(names[:n]); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct{ args, rest, option, err string }{
		{"", "", "", ""},
		{"a --json b", "a b", "", ""},
		{"--option x a", "a", "x", ""},
		{"a --option=x", "a", "x", ""},
		{"a --option -- b", "a b", "--", ""},
		{"a -- --option x", "a --option x", "", ""},
		{"--option --json a", "a", "--json", ""},
		{"- a", "- a", "", ""},
		{"a --option", "", "", "flag needs an argument: -option"},
		{"a --nothing", "", "", "flag provided but not defined: -nothing"},
		{"a ---option x", "", "", "bad flag syntax: ---option"},
		{"--json=perhaps", "", "", `invalid boolean value "perhaps" for -json: parse error`},
	} {
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		option := flags.String("option", "", "")
		flags.Bool("json", false, "")
		rest, err := arguments(flags, strings.Fields(c.args))
		said := ""
		if err != nil {
			said = err.Error()
		}
		if strings.Join(rest, " ") != c.rest || said != c.err || err == nil && *option != c.option {
			t.Errorf("%q: got %q, option %q, %v; want %q, %q, %s", c.args, rest, *option, err, c.rest, c.option, c.err)
		}
	}
}
