package replay

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
)

// memory is what was said and done in a conversation.
type memory struct {
	fold  session.Fold
	story *session.Story
	kinds map[turn]map[string]bool // of updates
	seq   uint64                   // of frames without a number
}

// turn is one turn of a session, counted from 1; 0 is the session as a whole.
type turn struct {
	session string
	number  int
}

func newMemory() *memory {
	m := &memory{kinds: map[turn]map[string]bool{}}
	m.story = session.NewStory(&m.fold)
	return m
}

// frame takes the next frame. Its number is counted where it has none.
func (m *memory) frame(from acp.Direction, number uint64, f *acp.Frame) {
	m.seq++
	at := time.Unix(0, int64(m.seq)) // only the order counts
	fact := m.fold.Frame(at, from, f)
	told := m.story.Frame(at, cmp.Or(number, m.seq), from, f, &fact)
	talk := m.story.Talk(told.Session)
	if told.Update == "" || talk == nil {
		return
	}
	m.note(turn{told.Session, 0}, told.Update)
	if talk.Running {
		m.note(turn{told.Session, talk.Turns}, told.Update)
	}
}

// Bounds of what is noted of updates.
const (
	maxTurns = 10_000
	maxKinds = 64 // of one turn
)

func (m *memory) note(t turn, kind string) {
	if m.kinds[t] == nil && len(m.kinds) < maxTurns {
		m.kinds[t] = map[string]bool{}
	}
	if m.kinds[t] != nil && len(m.kinds[t]) < maxKinds {
		m.kinds[t][kind] = true
	}
}

// compareTalks holds each turn of the live conversation against the recorded
// one.
func (c *client) compareTalks() {
	for _, was := range c.recorded.story.Talks() {
		name, ok := c.places.live(was.Session)
		if !ok {
			continue // it was not made, which was said
		}
		is := c.live.story.Talk(name)
		if is == nil {
			is = &session.Talk{}
		}
		if was.Dropped > 0 || is.Dropped > 0 {
			c.found(Finding{About: "session " + show(was.Session), Came: "is too long to be compared as a whole", Why: "its beginning is left out"})
			continue
		}
		then, now := turns(was), turns(is)
		for i := range min(len(then), len(now)) {
			c.compareTurn(then[i], now[i])
			c.compareKinds(turn{was.Session, i + 1}, turn{name, i + 1}, then[i])
		}
		c.compareCut(was, is, len(then))
		if len(now) < len(then) && !c.told {
			e := then[len(now)][0]
			c.found(Finding{Divergence: true, Frame: e.Seq, About: "session " + show(was.Session), Expected: howMany(len(then), "turn"), Came: fmt.Sprint(len(now))})
		}
	}
}

// compareCut looks for the tool calls that were over when the recording ended
// inside a turn, which has so many in front of it.
func (c *client) compareCut(was, is *session.Talk, before int) {
	if !was.Running {
		return
	}
	have := map[string]int{}
	for _, e := range tools(behind(is, before)) {
		have[c.toolWords(e, true)]++
	}
	for _, e := range tools(behind(was, before)) {
		words := c.toolWords(e, false)
		if have[words]--; have[words] < 0 && (e.Tool.Status == "completed" || e.Tool.Status == "failed") {
			c.found(Finding{Divergence: true, Frame: e.Seq, About: "a tool call", Expected: show(words), Came: "none"})
		}
	}
}

// behind are a session's entries behind so many turns.
func behind(t *session.Talk, turns int) []*session.Entry {
	for i, e := range t.Entries {
		if turns == 0 {
			return t.Entries[i:]
		}
		if e.Kind == session.TurnEnd {
			turns--
		}
	}
	return nil
}

// turns divides a session's entries, each part with the end of its turn.
func turns(t *session.Talk) (parts [][]*session.Entry) {
	from := 0
	for i, e := range t.Entries {
		if e.Kind == session.TurnEnd {
			parts = append(parts, t.Entries[from:i+1])
			from = i + 1
		}
	}
	return parts
}

func (c *client) compareTurn(was, is []*session.Entry) {
	c.compareTools(tools(was), tools(is))
	then, now := was[len(was)-1], is[len(is)-1]
	if a, b := ending(then), ending(now); a != b {
		c.found(Finding{Divergence: true, Frame: then.Seq, About: "the end of the turn", Expected: a, Came: b})
	}
	if c.opts.Strict {
		c.compareTexts(was, is)
	}
}

// start is the frame that a turn began with.
func start(entries []*session.Entry) uint64 {
	for _, e := range entries {
		if e.Kind == session.UserMessage {
			return e.Seq
		}
	}
	return entries[0].Seq
}

// ending is why a turn ended.
func ending(e *session.Entry) string { return joined([]string{short(e.Name), short(e.Text)}) }

func tools(entries []*session.Entry) (list []*session.Entry) {
	for _, e := range entries {
		if e.Kind == session.ToolEntry {
			list = append(list, e)
		}
	}
	return list
}

