package export

import (
	"encoding/json"
	"slices"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/secret"
	"bobproxy/proxy/journal"
)

// frame scrubs a frame, a JSON object: strings, the names of members, and numbers
// that are a secret. Every other byte stays.
func (s *Scrubber) frame(e *journal.Event, f *acp.Frame) []byte {
	w := rewriter{s: s, in: e.Body, out: make([]byte, 0, len(e.Body))}
	w.tool = strings.HasPrefix(string(f.Update), "tool_call") || e.Method == acp.MethodRequestPermission
	if _, known := acp.FindMethod([]byte(e.Method)); !known && e.Method != "" {
		w.foreign = true
	}
	w.run()
	return w.out
}

// rewriter copies one JSON text, and changes what is in it.
type rewriter struct {
	s       *Scrubber
	in, out []byte
	levels  []level // objects and arrays that are open
	name    string  // of the value that comes next
	tool    bool    // the frame is about a tool call
	foreign bool    // of a method that nobody knows
}

// level is an object or array.
type level struct {
	array bool
	name  string // of the member that it is
	mode  mode
	args  secret.Args // that come next, where it is a list of them
}

// mode says what strings below a level are.
type mode uint8

const (
	spoken    mode = iota // as the protocol says
	toolMode              // content of a tool call
	planMode              // a plan's entries
	resource              // a resource that came with a prompt
	freeStyle             // whatever a peer likes
)

func (w *rewriter) run() {
	key := false // a name is next
	for i := 0; i < len(w.in); {
		switch c := w.in[i]; {
		case c == '"':
			end := stringEnd(w.in, i)
			if key {
				w.member(w.in[i:end])
				key = false
			} else {
				w.value(w.in[i:end])
			}
			i = end
			continue
		case c == '{' || c == '[':
			w.open(c == '[')
			key = c == '{'
		case c == '}' || c == ']':
			w.close()
		case c == ',':
			key = len(w.levels) > 0 && !w.levels[len(w.levels)-1].array
			w.name = w.top().name
		case c == '-' || c >= '0' && c <= '9':
			end := i
			for end < len(w.in) && strings.IndexByte("+-.eE0123456789", w.in[end]) >= 0 {
				end++
			}
			w.number(w.in[i:end])
			i = end
			continue
		}
		w.out = append(w.out, w.in[i])
		i++
	}
}

// stringEnd is where the string that begins at i ends.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

func (w *rewriter) top() level {
	if len(w.levels) == 0 {
		return level{}
	}
	return w.levels[len(w.levels)-1]
}

func (w *rewriter) open(array bool) {
	mode := w.top().mode
	switch {
	case mode == freeStyle:
	case slices.Contains(freeNames, w.name), w.foreign && (w.name == "params" || w.name == "result"):
		mode = freeStyle
	case w.name == "resource":
		mode = resource
	case w.name == "entries" || w.name == "plan":
		mode = planMode
	case w.tool && w.name == "content":
		mode = toolMode
	}
	w.levels = append(w.levels, level{array: array, name: w.name, mode: mode})
}

func (w *rewriter) close() {
	if len(w.levels) > 0 {
		w.levels = w.levels[:len(w.levels)-1]
	}
	w.name = w.top().name
}

func (w *rewriter) member(quoted []byte) {
	w.name, _ = acp.Unquote(quoted)
	w.put(quoted, w.name, w.s.text(w.name, false))
}

func (w *rewriter) number(token []byte) {
	if len(w.s.secrets.numbers) == 0 || len(token) < 4 {
		w.out = append(w.out, token...)
		return
	}
	w.out = append(w.out, w.s.token(token)...)
}

// value scrubs a string.
func (w *rewriter) value(quoted []byte) {
	text, ok := acp.Unquote(quoted)
	switch {
	case !ok:
		w.out = append(w.out, quoted...)
	case slices.Contains(fixedNames, w.name):
		w.put(quoted, text, w.s.text(text, false))
	case w.listed():
		args := &w.levels[len(w.levels)-1].args
		w.put(quoted, text, w.s.command(text, func(line string) string { return w.s.argument(line, args) }))
	default:
		w.put(quoted, text, w.s.valued(w.name, text, w.kind(text)))
	}
}

