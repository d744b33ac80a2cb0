package check

import (
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
)

// Bounds of what a Checker says and remembers.
const (
	MaxFindings = 8 // of one frame

	maxTalks  = 4096  // sessions
	maxAsked  = 16384 // requests that wait for an answer, in each direction
	maxDone   = 256   // ids whose request was answered, in each direction
	maxKept   = 4096  // tool calls of a session, and terminals
	maxAll    = 32768 // tool calls and terminals of all sessions
	maxChoice = 256   // permission options, modes, config options and values of one
	maxWord   = 256   // bytes of an id
)

// Checker judges one conversation. Make it with New.
type Checker struct {
	fold   session.Fold
	found  []Finding
	now    moment
	missed bool // something may have been said that was not seen

	hello   hello
	talks   map[string]*talk
	asked   [3]map[string]*ask
	done    [3]done
	once    map[onceKey]bool
	visit   visit
	opening int             // requests that open a session whose id is not known yet
	kept    int             // tool calls and terminals of all sessions
	methods map[string]bool // drafts that were used
	auth    []string        // ids of the ways to log in; nil: not known
	links   links           // elicitations by URL
	ended   bool            // the agent has
	endedAt time.Time
}

// onceKey is a habit of one side, which is told of once.
type onceKey struct {
	rule string
	by   acp.Direction
}

// moment is the frame that is being judged.
type moment struct {
	seq    uint64
	from   acp.Direction
	frame  *acp.Frame
	fact   session.Fact
	method string
	key    string // of the session that it names; empty: none
	added  bool   // by the proxy
	at     time.Time
}

// ask is a request that waits for its answer.
type ask struct {
	method    string
	session   string
	seq       uint64
	at        time.Time
	options   []string // of a permission: ids of its options
	kinds     []string // and their kinds
	judged    bool     // options are all of them
	call      string   // of a permission: the tool call that it is for; empty: not known
	waits     bool     // of a permission: its turn may not end before its answer
	cancels   int      // how often its session had been cancelled before
	unclear   bool     // another one was open under its id, so that nobody knows which of them an answer is for
	withdrawn bool     // by $/cancel_request
	version   int      // of initialize
	needs     string   // of an elicitation: the capability for it
	link      string   // of an elicitation by URL: its id
}

// New is a Checker that is going to be shown a conversation from its beginning.
func New() *Checker {
	return &Checker{
		talks: map[string]*talk{}, once: map[onceKey]bool{}, methods: map[string]bool{},
		asked: [3]map[string]*ask{{}, {}, {}},
	}
}

// Missed says that frames were exchanged that the Checker is not going to see.
func (c *Checker) Missed() { c.missed = true }

// Ended says that the agent has ended, so that it answers nothing any more.
func (c *Checker) Ended(at time.Time) { c.ended, c.endedAt = true, at }

// Frame takes the next frame, which from sent, and gives what is wrong with it.
// line is the frame's, with or without its end; of a frame that is cut, what is
// there. seq is its number in the recording.
func (c *Checker) Frame(at time.Time, seq uint64, from acp.Direction, f *acp.Frame, line []byte) []Finding {
	if from != acp.Client && from != acp.Agent {
		return nil
	}
	c.now = moment{seq: seq, from: from, frame: f}
	return c.take(at, line)
}

// Added takes the next frame, one that the proxy made in the name of from. It
// counts for how the conversation goes on, and nobody is blamed for it.
func (c *Checker) Added(at time.Time, seq uint64, from acp.Direction, f *acp.Frame, line []byte) {
	if from == acp.Client || from == acp.Agent {
		c.now = moment{seq: seq, from: from, frame: f, added: true}
		c.take(at, line)
	}
}

func (c *Checker) take(at time.Time, line []byte) []Finding {
	f := c.now.frame
	c.found, c.now.at = nil, at
	c.now.fact = c.fold.Frame(at, c.now.from, f)
	c.now.method, c.now.key = c.now.fact.Method, key(f.Session)
	c.missed = c.missed || f.Cut && c.matters()
	if c.line(line) {
		c.message()
	}
	return c.found
}

// matters says that a frame may name what later ones are about: sessions, tool
// calls, terminals.
func (c *Checker) matters() bool {
	f := c.now.frame
	switch c.now.method {
	case acp.MethodSessionUpdate:
		switch string(f.Update) {
		case "tool_call_update", "agent_message_chunk", "user_message_chunk", "agent_thought_chunk", "plan", "available_commands_update":
			return false
		}
		return true
	case acp.MethodRequestPermission, acp.MethodSessionPrompt, acp.MethodSessionLoad, acp.MethodSessionResume:
		return f.Kind == acp.Request
	case acp.MethodSessionCancel, acp.MethodTerminalCreate:
		return true
	case acp.MethodSessionNew, acp.MethodSessionFork, acp.MethodSessionList:
		return f.Kind == acp.Response
	}
	return f.Kind == acp.Response && c.now.method == ""
}

// message judges a line that is a message.
func (c *Checker) message() {
	switch c.now.frame.Kind {
	case acp.Request, acp.Notification:
		c.envelope()
		if c.allowed() {
			c.asks()
		}
	case acp.Response, acp.Error:
		c.envelope()
		c.answers()
	}
}

// say adds a finding about the sender of the frame.
func (c *Checker) say(rule string, severity Severity, text string) {
	c.blame(c.now.from, rule, severity, text)
}

func (c *Checker) blame(by acp.Direction, rule string, severity Severity, text string) {
	if len(c.found) >= MaxFindings || c.now.added || c.now.frame.Cut && !ruleByName[rule].whole {
		return
	}
	c.found = append(c.found, Finding{
		Rule: rule, Severity: severity, By: by, Seq: c.now.seq, Session: c.now.key, Method: clip(c.now.method), Version: max(c.version(), 1), Text: text,
	})
}

// sayOnce tells of a habit.
func (c *Checker) sayOnce(rule string, severity Severity, text string) {
	if k := (onceKey{rule, c.now.from}); !c.once[k] && !c.now.added {
		c.once[k] = true
		c.say(rule, severity, text)
	}
}

// version is the one that was agreed on; before that, the one that was asked for.
func (c *Checker) version() int {
	if v := c.fold.Version(); v != 0 {
		return v
	}
	return c.hello.asked
}

func (c *Checker) v2() bool { return c.version() >= 2 }

// shapes is the table of the version.
func (c *Checker) shapes() *shapes {
	if c.v2() {
		return shapesV2()
	}
	return shapesV1()
}

// shape compares a value with its type. Of a frame that was cut nothing is said.
func (c *Checker) shape(raw []byte, t *typ) {
	if c.now.frame.Cut || t == nil {
		return
	}
	v := &c.visit
	*v = visit{report: c.say, method: c.now.method, left: MaxFindings, path: v.path[:0]}
	if v.method == "" {
		v.method = c.now.frame.Kind.String()
	}
	if len(raw) == 0 || null(raw) {
		if t.required() {
			v.say("shape/missing", Error, "what it has to say is missing")
		}
		return
	}
	if t.fits(raw) {
		v.typ(raw, t)
	} else {
		v.expr(raw, &expr{kind: namedKind, typ: t})
	}
}

// key is an id as it is remembered.
func key(raw []byte) string { return string(raw[:min(len(raw), maxWord)]) }

func clip(s string) string { return s[:min(len(s), maxWord)] }

// hidden says that an id is masked, or a part of it, so that nobody knows which it is.
func hidden(id string) bool { return strings.Contains(id, string(masked)) }
