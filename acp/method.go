package acp

// The methods of the protocol, by what they are about.
// See https://agentclientprotocol.com/protocol and its v2 and unstable pages.
const (
	MethodInitialize             = "initialize"
	MethodAuthenticate           = "authenticate"
	MethodLogout                 = "logout"
	MethodAuthLogin              = "auth/login"
	MethodAuthLogout             = "auth/logout"
	MethodAuthStatus             = "auth/status"
	MethodAuthStatusUpdate       = "auth/status_update"
	MethodProvidersList          = "providers/list"
	MethodProvidersSet           = "providers/set"
	MethodProvidersDisable       = "providers/disable"
	MethodSessionNew             = "session/new"
	MethodSessionLoad            = "session/load"
	MethodSessionResume          = "session/resume"
	MethodSessionFork            = "session/fork"
	MethodSessionList            = "session/list"
	MethodSessionClose           = "session/close"
	MethodSessionDelete          = "session/delete"
	MethodSessionArchive         = "session/archive"
	MethodSessionUnarchive       = "session/unarchive"
	MethodSessionStatus          = "session/status"
	MethodSessionSetTitle        = "session/set_title"
	MethodSessionSetMode         = "session/set_mode"
	MethodSessionSetModel        = "session/set_model"
	MethodSessionSetConfigOption = "session/set_config_option"
	MethodSessionPrompt          = "session/prompt"
	MethodSessionCancel          = "session/cancel"
	MethodSessionUpdate          = "session/update"
	MethodRequestPermission      = "session/request_permission"
	MethodReadTextFile           = "fs/read_text_file"
	MethodWriteTextFile          = "fs/write_text_file"
	MethodTerminalCreate         = "terminal/create"
	MethodTerminalOutput         = "terminal/output"
	MethodTerminalRelease        = "terminal/release"
	MethodTerminalWaitForExit    = "terminal/wait_for_exit"
	MethodTerminalKill           = "terminal/kill"
	MethodTerminalCancel         = "terminal/cancel"
	MethodToolCallCancel         = "tool_call/cancel"
	MethodElicitationCreate      = "elicitation/create"
	MethodElicitationComplete    = "elicitation/complete"
	MethodMCPConnect             = "mcp/connect"
	MethodMCPMessage             = "mcp/message"
	MethodMCPDisconnect          = "mcp/disconnect"
	MethodProxyInitialize        = "proxy/initialize"
	MethodProxySuccessor         = "proxy/successor"
	MethodCancelRequest          = "$/cancel_request"
)

// Versions is a set of protocol surfaces.
type Versions uint8

const (
	V1      Versions = 1 << iota // version 1, stable
	V1Draft                      // what version 1 has in preparation, behind capabilities
	V2                           // the draft of version 2
	V2Draft                      // what is in preparation for version 2
)

// Senders is a set of sides.
type Senders uint8

const (
	ByClient Senders = 1 << (Client - 1)
	ByAgent  Senders = 1 << (Agent - 1)
)

// Has reports whether from is in s.
func (s Senders) Has(from Direction) bool { return from != 0 && s>>(from-1)&1 != 0 }

// Method is what the protocol says about a method.
type Method struct {
	Name      string
	Requests  Senders  // who sends it as a request
	Notifies  Senders  // who sends it as a notification
	Published Versions // the surfaces that list it; none when it was withdrawn but is still spoken
}

// Allows reports whether from may send the method as a frame of kind k.
func (m Method) Allows(from Direction, k Kind) bool {
	switch k {
	case Request:
		return m.Requests.Has(from)
	case Notification:
		return m.Notifies.Has(from)
	}
	return false
}

// FindMethod looks a method up by its exact name. Methods that it does not
// know are legal: names that start with an underscore belong to extensions,
// and peers may be newer than this table.
func FindMethod(name []byte) (m Method, ok bool) {
	m, ok = methodsByName[string(name)]
	return m, ok
}

