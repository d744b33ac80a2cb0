package talk_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
)

// opened are the rows of a timeline whose last item was opened.
func opened(b *builder, width, height int) string {
	tl, c := timelineOf(b), seenBy(b.m, 60)
	rows(tl, width, height, c)
	tl.Do(keys.Open, c)
	return strings.Join(rows(tl, width, height, c), "\n")
}

func TestAnOpenCallHasItsCommandWhole(t *testing.T) {
	command := "rm -rf " + strings.Repeat("build/some/folder ", 30) + "/the/last/one"
	input, _ := json.Marshal(map[string]string{"command": command})
	for name, make := range map[string]func(b *builder){
		"in its input": func(b *builder) { b.tool(0, 1, "completed", "execute", "Clean").Tool.Input = input },
		"in the question": func(b *builder) {
			p := b.ask(b.tool(0, 1, "completed", "execute", "Clean"), 1, 0)
			p.Card.Command = command
			b.settle(p, "panel", 1, time.Second)
		},
	} {
		for _, width := range []int{40, 66, 100, 160} {
			b := newBuilder()
			make(b)
			squeeze := func(s string) string {
				return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \n│►", r) }), "")
			}
			if got := opened(b, width, 60); !strings.Contains(squeeze(got), squeeze(command)) {
				t.Errorf("%s, at %d cells the command is not whole:\n%s", name, width, got)
			}
		}
	}
}

func TestTheInputOfAnOpenCallIsBounded(t *testing.T) {
	b := newBuilder()
	many := map[string]string{}
	for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		many[name] = strings.Repeat("x", 3000)
	}
	b.tool(0, 1, "completed", "execute", "Clean").Tool.Input, _ = json.Marshal(many)
	got := opened(b, 100, 200)
	if n := strings.Count(got, "xxx\n"); n < 30 || n > 60 {
		t.Errorf("it has %d rows of input", n)
	}
	if !strings.Contains(got, "… and more; w shows its frames") {
		t.Errorf("it does not say that there is more:\n%s", got)
	}
}
