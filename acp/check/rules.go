package check

// Rule is one rule of the protocol.
type Rule struct {
	Name     string
	Severity Severity // the usual one
	Text     string   // what it asks for
	Spec     string   // the page that it is from

	whole bool // it can be judged without what is cut off
}

const (
	site      = "https://agentclientprotocol.com/protocol/v1/"
	transport = site + "transports"
	initial   = site + "initialization"
	setup     = site + "session-setup"
	turns     = site + "prompt-turn"
	tools     = site + "tool-calls"
	files     = site + "file-system"
	terminals = site + "terminals"
	extension = site + "extensibility"
	schema    = site + "schema"
	withdraws = site + "cancellation"
	jsonrpc   = "https://www.jsonrpc.org/specification#"
)

// Rules are all of them, by name.
var Rules = []Rule{
	{"auth/unknown-method", Error, "Log in by a method that the agent has listed.", initial, false},
	{"cancel-request/answer", Warning, "Answer a request that was taken back with a result or the error -32800.", withdraws, false},
	{"cancel-request/unknown", Warning, "Take back only your own requests, and those that are open.", withdraws, false},
	{"capability/content", Error, "Put into a prompt only what the agent can read.", initial, false},
	{"capability/directories", Error, "Send additionalDirectories only to an agent that offers it.", initial, false},
	{"capability/method", Error, "Call only what the other side offers.", initial, true},
	{"capability/server", Error, "Give only MCP servers whose transport the agent offers.", initial, false},
	{"capability/update", Error, "Send only updates that the client offers to read.", initial, false},
	{"command/same-name", Warning, "Give every command a name of its own.", site + "slash-commands", false},
	{"config/same-id", Warning, "Give every config option an id of its own.", site + "session-config-options", false},
	{"config/same-value", Warning, "List every value of a config option once.", site + "session-config-options", false},
	{"config/unknown", Error, "Set only config options that the agent has listed.", site + "session-config-options", false},
	{"config/value", Error, "Have config options only at values that are listed.", site + "session-config-options", false},
	{"elicitation/same-id", Error, "Give every elicitation that is open an id of its own.", site + "elicitation", false},
	{"elicitation/unknown", Error, "Complete only elicitations that the client was asked for.", site + "elicitation", false},
	{"file/line", Error, "Count lines from 1.", files, false},
	{"file/path", Error, "Name files by absolute paths.", files, false},
	{"initialize/again", Warning, "Initialize once.", initial, true},
	{"initialize/early", Warning, "Wait for the answer to initialize.", initial, true},
	{"initialize/first", Error, "Initialize before anything else.", initial, true},
	{"initialize/version", Error, "Agree on a version that the client can speak.", initial, false},
	{"json-rpc/answered-twice", Error, "Answer a request once.", jsonrpc + "response_object", true},
	{"json-rpc/conflict", Error, "Send either a method, or a result, or an error.", jsonrpc + "response_object", true},
	{"json-rpc/envelope", Error, "Name every member of a message once, as it is spelled.", jsonrpc + "conventions", false},
	{"json-rpc/id-reuse", Warning, "Give every request that is open an id of its own.", jsonrpc + "request_object", true},
	{"json-rpc/id-type", Error, "Answer with the id as it was asked with.", jsonrpc + "response_object", true},
	{"json-rpc/invalid", Error, "Send valid messages.", jsonrpc + "request_object", false},
	{"json-rpc/no-id", Error, "Say what is answered.", jsonrpc + "response_object", true},
	{"json-rpc/odd-id", Error, "Use integers or strings for ids.", jsonrpc + "request_object", true},
	{"json-rpc/params", Error, "Send params as an object.", jsonrpc + "parameter_structures", false},
	{"json-rpc/reserved-code", Warning, "Use error codes that are not reserved.", jsonrpc + "error_object", false},
	{"json-rpc/unanswered", Info, "Answer every request.", jsonrpc + "response_object", false},
	{"json-rpc/unknown-id", Error, "Answer only what was asked.", jsonrpc + "response_object", true},
	{"json-rpc/version", Error, "Say \"jsonrpc\":\"2.0\" in every message.", jsonrpc + "request_object", false},
	{"method/draft", Info, "The method is only in the draft of its version.", schema, true},
	{"method/kind", Error, "Send requests as requests, and notifications as notifications.", schema, true},
	{"method/not-found", Error, "Have the methods that everyone has, and those that you offer.", initial, false},
	{"method/sender", Error, "Send only the methods of your own side.", schema, true},
	{"method/unknown", Warning, "Begin the names of your own methods with an underscore.", extension, true},
	{"method/version", Error, "Send only methods of the version that was agreed on.", schema, true},
	{"method/withdrawn", Info, "The method was withdrawn.", schema, true},
	{"mode/same-id", Warning, "Give every mode an id of its own.", site + "session-modes", false},
	{"mode/unknown", Error, "Use only modes that the agent has listed.", site + "session-modes", false},
	{"permission/after-cancel", Error, "Answer open permission requests with cancelled after session/cancel.", turns + "#cancellation", false},
	{"permission/empty-option", Warning, "Give every permission option an id and a name.", tools + "#requesting-permission", false},
	{"permission/left-open", Warning, "Take back what you asked permission for before the turn ends.", withdraws, false},
	{"permission/no-options", Warning, "Offer something to choose.", tools + "#requesting-permission", false},
	{"permission/not-offered", Error, "Select only an option that was offered.", tools + "#requesting-permission", false},
	{"permission/outside-turn", Warning, "Ask for permission while a prompt is being answered.", tools + "#requesting-permission", false},
	{"permission/ran-anyway", Error, "Do what permission was asked for only once it is allowed.", tools + "#requesting-permission", false},
	{"permission/same-option", Warning, "Give every permission option an id of its own.", tools + "#requesting-permission", false},
	{"session/closed", Error, "Leave a session alone that was closed.", setup, false},
	{"session/cwd", Error, "Give a session an absolute working directory.", setup + "#working-directory", false},
	{"session/directories", Error, "Give a session absolute directories.", setup, false},
	{"session/same-id", Error, "Give every session an id of its own.", setup + "#session-id", false},
	{"session/unknown", Error, "Name only sessions that were opened.", setup + "#session-id", false},
	{"shape/draft", Info, "The member or word is only in the draft of its version.", schema, false},
	{"shape/empty", Error, "Do not leave empty what must not be.", schema, false},
	{"shape/missing", Error, "Send every member that is required.", schema, false},
	{"shape/twice", Error, "Name every member of an object once.", schema, false},
	{"shape/type", Error, "Send values of the right type.", schema, false},
	{"shape/unknown-member", Info, "Put what is your own into _meta.", extension, false},
	{"shape/unknown-word", Info, "Begin words of your own with an underscore.", extension, false},
	{"shape/word", Error, "Use the words that the protocol has.", schema, false},
	{"terminal/cwd", Error, "Run commands in an absolute directory.", terminals, false},
	{"terminal/not-released", Info, "Release every terminal.", terminals + "#releasing-terminals", false},
	{"terminal/released", Error, "Leave a terminal alone that was released.", terminals + "#releasing-terminals", false},
	{"terminal/unannounced", Info, "Tell of a terminal before its output.", tools, false},
	{"terminal/unknown", Error, "Name only terminals that the client has created.", terminals, false},
	{"tool-call/backwards", Warning, "Move the status of a tool call forward only.", tools + "#status", false},
	{"tool-call/cancel", Error, "Cancel only a tool call or terminal that says it can be.", tools, false},
	{"tool-call/path", Error, "Name files by absolute paths.", site + "overview#argument-requirements", false},
	{"tool-call/same-id", Info, "Give every tool call of a session an id of its own.", tools, false},
	{"tool-call/unfinished", Info, "Say how every tool call ended before the turn does.", turns, false},
	{"tool-call/unknown", Error, "Announce a tool call before it is updated.", tools + "#updating", false},
	{"transport/batch", Error, "Send one message a line, and no arrays of them.", transport, true},
	{"transport/blank-line", Warning, "Send no blank lines.", transport, true},
	{"transport/crlf", Info, "End lines in LF.", transport, true},
	{"transport/encoding", Error, "Send characters in UTF-8.", transport, true},
	{"transport/framing", Error, "Send one object a line and nothing around it.", transport, true},
	{"transport/json", Error, "Send valid JSON.", transport, true},
	{"transport/not-a-message", Error, "Send nothing but messages; what people should read belongs to stderr.", transport, true},
	{"turn/cancel", Error, "End a turn that was cancelled with the stop reason cancelled.", turns + "#cancellation", false},
	{"turn/idle", Warning, "Say that a session is idle when its work ends.", turns, false},
	{"turn/outside", Warning, "Send what belongs to a turn before it ends.", turns, false},
	{"turn/overlap", Warning, "Send the next prompt when the one before is answered.", turns, true},
}

var ruleByName = func() map[string]Rule {
	byName := map[string]Rule{}
	for _, r := range Rules {
		byName[r.Name] = r
	}
	return byName
}()

// FindRule is the rule of that name.
func FindRule(name string) (r Rule, ok bool) {
	r, ok = ruleByName[name]
	return r, ok
}
