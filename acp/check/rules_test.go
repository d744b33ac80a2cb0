package check

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// A conversation in these tests is a line for each frame: who sends it, a blank,
// and the frame, to which jsonrpc is added. One that begins with ! is sent as it
// stands; one with a + behind the name was added by the proxy, one with a - was
// swallowed by it. The line exit and a number is the end of the agent, so many
// seconds later.
const (
	greeting = `
client {"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,"elicitation":{"form":{}},"session":{"notices":{}}}}}
agent {"id":0,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true},"mcpCapabilities":{"http":true},"sessionCapabilities":{"list":{},"close":{},"additionalDirectories":{}}},"authMethods":[{"id":"key","name":"Key"}]}}`
	bare = `
client {"id":0,"method":"initialize","params":{"protocolVersion":1}}
agent {"id":0,"result":{"protocolVersion":1}}`
	opened = `
client {"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}
agent {"id":1,"result":{"sessionId":"s","modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"}]},"configOptions":[{"id":"model","name":"Model","type":"select","currentValue":"a","options":[{"value":"a","name":"A"}]}]}}`
	prompt = `
client {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"go"}]}}`
	call = `
agent {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"T"}}}`
	asked = `
agent {"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}`
	yes = `
client {"id":7,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`
	cancelled = `
client {"id":7,"result":{"outcome":{"outcome":"cancelled"}}}`
	cancel = `
client {"method":"session/cancel","params":{"sessionId":"s"}}`
	end = `
agent {"id":2,"result":{"stopReason":"end_turn"}}`
	endCancelled = `
agent {"id":2,"result":{"stopReason":"cancelled"}}`
	greeting2 = `
client {"id":0,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":{}}}
agent {"id":0,"result":{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{"prompt":{}}}}}`
	opened2 = `
client {"id":1,"method":"session/new","params":{"cwd":"/w"}}
agent {"id":1,"result":{"sessionId":"s"}}`
	running     = greeting + opened + prompt
	greetingURL = `
client {"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"elicitation":{"url":{}}}}}
agent {"id":0,"result":{"protocolVersion":1}}`
	elicitation = `
agent {"id":6,"method":"elicitation/create","params":{"sessionId":"s","mode":"url","url":"https://x","elicitationId":"e","message":"m"}}`
	accepted = `
client {"id":6,"result":{"action":"accept"}}`
	completed = `
agent {"method":"elicitation/complete","params":{"elicitationId":"e"}}`
	running2 = greeting2 + opened2 + prompt + `
agent {"id":2,"result":{"messageId":"m"}}`
	stopCall = `
client {"id":5,"method":"tool_call/cancel","params":{"sessionId":"s","toolCallId":"c"}}
agent {"id":5,"result":{}}`
	askedBoth = `
agent {"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`
	no = `
client {"id":7,"result":{"outcome":{"outcome":"selected","optionId":"n"}}}`
	withdrawn = `
agent {"method":"$/cancel_request","params":{"requestId":7}}`
	ended = `
exit 5`
	created = `
agent {"id":8,"method":"terminal/create","params":{"sessionId":"s","command":"ls"}}
client {"id":8,"result":{"terminalId":"t"}}`
	released = `
agent {"id":9,"method":"terminal/release","params":{"sessionId":"s","terminalId":"t"}}
client {"id":9,"result":{}}`
)

// begin is when every frame is sent.
var begin = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// update is a session/update of the agent.
func update(fields string) string {
	return "\nagent " + `{"method":"session/update","params":{"sessionId":"s","update":{` + fields + `}}}`
}

func chunk(text string) string {
	return update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + text + `}`)
}

