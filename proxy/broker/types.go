package broker

import (
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// Level is a verdict in one word.
type Level string

const (
	LevelInside   Level = "inside"   // every path it names is in the workspace
	LevelOutside  Level = "outside"  // at least one is not
	LevelLater    Level = "later"    // inside, but what is written there takes effect outside later
	LevelUnjudged Level = "unjudged" // nothing in it that can be judged: a shell command, no path at all
	LevelOff      Level = "off"      // bounds are off
)

// Verdict is what the bounds make of a permission request. It is computed once,
// when the request comes.
type Verdict struct {
	Level Level  `json:"level"`
	Paths []Path `json:"paths"` // never null in JSON
	Text  string `json:"text"`  // one sentence for people
	// Refuse says that nobody is to be asked: the request edits outside.
	Refuse bool `json:"-"`
}

// Path is one path that a request names.
type Path struct {
	Path   string `json:"path"`
	Inside bool   `json:"inside"`
	Reason string `json:"reason,omitempty"` // a bounds code, when not inside
	Target string `json:"target,omitempty"` // where it leads, when that is elsewhere
}

// Ask is a permission request as it comes.
type Ask struct {
	ID             []byte // raw token of the request's id; copied
	Session        string // resolved
	Known          bool   // the session is known
	Permission     acp.Permission
	Title          string // to show: of the request, else of the remembered tool call; may be empty
	Kind           string // the tool call's kind, the same way
	Input          []byte // rawInput, the same way: a JSON value, clipped to 64 KiB; nil when there is none
	Clipped        bool
	Content        []byte // the tool call's content, the same way
	ContentClipped bool
	Digest         string // over request and joined call, frozen
	Verdict        Verdict
	Shared         bool // another request of the agent, of any other method, is in flight under this id
}

// Entry is one permission request that is or was open. The broker owns it;
// what [Broker.Pending] gives are copies. Of what was asked it keeps what people
// are shown: strings are cut at 4 KiB, a command at 64 KiB, and in Permission
// there are no options, locations, contents and raw tokens.
type Entry struct {
	Ask
	Request  string    // <instance>:<number>
	Opened   time.Time // by the wall clock
	Deadline time.Time // when the time-out answers; zero: never
	Options  []acp.Option

	// Unanswerable says why only the editor can answer: an id that cannot be
	// told from others, …; empty when others can, too. A request that offers
	// nothing to choose can still be denied.
	Unanswerable string

	// Unattributable says why what the editor allows is not released; empty when
	// it is.
	Unattributable string
}

// By says who settled a permission; the words of recordings.
type By string

const (
	ByEditor  By = "editor"
	ByPanel   By = "panel"
	ByCommand By = "command"
	ByTimeout By = "timeout"
	ByBounds  By = "bounds"
	ByCancel  By = "cancel"
	ByAgent   By = "agent"
	ByGone    By = "gone"
)

// Effect is something the broker wants done, in the order given. Exactly one
// field is set.
type Effect struct {
	ToAgent  []byte // a frame to add, LF included
	ToClient []byte
	Note     *journal.Event // a decision, opened or flagged event
}
