package journal

import (
	"time"

	"bobproxy/acp"
)

// Type says what an event tells; it is the member "event" of a record.
type Type string

const (
	FrameEvent    Type = "frame"    // one line of the wire
	OpenedEvent   Type = "opened"   // a permission waits for an answer
	DecisionEvent Type = "decision" // a permission got its answer
	StartEvent    Type = "start"    // the agent was started
	ExitEvent     Type = "exit"     // the agent ended
	StderrEvent   Type = "stderr"   // the agent's own words
	WarningEvent  Type = "warning"  // the proxy's own words
	FlaggedEvent  Type = "flagged"  // something odd passed
	GapEvent      Type = "gap"      // records that could not be kept
)

// Form is how a frame's body stands in a record.
type Form uint8

const (
	NoBody     Form = iota
	FrameBody       // "frame": the frame's own bytes, a JSON object
	RawBody         // "raw": a JSON string
	Base64Body      // "base64": not UTF-8
)

// Event is one thing that happened in a running proxy. Fields that do not
// apply are zero and left out of the record. Its slices are shared: whoever
// gets an Event may keep it, but changes nothing in it.
type Event struct {
	Time     time.Time // UTC, without a monotonic reading
	Seq      uint64    // from 1, in the order of Append and Note
	Instance string
	Type     Type

	// Of a frame; Method, ID, Session and Reason also of other events.
	Dir     acp.Direction
	Kind    acp.Kind
	EOL     acp.EOL
	Method  string // of a response: its request's; at most 1 KiB
	ID      []byte // raw token; at most 1 KiB
	Session string // at most 1 KiB
	Bytes   int64  // of the line without its EOL, as it was on the wire
	Added   bool   // made by the proxy
	Action  string // when it was not forwarded: refused, withheld, swallowed
	Reason  string
	Masked  int // values replaced by [masked]
	Blanked int // values of which a copy has only the size: an x for every byte but line feeds
	Form    Form
	Body    []byte // without EOL, masked; in tail and watchers at most 64 KiB

	Decision *Decision // decision, opened
	Start    *Start
	Exit     *Exit
	Gap      *Gap
	Text     string // stderr (any bytes), warning, flagged; in tail and watchers at most 64 KiB
}

// Decision is how a permission was settled. An opened event has only Request
// and Digest in it.
type Decision struct {
	Request    string // <instance>:<number>
	By         string // editor, panel, command, timeout, bounds, cancel, agent, gone
	Outcome    string
	OptionID   string
	HasOption  bool // an option was selected; its id may be empty
	OptionKind string
	Wait       time.Duration // recorded in whole milliseconds
	Digest     string
	Peer       *Peer // who answered, when not the editor
	Late       bool  // came after the entry was settled
}

// Closes says that d chose nothing: an editor has taken away the dialog of a
// request that was settled before, and says so since it owes a reply.
func (d *Decision) Closes() bool {
	return d.Late && d.By == "editor" && !d.HasOption && (d.Outcome == "cancelled" || d.Outcome == "error")
}

// Peer is a process at the other end of a control connection.
type Peer struct {
	PID int
	Exe string
	TTY string
}

// Start is how the agent was started.
type Start struct {
	Command []string
	PID     int // the proxy's own
	Cwd     string
	Version string // of the proxy
}

// Exit is how the agent ended.
type Exit struct {
	Status int
	Signal string    // name, when a signal ended it
	Left   []Process // what it left running on purpose
}

// Process is a process by number and command line.
type Process struct {
	PID     int
	Command string
}

// Gap counts records that were not kept.
type Gap struct {
	Count uint64
	Bytes uint64 // of their lines and texts, as they were before
}
