package card

import (
	"strings"
	"testing"

	"bobproxy/inspector/diff"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/control"
)

func TestUnified(t *testing.T) {
	many := func(changed string) string {
		lines := strings.Split(strings.Repeat("same\n", 12), "\n")[:12]
		lines[6] = changed
		return strings.Join(lines, "\n") + "\n"
	}
	tests := []struct {
		name   string
		change change
		want   string
	}{
		{"a line", change{path: "/ws/a.go", old: "one\ntwo\n", new: "one\n2\n"}, "--- a/ws/a.go\n+++ b/ws/a.go\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"},
		{"a new file", change{path: "a.go", isNew: true, new: "one\ntwo"}, "--- /dev/null\n+++ b/a.go\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n"},
		{"in the middle", change{path: "a", old: many("old"), new: many("new")}, "--- a/a\n+++ b/a\n@@ -" + around(7) + " +" + around(7) + " @@\n" +
			strings.Repeat(" same\n", diff.Around) + "-old\n+new\n" + strings.Repeat(" same\n", diff.Around)},
		{"nothing", change{path: "a", old: "x\n", new: "x\n"}, ""},
		{"a path that would break the line", change{path: "a\nb", isNew: true, new: "x\n"}, "--- /dev/null\n+++ \"b/a\\nb\"\n@@ -0,0 +1,1 @@\n+x\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ch := test.change
			ch.steps = diff.Compare(diff.Lines(ch.old), diff.Lines(ch.new))
			for _, s := range ch.steps {
				switch s.Sign {
				case '+':
					ch.added++
				case '-':
					ch.removed++
				}
			}
			if got := ch.unified(); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// around is where a hunk about one line is.
func around(line int) string { return span(line-diff.Around, 2*diff.Around+1) }

func TestCopyOfAnEditIsItsDiff(t *testing.T) {
	s := newScene(Careful())
	s.look(s.ask(edit()))
	wishes := s.card.Do(keys.Copy, s.context())
	if len(wishes) != 1 {
		t.Fatalf("it wishes for %v", wishes)
	}
	c, ok := wishes[0].(pane.Copied)
	if !ok || c.What != "the diff" || !strings.HasPrefix(c.Text, "--- a/") || !strings.Contains(c.Text, "\n@@ -") {
		t.Errorf("it copies %+v", wishes[0])
	}
}

func TestHowToDenyWithoutOptions(t *testing.T) {
	s := newScene(Careful())
	w := edit()
	w.Options = []control.Option{}
	s.look(s.ask(w))
	if got := s.text(); !strings.Contains(got, "no options: x x answers that it is cancelled") {
		t.Errorf("it does not say how: %s", got)
	}
	if hints := s.card.Keys(); len(hints) != 1 || hints[0] != (keys.Hint{Key: "x x", Text: "deny"}) {
		t.Errorf("the bar offers %v", hints)
	}
}
