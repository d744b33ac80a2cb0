package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
)

// compare says what is wrong with two runs of the pair.
func (p pair) compare(direct, proxied outcome) (problems []string) {
	switch {
	case p.gate == nil:
	case p.gate.strays:
		return p.checkStray(proxied)
	default:
		return p.compareGated(direct, proxied)
	}
	bad := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, o := range []outcome{direct, proxied} {
		if o.err != nil {
			bad("%s: %v", o.folder, o.err)
		}
		if !p.agent.shy && !bytes.Contains(o.editor.agent, []byte(p.endOfTurn())) {
			bad("%s: no turn came to its end", o.folder)
		}
	}
	same := func(what string, a, b []byte) {
		if diff := difference(a, b); diff != "" {
			bad("%s differs:%s", what, diff)
		}
	}
	same("what bobproxy passed to the agent", proxied.editor.client, proxied.agent.client)
	same("what bobproxy passed to the client", proxied.agent.agent, proxied.editor.agent)
	alike := func(what string, a, b []byte) { same(what, sorted(direct.normal(a)), sorted(proxied.normal(b))) }
	alike("what the client wrote", direct.editor.client, proxied.editor.client)
	alike("what the agent wrote", direct.editor.agent, proxied.editor.agent)
	alike("what the user saw", direct.output, proxied.output)
	same("the workspace", direct.workspace, proxied.workspace)
	if !p.client.abrupt && direct.editor.status != proxied.editor.status {
		bad("the agent ended with %d, bobproxy with %d", direct.editor.status, proxied.editor.status)
	}
	return append(problems, p.checkRecording(proxied)...)
}

// endOfTurn is found in what an agent writes when a turn ended by itself.
func (p pair) endOfTurn() string { return `"stopReason":"end_turn"` }

func (p pair) checkRecording(o outcome) []string {
	records, problems := readRecording(o.recording)
	problems = append(problems, checkRecording(records, p.gate != nil)...)
	problems = append(problems, checkWire(records, "client", wrote, o.editor.client)...)
	problems = append(problems, checkWire(records, "client", got, o.agent.client)...)
	problems = append(problems, checkWire(records, "agent", wrote, o.agent.agent)...)
	problems = append(problems, checkWire(records, "agent", got, o.editor.agent)...)
	killed := o.editor.status == -1 && (p.client.killed || p.client.abrupt)
	if killed || len(records) == 0 {
		return problems // bobproxy did not live to write more
	}
	if last := records[len(records)-1]; last.Event != "exit" || last.Status != o.editor.status {
		problems = append(problems, fmt.Sprintf("recording: ends with %s, status %d; bobproxy's was %d", last.Event, last.Status, o.editor.status))
	}
	return problems
}

func (o outcome) frames() int {
	return bytes.Count(o.editor.client, []byte("\n")) + bytes.Count(o.editor.agent, []byte("\n"))
}

// random finds what is different in every run by nature: UUIDs, session ids of
// the example agents, times, and addresses that the Go example client prints.
var random = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(sess_)?\b[0-9a-f]{24,32}\b|sess_[0-9a-f]{24}|ses_[0-9A-Za-z]{26}|\d{4}-\d\d-\d\dT[0-9:.]+Z|0x[0-9a-f]{8,}`)

// words are what was printed on stderr, by the client and all it started, but for
// what the Go SDK says of an end that it may live to see or not.
func (o outcome) words() []byte {
	return ends.ReplaceAll(o.normal(o.stderr), nil)
}

var ends = regexp.MustCompile(`(?m)^\S+ \S+ INFO connection closed .*\n`)

// normal is text without what differs by nature.
func (o outcome) normal(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte(o.folder), []byte("<folder>"))
	return random.ReplaceAll(text, []byte("<random>"))
}

// sorted puts lines in an order of its own. Programs that do several things at
// once, as acpx and the Go example client do, vary theirs from run to run; that
// bobproxy does not is seen where bytes are compared.
func sorted(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	slices.SortFunc(lines, bytes.Compare)
	return bytes.Join(lines, []byte("\n"))
}

// difference shows the first line in which a and b differ.
func difference(a, b []byte) string {
	if bytes.Equal(a, b) {
		return ""
	}
	left, right := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range max(len(left), len(right)) {
		l, r := lineOf(left, i), lineOf(right, i)
		if l != r {
			at := 0
			for at < min(len(l), len(r)) && l[at] == r[at] {
				at++
			}
			at = max(0, at-60)
			return fmt.Sprintf(" line %d, byte %d\n     - %.300s\n     + %.300s", i+1, at, l[min(at, len(l)):], r[min(at, len(r)):])
		}
	}
	return " nothing but line ends"
}

func lineOf(lines [][]byte, i int) string {
	if i >= len(lines) {
		return "(no line)"
	}
	return string(lines[i])
}
