package wire

// Version is the protocol version the lab speaks.
const Version = 1

// Error codes of the protocol beside those of JSON-RPC.
const (
	CodeCancelled = -32800
	CodeNotFound  = -32002
)

// Methods of the agent.
const (
	Initialize      = "initialize"
	Authenticate    = "authenticate"
	SessionNew      = "session/new"
	SessionLoad     = "session/load"
	SessionResume   = "session/resume"
	SessionList     = "session/list"
	SessionClose    = "session/close"
	SessionDelete   = "session/delete"
	SessionSetMode  = "session/set_mode"
	SessionSetValue = "session/set_config_option"
	SessionPrompt   = "session/prompt"
	SessionCancel   = "session/cancel"
)

// Methods of the client.
const (
	SessionUpdate     = "session/update"
	RequestPermission = "session/request_permission"
	ReadTextFile      = "fs/read_text_file"
	WriteTextFile     = "fs/write_text_file"
	TerminalCreate    = "terminal/create"
	TerminalOutput    = "terminal/output"
	TerminalWait      = "terminal/wait_for_exit"
	TerminalKill      = "terminal/kill"
	TerminalRelease   = "terminal/release"
)

// CancelRequest is understood by both sides.
const CancelRequest = "$/cancel_request"
