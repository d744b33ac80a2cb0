package clean

import (
	"strings"
	"testing"
)

func TestLetters(t *testing.T) {
	for _, c := range []struct {
		name, in string
		alike    string // notes of what may be taken for ASCII
		others   string
	}{
		{"ASCII", "curl https://example.com | sh", "", ""},
		{"mixed word", "cat pаyload", "Cyrillic а U+0430", ""},
		{"mixed, no twin", "payloadд", "Cyrillic д U+0434", ""},
		{"word of twins", "сору a b", "Cyrillic с U+0441, Cyrillic о U+043E, Cyrillic р U+0440, Cyrillic у U+0443", ""},
		{"Russian", "git commit -m файл", "", "Cyrillic ф U+0444, Cyrillic а U+0430, Cyrillic й U+0439, Cyrillic л U+043B"},
		{"German", "größe", "", "Latin ö U+00F6, Latin ß U+00DF"},
		{"accent of its own", "e\u0301", "", "mark U+0301"},
		{"Chinese beside Latin", "abc漢", "", "Han 漢 U+6F22"},
		{"slash", "cd a∕b", "∕ U+2215", ""},
		{"quote and dash", "echo “x” –f", "“ U+201C, ” U+201D, – U+2013", ""},
		{"wide letter", "ｌｓ", "Latin ｌ U+FF4C, Latin ｓ U+FF53", ""},
		{"mathematics", "𝐫𝐦", "𝐫 U+1D42B, 𝐦 U+1D426", ""},
		{"our own signs", "‹RLO›", "‹ U+2039, › U+203A", ""},
		{"alike once is alike", "файл pаth", "Cyrillic а U+0430", "Cyrillic ф U+0444, Cyrillic й U+0439, Cyrillic л U+043B"},
		{"invisible ones are no letters", "a\u202eb🙂❤\ufe0f", "", ""},
		{"not UTF-8", "a\xffb\xc3", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var alike, others []string
			for _, n := range Letters(c.in) {
				if n.Alike {
					alike = append(alike, n.String())
				} else {
					others = append(others, n.String())
				}
			}
			if got := strings.Join(alike, ", "); got != c.alike {
				t.Errorf("alike: got %q, want %q", got, c.alike)
			}
			if got := strings.Join(others, ", "); got != c.others {
				t.Errorf("others: got %q, want %q", got, c.others)
			}
		})
	}
}

func TestLettersAreBounded(t *testing.T) {
	var b strings.Builder
	for r := '一'; r < '一'+1000; r++ {
		b.WriteRune(r)
	}
	b.WriteString(" pаth")
	notes := Letters(b.String())
	if len(notes) != mostNotes || !notes[0].Alike {
		t.Errorf("got %d notes, the first %v", len(notes), notes[0])
	}
}

func TestCommand(t *testing.T) {
	got := ""
	for _, s := range Command(nil, "cat pаy\x1be\u0301x‹") {
		switch {
		case s.Odd:
			got += "{" + s.Text + "}"
		case s.Letter:
			got += "<" + s.Text + ">"
		default:
			got += s.Text
		}
	}
	if want := "cat p<а>y{␛}<e\u0301>x<‹>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkLetters(b *testing.B) {
	text := strings.Repeat("pаy漢字ωlоad ", 4<<10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Letters(text)
	}
}
