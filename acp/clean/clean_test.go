package clean

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var lines = []struct{ name, in, want string }{
	{"ASCII", "rm -rf /tmp", "rm -rf /tmp"},
	{"letters of the world", "größe 漢字 한글 العربية हिन्दी ไทย", "größe 漢字 한글 العربية हिन्दी ไทย"},
	{"terminal sequence", "a\x1b]52;c;x\x07b", "a␛]52;c;x␇b"},
	{"C0 and DEL", "\x00\x08\x0b\x1f\x7f", "␀␈␋␟␡"},
	{"lines and tabs", "two\nlines\tand a\rtab", "two↵lines→and a␍tab"},
	{"C1", "\u009b2J\u009d\u0085\u0080", "‹CSI›2J‹OSC›‹NEL›‹U+0080›"},
	{"not UTF-8", "\x9b2J\xff\xc3(", "‹9b›2J‹ff›‹c3›("},
	{"half of a surrogate pair", "\xed\xa0\x80", "‹ed›‹a0›‹80›"},
	{"genuine replacement character", "\ufffd", "\ufffd"},
	{"direction", "rm \u202e x\u2066y\u2069\u200f\u061c", "rm ‹RLO› x‹LRI›y‹PDI›‹RLM›‹ALM›"},
	{"no width", "a\u200bb\ufeff\u2060\u00ad", "a‹ZWSP›b‹BOM›‹WJ›‹SHY›"},
	{"separators", "a\u2028b\u2029", "a‹LS›b‹PS›"},
	{"blanks", "a\u00a0b\u202f\u3000\u2003", "a‹nbsp›b‹narrow nbsp›‹wide space›‹U+2003›"},
	{"tags", "x\U000e0041\U000e0020\U000e007f\U000e0001", "x‹tag A›‹tag space›‹tag end›‹U+E0001›"},
	{"private", "\ue000\U0010fffd", "‹U+E000›‹U+10FFFD›"},
	{"unassigned", "\u0378\U000e0fff", "‹U+0378›‹U+E0FFF›"},
	{"no character", "\ufdd0\uffff\U0001fffe", "‹U+FDD0›‹U+FFFF›‹U+1FFFE›"},
	{"blank letters", "\u115f\u1160\u3164\uffa0\u2800\ufffc", "‹Hangul filler›‹Hangul filler›‹Hangul filler›‹Hangul filler›‹Braille blank›‹OBJ›"},
	{"invisible marks", "a\u034fb\u17b4c\u180b", "a‹CGJ›b‹U+17B4›c‹U+180B›"},
	{"selectors", "a\ufe00b\ufe0fc\U000e0100", "a‹VS1›b‹VS16›c‹VS17›"},

	{"accents", "e\u0301 o\u0302\u0323", "e\u0301 o\u0302\u0323"},
	{"a pile of accents", "e\u0301\u0301\u0301\u0301x", "e\u0301\u0301‹U+0301›‹U+0301›x"},
	{"an accent on nothing", "\u0301a", "‹U+0301›a"},
	{"an accent on a blank", "a \u0301", "a ‹U+0301›"},
	{"an accent on a sign", "\x1b\u0301", "␛‹U+0301›"},
	{"an accent on a letter of ASCII", "a\u0301", "a\u0301"},
	{"Hangul in parts", "\u1112\u1161\u11ab", "\u1112\u1161\u11ab"},
	{"a pile of Hangul", "\u1112\u1112\u1112\u1112", "\u1112\u1112\u1112‹U+1112›"},
	{"Hangul by itself", "\u1161 \u11ab", "\u1161 \u11ab"},
	{"melting letters", "\U000111c2a", "‹U+111C2›a"},
	{"dash of three cells", "\u2e3b", "‹U+2E3B›"},

	{"emoji", "🙂 👍🏽 🇩🇪", "🙂 👍🏽 🇩🇪"},
	{"signs as emoji", "⚠\ufe0f ❤\ufe0f", "⚠\ufe0f ❤\ufe0f"},
	{"selector twice", "❤\ufe0f\ufe0f", "❤\ufe0f‹VS16›"},
	{"text selector", "❤\ufe0e", "❤‹VS15›"},
	{"keys", "1\ufe0f\u20e3 #\ufe0f\u20e3", "1\ufe0f\u20e3 #\ufe0f\u20e3"},
	{"half a key", "1\ufe0f2", "1‹VS16›2"},
	{"joined emoji", "👨\u200d👩\u200d👧", "👨‹ZWJ›👩‹ZWJ›👧"},
	{"skin on nothing", "a🏽", "a‹U+1F3FD›"},
	{"flag with tags", "🏴\U000e0067\U000e0062\U000e007f", "🏴‹tag g›‹tag b›‹tag end›"},
}