// MethodNames are those that [FindMethod] knows.
func MethodNames() (names []string) {
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

const (
	both   = ByClient | ByAgent
	stable = V1 | V1Draft | V2 | V2Draft // in every published list
	only1  = V1 | V1Draft
	only2  = V2 | V2Draft
	drafts = V1Draft | V2Draft
)

// methods is grouped by who sends them.
var methods = [...]Method{
	{MethodInitialize, ByClient, 0, stable},
	{MethodAuthenticate, ByClient, 0, only1},
	{MethodLogout, ByClient, 0, only1},
	{MethodAuthLogin, ByClient, 0, only2},
	{MethodAuthLogout, ByClient, 0, only2},
	{MethodAuthStatus, ByClient, 0, drafts},
	{MethodProvidersList, ByClient, 0, drafts},
	{MethodProvidersSet, ByClient, 0, drafts},
	{MethodProvidersDisable, ByClient, 0, drafts},
	{MethodSessionNew, ByClient, 0, stable},
	{MethodSessionLoad, ByClient, 0, only1},
	{MethodSessionResume, ByClient, 0, stable},
	{MethodSessionFork, ByClient, 0, drafts},
	{MethodSessionList, ByClient, 0, stable},
	{MethodSessionClose, ByClient, 0, stable},
	{MethodSessionDelete, ByClient, 0, stable},
	{MethodSessionArchive, ByClient, 0, drafts},
	{MethodSessionUnarchive, ByClient, 0, drafts},
	{MethodSessionStatus, ByClient, 0, drafts},
	{MethodSessionSetTitle, ByClient, 0, drafts},
	{MethodSessionSetMode, ByClient, 0, only1},
	{MethodSessionSetConfigOption, ByClient, 0, stable},
	{MethodSessionPrompt, ByClient, 0, stable},
	{MethodSessionCancel, 0, ByClient, stable},
	{MethodTerminalCancel, ByClient, 0, only2},
	{MethodToolCallCancel, ByClient, 0, only2},

	{MethodSessionUpdate, 0, ByAgent, stable},
	{MethodRequestPermission, ByAgent, 0, stable},
	{MethodReadTextFile, ByAgent, 0, only1},
	{MethodWriteTextFile, ByAgent, 0, only1},
	{MethodTerminalCreate, ByAgent, 0, only1},
	{MethodTerminalOutput, ByAgent, 0, only1},
	{MethodTerminalRelease, ByAgent, 0, only1},
	{MethodTerminalWaitForExit, ByAgent, 0, only1},
	{MethodTerminalKill, ByAgent, 0, only1},
	{MethodElicitationCreate, ByAgent, 0, stable},
	{MethodElicitationComplete, 0, ByAgent, stable},
	{MethodAuthStatusUpdate, 0, ByAgent, drafts},

	{MethodCancelRequest, 0, both, stable},
	// The list names both sides as receivers of mcp/message. Agents ask, and
	// editors notify; older peers do either in either direction.
	{MethodMCPMessage, both, both, drafts},
	// Spoken on both sides of a proxy that joins a chain.
	{MethodProxyInitialize, ByClient, 0, drafts},
	{MethodProxySuccessor, both, both, drafts},

	// Withdrawn, but in released peers.
	{MethodSessionSetModel, ByClient, 0, 0},
	{MethodMCPConnect, ByAgent, 0, 0},
	{MethodMCPDisconnect, ByAgent, 0, 0},
	{"nes/start", ByClient, 0, 0},
	{"nes/suggest", ByClient, 0, 0},
	{"nes/accept", 0, ByClient, 0},
	{"nes/reject", 0, ByClient, 0},
	{"nes/close", ByClient, 0, 0},
	{"document/didOpen", 0, ByClient, 0},
	{"document/didChange", 0, ByClient, 0},
	{"document/didClose", 0, ByClient, 0},
	{"document/didSave", 0, ByClient, 0},
	{"document/didFocus", 0, ByClient, 0},
}

var methodsByName = func() map[string]Method {
	byName := make(map[string]Method, len(methods))
	for _, m := range methods {
		byName[m.Name] = m
	}
	return byName
}()
