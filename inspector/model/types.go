package model

import (
	"time"

	"bobproxy/acp"
	"bobproxy/acp/check"
	"bobproxy/acp/session"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// Bounds of what is kept of one proxy.
const (
	MaxRows   = 20000    // newest rows
	MaxBodies = 24 << 20 // bytes of bodies of rows; older rows lose theirs first
	MaxClosed = 200      // permissions that were settled
	MaxDeeds  = 2000     // entries of the ledger, a session
	MaxStderr = 2000     // lines
	MaxOpen   = 1000     // requests without an answer that are listed
	MaxNamed  = 1000     // sessions
	MaxFiles  = 500      // files, a session
	MaxWords  = 4 << 10  // bytes of one line of stderr or of a warning
)

// Model is all proxies, in order of appearance.
type Model struct {
	Proxies []*Proxy
}

// Link is how we are connected to a proxy.
type Link uint8

const (
	Connecting Link = iota
	Live
	Lost     // cut loose or interrupted; it is being dialed again
	Gone     // the proxy has ended, or cannot be reached any more
	Recorded // not live: from a recording
)

// Proxy is one running proxy, or one that ran.
type Proxy struct {
	Instance    string
	Name        string        // of the file, when it is Recorded
	State       control.State // as it was last told, without Sessions and Pending, which are in what follows
	Greeting    control.Greeting
	Link        Link
	LinkText    string    // why it is Lost or Gone, in a sentence
	GoneAt      time.Time // when it became Gone
	Client      control.Program
	Agent       control.Program
	Protocol    int // version of ACP; 0 before it is known
	AutoApprove string

	Sessions []*Session    // in order of appearance; what belongs to no session is in a session without an id, which is there only when something is
	Rows     []*Row        // oldest first
	Open     []*Row        // requests that have no answer yet, oldest first, at most 1000
	Pending  []*Permission // oldest first
	Closed   []*Permission // in order of settling
	Stderr   []Words       // lines of the agent's stderr
	Warnings []Words       // of the proxy

	Exit   *journal.Exit
	ExitAt time.Time

	Dropped uint64 // rows that were forgotten, or that were too old to be told
	Unheard uint64 // of Dropped: those too old to be told, of which nothing is known
	Missed  uint64 // events that nobody could tell us
	Damaged int    // lines of a recording that cannot be read
	Marks   map[uint64]bool
	LastSeq uint64
	Last    [3]time.Time // of the last frame, by who sent it
	Frames  [3]int
	Bytes   [3]int64

	mem memory
}

// Words is one line of text and when it came.
type Words struct {
	At   time.Time
	Seq  uint64
	Text string
}

// Session is one session of a proxy.
type Session struct {
	Proxy    *Proxy
	Talk     *session.Talk // never nil
	Cwd      string
	Roots    []string
	Parent   string // of a subagent's: the session above it
	Begun    bool   // its beginning was told
	Closed   bool
	Deeds    []*Deed // the ledger: oldest first
	Files    []File  // files that were named by tools and fs/* requests, in order of appearance, at most 500
	Activity time.Time
	Rows     int

	AutoApprove string // what of its mode and options, by their names, asks for no permission; empty: nothing

	book book
}

// File is a file that a session had to do with.
type File struct {
	Path           string
	Did            string // read, proposed, wrote
	Added, Removed int
}

// Permission is a request for permission, open or settled.
type Permission struct {
	Proxy   *Proxy
	Session *Session // never nil
	Request string   // <instance>:<number>
	Digest  string
	Call    string           // tool call id
	Title   string           // as the agent wrote it
	Kind    string           // of the tool, as the agent wrote it
	Card    *control.Pending // all that must be seen by who answers; nil when it was never told
	Opened  time.Time
	Seq     uint64 // of its opened event
	Frame   uint64 // of the request on the wire; 0: not known

	Decision *journal.Decision // nil while it waits
	Closed   time.Time
	Late     []journal.Decision // answers that came after that
	Ended    bool               // the proxy was gone before it was settled
	Unknown  bool               // it is settled, and nobody could tell us how
	Recalled bool               // the editor was asked to close its dialog

	Row   *Row           // the request on the wire; nil: not known, or forgotten
	Entry *session.Entry // the tool call; nil: none, not known, or forgotten
	Deed  *Deed          // what it was asked for; nil: nothing in the ledger

	inquiry
}

// Row is one event in the view of the wire.
type Row struct {
	Proxy   *Proxy
	Session *Session // nil: none
	Seq     uint64
	Time    time.Time
	Type    journal.Type
	From    acp.Direction // of a frame
	Kind    acp.Kind      // of a frame
	Method  string        // of a response: its request's
	ID      string        // raw token; empty: none
	Size    int64
	EOL     acp.EOL
	Added   bool
	By      string // of an added frame: panel, command, timeout, bounds, cancel, proxy
	Action  string // refused, withheld, swallowed
	Reason  string
	Masked  int
	Body    []byte // as in the journal, at most 64 KiB; nil when dropped
	Cut     bool   // Body is not all
	Unread  bool   // the body of a frame was never told, so that nothing which depends on it is known
	Text    string // of other events

	Update string // variant of a session/update
	Call   string // tool call id
	Tool   string // kind of the tool call
	Status string
	First  string // first words of what it says, for people; at most 200 bytes, not clean
	Entry  uint64 // frame with which the entry of its session began that it made or changed; 0: none
	Run    string // rows with the same one that follow each other are one run of chunks or of housekeeping; empty: none
	Chunk  bool   // of a message

	Pair       *Row              // request and response; nil: none, or not known
	Waited     time.Duration     // of a response: since its request
	Waiting    bool              // a request that has no answer yet
	Permission *Permission       // of a request for permission, of its answers and of the events about it
	About      *Row              // of a flagged event: the frame that it speaks of; nil: none, or not known
	Decision   *journal.Decision // of a decision: as it was told, be it late; shared, nothing in it is changed
	Event      *journal.Event    // what an opened, decision, start, exit or gap event told besides; shared; nil: another event, or forgotten

	findings []check.Finding // see Findings

	ticket
}

// Deed is one tool call that edits, deletes, moves or executes, or a request of
// the agent that does so without one, and whether anybody was asked.
type Deed struct {
	At       time.Time
	Seq      uint64
	Entry    *session.Entry // the tool call; nil: a request without one
	What     string         // edit, delete, move, execute, write (fs/write_text_file), terminal (terminal/create)
	Title    string         // title of the call, path, or command line; not clean
	Asked    []*Permission  // in order
	Requests []*Row         // fs/* and terminal/* requests that it caused, as far as that can be told
	Verdict  Verdict
	Despite  bool        // it ran although that was not allowed
	Cover    *Permission // of one that is Unasked: what was allowed for always before, for the same kind of call of its session; nil: nothing

	Session *Session
	trial
}

// Verdict says whether somebody was asked.
type Verdict uint8

const (
	NotYet    Verdict = iota // it has not run yet, and nobody was asked yet
	Asking                   // it waits for an answer
	Allowed                  // asked, and allowed
	Refused                  // asked, and refused
	TimedOut                 // asked, and nobody answered
	Withdrawn                // asked, and cancelled before it was answered
	NotRun                   // never asked, never ran
	Unasked                  // it ran, and nobody was asked
)
