package card

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/control"
)

func long(n int) *control.Pending {
	p := command()
	p.Input = raw(map[string]any{"command": lines(n)})
	return p
}

// What allows stays locked until each line has been in view.
func TestReadAll(t *testing.T) {
	s := newScene(Careful())
	s.look(s.ask(long(60)))
	if a := answersIn(s.press("1")); len(a) > 0 {
		t.Fatal("answered what was not read")
	}
	if want := "locked until row 60 of 60 was on screen"; !strings.Contains(s.card.note, want) {
		t.Errorf("the note is %q", s.card.note)
	}
	for range 59 {
		if len(answersIn(s.press("1"))) > 0 {
			break
		}
		s.press("j")
	}
	if g := s.card.sheet.gap(0, 0); g.rows > 0 {
		t.Fatalf("%d rows were not read", g.rows)
	}
	s.wait(time.Second)
	if a := answersIn(s.press("1")); s.card.dossier.sent == nil || len(a) > 1 {
		t.Errorf("not answered when it was read; note: %s", s.card.note)
	}
}

// Jumping to the end is not reading.
func TestJumpToTheEnd(t *testing.T) {
	s := newScene(Careful())
	s.look(s.ask(long(300)))
	s.press("G")
	s.wait(time.Second)
	if a := answersIn(s.press("1")); len(a) > 0 {
		t.Fatal("answered what was not read")
	}
	if !strings.Contains(s.card.note, "locked until rows ") {
		t.Errorf("the note is %q", s.card.note)
	}
}

// A line counts as seen when it was shown, not when it was painted.
func TestPaintedIsNotSeen(t *testing.T) {
	s := newScene(Careful())
	s.look(s.ask(long(40)))
	s.card.Do(keys.Bottom, s.context())
	s.draw()
	before := s.card.sheet.unseen
	s.card.Do(keys.Top, s.context())
	s.frame()
	if got := s.card.sheet.unseen; got != before {
		t.Errorf("%d rows are unseen, were %d", got, before)
	}
}

// What was read stays read in another width and after looking elsewhere.
func TestReadStaysRead(t *testing.T) {
	s := newScene(Careful())
	w, other := s.ask(long(20)), s.ask(edit())
	s.look(w)
	s.press("Space", "Space", "Space", "G")
	for _, size := range [][2]int{{100, 23}, {62, 38}, {50, 33}} {
		s.grid.Clear(size[0], size[1])
		s.frame()
		if s.card.sheet.unseen > 0 {
			t.Errorf("%d rows unseen at %v", s.card.sheet.unseen, size)
		}
	}
	s.look(other)
	s.look(w)
	if a := answersIn(s.press("1")); len(a) != 1 {
		t.Errorf("has to be read again; note: %s", s.card.note)
	}
}

// Of a very long input the end may be jumped to, for the price of a word.
func TestVeryLongInput(t *testing.T) {
	s := newScene(Careful())
	s.look(s.ask(long(3000)))
	if a := answersIn(s.press("1")); len(a) > 0 || s.card.confirm != nil {
		t.Fatal("the beginning was enough")
	}
	s.press("G")
	s.wait(time.Second)
	if a := answersIn(s.press("1")); len(a) > 0 || s.card.confirm == nil {
		t.Fatal("took no word")
	}
	if text := paint.Text(s.whole()); !strings.Contains(text, "of 3,000 rows were") {
		t.Errorf("does not say what was skipped:\n%s", text)
	}
	if a := answersIn(s.press("u", "n", "r", "e", "a", "d", "Enter")); len(a) != 1 || a[0].Number != 1 || a[0].Standing {
		t.Errorf("got %v", a)
	}
}