// toolWords are what makes a tool call the same one in recorded names.
func (c *client) toolWords(e *session.Entry, live bool) string {
	paths := slices.Clone(e.Tool.Paths)
	slices.Sort(paths)
	words := joined(append([]string{e.Tool.Kind, e.Tool.Title}, slices.Compact(paths)...))
	if live {
		return c.back.text(words)
	}
	return words
}

// compareTools pairs the tool calls of a turn by what they are, and then what is
// left by their kind.
func (c *client) compareTools(was, is []*session.Entry) {
	free := map[string][]int{} // live ones by their words
	for i, e := range is {
		words := c.toolWords(e, true)
		free[words] = append(free[words], i)
	}
	taken := make([]bool, len(is))
	var missing []*session.Entry
	last, moved := none, false
	for _, e := range was {
		words := c.toolWords(e, false)
		if len(free[words]) == 0 {
			missing = append(missing, e)
			continue
		}
		i := free[words][0]
		free[words], taken[i] = free[words][1:], true
		moved, last = moved || i < last, i
		if a, b := e.Tool.Status, is[i].Tool.Status; a != b {
			c.found(Finding{Divergence: true, Frame: e.Seq, About: "the tool call " + show(words), Expected: "that it is " + short(a) + " in the end", Came: short(b)})
		}
	}
	if moved {
		c.found(Finding{Frame: was[0].Seq, About: "the tool calls of the turn", Came: "are in another order"})
	}
	var extra []*session.Entry
	for i, e := range is {
		if !taken[i] {
			extra = append(extra, e)
		}
	}
	c.tellTools(missing, extra)
}

// tellTools tells of tool calls that have no equal.
func (c *client) tellTools(missing, extra []*session.Entry) {
	kinds := map[string][]*session.Entry{}
	for _, e := range extra {
		kinds[e.Tool.Kind] = append(kinds[e.Tool.Kind], e)
	}
	instead := map[*session.Entry]bool{}
	for _, e := range missing {
		if like := kinds[e.Tool.Kind]; len(like) > 0 && alike(c.toolWords(e, false), c.toolWords(like[0], true)) {
			kinds[e.Tool.Kind], instead[like[0]] = like[1:], true
			continue // something in it is not known
		}
		f := Finding{Divergence: true, Frame: e.Seq, About: "a tool call", Expected: show(c.toolWords(e, false)), Came: "none"}
		if like := kinds[e.Tool.Kind]; len(like) > 0 {
			kinds[e.Tool.Kind], instead[like[0]] = like[1:], true
			f.Came = show(c.toolWords(like[0], true))
		}
		c.found(f)
	}
	for _, e := range extra {
		if !instead[e] {
			c.found(Finding{Divergence: true, About: "a tool call", Came: show(c.toolWords(e, true)) + ", which the recording does not have"})
		}
	}
}

// compareTexts compares what the agent said in a turn, and what it thought.
func (c *client) compareTexts(was, is []*session.Entry) {
	for _, kind := range []session.EntryKind{session.AgentMessage, session.Thought} {
		then, now := words(was, kind), c.back.text(words(is, kind))
		if !alike(then, now) {
			c.found(Finding{Divergence: true, Frame: start(was), About: map[session.EntryKind]string{session.AgentMessage: "what the agent says", session.Thought: "what the agent thinks"}[kind],
				Expected: show(then), Came: apart(then, now)})
		}
	}
}

func words(entries []*session.Entry, kind session.EntryKind) string {
	var b strings.Builder
	for _, e := range entries {
		if e.Kind == kind {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// apart is the text from a little in front of where it differs from another.
func apart(then, now string) string {
	i := 0
	for i < len(then) && i < len(now) && then[i] == now[i] {
		i++
	}
	if i < 20 {
		return show(now)
	}
	return fmt.Sprintf("%s at byte %d", show(strings.ToValidUTF8(now[i-10:], "")), i)
}

// housekeeping are updates that come when an agent finds the time.
var housekeeping = map[string]bool{
	"agent_thought_chunk": true, "available_commands_update": true, "config_option_update": true,
	"session_info_update": true, "usage_update": true, "notice": true, "user_message_chunk": true,
}

// compareKinds tells which kinds of updates are in only one of two turns. What is
// housekeeping may have come at another time.
func (c *client) compareKinds(was, is turn, entries []*session.Entry) {
	then, now, ever := c.recorded.kinds[was], c.live.kinds[is], c.live.kinds[turn{is.session, 0}]
	about := fmt.Sprintf("turn %d", was.number)
	for _, kind := range slices.Sorted(maps.Keys(then)) {
		if !now[kind] && !(housekeeping[kind] && ever[kind]) {
			c.found(Finding{Divergence: !housekeeping[kind], Frame: start(entries), About: about, Expected: "an update " + short(kind), Came: "none"})
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(now)) {
		if !then[kind] && !housekeeping[kind] {
			c.found(Finding{Divergence: true, Frame: start(entries), About: about, Came: "an update " + short(kind) + ", which the recording does not have"})
		}
	}
}
