package card

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/paint"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// readThrough reads a card to its end, as a person does, and gives all that was
// on the screen, without edges, blanks and line breaks.
func readThrough(s *scene) string {
	var seen strings.Builder
	for range 2000 {
		for _, row := range strings.Split(paint.Text(s.grid), "\n") {
			seen.WriteString(strings.NewReplacer(" ", "", "│", "", "►", "").Replace(row))
		}
		if s.card.sheet == nil || s.card.sheet.unseen == 0 {
			return seen.String()
		}
		s.press("Space")
	}
	return seen.String()
}

const payload = "rm-rf/payload"

func hidden(input, content any) *control.Pending {
	p := &control.Pending{
		Title: "Format the code", Kind: "edit", Verdict: inside("src/auth/token.go"), Options: options3(),
	}
	p.Input, _ = input.(json.RawMessage)
	if input != nil && p.Input == nil {
		p.Input = raw(input)
	}
	if content != nil {
		p.Content = raw(content)
	}
	return p
}

// Whatever part of a request the harm is in, it has been on the screen when what
// allows is open.
func TestNothingIsLeftOut(t *testing.T) {
	harmless := []any{diffOf("src/auth/token.go", "a\n", "b\n")}
	same := []any{diffOf("src/auth/token.go", "a\n", "a\n")}
	padding := strings.Repeat(" \t \u00a0\u2800\u3164\u3000\n", 300)
	for name, p := range map[string]*control.Pending{
		"input beside a diff":          hidden(map[string]any{"script": payload}, harmless),
		"a program beside a diff":      hidden(map[string]any{"command": map[string]any{"program": "sh", "args": []string{"-c", payload}}}, harmless),
		"odd arguments beside a diff":  hidden(map[string]any{"args": []any{1, payload, nil}}, harmless),
		"a command beside a diff":      hidden(map[string]any{"cmd": payload}, same),
		"an array beside a diff":       hidden([]any{payload}, harmless),
		"a text beside a diff":         hidden(payload, harmless),
		"a name beside a diff":         hidden(map[string]any{payload: true}, harmless),
		"twice":                        hidden(json.RawMessage(`{"command":"ls","command":"`+payload+`"}`), nil),
		"twice, in another case":       hidden(json.RawMessage(`{"command":"ls","Command":"`+payload+`"}`), harmless),
		"the last of many diffs":       hidden(nil, append(changesAnd(40), diffOf("x", "a", payload))),
		"the path of the last":         hidden(nil, append(changesAnd(40), diffOf(payload, "a", "a"))),
		"a path with no change":        hidden(nil, []any{diffOf(payload, "a", "a")}),
		"an empty file":                hidden(nil, []any{diffOf(payload, nil, "")}),
		"a long path":                  hidden(nil, []any{diffOf(strings.Repeat("deep/", 9)+payload, "a", lines(80))}),
		"what a diff has besides":      hidden(nil, []any{map[string]any{"type": "diff", "path": "a", "oldText": "a", "newText": "b", "moveTo": payload}}),
		"below a diff's _meta":         hidden(nil, []any{map[string]any{"type": "diff", "path": "a", "oldText": "a", "newText": "b", "_meta": map[string]any{"moveTo": payload}}}),
		"a move":                       hidden(nil, []any{map[string]any{"type": "diff", "changes": []any{map[string]any{"operation": "move", "path": "b", "oldPath": payload}}, "patch": map[string]any{"format": "git_patch", "text": "x"}}}),
		"a delete":                     hidden(nil, []any{map[string]any{"type": "diff", "changes": []any{map[string]any{"operation": "delete", "path": payload}}}}),
		"a kind of content not known":  hidden(nil, []any{map[string]any{"type": "shell", "run": payload}}),
		"content that is no list":      hidden(nil, map[string]any{"type": "diff", "run": payload}),
		"behind padding":               hidden(map[string]any{"command": padding + payload}, nil),
		"behind padding, in a diff":    hidden(nil, []any{diffOf("a", "", padding+payload)}),
		"behind padding, in a tree":    hidden(map[string]any{"other": padding + payload}, nil),
		"behind padding, in arguments": hidden(map[string]any{"argv": []string{padding, padding + payload}}, nil),
		"behind padding, in a text":    hidden(nil, []any{map[string]any{"type": "content", "content": map[string]any{"type": "text", "text": padding + payload}}}),
		"one long line":                hidden(map[string]any{"command": "echo " + strings.Repeat("x", 6000) + ";" + payload}, nil),
		"the title alone":              {Title: strings.Repeat("lorem ipsum ", 80) + payload, Kind: "execute", Options: options3()},
		"the title beside an input":    {Title: strings.Repeat("lorem ipsum ", 80) + payload, Kind: "other", Input: raw(map[string]any{"a": 1}), Options: options3()},
		"the folder":                   {Title: "ls", Kind: "execute", Command: "ls", Cwd: strings.Repeat("/deep", 60) + payload, Options: options3()},
		"the kind":                     {Title: "ls", Kind: strings.Repeat("other ", 60) + payload, Command: "ls", Options: options3()},
		"one of many paths":            {Title: "ls", Kind: "read", Command: "ls", Options: options3(), Verdict: pathsThen(40, payload)},
		"the verdict":                  {Title: "ls", Kind: "read", Command: "ls", Options: options3(), Verdict: broker.Verdict{Level: "odd", Text: strings.Repeat("word ", 100) + payload}},
		"the name of an option": {Title: "ls", Kind: "read", Command: "ls", Options: []control.Option{
			{Number: 1, ID: "a", Name: strings.Repeat("Yes ", 100) + payload, Kind: "allow_once"}, {Number: 2, ID: "b", Name: "No", Kind: "reject_once"}}},
	} {
		for _, size := range [][2]int{{50, 33}, {50, 12}, {30, 9}, {100, 30}, {62, 14}} {
			t.Run(fmt.Sprintf("%s at %dx%d", name, size[0], size[1]), func(t *testing.T) {
				s := newScene(Careful())
				s.grid.Clear(size[0], size[1])
				s.look(s.ask(p))
				seen := readThrough(s)
				s.wait(2 * time.Second)
				if a := answersIn(s.press("1")); len(a) == 0 {
					if s.card.confirm == nil {
						t.Errorf("cannot be answered: %s\n%s", s.card.note, paint.Text(s.grid))
					}
					return
				}
				if !strings.Contains(seen, payload) {
					t.Errorf("allowed, and never on the screen\n%s", paint.Text(s.grid))
				}
			})
		}
	}
}

