package wire

import (
	"encoding/json"
	"strings"
)

// Version is the protocol version the lab speaks.
const Version = 1

// Implementation names a program.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// InitializeParams open a connection.
type InitializeParams struct {
	ProtocolVersion    *int               `json:"protocolVersion"`
	ClientCapabilities ClientCapabilities `json:"clientCapabilities"`
	ClientInfo         *Implementation    `json:"clientInfo,omitempty"`
}

// ClientCapabilities are what a client does for an agent.
type ClientCapabilities struct {
	FS struct {
		ReadTextFile  bool `json:"readTextFile"`
		WriteTextFile bool `json:"writeTextFile"`
	} `json:"fs"`
	Terminal bool `json:"terminal"`
}

// InitializeResult is the agent's side of it.
type InitializeResult struct {
	ProtocolVersion   int               `json:"protocolVersion"`
	AgentInfo         *Implementation   `json:"agentInfo,omitempty"`
	AgentCapabilities AgentCapabilities `json:"agentCapabilities"`
	AuthMethods       []struct{}        `json:"authMethods"`
}

// AgentCapabilities are what an agent can be asked.
type AgentCapabilities struct {
	LoadSession         bool            `json:"loadSession"`
	PromptCapabilities  map[string]bool `json:"promptCapabilities"`
	SessionCapabilities map[string]any  `json:"sessionCapabilities"`
}

// SessionParams serve session/new, load, resume and every method that takes a
// session and at most its directory.
type SessionParams struct {
	SessionID  string          `json:"sessionId,omitempty"`
	Cwd        string          `json:"cwd,omitempty"`
	MCPServers json.RawMessage `json:"mcpServers,omitempty"`
	ModeID     string          `json:"modeId,omitempty"`
	ConfigID   string          `json:"configId,omitempty"`
	Value      string          `json:"value,omitempty"`
	Cursor     string          `json:"cursor,omitempty"`
}

// SessionState is the result of session/new, load and resume; the last two
// leave SessionID empty.
type SessionState struct {
	SessionID     string         `json:"sessionId,omitempty"`
	Modes         *ModeState     `json:"modes,omitempty"`
	ConfigOptions []ConfigOption `json:"configOptions,omitempty"`
}

// ModeState lists the modes of a session.
type ModeState struct {
	CurrentModeID  string `json:"currentModeId"`
	AvailableModes []Mode `json:"availableModes"`
}

// Mode is a way of working.
type Mode struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// ConfigOption is a setting of a session, chosen from a list.
type ConfigOption struct {
	ID           string        `json:"id"`
	Name         string        `json:"name"`
	Category     string        `json:"category,omitempty"`
	Type         string        `json:"type"`
	CurrentValue string        `json:"currentValue"`
	Options      []ConfigValue `json:"options"`
}

// ConfigValue is one choice of a ConfigOption.
type ConfigValue struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// SessionInfo is a row of session/list.
type SessionInfo struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd"`
	Title     string `json:"title,omitempty"`
}

// Sessions is the result of session/list.
type Sessions struct {
	Sessions   []SessionInfo `json:"sessions"`
	NextCursor string        `json:"nextCursor,omitempty"`
}

// PromptParams begin a prompt turn.
type PromptParams struct {
	SessionID string  `json:"sessionId"`
	Prompt    []Block `json:"prompt"`
}

// PromptResult ends it.
type PromptResult struct {
	StopReason string `json:"stopReason"`
}

// Stop reasons the lab branches on.
const (
	EndTurn   = "end_turn"
	Cancelled = "cancelled"
)

// Block is content; only text has its own field.
type Block struct {
	Type string `json:"type"`
	Text string `json:"text"`
	URI  string `json:"uri,omitempty"`
}

// Text makes a text block.
func Text(s string) Block { return Block{Type: "text", Text: s} }

// PermissionParams ask a person.
type PermissionParams struct {
	SessionID string             `json:"sessionId"`
	ToolCall  ToolCall           `json:"toolCall"`
	Options   []PermissionOption `json:"options"`
}

// PermissionOption is one possible answer.
type PermissionOption struct {
	OptionID string `json:"optionId"`
	Name     string `json:"name"`
	Kind     string `json:"kind"`
}

// Kinds of permission options.
const (
	AllowOnce   = "allow_once"
	AllowAlways = "allow_always"
	RejectOnce  = "reject_once"
)

// Allows reports whether an option of this kind is a permission.
func (o PermissionOption) Allows() bool { return strings.HasPrefix(o.Kind, "allow_") }

// PermissionResult is the answer.
type PermissionResult struct {
	Outcome Outcome `json:"outcome"`
}

// Outcome is Selected with an option, or Cancelled.
type Outcome struct {
	Outcome  string `json:"outcome"`
	OptionID string `json:"optionId"`
}

// Selected is the outcome that names an option.
const Selected = "selected"

// MarshalJSON repeats the id of what is selected even if the id is empty.
func (o Outcome) MarshalJSON() ([]byte, error) {
	if o.Outcome != Selected {
		return json.Marshal(map[string]string{"outcome": o.Outcome})
	}
	type plain struct {
		Outcome  string `json:"outcome"`
		OptionID string `json:"optionId"`
	}
	return json.Marshal(plain(o))
}

// FileParams serve fs/read_text_file and fs/write_text_file.
type FileParams struct {
	SessionID string  `json:"sessionId"`
	Path      string  `json:"path"`
	Line      *int    `json:"line,omitempty"`
	Limit     *int    `json:"limit,omitempty"`
	Content   *string `json:"content,omitempty"`
}

// FileResult is what fs/read_text_file found.
type FileResult struct {
	Content string `json:"content"`
}

// TerminalParams serve every terminal method.
type TerminalParams struct {
	SessionID       string        `json:"sessionId"`
	TerminalID      string        `json:"terminalId,omitempty"`
	Command         string        `json:"command,omitempty"`
	Args            []string      `json:"args,omitempty"`
	Env             []EnvVariable `json:"env,omitempty"`
	Cwd             *string       `json:"cwd,omitempty"`
	OutputByteLimit *int          `json:"outputByteLimit,omitempty"`
}

// EnvVariable is set for a command.
type EnvVariable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// TerminalResult is the result of terminal/create.
type TerminalResult struct {
	TerminalID string `json:"terminalId"`
}

// OutputResult is the result of terminal/output.
type OutputResult struct {
	Output     string      `json:"output"`
	Truncated  bool        `json:"truncated"`
	ExitStatus *ExitStatus `json:"exitStatus,omitempty"`
}

// ExitStatus is the result of terminal/wait_for_exit; one of the two is set.
type ExitStatus struct {
	ExitCode *int    `json:"exitCode"`
	Signal   *string `json:"signal"`
}

// CancelParams name a request of the sender.
type CancelParams struct {
	RequestID json.RawMessage `json:"requestId"`
}