// Of what only the beginning is here nothing is allowed without a word.
func TestOnlyTheBeginning(t *testing.T) {
	for name, cut := range map[string]func(*control.Pending){
		"input":   func(p *control.Pending) { p.Input, p.Clipped = nil, `{"command":"echo` },
		"content": func(p *control.Pending) { p.ContentClipped = `[{"type":` },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			p := long(3)
			cut(p)
			s.look(s.ask(p))
			if text := paint.Text(s.whole()); !strings.Contains(text, "ONLY THE BEGINNING IS HERE") {
				t.Errorf("does not say so:\n%s", text)
			}
			if a := answersIn(s.press("1")); len(a) > 0 || s.card.confirm == nil {
				t.Fatal("took no word")
			}
			if a := answersIn(s.press("Esc", "3")); len(a) != 1 || a[0].Number != 3 {
				t.Error("rejecting took more than a key")
			}
		})
	}
}

// All of a card has to be read where there is no room to show it at once.
func TestTiny(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {30, 8}, {20, 3}, {16, 2}} {
		s := newScene(Careful())
		s.grid.Clear(size[0], size[1])
		s.look(s.ask(command()))
		if a := answersIn(s.press("1")); len(a) > 0 {
			t.Fatalf("%v: answered what was not read", size)
		}
		var seen strings.Builder
		for range 400 {
			s.press("j")
			s.draw()
			seen.WriteString(paint.Text(s.grid))
		}
		for _, want := range []string{"OUTSIDE", "echo done", "allow once"} {
			if !strings.Contains(strings.Join(strings.Fields(seen.String()), " "), want) {
				t.Errorf("%v: %q cannot be reached", size, want)
			}
		}
		s.press("Down")
		s.wait(time.Second)
		if a := answersIn(s.press("Enter")); len(a) != 1 || a[0].Number != 1 {
			t.Errorf("%v: cannot be answered when it was read; note: %s", size, s.card.note)
		}
	}
}

func TestTooSmallToAnswer(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {0, 10}, {10, 0}, {15, 40}, {1, 1}} {
		s := newScene(Options{})
		s.grid.Clear(size[0], size[1])
		s.look(s.ask(edit()))
		for range 200 {
			if a := answersIn(s.press("j", "1")); len(a) > 0 {
				t.Fatalf("allowed at %v", size)
			}
		}
	}
}

func TestReadAllOff(t *testing.T) {
	s := newScene(Options{})
	s.look(s.ask(long(60)))
	if a := answersIn(s.press("1")); len(a) != 1 {
		t.Errorf("locked: %s", s.card.note)
	}
}

