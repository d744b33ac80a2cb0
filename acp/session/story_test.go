package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/acp"
)

// TestStories plays small conversations. In a file each line is a comment, v2
// for an agent that speaks version 2, or a frame:
//
//	> {...}           a frame of the client; < is the agent
//	>1 method {...}   a request with the id 1
//	<1 {...}          its result; <1! {...} an error
//	<u {...}          a session/update of session s; <u@id of another one
//
// Behind a line of dashes follows what becomes of it.
func TestStories(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "story", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			script, _, _ := strings.Cut(string(text), "----\n")
			golden(t, file, script+"----\n"+tellScript(t, script))
		})
	}
}

func tellScript(t *testing.T, script string) string {
	r := newTeller(t)
	var b strings.Builder
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line == "v2":
			r.line(acp.Client, `{"id":"v","method":"initialize","params":{"protocolVersion":2}}`)
			r.line(acp.Agent, `{"id":"v","result":{"protocolVersion":2}}`)
		default:
			from, frame := frameOf(line)
			told := r.line(from, frame)
			fmt.Fprintf(&b, "%2d %s\n", r.seq, toldWords(told))
		}
	}
	for _, talk := range r.story.Talks() {
		b.WriteString(talkWords(talk))
	}
	return b.String()
}

// frameOf is the frame that a line of a script stands for.
func frameOf(line string) (from acp.Direction, frame string) {
	from = acp.Client
	if line[0] == '<' {
		from = acp.Agent
	}
	head, rest, _ := strings.Cut(line[1:], " ")
	if at, ok := strings.CutPrefix(head, "u"); ok {
		session := "s"
		if name, named := strings.CutPrefix(at, "@"); named {
			before, after, _ := strings.Cut(rest, "{")
			session, rest = strings.TrimSpace(name+" "+before), "{"+after
		}
		return from, fmt.Sprintf(`{"method":"session/update","params":{"sessionId":"%s","update":%s}}`, session, rest)
	}
	id, failed := strings.CutSuffix(head, "!")
	method, params, named := strings.Cut(rest, " ")
	switch {
	case id == "":
		return from, rest
	case failed:
		return from, fmt.Sprintf(`{"id":%s,"error":%s}`, id, rest)
	case !named || strings.ContainsAny(method[:1], "{[") || method == "null":
		return from, fmt.Sprintf(`{"id":%s,"result":%s}`, id, rest)
	}
	return from, fmt.Sprintf(`{"id":%s,"method":%q,"params":%s}`, id, method, params)
}
