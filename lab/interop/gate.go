package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// gate says in what a proxied conversation differs from the direct one, because
// somebody else than the client answers a permission. The agent must not be able
// to tell: in the direct run the client gives the same answer at once.
type gate struct {
	by     string  // who answers in the proxied run: command, timeout or bounds
	allow  bool    // a command's answer; the others never allow
	script bool    // the command has no terminal, but is permitted to allow
	reply  string  // what the client does once its dialog is withdrawn: error, late, never or cancelled
	strays bool    // the agent's attempts to get out; there is no direct run
	direct program // the client of the direct run
	flags  []string

	// refused is what bobproxy refuses, by method, and told what it flags besides.
	refused, told []string
}

func (g *gate) String() string {
	answer := map[bool]string{true: "allowed", false: "denied"}[g.allow]
	switch g.by {
	case "timeout":
		return "nobody answers, dialog " + g.reply
	case "bounds":
		if g.strays {
			return "outside and inside"
		}
		return "refused outside"
	}
	return answer + " elsewhere, dialog " + g.reply
}

// kind is the option that g ends with.
func (g *gate) kind() string {
	if g.allow {
		return "allow_once"
	}
	return "reject_once"
}

// compareGated is compare for a pair with a gate.
func (p pair) compareGated(direct, proxied outcome) (problems []string) {
	bad := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, o := range []outcome{direct, proxied} {
		if o.err != nil {
			bad("%s: %v", o.folder, o.err)
		}
		if !bytes.Contains(o.editor.agent, []byte(`"stopReason":`)) {
			bad("%s: no turn came to its end", o.folder)
		}
	}
	alike := func(what string, a, b []byte) {
		if diff := difference(sorted(direct.normal(canonical(a))), sorted(proxied.normal(canonical(b)))); diff != "" {
			bad("%s differs:%s", what, diff)
		}
	}
	alike("what the agent got", direct.editor.client, proxied.agent.client)
	alike("what the agent wrote", direct.editor.agent, proxied.agent.agent)
	if diff := difference(direct.workspace, proxied.workspace); diff != "" {
		bad("the workspace differs:%s", diff)
	}
	if !p.client.abrupt && direct.editor.status != proxied.editor.status {
		bad("the agent ended with %d, bobproxy with %d", direct.editor.status, proxied.editor.status)
	}
	for _, line := range added(direct.normal(direct.output), proxied.normal(proxied.output)) {
		if line != p.client.says {
			bad("the user saw something new: %s", line)
		}
	}
	for _, line := range added(direct.words(), proxied.words()) {
		if p.client.when == "" || strings.Contains(strings.ToLower(line), "error") { // on a terminal there is the dialog, too
			bad("a program complained: %s", line)
		}
	}
	problems = append(problems, p.checkRecording(proxied)...)
	records, _ := readRecording(proxied.recording)
	want, got := p.gate.expected(records), deeds(records)
	alike("what bobproxy did", want, proxied.normal(got))
	return problems
}

// canonical writes each frame anew, so that members stand in one order.
func canonical(frames []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(frames) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			out.Write(line)
			continue
		}
		json.NewEncoder(&out).Encode(v)
	}
	return out.Bytes()
}

// added are the lines of b that a does not have, or not as often. A line of a may
// begin with a question to the user that was not asked in b.
func added(a, b []byte) (lines []string) {
	have := bytes.Split(a, []byte("\n"))
	for line := range bytes.Lines(b) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		i := slices.IndexFunc(have, func(had []byte) bool { return bytes.HasSuffix(bytes.TrimSpace(had), line) })
		if i < 0 {
			lines = append(lines, string(line))
			continue
		}
		have = slices.Delete(have, i, i+1)
	}
	return lines
}

// deeds are what a recording says that bobproxy did or remarked, a line each.
func deeds(records []record) []byte {
	var out bytes.Buffer
	for _, r := range records {
		switch {
		case r.Event == "frame" && (r.Added || r.Action != ""):
			what := r.Action
			if r.Added {
				what = "added"
			}
			about := string(r.ID)
			if about == "" {
				about = r.requestID()
			}
			fmt.Fprintln(&out, what, r.Dir, r.Kind, r.Method, about)
		case r.Event == "decision":
			late := map[bool]string{true: " too late"}[r.Late]
			fmt.Fprintf(&out, "decided by %s: %s %s%s, %s\n", r.By, r.Outcome, r.OptionKind, late, r.ID)
		case r.Event == "flagged":
			fmt.Fprintf(&out, "flagged %s: %s\n", r.Method, optionName.ReplaceAllString(r.Text, ""))
		}
	}
	return out.Bytes()
}

// optionName stands behind an option's kind.
var optionName = regexp.MustCompile(` \("[^"]*"\)`)

// requestID is the id that a withdrawal names.
func (r record) requestID() string {
	var frame struct {
		Params struct{ RequestID json.RawMessage }
	}
	json.Unmarshal(r.Frame, &frame)
	return string(frame.Params.RequestID)
}

// expected are the deeds for the permissions that were asked for, and for what
// g says that is refused besides.
func (g *gate) expected(records []record) []byte {
	var out bytes.Buffer
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	refused := slices.Clone(g.refused)
	for _, r := range records {
		if r.Dir != "agent" || r.Kind != "request" {
			continue
		}
		if i := slices.Index(refused, r.Method); i >= 0 {
			refused = slices.Delete(refused, i, i+1)
			answer := "error"
			if r.Method == askPermission {
				answer = "response"
				say("decided by bounds: selected reject_once, %s", r.ID)
			}
			say("refused agent request %s %s", r.Method, r.ID)
			say("added client %s %s %s", answer, r.Method, r.ID)
			continue
		}
		if r.Method != askPermission {
			continue
		}
		say("decided by %s: selected %s, %s", g.by, g.kind(), r.ID)
		say("added client response %s %s", r.Method, r.ID)
		say("added agent notification $/cancel_request %s", r.ID)
		switch g.reply {
		case "error":
			say("swallowed client error %s %s", r.Method, r.ID)
			say("decided by editor: error  too late, %s", r.ID)
		case "cancelled":
			say("swallowed client response %s %s", r.Method, r.ID)
			say("decided by editor: cancelled  too late, %s", r.ID)
		case "late":
			say("swallowed client response %s %s", r.Method, r.ID)
			say("decided by editor: selected allow_once too late, %s", r.ID)
			if !g.allow {
				say("flagged %s: the editor answered allow_once, but later, and the agent had been told reject_once by %s: not released", r.Method, g.by)
			}
		}
	}
	for _, method := range refused {
		say("refused agent request %s, which was not sent", method)
	}
	for _, text := range g.told {
		say("flagged %s", text)
	}
	return out.Bytes()
}

const askPermission = "session/request_permission"
