package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// strays is a round with an agent that asks for what is outside of its session
// and then for what is inside. There is no direct run: nobody is to see what
// would come of it.
func (t tools) strays(client, agent program) pair {
	methods := []string{"fs/write_text_file", "fs/read_text_file", "terminal/create"}
	return pair{tools: t, client: client, agent: agent, gate: &gate{by: "bounds", strays: true, refused: methods}}
}

// checkStray says what is wrong with such a round.
func (p pair) checkStray(o outcome) (problems []string) {
	bad := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if o.err != nil {
		bad("%v", o.err)
	}
	refusal := func(what, path string) string {
		return fmt.Sprintf(`%s: -32602 bobproxy bobproxy refused %q: it is outside of the workspace or leads out of it. The workspace is %s. Asking again for this path will not help;`,
			what, filepath.Join(o.folder, path), filepath.Join(o.folder, "work"))
	}
	want := []string{
		refusal("write", "stray.txt"), refusal("read", "stray.txt"), refusal("run", ""),
		"write: done", "read: done", "run: done",
	}
	_, said, _ := strings.Cut(string(o.output), "\n") // the first line is about an echo
	lines := bytes.Split([]byte(said), []byte("\n"))
	for i, w := range want {
		if line := lineOf(lines, i); !strings.HasPrefix(line, w) {
			bad("line %d of what the agent said differs:\n     - %s\n     + %s", i+1, w, line)
		}
	}
	for _, method := range p.gate.refused {
		if n := bytes.Count(o.agent.agent, []byte(`"`+method+`"`)); n != 2 {
			bad("the agent asked for %s %d times, not twice", method, n)
		}
		if n := bytes.Count(o.editor.agent, []byte(`"`+method+`"`)); n != 1 {
			bad("the client was asked for %s %d times, not once", method, n)
		}
	}
	if _, err := os.Lstat(filepath.Join(o.folder, "stray.txt")); err == nil {
		bad("a file was written outside")
	}
	if text, err := os.ReadFile(filepath.Join(o.folder, "work", "stray.txt")); string(text) != "astray\n" {
		bad("the file inside: %q, %v", text, err)
	}
	if bytes.Contains(bytes.ToLower(o.stderr), []byte("error")) {
		bad("a program complained: %s", o.stderr)
	}
	problems = append(problems, p.checkRecording(o)...)
	records, _ := readRecording(o.recording)
	if diff := difference(sorted(p.gate.expected(records)), sorted(deeds(records))); diff != "" {
		bad("what bobproxy did differs:%s", diff)
	}
	return problems
}
