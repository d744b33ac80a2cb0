package session

import (
	"strconv"
	"strings"

	"bobproxy/acp"
)

// maxShort is how many bytes a short word has among others.
const maxShort = 40

// short is an id for where others words matter more: of a long one both ends.
func short(id string) string {
	const long, head, tail = 24, 9, 6
	if len(id) <= long {
		return id
	}
	return clip(id, head) + "…" + end(id, tail)
}

// asks are the first words of a request or notification.
func asks(method string, params []byte) string {
	switch method {
	case acp.MethodInitialize, acp.MethodProxyInitialize:
		return clientWords(params)
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		return joined(short(str(params, maxName, "sessionId")), str(params, MaxFirst, "cwd"),
			more(counted(params, "additionalDirectories"), "directory", "directories"), many(counted(params, "mcpServers"), "MCP server"))
	case acp.MethodSessionPrompt:
		return blocks(get(params, "prompt"))
	case acp.MethodSessionSetConfigOption:
		return str(params, maxWord, "configId") + " = " + valueWords(get(params, "value"))
	case acp.MethodReadTextFile:
		return str(params, MaxFirst, "path") + fromLine(params)
	case acp.MethodWriteTextFile:
		return joined(str(params, MaxFirst, "path"), amount(len(plainText(get(params, "content")))))
	case acp.MethodTerminalCreate:
		return commandLine(params)
	case acp.MethodMCPMessage, acp.MethodProxySuccessor:
		return joined(short(str(params, maxName, "serverId")), str(params, MaxFirst, "method"))
	case acp.MethodCancelRequest:
		return "request " + begin(get(params, "requestId"), maxShort)
	case acp.MethodAuthStatusUpdate:
		return either(params, MaxFirst, "state")
	}
	if name, ok := telltale[method]; ok {
		return str(params, MaxFirst, name)
	}
	return begin(params, MaxFirst)
}

// telltale is the one member that says what a request is about; none for those
// about which there is nothing to say.
var telltale = map[string]string{
	acp.MethodAuthenticate: "methodId", acp.MethodAuthLogin: "methodId", acp.MethodLogout: "", acp.MethodAuthLogout: "", acp.MethodAuthStatus: "",
	acp.MethodProvidersList: "", acp.MethodProvidersSet: "providerId", acp.MethodProvidersDisable: "providerId",
	acp.MethodSessionList: "cwd", acp.MethodSessionClose: "sessionId", acp.MethodSessionDelete: "sessionId",
	acp.MethodSessionArchive: "sessionId", acp.MethodSessionUnarchive: "sessionId", acp.MethodSessionStatus: "sessionId",
	acp.MethodSessionSetTitle: "title", acp.MethodSessionSetMode: "modeId", acp.MethodSessionSetModel: "modelId", acp.MethodSessionCancel: "",
	acp.MethodTerminalOutput: "terminalId", acp.MethodTerminalRelease: "terminalId", acp.MethodTerminalWaitForExit: "terminalId",
	acp.MethodTerminalKill: "terminalId", acp.MethodTerminalCancel: "terminalId", acp.MethodToolCallCancel: "toolCallId",
	acp.MethodElicitationCreate: "message", acp.MethodElicitationComplete: "elicitationId",
	acp.MethodMCPConnect: "serverId", acp.MethodMCPDisconnect: "connectionId",
}

// clientWords are who the client is and what it offers.
func clientWords(params []byte) string {
	h := acp.ReadHello(params)
	caps := get(params, "clientCapabilities")
	if caps == nil {
		caps = get(params, "capabilities")
	}
	files := ""
	if has(caps, "fs", "readTextFile") {
		files += "r"
	}
	if has(caps, "fs", "writeTextFile") {
		files += "w"
	}
	if files != "" {
		files = "fs " + files
	}
	return joined(peerWords(h), files, offers(caps, "terminal"), offers(caps, "elicitation"))
}

func offers(caps []byte, name string) string {
	if has(caps, name) {
		return name
	}
	return ""
}

func peerWords(h acp.Hello) string {
	name := h.Title
	if name == "" {
		name = h.Name
	}
	return strings.TrimSpace(clip(name, 80) + " " + clip(h.Release, maxShort))
}

// agentWords are who the agent is, and what it can do.
func agentWords(result []byte) string {
	h := acp.ReadHello(result)
	version := ""
	if h.Version != 0 {
		version = "protocol " + strconv.Itoa(h.Version)
	}
	caps, loads := get(result, "agentCapabilities"), ""
	if has(caps, "loadSession") {
		loads = "load"
	}
	return joined(peerWords(h), version, loads, many(counted(result, "authMethods"), "login"))
}