func TestLine(t *testing.T) {
	for _, c := range lines {
		t.Run(c.name, func(t *testing.T) {
			if got := Line(c.in); got != c.want {
				t.Errorf("Line(%q) = %q, want %q", c.in, got, c.want)
			}
			check(t, c.in)
		})
	}
}

// check tests what holds for every text.
func check(t *testing.T, in string) {
	t.Helper()
	out := Line(in)
	if !utf8.ValidString(out) {
		t.Errorf("Line(%q) = %q is not UTF-8", in, out)
	}
	for i, r := range out {
		ok := Shows(r) || r == emojiSelector && i > 0
		if !ok || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs) {
			t.Errorf("Line(%q) = %q holds %U", in, out, r)
		}
	}
	if again := Line(out); again != out {
		t.Errorf("Line(%q) = %q, and of that %q", in, out, again)
	}
	if is := Is(in); is != (out == in) {
		t.Errorf("Is(%q) = %v, but Line gives %q", in, is, out)
	}
	if got := joined(Spans(nil, in)); got != out {
		t.Errorf("Spans(%q) are %q, Line %q", in, got, out)
	}
	if got := joined(Command(nil, in)); got != out {
		t.Errorf("Command(%q) is %q, Line %q", in, got, out)
	}
	for _, s := range Command(nil, in) {
		if !Is(s.Text) || s.Text == "" {
			t.Errorf("Command(%q): %q alone is not clean", in, s.Text)
		}
	}
	Letters(in)
}

func joined(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

func FuzzLine(f *testing.F) {
	for _, c := range lines {
		f.Add(c.in)
	}
	f.Fuzz(check)
}

// Every character of the planes that have any by itself, on a letter, on an
// emoji and before marks.
func TestEveryCharacter(t *testing.T) {
	for r := rune(0); r <= 0xE1000; r++ {
		if r == 0x33480 {
			r = 0xE0000
		}
		c := string(r)
		in := c + "a" + c + "b🙂" + c + " " + c + "\u0301\ufe0f"
		if isPlain(r) && (!Shows(r) || unicode.In(r, unicode.M, unicode.Zs)) {
			t.Errorf("%U is not plain", r)
		}
		if out := Line(in); !Is(out) || Is(in) != (in == out) {
			t.Fatalf("Line(%q) = %q", in, out)
		}
	}
}

func TestSpansTellSigns(t *testing.T) {
	want := []Span{{Text: "␛ is "}, {Text: "␛", Odd: true}, {Text: "[m"}}
	got := Spans(nil, "␛ is \x1b[m")
	if len(got) != len(want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("span %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		name, in         string
		controls, others int
	}{
		{"clean", "größe", 0, 0},
		{"line feed and tab", "a\n\tb", 0, 0},
		{"controls", "\x1b[m\r\x7f\u009b", 4, 0},
		{"others", "\u202e\u200b\u00a0\ue000", 0, 4},
		{"bytes", "\xff\x9b", 0, 2},
		{"accents", "\u0301e\u0301\u0301\u0301", 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			controls, others := Count(c.in)
			if controls != c.controls || others != c.others {
				t.Errorf("Count(%q) = %d, %d, want %d, %d", c.in, controls, others, c.controls, c.others)
			}
		})
	}
}

func BenchmarkIs(b *testing.B) {
	text := strings.Repeat("go test ./... -run TestLine ", 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if !Is(text) {
			b.Fatal("not clean")
		}
	}
}

func BenchmarkLineHostile(b *testing.B) {
	text := strings.Repeat("\x1b[31m\u202e\xff", 8<<10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Line(text)
	}
}
