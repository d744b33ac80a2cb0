package replay

import (
	"cmp"
	"slices"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/session"
)

// subject is what a request or notification is about, in words by which two of
// one method can be told apart; empty where there is none. before has been shown
// everything in front of it.
func subject(method string, params []byte, before *session.Fold) string {
	switch method {
	case acp.MethodReadTextFile, acp.MethodWriteTextFile:
		return said(params, "path")
	case acp.MethodTerminalCreate:
		t := acp.ReadTerminal(params)
		return strings.Join(append([]string{t.Command.Value}, t.Args...), " ")
	case acp.MethodTerminalOutput, acp.MethodTerminalRelease, acp.MethodTerminalWaitForExit, acp.MethodTerminalKill:
		return said(params, "terminalId")
	case acp.MethodElicitationCreate:
		return said(params, "message")
	case acp.MethodRequestPermission:
		return permissionSubject(params, before)
	case acp.MethodSessionSetMode:
		return said(params, "modeId")
	case acp.MethodSessionSetModel:
		return said(params, "modelId")
	case acp.MethodSessionSetConfigOption:
		return said(params, "configId") + " " + string(member(params, "value"))
	case acp.MethodAuthenticate, acp.MethodAuthLogin:
		return said(params, "methodId")
	case acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionDelete:
		return said(params, "sessionId")
	}
	return ""
}

// permissionSubject is the kind of what is asked, its title and its paths.
func permissionSubject(params []byte, before *session.Fold) string {
	kind, title, paths := permissionWords(params, before)
	return joined(append([]string{kind, title}, paths...))
}

// permissionWords reads a permission request, by what was announced of the tool
// call as well.
func permissionWords(params []byte, before *session.Fold) (kind, title string, paths []string) {
	p := acp.ReadPermission(params)
	call, _ := before.About(&p)
	paths = append(paths, call.Locations...)
	for _, l := range p.Call.Locations {
		paths = append(paths, l.Value)
	}
	for _, d := range call.Diffs {
		paths = append(paths, d.Path)
	}
	for _, d := range p.Call.Diffs {
		paths = append(paths, d.Path.Value)
	}
	slices.Sort(paths)
	title = joined([]string{cmp.Or(p.Title, call.Title), p.Command})
	return cmp.Or(p.Call.Kind.Value, call.Kind), title, slices.Compact(paths)
}

// joined are the words that are not empty, each once.
func joined(words []string) string {
	var kept []string
	seen := map[string]bool{"": true}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// label names a request or notification for people.
func label(method, subject string) string {
	if subject != "" {
		return short(method) + " " + show(subject)
	}
	return short(method)
}

// label names what a step asks, or what it answers.
func (t *step) label() string {
	if t.isReply() {
		return "the answer to " + label(t.method, t.subject)
	}
	return label(t.method, t.subject)
}
