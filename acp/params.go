package acp

// String is a member whose value should be a string.
type String struct {
	Value string // escapes resolved; empty unless OK
	Raw   []byte // the token as it stands, quotes included; nil when the member is absent
	OK    bool   // the member is there and is a string
}

// Missing says that the member is absent or null, which most peers take for
// the same.
func (t String) Missing() bool { return t.Raw == nil || string(t.Raw) == "null" }

// File is what fs/read_text_file and fs/write_text_file name
// (agentclientprotocol.com/protocol/file-system).
type File struct {
	Session, Path String
	Reason        Reason // why peers could read different things from it; zero when they cannot
}

// Terminal is what terminal/create names (…/protocol/terminals).
type Terminal struct {
	Session, Command, Cwd String
	Args                  []string // those that are strings
	Reason                Reason
}

// Setup is what session/new, load, resume and fork name (…/protocol/session-setup).
type Setup struct {
	Session String // absent in session/new
	Cwd     String
	Dirs    []String // additionalDirectories, in their order, whatever they are
	Reason  Reason
}

// Option is one permission option.
type Option struct {
	ID   String // the agent's own word, to be repeated as it is spelled
	Name string // as the agent words it; may be empty
	Kind string // allow_once, allow_always, reject_once, reject_always, or what a newer peer says
	Odd  bool   // no object, no string for an id, or with members that peers could read differently: never to be chosen for anybody
}

// Permission is what session/request_permission asks, in the shape of v1
// (toolCall) or of the v2 draft (title, subject).
type Permission struct {
	Session     String
	Title       string // v2's own, else the tool call's; empty when neither says one
	Description string // v2
	Subject     string // v2: the subject's type (tool_call, command, …); empty in v1
	Command     String // v2 subject of type command
	Cwd         String // the same
	Call        ToolCall
	Options     []Option
	NoOptions   bool   // options is absent or no array
	Reason      Reason // as of File
}

// ToolCall is what a frame says of a tool call; what it does not say is
// absent. The slices lie in the frame.
type ToolCall struct {
	ID                  String
	Title, Kind, Status String
	Locations           []String // the paths
	HasLocations        bool     // locations is there and not null
	Diffs               []Diff
	HasContent          bool   // content is there and not null
	Content             []byte // raw value; nil when absent
	RawInput            []byte // raw value; nil when absent
}

// Diff is a change of files that a tool call's content shows: one of v1's
// diffs, or one of the changes of a v2 diff.
type Diff struct {
	Path      String
	OldPath   String // v2 move and copy
	Operation string // v2: add, delete, modify, move, copy, …; empty in v1
}

// Update is what session/update says, as far as more than its display hangs on
// it. It is read leniently, field by field, as editors do: the last of
// duplicate members counts.
type Update struct {
	Session String
	Kind    string // sessionUpdate
	Call    ToolCall
	Mode    String // current_mode_update: currentModeId, or modeId as some spell it
	Title   String // session_info_update
	Child   String // subagent_update: the child's sessionId
}

// Outcome is what a reply to session/request_permission says.
type Outcome struct {
	Kind   string // selected, cancelled, or another word; empty when there is none
	Option String // optionId
	Reason Reason // as of File
}

// Hello is what the params or the result of initialize say.
type Hello struct {
	Version              int    // protocolVersion; 0 when it is no integer
	Name, Title, Release string // of clientInfo, agentInfo or info
}

// The readers take the raw params, or result, of a frame, which may be nil, and
// never fail: what cannot be read is absent.

// ReadFile reads the params of fs/read_text_file and fs/write_text_file.
func ReadFile(params []byte) File { return File{} }

// ReadTerminal reads the params of terminal/create.
func ReadTerminal(params []byte) Terminal { return Terminal{} }

// ReadSetup reads the params of session/new, load, resume and fork.
func ReadSetup(params []byte) Setup { return Setup{} }

// ReadPermission reads the params of session/request_permission.
func ReadPermission(params []byte) Permission { return Permission{} }

// ReadUpdate reads the params of session/update.
func ReadUpdate(params []byte) Update { return Update{} }

// ReadOutcome reads the result of session/request_permission.
func ReadOutcome(result []byte) Outcome { return Outcome{} }

// ReadHello reads the params or the result of initialize.
func ReadHello(value []byte) Hello { return Hello{} }

// ReadSession reads a sessionId and, where there are any, the current mode's
// id, from params or a result.
func ReadSession(value []byte) (session, mode String) { return }

// ReadCancelRequest reads which id $/cancel_request names: its raw token, nil
// when there is none or peers could read different ones.
func ReadCancelRequest(params []byte) (id []byte) { return nil }

// NamesEnforced reports whether line, of which peers could read anything,
// could be an enforced method to one of them: whether its printable ASCII,
// escapes resolved, contains the name of one.
func NamesEnforced(line []byte) bool { return false }

// NamesSetup is the same for the methods that set a session's roots.
func NamesSetup(line []byte) bool { return false }

// FilePath gives the path in a URI of scheme file, or in what is an absolute
// path although a URI belongs there; ok is false for every other URI.
func FilePath(uri string) (path string, ok bool) { return "", false }