// What is shown of what agents send.
func TestContent(t *testing.T) {
	for name, test := range map[string]struct {
		p    control.Pending
		want []string
		not  []string
	}{
		"command": {control.Pending{Kind: "execute", Input: raw(map[string]any{"command": "make\ntest", "timeout": 5})},
			[]string{"1  make", "2  test", `"timeout": 5`}, nil},
		"arguments": {control.Pending{Kind: "execute", Input: raw(map[string]any{"command": []string{"bash", "-lc", "a b\nc", ""}})},
			[]string{"command, 4 arguments", "1  bash", "2  -lc", "3  a b", "   c", "4  (empty)"}, nil},
		"version 2": {control.Pending{Kind: "execute", Command: "make", Description: "builds", Input: raw(map[string]any{"command": "make"})},
			[]string{"description", "builds", "1  make"}, []string{"2  make", "other input"}},
		"two different commands": {control.Pending{Kind: "execute", Command: "make", Input: raw(map[string]any{"command": "rm"})},
			[]string{"1  make", "1  rm"}, nil},
		"a name twice": {control.Pending{Input: json.RawMessage(`{"command":"make","command":"rm"}`)},
			[]string{`"command": "make"`, `"command": "rm"`}, nil},
		"a name in two cases": {control.Pending{Input: json.RawMessage(`{"command":"make","Command":"rm"}`)},
			[]string{`"command": "make"`, `"Command": "rm"`}, nil},
		"only a title": {control.Pending{Kind: "execute", Title: "make all", Content: raw([]any{map[string]any{"type": "content", "content": map[string]any{"type": "text", "text": "[in /ws]"}}})},
			[]string{"1  make all", "[in /ws]"}, nil},
		"nothing":  {control.Pending{}, []string{"neither input nor title"}, nil},
		"a string": {control.Pending{Input: raw("do this")}, []string{"do this"}, nil},
		"a list":   {control.Pending{Input: raw([]int{1, 2})}, []string{"[", "  1,", "  2", "]"}, nil},
		"a diff": {control.Pending{Content: raw([]any{diffOf("a.go", "x\ny\n", "x\nz\n")})},
			[]string{"-y", "+z", " x"}, []string{"@@"}},
		"a new file":      {control.Pending{Content: raw([]any{diffOf("a.go", nil, "x\n")})}, []string{"new file", "+x"}, nil},
		"no line feed":    {control.Pending{Content: raw([]any{diffOf("a.go", "x\n", "x")})}, []string{"-x", "+x (no line feed)"}, nil},
		"nothing changes": {control.Pending{Content: raw([]any{diffOf("a.go", "x\n", "x\n")})}, []string{"no line changes"}, nil},
		"two diffs": {control.Pending{Content: raw([]any{diffOf("a.go", nil, "x\n"), diffOf("b.go", nil, "y\n")})},
			[]string{"2 files", "1/2  a.go", "2/2  b.go", "+x", "+y"}, nil},
		"a diff with more in it": {control.Pending{Content: json.RawMessage(`[{"type":"diff","path":"a","newText":"b","run":"rm"}]`)},
			[]string{`"run": "rm"`}, nil},
		"a patch": {control.Pending{Input: raw(map[string]any{"fileName": "a", "diff": "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n"})},
			[]string{"-x", "+y", `"fileName": "a"`}, nil},
		"a patch of version 2": {control.Pending{Content: raw([]any{map[string]any{"type": "diff", "changes": []any{}, "patch": map[string]any{"format": "git_patch", "text": "+x\n"}}})},
			[]string{"git patch", "+x"}, nil},
		"padding": {control.Pending{Input: raw(map[string]any{"command": "ls" + strings.Repeat(" ", 200) + "; rm -rf /"})},
			[]string{"ls‹200 blanks›; rm -rf /"}, nil},
		"empty lines": {control.Pending{Input: raw(map[string]any{"command": "ls" + strings.Repeat("\n", 100) + "rm -rf /"})},
			[]string{"‹99 empty lines›", "101  rm -rf /"}, nil},
		"empty lines in a tree": {control.Pending{Input: raw(map[string]any{"x": "ls" + strings.Repeat("\n", 100) + "rm -rf /"})},
			[]string{"‹99 empty lines›", "rm -rf /"}, nil},
		"empty lines in a diff": {control.Pending{Content: raw([]any{diffOf("a", nil, "x\n"+strings.Repeat("\n", 100)+"y\n")})},
			[]string{"‹100 empty lines›", "+y"}, nil},
		"escapes": {control.Pending{Input: raw(map[string]any{"command": "a\x1b[2K\u202eb\ufeff"})},
			[]string{"␛[2K", "1 control and 2 hidden characters shown, not obeyed"}, nil},
		"letters":       {control.Pending{Input: raw(map[string]any{"command": "c\u0430t"})}, []string{"look-alike letters: Cyrillic \u0430 U+0430"}, nil},
		"other letters": {control.Pending{Input: raw(map[string]any{"command": "cat 日本"})}, []string{"letters that are not ASCII: ", "U+65E5"}, []string{"look-alike"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			s.grid.Clear(100, 60)
			p := test.p
			p.Options = options3()
			s.look(s.ask(&p))
			s.draw()
			text := paint.Text(s.grid)
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			for _, not := range test.not {
				if strings.Contains(text, not) {
					t.Errorf("%q is in\n%s", not, text)
				}
			}
		})
	}
}
