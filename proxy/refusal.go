package proxy

import (
	"fmt"
	"strings"

	"bobproxy/acp"
	"bobproxy/proxy/bounds"
	"bobproxy/proxy/broker"
)

// invalidParams is the code of every refusal. Others would be misread: editors
// start a login at -32000, agents take -32002 for a file that is not there,
// -32601 for a method that never works, and -32800 for a user's cancellation.
const invalidParams = -32602

// refusal is why a frame does not pass.
type refusal struct {
	reason  string // for the recording
	message string // for whoever sent it, a model as a rule: what is wrong, and that asking again does not help
	rule    string // a word for programs
	path    string // what it named, as it named it
	roots   []string
}

// reply is the error reply to s; nil where there must be none.
func (r refusal) reply(s *acp.Frame) []byte {
	if !answerable(s) {
		return nil
	}
	type data struct {
		Source string   `json:"source"`
		Rule   string   `json:"rule"`
		Path   string   `json:"path,omitempty"`
		Roots  []string `json:"roots,omitempty"`
	}
	return broker.ErrorReply(s.ID, invalidParams, r.message, data{"bobproxy", r.rule, clip(r.path, 4<<10), few(r.roots)})
}

// words are for the recording of what was let through.
func (r refusal) words() string {
	if r.path == "" {
		return r.reason
	}
	return fmt.Sprintf("%q is %s", clip(r.path, 1<<10), r.reason)
}

// answerable says that s is a request, or can be read as one, by somebody who can
// tell an answer to it. What answers a notification or a response would be taken
// for the answer to something else.
func answerable(s *acp.Frame) bool {
	asks := s.Kind == acp.Request || s.Kind == acp.Ambiguous && (s.Method != nil || s.Reason == acp.MethodNotString)
	return asks && broker.Answerable(s.ID)
}

// few are so many roots as a reply may repeat each time.
func few(roots []string) []string {
	size := 0
	for i, root := range roots {
		if size += len(root); size > 8<<10 && i > 0 {
			return roots[:i]
		}
	}
	return roots
}

// The refusals of what an agent asks the editor to open. Each says what is
// wrong, that the same will not do, and what would, so that a model stops asking
// and a person knows what to set. Where a link leads outside is said to neither:
// it would tell the agent what there is.

func ambiguous(r acp.Reason) refusal {
	return refusal{
		reason: r.String(), rule: "ambiguous",
		message: fmt.Sprintf("bobproxy did not pass this request on, because programs could read it in two ways (%s). Asking again in the same form will not help; send it as plain JSON, each member once", r),
	}
}

// goesOn is for a line that is no frame, but may be a part of one.
func goesOn() refusal {
	return refusal{
		reason: "may go on with an object of a line before", rule: "ambiguous",
		message: "programs that do not read line by line could find a request in it and in what came before",
	}
}

func unknownSession() refusal {
	return refusal{
		reason: "unknown session", rule: bounds.NoRoots.String(),
		message: "bobproxy refused this request: it is for a session that the editor has not opened, so there is no workspace that it could be in. Asking again will not help",
	}
}

func noPath() refusal {
	return refusal{
		reason: "no path", rule: "no_path",
		message: "bobproxy refused this request: it names no path, or one that is not a string. Asking again will not help; name an absolute path",
	}
}

// unusable is for a session whose directories are none here.
func unusable(path string, v bounds.Verdict, cwd string) refusal {
	return refusal{
		reason: "outside the workspace: " + v.Code.String(), rule: v.Code.String(), path: path,
		message: fmt.Sprintf("bobproxy refused %q: the session's directory, %q, is no absolute path of a directory on the machine that bobproxy runs on, so no path can be inside. Asking again will not help",
			clip(path, 1<<10), clip(cwd, 1<<10)),
	}
}

func outside(path string, v bounds.Verdict, roots []string, want bounds.Access) refusal {
	return refusal{
		reason: "outside the workspace: " + v.Code.String(), rule: v.Code.String(), path: path, roots: roots,
		message: fmt.Sprintf("bobproxy refused %q: it %s. The workspace is %s. Asking again for this path will not help; %s",
			clip(path, 1<<10), v.Code.Text(), clip(strings.Join(roots, ", "), 1<<10), remedy(v.Code, want)),
	}
}

// remedy is what does help.
func remedy(code bounds.Code, want bounds.Access) string {
	switch code {
	case bounds.Escape, bounds.ReadOnly:
		flag := "--allow"
		if want == bounds.Read {
			flag = "--allow-read"
		}
		return "stay inside the workspace, or ask the user to start bobproxy with " + flag + " DIR"
	case bounds.Relative:
		return "use an absolute path inside the workspace"
	case bounds.RootChanged:
		return "the user has to open the session again"
	}
	return "use another path inside the workspace"
}