func changesAnd(n int) (all []any) {
	for i := range n {
		all = append(all, diffOf(fmt.Sprintf("file%d", i), "a\n", "b\n"))
	}
	return all
}

func pathsThen(n int, last string) broker.Verdict {
	v := broker.Verdict{Level: broker.LevelOutside, Text: "outside"}
	for i := range n {
		v.Paths = append(v.Paths, broker.Path{Path: fmt.Sprintf("/etc/%d", i), Reason: "outside"})
	}
	v.Paths = append(v.Paths, broker.Path{Path: last, Reason: "outside"})
	return v
}

// The path of the only file stands in the edge of the box, beside what else
// there is to say, or it is not left there.
func TestPathsAreWhole(t *testing.T) {
	for _, n := range []int{1, 30, 3000} {
		for _, size := range [][2]int{{50, 33}, {66, 20}, {100, 30}, {160, 50}} {
			for length := 20; length < 150; length++ {
				s := newScene(Careful())
				s.grid.Clear(size[0], size[1])
				path := strings.Repeat("p", length-len(payload)) + payload
				s.look(s.ask(hidden(nil, []any{diffOf(path, nil, lines(n))})))
				text := strings.NewReplacer(" ", "", "│", "", "\n", "").Replace(paint.Text(s.grid))
				if !strings.Contains(text, payload) {
					t.Fatalf("%d lines at %v: a path of %d letters is cut:\n%s", n, size, length, paint.Text(s.grid))
				}
			}
		}
	}
}

// What may be only the beginning is allowed with a word.
func TestTheBeginningAlone(t *testing.T) {
	for name, p := range map[string]*control.Pending{
		"command":     {Title: "ls", Kind: "execute", Command: strings.Repeat("x", 64<<10), Options: options3()},
		"title":       {Title: strings.Repeat("lorem ", 4<<10/6) + "ipsum", Kind: "execute", Options: options3()},
		"description": {Title: "ls", Kind: "read", Command: "ls", Description: strings.Repeat("word ", 4<<10/5+1), Options: options3()},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(Careful())
			s.grid.Clear(160, 50)
			s.look(s.ask(p))
			seen := readThrough(s)
			s.wait(time.Second)
			if a := answersIn(s.press("1")); len(a) > 0 || s.card.confirm == nil {
				t.Errorf("allowed without a word: %s", s.card.note)
			}
			if !strings.Contains(seen, "ONLYTHEBEGINNINGOFTHE"+strings.ToUpper(name)) {
				t.Error("nothing tells that it is only the beginning")
			}
		})
	}
}

// No row of a title begins as one of ours does.
func TestATitleIsNoVerdict(t *testing.T) {
	const verdict = "✓ inside the workspace"
	for _, width := range []int{50, 66, 100, 160} {
		for pad := range width {
			s := newScene(Careful())
			s.grid.Clear(width, 40)
			p := command()
			p.Title, p.Verdict = strings.Repeat("x", 1+pad)+" "+verdict, broker.Verdict{Level: broker.LevelUnjudged}
			s.look(s.ask(p))
			for _, row := range strings.Split(paint.Text(s.grid), "\n") {
				if strings.HasPrefix(strings.TrimLeft(row, " "), "✓ inside") {
					t.Fatalf("at %d columns, a row of the title is %q", width, row)
				}
			}
		}
	}
}