// commandLine is a command with its arguments; what is more than one word is in
// quotes.
func commandLine(params []byte) string {
	var b strings.Builder
	b.WriteString(str(params, MaxFirst, "command"))
	for arg := range acp.Elements(get(params, "args")) {
		if b.Len() > MaxFirst {
			break
		}
		word := clip(plainText(arg), MaxFirst)
		if word == "" || strings.ContainsAny(word, " \t\n'\"") {
			word = strconv.Quote(word)
		}
		b.WriteString(" " + word)
	}
	return b.String()
}

func fromLine(params []byte) string {
	line, there := whole(params, "line")
	limit, limited := whole(params, "limit")
	words := ""
	if there {
		words = " from line " + strconv.FormatInt(line, 10)
	}
	if limited {
		words += ", " + strconv.FormatInt(limit, 10) + " lines"
	}
	return words
}

func valueWords(value []byte) string {
	if s, ok := acp.Unquote(value); ok {
		return clip(s, MaxFirst)
	}
	return begin(value, MaxFirst)
}

// answers are the first words of a result.
func answers(method string, result []byte, q question) string {
	switch method {
	case acp.MethodInitialize, acp.MethodProxyInitialize:
		return agentWords(result)
	case acp.MethodSessionNew, acp.MethodSessionLoad, acp.MethodSessionResume, acp.MethodSessionFork:
		return joined(short(str(result, maxName, "sessionId")), many(counted(result, "modes", "availableModes"), "mode"),
			many(counted(result, "configOptions"), "option"))
	case acp.MethodSessionPrompt:
		return turnWords(result)
	case acp.MethodSessionSetConfigOption:
		return optionWords(optionsOf(get(result, "configOptions")))
	case acp.MethodRequestPermission:
		return outcomeWords(result, q)
	case acp.MethodSessionList:
		return strconv.Itoa(counted(result, "sessions")) + " sessions"
	case acp.MethodReadTextFile:
		return fileWords(get(result, "content"))
	case acp.MethodTerminalCreate:
		return str(result, MaxFirst, "terminalId")
	case acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit:
		return terminalWords(result)
	case acp.MethodElicitationCreate:
		return either(result, MaxFirst, "action", "outcome")
	case acp.MethodAuthStatus:
		return str(result, MaxFirst, "state")
	}
	if empty(result) {
		return ""
	}
	return begin(result, MaxFirst)
}

// empty says that there is nothing in a result.
func empty(result []byte) bool {
	switch string(result) {
	case "null", "{}", "true":
		return true
	}
	return false
}

// turnWords are why a turn ended; of version 2, that the prompt was taken.
func turnWords(result []byte) string {
	if stop := str(result, maxWord, "stopReason"); stop != "" {
		return stop
	}
	if id := str(result, maxName, "messageId"); id != "" {
		return joined("taken", short(id))
	}
	return begin(result, MaxFirst)
}

// outcomeWords are what was chosen, by the kind and name that it was offered
// with.
func outcomeWords(result []byte, q question) string {
	outcome := str(result, maxWord, "outcome", "outcome")
	id := str(result, maxWord, "outcome", "optionId")
	if outcome != "selected" {
		return joined(outcome, id)
	}
	for _, o := range q.options {
		if o.ID == id {
			return joined(o.Description, o.Name)
		}
	}
	return joined(outcome, id)
}

func fileWords(content []byte) string {
	text, ok := acp.Unquote(content)
	if !ok {
		return ""
	}
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	if n == 0 {
		return "empty"
	}
	return joined(many(n, "line"), amount(len(text)))
}

func terminalWords(result []byte) string {
	exit := exitOf(result)
	if exit != "" {
		exit = "exit " + exit
	}
	return joined(exit, ending(strings.TrimSpace(plainText(get(result, "output"))), MaxFirst-20))
}

// ending is the end of a text of more than limit bytes, from the beginning of a
// word on where there is one, and says so.
func ending(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const mark = "…"
	s = end(s, limit-len(mark))
	if i := strings.IndexAny(s, " \t\n"); i >= 0 && i < maxShort {
		s = strings.TrimSpace(s[i:])
	}
	return mark + s
}

// failure is what an error says.
func failure(raw []byte) string {
	message, code := str(raw, MaxFirst-30, "message"), begin(get(raw, "code"), 20)
	switch {
	case message == "" && code == "":
		return begin(raw, MaxFirst)
	case code == "":
		return message
	}
	return strings.TrimSpace(message + " (" + code + ")")
}

// more is a count of something that there is more of.
func more(n int, one, several string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 more " + one
	}
	return strconv.Itoa(n) + " more " + several
}
