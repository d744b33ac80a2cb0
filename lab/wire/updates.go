package wire

import "encoding/json"

// Notification carries an update of a session.
type Notification struct {
	SessionID string `json:"sessionId"`
	Update    any    `json:"update"`
}

// Kinds of updates.
const (
	UserChunk      = "user_message_chunk"
	AgentChunk     = "agent_message_chunk"
	ThoughtChunk   = "agent_thought_chunk"
	ToolCallNew    = "tool_call"
	ToolCallUpdate = "tool_call_update"
	PlanUpdate     = "plan"
	CommandsUpdate = "available_commands_update"
	ModeUpdate     = "current_mode_update"
	ConfigUpdate   = "config_option_update"
	InfoUpdate     = "session_info_update"
	UsageUpdate    = "usage_update"
)

// Chunk is a piece of a message or a thought.
type Chunk struct {
	Kind      string `json:"sessionUpdate"`
	MessageID string `json:"messageId,omitempty"`
	Content   Block  `json:"content"`
}

// Statuses of tool calls and of plan entries.
const (
	Pending    = "pending"
	InProgress = "in_progress"
	Completed  = "completed"
	Failed     = "failed"
)

// ToolCall is a tool call, an update of one, or one in a permission request,
// which leaves Update empty.
type ToolCall struct {
	Update     string          `json:"sessionUpdate,omitempty"`
	ToolCallID string          `json:"toolCallId"`
	Title      string          `json:"title,omitempty"`
	Kind       string          `json:"kind,omitempty"`
	Status     string          `json:"status,omitempty"`
	Content    []ToolContent   `json:"content,omitempty"`
	Locations  []Location      `json:"locations,omitempty"`
	RawInput   json.RawMessage `json:"rawInput,omitempty"`
	RawOutput  json.RawMessage `json:"rawOutput,omitempty"`
}

// Location is a place in a file that a tool call is about.
type Location struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

// ToolContent is what a tool call shows: a block, a diff or a terminal.
type ToolContent struct {
	Type       string  `json:"type"`
	Content    *Block  `json:"content,omitempty"`
	Path       string  `json:"path,omitempty"`
	OldText    *string `json:"oldText,omitempty"`
	NewText    *string `json:"newText,omitempty"`
	TerminalID string  `json:"terminalId,omitempty"`
}

// ToolText shows text.
func ToolText(s string) ToolContent {
	block := Text(s)
	return ToolContent{Type: "content", Content: &block}
}

// ToolDiff shows a change of a file.
func ToolDiff(path, before, after string) ToolContent {
	return ToolContent{Type: "diff", Path: path, OldText: &before, NewText: &after}
}

// ToolTerminal shows a terminal.
func ToolTerminal(id string) ToolContent { return ToolContent{Type: "terminal", TerminalID: id} }

// Plan replaces the whole plan.
type Plan struct {
	Kind    string      `json:"sessionUpdate"`
	Entries []PlanEntry `json:"entries"`
}

// PlanEntry is one step.
type PlanEntry struct {
	Content  string `json:"content"`
	Priority string `json:"priority"`
	Status   string `json:"status"`
}

// Commands replaces the list of slash commands.
type Commands struct {
	Kind              string    `json:"sessionUpdate"`
	AvailableCommands []Command `json:"availableCommands"`
}

// Command is a slash command; its name has no slash.
type Command struct {
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Input       *InputHint `json:"input,omitempty"`
}

// InputHint says what may follow a command.
type InputHint struct {
	Hint string `json:"hint"`
}

// CurrentMode says which mode holds now.
type CurrentMode struct {
	Kind          string `json:"sessionUpdate"`
	CurrentModeID string `json:"currentModeId"`
}

// Config replaces the settings.
type Config struct {
	Kind          string         `json:"sessionUpdate"`
	ConfigOptions []ConfigOption `json:"configOptions"`
}

// Info names the session.
type Info struct {
	Kind  string `json:"sessionUpdate"`
	Title string `json:"title"`
}

// Usage says how full the context is and what it has cost.
type Usage struct {
	Kind string `json:"sessionUpdate"`
	Used int    `json:"used"`
	Size int    `json:"size"`
	Cost *Cost  `json:"cost,omitempty"`
}

// Cost is an amount of money.
type Cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
}

// Raw is v as JSON. It panics on a value that has none, which is ours to avoid.
func Raw(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("wire: " + err.Error())
	}
	return raw
}
