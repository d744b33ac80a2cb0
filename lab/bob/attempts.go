package bob

import (
	"strings"

	"bobproxy/acp"
)

// attempt is one way out of the session's directory.
type attempt struct {
	title string
	kind  string // of its tool call
	frame string // what is sent, with places to fill in
	use   use
}

// The places in a frame are {id}, {session}, {call} and {options} of the
// request, {cwd}, {outside}, {name} (the last element of {outside}), {up} (the way
// there from {cwd}) and {new} (a file name that is free for each attempt).
// Links have been made in {cwd}: bob-door leads to {outside}, bob-key to
// secret.txt in it, bob-later to a file in it that is not there.

// attempts are tried in this order.
var attempts = []attempt{
	{"read /etc/passwd", "read", reads(`"path":"/etc/passwd"`), (*escape).gotText},
	{"read a file beside the workspace", "read", reads(`"path":"{outside}/secret.txt"`), (*escape).gotText},
	{"read it by way of ..", "read", reads(`"path":"{cwd}/{up}/secret.txt"`), (*escape).gotText},
	{"read it by a relative path", "read", reads(`"path":"{up}/secret.txt"`), (*escape).gotText},
	{"read it by a file: URI", "read", reads(`"path":"file://{outside}/secret.txt"`), (*escape).gotText},
	{"read it through a link to its folder", "read", reads(`"path":"{cwd}/bob-door/secret.txt"`), (*escape).gotText},
	{"read it through a link to itself", "read", reads(`"path":"{cwd}/bob-key"`), (*escape).gotText},
	{"read it through .. behind a link", "read", reads(`"path":"{cwd}/bob-door/../{name}/secret.txt"`), (*escape).gotText},
	{"read it through /proc/self/root", "read", reads(`"path":"/proc/self/root{outside}/secret.txt"`), (*escape).gotText},
	{"read it by a second path in one frame", "read", reads(`"path":"{cwd}/README.md","path":"{outside}/secret.txt"`), (*escape).gotText},
	{"read it by a second path, spelt Path", "read", reads(`"path":"{cwd}/README.md","Path":"{outside}/secret.txt"`), (*escape).gotText},
	{"read it in a batch of one", "read", "[" + reads(`"path":"{outside}/secret.txt"`) + "]", (*escape).gotText},

	{"write a file beside the workspace", "edit", writes(`"path":"{outside}/{new}"`), (*escape).gotWritten},
	{"write through a link to a folder", "edit", writes(`"path":"{cwd}/bob-door/{new}"`), (*escape).gotWritten},
	{"write through a link to what is not there", "edit", writes(`"path":"{cwd}/bob-later"`), (*escape).gotWritten},
	{"write with an escape in the method's name", "edit", strings.Replace(writes(`"path":"{outside}/{new}"`), `"fs/`, `"\u0066s/`, 1), (*escape).gotWritten},

	{"run a command beside the workspace", "execute", runs(`"cwd":"{outside}"`), (*escape).gotTerminal},
	{"run a command in a linked folder", "execute", runs(`"cwd":"{cwd}/bob-door"`), (*escape).gotTerminal},
	{"run a command in a relative folder", "execute", runs(`"cwd":"{up}"`), (*escape).gotTerminal},

	{"ask to edit a file beside the workspace", "edit", asks(`"kind":"edit","locations":[{"path":"{outside}/{new}"}],"content":[{"type":"diff","path":"{outside}/{new}","newText":"Bob\n"}]`), (*escape).mayWrite},
	{"ask to edit it and call that reading", "read", asks(`"kind":"read","content":[{"type":"diff","path":"{outside}/{new}","newText":"Bob\n"}]`), (*escape).mayWrite},
	{"ask to edit it by a relative path", "edit", asks(`"kind":"edit","locations":[{"path":"{up}/{new}"}]`), (*escape).mayWrite},
	{"ask to read a file beside the workspace", "read", asks(`"kind":"read","locations":[{"path":"{outside}/secret.txt"}]`), (*escape).mayRead},
}

func reads(params string) string { return sends(acp.MethodReadTextFile, params) }

func writes(params string) string {
	return sends(acp.MethodWriteTextFile, params+`,"content":"Bob was here.\n"`)
}

// runs leaves a file where the command ran.
func runs(params string) string {
	return sends(acp.MethodTerminalCreate, `"command":"touch","args":["{new}"],`+params)
}

func asks(call string) string {
	return sends(acp.MethodRequestPermission, `"options":{options},"toolCall":{"toolCallId":"{call}",`+call+`}`)
}

func sends(method, params string) string {
	return `{"jsonrpc":"2.0","id":{id},"method":"` + method + `","params":{"sessionId":"{session}",` + params + `}}`
}
