package compare

import (
	"cmp"
	"errors"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// Bounds of what is followed at once.
const (
	maxInstances = 64
	maxSessions  = 4096 // of all of them
	maxLive      = 1024 // entries that may change, a session
	maxOpen      = 2 * session.MaxOpen
)

// Options says what counts.
type Options struct {
	Texts bool // what was said, in words
}

// Reader makes a Recording of events. Paths below the cwd of a session are told
// from there, as ./x, those below its other directories as (dir 2)/x and so on.
type Reader struct {
	opts      Options
	recording Recording
	instances map[string]*conversation
	items     int
	size      int // bytes
}

// NewReader is one that has read nothing.
func NewReader(o Options) *Reader { return &Reader{opts: o, instances: map[string]*conversation{}} }

// Take takes what [journal.Read] gives next. Of an error only that a line is
// damaged is counted.
func (r *Reader) Take(e *journal.Event, err error) {
	if line := new(journal.LineError); errors.As(err, &line) {
		r.recording.Damaged++
	}
	if err != nil {
		return
	}
	c := r.instances[e.Instance]
	if c == nil {
		if len(r.instances) == maxInstances {
			r.recording.Damaged++
			return
		}
		c = newConversation(r)
		r.instances[e.Instance] = c
	}
	switch e.Type {
	case journal.FrameEvent:
		r.recording.Frames++
		c.frame(e)
	case journal.DecisionEvent:
		c.decided(e)
	case journal.ExitEvent:
		r.recording.exit = e.Exit
	}
}

// End gives the recording.
func (r *Reader) End() *Recording {
	for _, p := range r.recording.parts {
		p.settle()
		r.updates(p)
	}
	return &r.recording
}

// updates adds which kinds of updates a session had that became nothing else.
func (r *Reader) updates(p *part) {
	if len(p.updates) == 0 {
		return
	}
	all := &item{kind: "kinds of updates", turn: p.turn}
	for kind := range p.updates {
		all.set(kind, "yes", maxValue)
	}
	p.items = append(p.items, all)
}

func (r *Reader) part(ofSession bool) *part {
	p := &part{session: ofSession, live: map[*session.Entry]*item{}, updates: map[string]bool{}}
	r.recording.parts = append(r.recording.parts, p)
	return p
}

// add puts an item at the end of p; when there are too many it is in no list.
func (r *Reader) add(p *part, t *item) *item {
	if r.items >= MaxItems || r.size >= MaxText {
		r.recording.Left++
		return t
	}
	r.items++
	t.turn = p.turn
	p.items, p.messages = append(p.items, t), nil
	return t
}

// set is item.set in the words of p, and counts.
func (r *Reader) set(p *part, t *item, name, value string) {
	r.size += min(len(value), maxValue)
	t.set(name, mapped(p.roots, value), maxValue)
}

// conversation is what one proxy recorded.
type conversation struct {
	*Reader
	fold        session.Fold
	story       *session.Story
	connection  *part
	sessions    map[string]*part
	asked       map[string]*question // that have no answer yet
	permissions map[string]*item     // by the id of the request, the last ones
	key         []byte
}

// question is a request that has no answer yet.
type question struct {
	item    *item
	part    *part
	roots   []root            // that it gives to a session
	options map[string]string // of a permission: kinds by id
}

func newConversation(r *Reader) *conversation {
	c := &conversation{Reader: r, sessions: map[string]*part{}, asked: map[string]*question{}, permissions: map[string]*item{}}
	c.story = session.NewStory(&c.fold)
	c.connection = r.part(false)
	return c
}

// frame takes a frame.
func (c *conversation) frame(e *journal.Event) {
	var f acp.Frame
	if !e.Replay(&f) {
		return
	}
	fact := c.fold.Frame(e.Time, e.Dir, &f)
	told := c.story.Frame(e.Time, e.Seq, e.Dir, &f, &fact)
	p := c.at(told.Session, fact.Method)
	switch f.Kind {
	case acp.Request:
		c.request(p, e, &f, &fact)
	case acp.Notification:
		c.notification(p, e, &fact)
	case acp.Response, acp.Error:
		c.answer(p, e, &f, &fact)
	}
	c.entry(p, e, &told)
	if talk := c.story.Talk(told.Session); talk != nil {
		p.ran(talk)
	}
}

// at is the part of a session, which begins when it is first named in earnest.
func (c *conversation) at(id, method string) *part {
	p := c.sessions[id]
	switch {
	case p != nil:
		return p
	case id == "" || method == acp.MethodSessionList || len(c.sessions) >= maxSessions:
		return c.connection
	}
	p = c.part(true)
	c.sessions[id] = p
	return p
}

// ran ends a turn that is over.
func (p *part) ran(talk *session.Talk) {
	if p.running && !talk.Running {
		p.settle()
	}
	p.running = talk.Running
}

// settle takes leave of what cannot change any more.
func (p *part) settle() {
	for e, t := range p.live {
		if e.Tool != nil && e.Tool.NotRun {
			t.set("status", "not run", maxValue)
		}
	}
	clear(p.live)
}

// id is the key of a request.
func (c *conversation) id(asker acp.Direction, raw []byte) string {
	c.key, _ = acp.IDKey(append(c.key[:0], byte(asker)), raw)
	return string(c.key)
}

// decided says who answered a permission.
func (c *conversation) decided(e *journal.Event) {
	t := c.permissions[c.id(acp.Agent, e.ID)]
	if t == nil || e.Decision == nil || e.Decision.Late {
		return
	}
	t.set("by", e.Decision.By, maxValue)
	if t.get("answer") == "" {
		t.set("answer", cmp.Or(e.Decision.OptionKind, e.Decision.Outcome), maxValue)
	}
}

// entry takes what a frame became for people.
func (c *conversation) entry(p *part, e *journal.Event, told *session.Told) {
	c.noteUpdate(p, told)
	entry := told.Entry
	if entry == nil || entry.Replay {
		return
	}
	switch entry.Kind {
	case session.ToolEntry:
		c.tool(p, e, entry)
	case session.AgentMessage, session.Thought:
		c.message(p, e, entry)
	case session.TurnEnd:
		c.turnEnd(p, e, entry)
	case session.Setting, session.Compaction, session.Subagent, session.Notice:
		c.setting(p, e, entry)
	}
}

// spoken are the updates that become items.
var spoken = map[string]bool{
	"agent_message_chunk": true, "agent_thought_chunk": true, "user_message_chunk": true, "agent_message": true, "agent_thought": true, "user_message": true,
	"tool_call": true, "tool_call_update": true, "tool_call_content_chunk": true,
}

const maxUpdates = 64 // kinds of them

func (c *conversation) noteUpdate(p *part, told *session.Told) {
	if told.Update != "" && !spoken[told.Update] && len(p.updates) < maxUpdates {
		p.updates[clip(told.Update, maxValue)] = true
	}
}

// live is the item of an entry, made by make where there is none yet.
func (c *conversation) live(p *part, e *session.Entry, make func() *item) *item {
	t := p.live[e]
	if t == nil {
		if len(p.live) >= maxLive {
			p.settle()
		}
		t = c.add(p, make())
		p.live[e] = t
	}
	return t
}
