package session

import (
	"container/list"
	"strings"
	"time"
)

// Bounds of what a Story keeps.
const (
	// MaxEntries is how many entries of one session are kept, the newest ones.
	MaxEntries = 4000
	// MaxEntryText is how many bytes are kept of the text of one entry.
	MaxEntryText = 64 << 10
	// MaxStory is how many bytes are kept of all entries of all sessions.
	MaxStory = 32 << 20
	// MaxTalks is how many sessions are kept, the ones that were active last.
	MaxTalks = 1024
)

// Story is the part of the memory that a person reads: what was said and done in
// each session. It reads merged tool calls, the version and what is being loaded
// from a Fold, and has no memory of its own of them. Like that, it keeps no
// reference to the frames it is shown, and becomes the same of the same frames.
type Story struct {
	fold   *Fold
	talks  map[string]*talk
	all    []*talk   // in order of appearance
	byUse  list.List // the one that was active longest ago comes first
	size   int       // bytes of what all talks hold
	asking asking
	names  names
}

// NewStory is an empty one that reads from f.
func NewStory(f *Fold) *Story {
	return &Story{fold: f, talks: map[string]*talk{}}
}

// Talk gives one session's; id has its escapes resolved. It is nil when unknown.
// It changes with every frame, and is not to be written to.
func (s *Story) Talk(session string) *Talk {
	if t := s.talks[session]; t != nil {
		return &t.Talk
	}
	return nil
}

// Talks are those of all sessions, in order of appearance.
func (s *Story) Talks() []*Talk {
	all := make([]*Talk, len(s.all))
	for i, t := range s.all {
		all[i] = &t.Talk
	}
	return all
}

// Talk is what was said and done in one session, as a person would tell it.
type Talk struct {
	Session  string // id, escapes resolved; empty: what belongs to no session
	Title    string // as the agent gave it
	Prompt   string // text of the first prompt, at most 1 KiB
	Mode     string // name of the mode, its id when it has none
	Modes    []Choice
	Options  []Option // config options
	Commands []Command
	Usage    Usage
	Plans    []Plan // by id, in order of appearance; version 1 has one, without an id

	Running bool // a prompt is being answered
	Since   time.Time
	Turns   int    // prompts so far
	Stop    string // why the last turn ended: its stop reason, or error
	Loading bool   // what comes is a replay of an old talk

	Entries []*Entry // oldest first
	Dropped int      // entries that were forgotten
	First   time.Time
	Last    time.Time // of the last frame of the session
	Frames  int
}

// Told says what one frame became, for whoever lists frames.
type Told struct {
	Session string // id, escapes resolved; empty: none
	Entry   *Entry // what it made or changed; nil: nothing

	Update string // variant of a session/update
	Call   string // tool call id
	Tool   string // kind of the tool call
	Status string // of the tool call, by all that was said so far

	First string // first words of what it says, for people; at most MaxFirst bytes, not clean
	Run   string // frames with the same one that follow each other are one run of chunks or of housekeeping; empty: none
	Chunk bool   // of a message
}

// MaxFirst is how many bytes the first words of a frame have at most.
const MaxFirst = 200

// EntryKind says what an entry is.
type EntryKind uint8

const (
	UserMessage  EntryKind = iota + 1
	AgentMessage           // of the agent, for the person
	Thought
	ToolEntry
	Notice     // of the agent: Name is its severity, Text what it says
	Compaction // of the context: Name is its status
	Unknown    // an update nobody knows: Name is its name, Text the beginning of it
	TurnEnd    // Name is the stop reason, or error, then Text what it says
	Setting    // a mode, option or title was changed: Name says which, Text to what
	Subagent   // Name is its session, Text what is known
)

// Entry is one thing in a talk. It is changed in place when more of it comes.
type Entry struct {
	Kind    EntryKind
	At      time.Time // of its first frame
	Last    time.Time // and its last
	Seq     uint64    // of its first frame in the journal
	LastSeq uint64
	Frames  int
	ID      string // message id, compaction id, …
	Name    string
	Text    string // at most MaxEntryText of it
	Size    int    // its true size; larger than Text when that was cut
	Tool    *Tool  // of a ToolEntry
	Replay  bool   // of an old talk that was loaded
	Over    bool   // nothing more is to come

	build *strings.Builder // holds Text while pieces are added
	key   string           // under which its talk finds it
	run   string           // of its chunks
	about string           // of a subagent: what it is for
	size  int              // that it is counted with
	gone  bool             // it was forgotten
}

// Tool is a tool call as all updates so far tell it.
type Tool struct {
	ID, Title, Kind, Status, Name string

	Started time.Time // when it was first told of, went in progress or was last allowed, whichever came last
	Ended   time.Time // zero while it is not over
	NotRun  bool      // its turn ended while it was pending

	Paths          []string // locations, then files of diffs; at most 64
	Added, Removed int      // lines, by its diffs as far as they were read
	Diffs          int
	Input          []byte // raw input, JSON, at most 64 KiB
	Output         string // text that it produced: its content and raw output, at most 16 KiB, the end of it
	OutputSize     int    // its true size
	Exit           string // exit status or signal, when it said so
	Terminals      []string
	Replay         bool
	Cut            bool // more of its diffs or output was said than is known, so Added and Removed may be too small

	reading reading
}

// Choice is a mode or the value of an option.
type Choice struct{ ID, Name, Description string }

// Option is a config option.
type Option struct {
	ID, Name, Category, Current string // Current is the name of the value, or on, off
	Values                      []Choice
}

// Command is a slash command.
type Command struct{ Name, Description, Hint string }

// Usage is how much of the context is used, in tokens, and what it has cost.
type Usage struct {
	Used, Size int64
	Cost       string // amount and currency; empty: not told
}

// Plan is a list of steps, or a file or text that holds one.
type Plan struct {
	ID, Kind, Text string // Kind is items, file or markdown; Text is of the last two
	Steps          []Step
}

// Step is one entry of a plan.
type Step struct{ Text, Status, Priority string }
