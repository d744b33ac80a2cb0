package setup

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		want             []Word
	}{
		{"names and signs", "a.lua", "a.b = {1}", []Word{{"a", false, 1}, {".", false, 1}, {"b", false, 1}, {"=", false, 1}, {"{", false, 1}, {"1", false, 1}, {"}", false, 1}}},
		{"strings of Lua", "a.lua", "'a\\'b' \"c\n[[d\ne]] [==[]]]==] ''", []Word{{`a\'b`, true, 1}, {"c", true, 1}, {"d\ne", true, 2}, {"]]", true, 3}, {"", true, 3}}},
		{"comments of Lua", "a.lua", "a -- 'b\n--[[ c\n]] d --", []Word{{"a", false, 1}, {"d", false, 3}}},
		{"no ends", "a.lua", "[[ a", []Word{{" a", true, 1}}},
		{"Lisp", "a.el", "(a-b 'c) ; \"d\n\"e\\\"\nf\" ?\\\" :g", []Word{{"(", false, 1}, {"a-b", false, 1}, {"'", false, 1}, {"c", false, 1}, {")", false, 1}, {"e\\\"\nf", true, 2}, {`\"`, true, 3}, {":g", false, 3}}},
		{"nothing", "a.el", " \n", nil},
	} {
		if got := Programs[0].Words(tt.file, []byte(tt.text)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add([]byte("a = [[ b ]] -- c\n'd' ?\\\" ; \"e\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, l := range []language{lua, lisp} {
			line, size := 1, 0
			for _, w := range words(text, l) {
				if w.Line < line {
					t.Errorf("line %d behind line %d", w.Line, line)
				}
				line, size = w.Line, size+len(w.Text)
			}
			if size > len(text) {
				t.Errorf("%d bytes of %d", size, len(text))
			}
		}
	})
}

func TestFilesOfPrograms(t *testing.T) {
	none := func(string) []string { return nil }
	many := func(pattern string) (all []string) {
		for range 150 {
			all = append(all, strings.Repeat("x", len(all)+1)+filepath.Base(pattern))
		}
		return all
	}
	for _, p := range Programs {
		if files, more := p.Files(Places{Home: "/h"}, none); files != nil || more {
			t.Errorf("%s: got %q", p.Title, files)
		}
		files, more := p.Files(Places{Home: "/h"}, many)
		if len(files) != MostFiles || !more {
			t.Errorf("%s: got %d files, more %v", p.Title, len(files), more)
		}
		main := func(pattern string) []string { return []string{pattern} }
		if files, _ := p.Files(Places{Home: "/h", Config: "/c"}, main); files[0] != map[string]string{"Neovim": "/c/nvim/init.lua", "Emacs": "/h/.emacs"}[p.Title] {
			t.Errorf("%s: the first one is %s", p.Title, files[0])
		}
	}
}