// listed says that a string is one of a list of arguments.
func (w *rewriter) listed() bool { return w.top().array && slices.Contains(commandNames, w.name) }

// put writes scrubbed, or the string as it was spelled when nothing is changed.
func (w *rewriter) put(quoted []byte, text, scrubbed string) {
	if scrubbed == text {
		w.out = append(w.out, quoted...)
		return
	}
	w.out = appendString(w.out, scrubbed)
}

// valued scrubs the string that a member of that name holds.
func (s *Scrubber) valued(name, text, kind string) string {
	switch {
	case kind == Contents && s.o.NoContents, kind == Texts && s.o.NoTexts:
		return s.blank(text, kind)
	case kind == firstLine:
		return s.command(text, s.line)
	case secret.Name(name) && keyLike(text):
		s.tally.add(Secrets, 1, 0)
		return s.secrets.mark(text)
	case secret.Holds(name, text):
		return s.hide(text, []secret.Span{{Start: 0, End: len(text)}})
	}
	return s.text(text, true)
}

// command scrubs a command, or a part of one, of which only the first line is not
// blanked.
func (s *Scrubber) command(text string, scrub func(string) string) string {
	line, rest, more := strings.Cut(text, "\n")
	if !more || !s.o.NoContents {
		return scrub(text)
	}
	return scrub(line) + "\n" + s.blank(rest, Contents)
}

// firstLine is the kind of a command: what stands below its first line may be a
// file that is written with it.
const firstLine = "first line"

// Members by what their strings are.
var (
	// fixedNames hold the words that the protocol is made of, and ids.
	fixedNames = []string{
		"jsonrpc", "method", "sessionUpdate", "type", "kind", "status", "outcome", "stopReason", "role", "priority", "id", "sessionId",
		"toolCallId", "terminalId", "optionId", "messageId", "modeId", "currentModeId", "configId", "currentValue", "methodId", "requestId",
	}
	freeNames    = []string{"rawInput", "rawOutput", "_meta", "data", "input"}
	contentNames = []string{
		"oldText", "newText", "content", "output", "data", "blob", "diff", "patch", "unifiedDiff", "old_string", "new_string", "oldString",
		"newString", "stdout", "stderr", "aggregated_output", "formatted_output", "file_text",
	}
	textNames    = []string{"text", "title", "message", "prompt", "summary", "thought", "markdown", "detail", "details"}
	programNames = []string{"clientInfo", "agentInfo", "info"}
	commandNames = []string{"command", "cmd", "args", "argv", "script"}
	pathNames    = []string{
		"path", "paths", "file", "files", "file_path", "filePath", "filename", "fileName", "oldPath", "newPath", "cwd", "workdir", "uri", "url",
		"additionalDirectories", "name", "toolName", "tool_name", "tool", "pattern", "mimeType", "version", "traceparent", "tracestate", "baggage",
	}
)

// kind says what a string is.
func (w *rewriter) kind(text string) string {
	mode := w.top().mode
	switch {
	case slices.Contains(commandNames, w.name):
		return firstLine
	case mode == planMode && w.name == "content":
		return Texts
	case slices.Contains(contentNames, w.name):
		return Contents
	case mode == freeStyle && !slices.Contains(pathNames, w.name):
		return Contents
	case (mode == toolMode || mode == resource) && w.name == "text":
		return Contents
	case slices.Contains(programNames, w.top().name):
		return ""
	case slices.Contains(textNames, w.name):
		return Texts
	case len(text) > 512 || strings.Contains(text, "\n"): // wherever it stands, it is more than a name
		return Contents
	}
	return ""
}

// blank puts an x in the place of every byte but line feeds.
func (s *Scrubber) blank(text, kind string) string {
	b := []byte(text)
	for i := range b {
		if b[i] != '\n' {
			b[i] = 'x'
		}
	}
	blank := string(b)
	if blank != text { // else it may be blanked already
		s.tally.add(kind, 1, int64(len(text)))
	}
	return blank
}

// appendString appends text as a JSON string.
func appendString(dst []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic("a string is always JSON: " + err.Error())
	}
	return append(dst, quoted...)
}