// status is an update of the tool call c.
func status(word string, more ...string) string {
	return update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"` + word + `"` + strings.Join(more, ""))
}

// play shows a conversation to c and gives what it finds, the end included.
func play(c *Checker, conversation string) (all []Finding) {
	seq := uint64(0)
	for line := range strings.Lines(conversation) {
		who, frame, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || frame == "" {
			continue
		}
		if who == "exit" {
			seconds, _ := strconv.Atoi(frame)
			c.Ended(begin.Add(time.Duration(seconds) * time.Second))
			continue
		}
		from := acp.Client
		if strings.HasPrefix(who, "agent") {
			from = acp.Agent
		}
		if raw, as := strings.CutPrefix(frame, "!"); as {
			frame = strings.NewReplacer("\\r", "\r", "\\n", "\n", "\\xff", "\xff").Replace(raw)
		} else {
			frame = `{"jsonrpc":"2.0",` + frame[1:]
		}
		var f acp.Frame
		acp.Scan([]byte(frame), &f)
		seq++
		switch strings.TrimLeft(who, "abcdefghijklmnopqrstuvwxyz") {
		case "+":
			c.Added(begin, seq, from, &f, []byte(frame))
		case "-":
			all = append(all, c.Swallowed(begin, seq, from, &f, []byte(frame))...)
		default:
			all = append(all, c.Frame(begin, seq, from, &f, []byte(frame))...)
		}
	}
	return append(all, c.End()...)
}

// TestRules has for each rule a conversation that keeps it, in which nothing is
// found, and one that breaks it, in which nothing else is.
func TestRules(t *testing.T) {
	tested := map[string]bool{}
	for _, test := range []struct {
		rule      string
		by        acp.Direction
		severity  Severity
		good, bad string
	}{
		{"auth/unknown-method", acp.Client, Error,
			greeting + "\nclient " + `{"id":1,"method":"authenticate","params":{"methodId":"key"}}` + "\nagent " + `{"id":1,"result":{}}`,
			greeting + "\nclient " + `{"id":1,"method":"authenticate","params":{"methodId":"sso"}}` + "\nagent " + `{"id":1,"result":{}}`},
		{"cancel-request/answer", acp.Agent, Warning,
			running + "\nclient " + `{"method":"$/cancel_request","params":{"requestId":2}}` + "\nagent " + `{"id":2,"error":{"code":-32800,"message":"cancelled"}}`,
			running + "\nclient " + `{"method":"$/cancel_request","params":{"requestId":2}}` + "\nagent " + `{"id":2,"error":{"code":-32603,"message":"oh"}}`},
		{"cancel-request/unknown", acp.Client, Warning,
			running + end + "\nclient " + `{"method":"$/cancel_request","params":{"requestId":2}}`,
			running + end + "\nclient " + `{"method":"$/cancel_request","params":{"requestId":"2"}}`},
		{"capability/content", acp.Client, Error,
			greeting + opened + "\nclient " + `{"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"image","data":"","mimeType":"image/png"}]}}` + end,
			greeting + opened + "\nclient " + `{"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"audio","data":"","mimeType":"audio/wav"}]}}` + end},
		{"capability/directories", acp.Client, Error,
			greeting + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[],"additionalDirectories":["/x"]}}` + "\nagent " + `{"id":1,"result":{"sessionId":"s"}}`,
			bare + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[],"additionalDirectories":["/x"]}}` + "\nagent " + `{"id":1,"result":{"sessionId":"s"}}`},
		{"capability/method", acp.Agent, Error,
			running + "\nagent " + `{"id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/w/a"}}` + "\nclient " + `{"id":3,"result":{"content":""}}` + end,
			bare + opened + prompt + "\nagent " + `{"id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/w/a"}}` + "\nclient " + `{"id":3,"result":{"content":""}}` + end},
		{"capability/server", acp.Client, Error,
			greeting + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"type":"http","name":"n","url":"https://u","headers":[]}]}}` + "\nagent " + `{"id":1,"result":{"sessionId":"s"}}`,
			greeting + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"type":"sse","name":"n","url":"https://u","headers":[]}]}}` + "\nagent " + `{"id":1,"result":{"sessionId":"s"}}`},
		{"capability/update", acp.Agent, Error,
			greeting + opened + update(`"sessionUpdate":"notice","severity":"info","title":"T"`),
			bare + opened + update(`"sessionUpdate":"notice","severity":"info","title":"T"`)},
		{"command/same-name", acp.Agent, Warning, greeting + opened + update(`"sessionUpdate":"available_commands_update","availableCommands":[{"name":"a","description":"A"},{"name":"b","description":"B"}]`),
			greeting + opened + update(`"sessionUpdate":"available_commands_update","availableCommands":[{"name":"a","description":"A"},{"name":"a","description":"B"}]`)},
		{"config/same-id", acp.Agent, Warning, greeting + opened, greeting + strings.Replace(opened, `"configOptions":[`, `"configOptions":[{"id":"model","name":"M","type":"boolean","currentValue":true},`, 1)},
		{"config/same-value", acp.Agent, Warning, greeting + opened, greeting + strings.Replace(opened, `{"value":"a","name":"A"}`, `{"value":"a","name":"A"},{"value":"a","name":"B"}`, 1)},
		{"config/unknown", acp.Client, Error,
			greeting + opened + "\nclient " + `{"id":3,"method":"session/set_config_option","params":{"sessionId":"s","configId":"model","value":"a"}}` + "\nagent " + `{"id":3,"result":{"configOptions":[]}}`,
			greeting + opened + "\nclient " + `{"id":3,"method":"session/set_config_option","params":{"sessionId":"s","configId":"mood","value":"a"}}` + "\nagent " + `{"id":3,"result":{"configOptions":[]}}`},
		{"config/value", acp.Client, Error,
			greeting + opened + "\nclient " + `{"id":3,"method":"session/set_config_option","params":{"sessionId":"s","configId":"model","value":"a"}}` + "\nagent " + `{"id":3,"result":{"configOptions":[]}}`,
			greeting + opened + "\nclient " + `{"id":3,"method":"session/set_config_option","params":{"sessionId":"s","configId":"model","value":"z"}}` + "\nagent " + `{"id":3,"result":{"configOptions":[]}}`},
		{"elicitation/same-id", acp.Agent, Error, greetingURL + opened + elicitation + accepted + strings.ReplaceAll(elicitation+accepted, `"e"`, `"f"`),
			greetingURL + opened + elicitation + accepted + elicitation + accepted},
		{"elicitation/unknown", acp.Agent, Error, greetingURL + opened + elicitation + accepted + completed + completed,
			greetingURL + opened + elicitation + accepted + strings.ReplaceAll(completed, `"e"`, `"f"`)},
		{"file/line", acp.Agent, Error,
			running + "\nagent " + `{"id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/w/a","line":1,"limit":10}}` + "\nclient " + `{"id":3,"result":{"content":""}}` + end,
			running + "\nagent " + `{"id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/w/a","line":0}}` + "\nclient " + `{"id":3,"result":{"content":""}}` + end},
		{"file/path", acp.Agent, Error,
			running + "\nagent " + `{"id":3,"method":"fs/write_text_file","params":{"sessionId":"s","path":"C:\\a","content":""}}` + "\nclient " + `{"id":3,"result":null}` + end,
			running + "\nagent " + `{"id":3,"method":"fs/write_text_file","params":{"sessionId":"s","path":"a","content":""}}` + "\nclient " + `{"id":3,"result":null}` + end},
		{"initialize/again", acp.Client, Warning, greeting, greeting + greeting},
		{"initialize/early", acp.Client, Warning, greeting + opened,
			"\nclient " + `{"id":0,"method":"initialize","params":{"protocolVersion":1}}` + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}` +
				"\nagent " + `{"id":0,"result":{"protocolVersion":1}}` + "\nagent " + `{"id":1,"result":{"sessionId":"s"}}`},
		{"initialize/first", acp.Client, Error, greeting + opened, opened},
		{"initialize/version", acp.Agent, Error, bare,
			"\nclient " + `{"id":0,"method":"initialize","params":{"protocolVersion":1}}` + "\nagent " + `{"id":0,"result":{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{}}}`},
		{"json-rpc/answered-twice", acp.Client, Error, running + call + asked + yes + endCancelled, running + call + asked + yes + yes + endCancelled},
		{"json-rpc/conflict", acp.Agent, Error, running + end, running + "\nagent " + `{"id":2,"result":{"stopReason":"end_turn"},"error":{"code":1,"message":"m"}}`},
		{"json-rpc/envelope", acp.Agent, Error, running + end, running + end + "\nagent " + `{"method":"session/update","method":"session/update"}`},
		{"json-rpc/id-reuse", acp.Client, Warning, greeting + "\nclient " + `{"id":4,"method":"session/list"}` + "\nagent " + `{"id":4,"result":{"sessions":[]}}`,
			greeting + "\nclient " + `{"id":4,"method":"session/list"}` + "\nclient " + `{"id":4,"method":"session/list"}` + "\nagent " + `{"id":4,"result":{"sessions":[]}}`},
		{"json-rpc/id-type", acp.Agent, Error, running + end, running + "\nagent " + `{"id":"2","result":{"stopReason":"end_turn"}}` + end},
		{"json-rpc/invalid", acp.Agent, Error, running + end, running + end + "\nagent " + `{"id":2}`},
		{"json-rpc/no-id", acp.Agent, Error, running + end, running + end + "\nagent " + `{"result":{}}`},
		{"json-rpc/odd-id", acp.Client, Error, greeting + "\nclient " + `{"id":"x","method":"session/list"}` + "\nagent " + `{"id":"x","result":{"sessions":[]}}`,
			greeting + "\nclient " + `{"id":1.5,"method":"session/list"}` + "\nagent " + `{"id":1.5,"result":{"sessions":[]}}`},
		{"json-rpc/params", acp.Client, Error, greeting + "\nclient " + `{"method":"$/cancel_request","params":{"requestId":0}}`,
			greeting + "\nclient " + `{"method":"$/progress","params":5}`},
		{"json-rpc/reserved-code", acp.Agent, Warning, running + "\nagent " + `{"id":2,"error":{"code":-32000,"message":"log in"}}`,
			running + "\nagent " + `{"id":2,"error":{"code":-32604,"message":"oh"}}`},
		{"json-rpc/unanswered", acp.Agent, Info, running + end, running},
		{"json-rpc/unknown-id", acp.Client, Error, running + end, running + end + "\nclient " + `{"id":77,"result":{}}`},
		{"json-rpc/version", acp.Agent, Error, running + end, running + "\nagent " + `!{"id":2,"result":{"stopReason":"end_turn"}}`},
		{"method/draft", acp.Client, Info, greeting + opened, greeting + opened + "\nclient " + `{"id":3,"method":"mcp/message","params":{"serverId":"m","requestId":"r","method":"tools/list"}}` + "\nagent " + `{"id":3,"error":{"code":-32601,"message":"no"}}`},
		{"method/kind", acp.Client, Error, running + cancel + endCancelled, running + "\nclient " + `{"id":5,"method":"session/cancel","params":{"sessionId":"s"}}` + "\nagent " + `{"id":5,"result":{}}` + endCancelled},
		{"method/not-found", acp.Client, Error, running + "\nagent " + `{"id":3,"method":"_x"}` + "\nclient " + `{"id":3,"error":{"code":-32601,"message":"no"}}` + end,
			running + call + asked + "\nclient " + `{"id":7,"error":{"code":-32601,"message":"no"}}` + endCancelled},
		{"method/sender", acp.Client, Error, running + end, running + "\nclient " + `{"method":"session/update","params":{}}` + end},
		{"method/unknown", acp.Client, Warning, greeting + "\nclient " + `{"method":"_zed/x"}` + "\nclient " + `{"method":"$/x"}`, greeting + "\nclient " + `{"method":"zed/x"}`},
		{"method/version", acp.Agent, Error, greeting2 + opened2, greeting2 + opened2 + "\nagent " + `{"id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}` + "\nclient " + `{"id":3,"error":{"code":-32601,"message":"no"}}`},
		{"method/withdrawn", acp.Client, Info, greeting + opened, greeting + opened + "\nclient " + `{"id":3,"method":"session/set_model","params":{"sessionId":"s","modelId":"m"}}` + "\nagent " + `{"id":3,"result":{}}`},
		{"mode/same-id", acp.Agent, Warning, greeting + opened, greeting + strings.Replace(opened, `{"id":"ask","name":"Ask"}`, `{"id":"ask","name":"Ask"},{"id":"ask","name":"Again"}`, 1)},
		{"mode/unknown", acp.Client, Error, greeting + opened + "\nclient " + `{"id":3,"method":"session/set_mode","params":{"sessionId":"s","modeId":"ask"}}` + "\nagent " + `{"id":3,"result":{}}`,
			greeting + opened + "\nclient " + `{"id":3,"method":"session/set_mode","params":{"sessionId":"s","modeId":"yolo"}}` + "\nagent " + `{"id":3,"result":{}}`},
		{"permission/after-cancel", acp.Client, Error, running + call + asked + cancel + cancelled + endCancelled, running + call + asked + cancel + yes + endCancelled},
		{"permission/empty-option", acp.Agent, Warning, running + call + asked + yes + endCancelled,
			running + call + "\nagent " + `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"","kind":"allow_once"}]}}` + yes + endCancelled},
		{"permission/left-open", acp.Agent, Warning, running + call + asked + withdrawn + endCancelled + "\nclient " + `{"id":7,"error":{"code":-32800,"message":"taken back"}}`,
			running + call + asked + endCancelled + yes},
		{"permission/no-options", acp.Agent, Warning, running + call + asked + yes + endCancelled,
			running + call + "\nagent " + `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[]}}` + cancelled + endCancelled},
		{"permission/not-offered", acp.Client, Error, running + call + asked + yes + endCancelled,
			running + call + asked + "\nclient " + `{"id":7,"result":{"outcome":{"outcome":"selected","optionId":"z"}}}` + endCancelled},
		{"permission/outside-turn", acp.Agent, Warning, running + call + asked + yes + endCancelled, running + call + endCancelled + asked + yes},
		{"permission/ran-anyway", acp.Agent, Error, running + call + askedBoth + yes + status("in_progress") + status("completed") + end,
			running + call + askedBoth + no + status("completed") + end},
		{"permission/same-option", acp.Agent, Warning, running + call + asked + yes + endCancelled,
			running + call + "\nagent " + `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"y","name":"No","kind":"reject_once"}]}}` + yes + endCancelled},
		{"session/closed", acp.Client, Error, greeting + opened + "\nclient " + `{"id":3,"method":"session/close","params":{"sessionId":"s"}}` + "\nagent " + `{"id":3,"result":{}}`,
			greeting + opened + "\nclient " + `{"id":3,"method":"session/close","params":{"sessionId":"s"}}` + "\nagent " + `{"id":3,"result":{}}` + prompt + end},
		{"session/cwd", acp.Client, Error, greeting + opened, greeting + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"w","mcpServers":[]}}` + "\nagent " + `{"id":1,"result":{"sessionId":"s"}}`},
		{"session/directories", acp.Client, Error, greeting + opened,
			greeting + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w","additionalDirectories":["../x"],"mcpServers":[]}}` + "\nagent " + `{"id":1,"result":{"sessionId":"s"}}`},
		{"session/same-id", acp.Agent, Error, greeting + opened + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}` + "\nagent " + `{"id":1,"result":{"sessionId":"other"}}`,
			greeting + opened + opened},
		{"session/unknown", acp.Agent, Error, running + chunk(`"a"`) + end, greeting + "\nagent " + `{"method":"session/update","params":{"sessionId":"x","update":{"sessionUpdate":"current_mode_update","currentModeId":"m"}}}`},
		{"shape/draft", acp.Agent, Info, running + end, running + "\nagent " + `{"id":2,"result":{"stopReason":"end_turn","usage":{"totalTokens":1,"inputTokens":1,"outputTokens":0}}}`},
		{"shape/empty", acp.Agent, Error, greeting + opened + update(`"sessionUpdate":"notice","severity":"info","title":"T"`), greeting + opened + update(`"sessionUpdate":"notice","severity":"info","title":""`)},
		{"shape/missing", acp.Agent, Error, running + call + endCancelled, running + update(`"sessionUpdate":"tool_call","toolCallId":"c"`) + endCancelled},
		{"shape/twice", acp.Agent, Error, running + call + endCancelled, running + update(`"sessionUpdate":"tool_call","toolCallId":"c","title":"a","title":"b"`) + endCancelled},
		{"shape/type", acp.Agent, Error, running + call + endCancelled, running + update(`"sessionUpdate":"tool_call","toolCallId":"c","title":7`) + endCancelled},
		{"shape/unknown-member", acp.Agent, Info, running + "\nagent " + `{"id":2,"result":{"stopReason":"end_turn","_meta":{"x":1},"_x":2}}`, running + "\nagent " + `{"id":2,"result":{"stopReason":"end_turn","x":2}}`},
		{"shape/unknown-word", acp.Agent, Info, greeting + opened + update(`"sessionUpdate":"notice","severity":"_mine","title":"T"`), greeting + opened + update(`"sessionUpdate":"notice","severity":"loud","title":"T"`)},
		{"shape/word", acp.Agent, Error, running + end, running + "\nagent " + `{"id":2,"result":{"stopReason":"done"}}`},
		{"terminal/cwd", acp.Agent, Error, running + created + released + end,
			running + "\nagent " + `{"id":8,"method":"terminal/create","params":{"sessionId":"s","command":"ls","cwd":"x"}}` + "\nclient " + `{"id":8,"result":{"terminalId":"t"}}` + released + end},
		{"terminal/not-released", acp.Agent, Info, running + created + released + end, running + created + end},
		{"terminal/released", acp.Agent, Error, running + created + released + end,
			running + created + released + "\nagent " + `{"id":9,"method":"terminal/kill","params":{"sessionId":"s","terminalId":"t"}}` + "\nclient " + `{"id":9,"result":{}}` + end},
		{"terminal/unannounced", acp.Agent, Info, running2 + update(`"sessionUpdate":"terminal_update","terminalId":"t"`) + update(`"sessionUpdate":"terminal_output_chunk","terminalId":"t","data":"aGk="`),
			running2 + update(`"sessionUpdate":"terminal_output_chunk","terminalId":"t","data":"aGk="`)},
		{"terminal/unknown", acp.Agent, Error, running + created + released + end, running + released + end},
		{"tool-call/backwards", acp.Agent, Warning, running + call + update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"`) + end,
			running + call + update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"failed"`) + update(`"sessionUpdate":"tool_call_update","toolCallId":"c","status":"in_progress"`) + endCancelled},
		{"tool-call/cancel", acp.Client, Error, running2 + update(`"sessionUpdate":"tool_call_update","toolCallId":"c","title":"T","capabilities":{"cancel":{}}`) + stopCall,
			running2 + update(`"sessionUpdate":"tool_call_update","toolCallId":"c","title":"T"`) + stopCall},
		{"tool-call/path", acp.Agent, Error, running + update(`"sessionUpdate":"tool_call","toolCallId":"c","title":"T","locations":[{"path":"/w/a"}]`) + endCancelled,
			running + update(`"sessionUpdate":"tool_call","toolCallId":"c","title":"T","content":[{"type":"diff","path":"a","newText":""}]`) + endCancelled},
		{"tool-call/same-id", acp.Agent, Info, running + call + endCancelled, running + call + call + endCancelled},
		{"tool-call/unfinished", acp.Agent, Info, running + call + endCancelled, running + call + end},
		{"tool-call/unknown", acp.Agent, Error, running + call + update(`"sessionUpdate":"tool_call_update","toolCallId":"c"`) + endCancelled,
			running + update(`"sessionUpdate":"tool_call_update","toolCallId":"c"`) + endCancelled},
		{"transport/batch", acp.Client, Error, greeting, greeting + "\nclient " + `![{"jsonrpc":"2.0","method":"_x"}]`},
		{"transport/blank-line", acp.Agent, Warning, greeting, greeting + "\nagent !"},
		{"transport/crlf", acp.Client, Info, greeting, greeting + "\nclient " + `!{"jsonrpc":"2.0","method":"_x"}\r\n` + "\nclient " + `!{"jsonrpc":"2.0","method":"_x"}\r\n`},
		{"transport/encoding", acp.Agent, Error, running + chunk(`"é"`) + end, running + "\nagent " + `!{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\xff"}}}}` + end},
		{"transport/framing", acp.Agent, Error, greeting, greeting + "\nagent !\ufeff" + `{"jsonrpc":"2.0","method":"_x"}`},
		{"transport/json", acp.Agent, Error, greeting, greeting + "\nagent " + `!{"jsonrpc":"2.0","method":"_x",}`},
		{"transport/not-a-message", acp.Agent, Error, greeting, greeting + "\nagent !Loading model..."},
		{"turn/cancel", acp.Agent, Warning, running + cancel + endCancelled, running + cancel + end},
		{"turn/idle", acp.Agent, Warning, running2 + update(`"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"`) + ended, running2 + ended},
		{"turn/outside", acp.Agent, Warning, running + chunk(`"a"`) + end, running + end + chunk(`"a"`)},
		{"turn/overlap", acp.Client, Warning, running + end + prompt + end, running + strings.ReplaceAll(prompt, `"id":2`, `"id":3`) + end + strings.ReplaceAll(end, `"id":2`, `"id":3`)},
	} {
		tested[test.rule] = true
		t.Run(test.rule, func(t *testing.T) {
			for _, f := range play(New(), test.good) {
				t.Errorf("kept, and found: %v %s: %s", f.By, f.Rule, f.Text)
			}
			found := play(New(), test.bad)
			at := slices.IndexFunc(found, func(f Finding) bool { return f.Rule == test.rule })
			if at < 0 {
				t.Fatalf("broken, and found: %v", found)
			}
			if f := found[at]; f.By != test.by || f.Severity != test.severity || f.Spec() == "" {
				t.Errorf("got %v %v (%s), want %v %v", f.By, f.Severity, f.Spec(), test.by, test.severity)
			}
			for _, f := range found {
				if f.Rule != test.rule {
					t.Errorf("also found: %v %s: %s", f.By, f.Rule, f.Text)
				}
			}
		})
	}
	for _, r := range Rules {
		if !tested[r.Name] {
			t.Errorf("no test for %s", r.Name)
		}
	}
	if !slices.IsSortedFunc(Rules, func(a, b Rule) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the rules are not sorted by name")
	}
}
