package replay

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"bobproxy/acp"
)

// Client plays the client's side of a recording to the agent at the other end of
// in and out, ends the agent's input, and waits for the end of its output. It
// owns both, as Agent does. An error means that there was nothing to play, that
// o.Dir cannot be used, or that ctx has ended.
func Client(ctx context.Context, recording []Frame, in io.Reader, out io.Writer, o Options) (Report, error) {
	c, err := newClient(recording, o)
	if err != nil {
		return Report{}, err
	}
	if o.Files {
		if c.files, err = os.OpenRoot(o.Dir); err != nil {
			return Report{}, err
		}
		defer c.files.Close()
	}
	if c.givesBlanks() {
		c.warn("the agent", "it may go another way, and what differs then is not counted")
	}
	if err = play(ctx, c, in, out, o); ctx.Err() == nil { // else what did not come was cut off
		c.leave()
	}
	return c.Report, err
}

// client is the client's part.
type client struct {
	teller
	*script
	opts   Options
	places places // recorded to live
	back   places // live to recorded
	files  *os.Root

	at      int             // the step to go on with
	pending []int           // requests that were sent and are not over
	ids     map[string]int  // steps of requests, by the id they went out with
	sentAs  map[int]string  // that id, by step
	replied map[int]bool    // steps of requests that were answered
	stirred map[int]bool    // prompts of which something was heard
	demands map[int]*demand // by step, what a notification waits for
	asks    counterparts    // what the recorded agent asked
	open    map[string]bool // the agent's requests whose answers are held
	held    []answer        // answers that a notification goes in front of
	outbox  []answer
	stuck   bool // what follows makes no sense any more

	recorded, live *memory
	sent           bool // what next gave is of the outbox
	line           []byte
	left, told     bool
	dull           bool // the agent was given blanks
}

// answer is a reply to the agent.
type answer struct {
	id    string // key of the request's id
	line  []byte
	step  int           // the recorded answer, or none
	after int           // the step that goes first, or none
	pause time.Duration // as recorded
	blank bool          // contents are missing in it
}

func newClient(recording []Frame, o Options) (*client, error) {
	s, err := newScript(recording)
	if err != nil {
		return nil, err
	}
	c := &client{
		teller: teller{tell: o.Found}, script: s, opts: o,
		ids: map[string]int{}, sentAs: map[int]string{}, replied: map[int]bool{}, stirred: map[int]bool{}, demands: map[int]*demand{},
		asks: newCounterparts(s), open: map[string]bool{},
		recorded: newMemory(), live: newMemory(),
	}
	for i := range s.steps {
		t := &s.steps[i]
		c.recorded.frame(t.From, t.Number, &t.known)
		if t.From == acp.Client && creates(t.method) && len(c.places.roots) == 0 && !t.isReply() {
			c.places.root(acp.ReadSetup(t.scan.Params).Cwd.Value, o.Dir)
		}
	}
	c.back = *c.places.opposite()
	return c, nil
}

// givesBlanks says whether something that the agent is given has blanks in it.
func (c *client) givesBlanks() bool {
	for i := range c.steps {
		if t := &c.steps[i]; t.From == acp.Client && t.Blank && !(c.files != nil && t.isReply() && onDisk(t.method)) {
			return true
		}
	}
	return false
}

// found tells a finding. What follows from blanks is no divergence, as far as
// anybody can know; that the agent ends or falls silent is one all the same.
func (c *client) found(f Finding) {
	if c.dull && f.Divergence {
		f.Divergence = false
		c.Uncounted++
	}
	c.teller.found(f)
}

// next answers what the agent asked, then goes on in the recording.
func (c *client) next() move {
	if c.sent = len(c.outbox) > 0; c.sent {
		a := c.outbox[0]
		c.line = a.line
		return move{line: a.line, step: a.step, pause: a.pause}
	}
	for ; c.at < len(c.steps) && !c.stuck; c.at++ {
		t := &c.steps[c.at]
		if t.From != acp.Client || t.scan.Method == nil {
			continue
		}
		if c.pointless(c.at) {
			c.release(c.at)
			if len(c.outbox) > 0 {
				c.at++
				return c.next()
			}
			continue
		}
		switch {
		case c.left:
			c.missed(t.label())
			return move{over: true}
		case !c.ready(c.at):
			return move{}
		}
		if c.line = c.write(c.at); c.line != nil {
			return move{line: c.line, step: c.at, pause: c.pause(c.at)}
		}
	}
	if i, waits := c.awaited(); waits && !c.stuck {
		switch {
		case !c.left:
			return move{}
		case !c.steps[i].cut: // else it may have been the agent's end then, too
			c.missed("the answer to " + c.steps[i].label())
		}
	}
	return move{over: true}
}

func (c *client) pause(i int) time.Duration {
	if i == 0 {
		return 0
	}
	return c.opts.pause(c.steps[i].At.Sub(c.steps[i-1].At))
}

// awaited is a request that has not been answered as it was, or a turn that has
// not ended.
func (c *client) awaited() (int, bool) {
	for _, i := range c.pending {
		if t := &c.steps[i]; t.reply != none || t.end != none || t.cut {
			return i, true
		}
	}
	return 0, false
}

// write is the recorded frame of step i as it goes out now; nil when there is
// nothing to withdraw.
func (c *client) write(i int) []byte {
	t := &c.steps[i]
	switch {
	case t.scan.Kind == acp.Request:
		id, ok := c.sentAs[i]
		if !ok {
			id = strconv.Itoa(len(c.sentAs))
			c.sentAs[i] = id
			c.ids[string(key([]byte(id)))] = i
		}
		return envelope([]byte(id), &t.scan, c.places.value)
	case t.method == acp.MethodCancelRequest:
		was := string(key(acp.ReadCancelRequest(t.scan.Params)))
		for k := i - 1; k >= 0; k-- {
			if id, ok := c.sentAs[k]; ok && string(key(c.steps[k].scan.ID)) == was {
				return withdrawal([]byte(id))
			}
		}
		return nil
	}
	return envelope(nil, &t.scan, c.places.value)
}

// done takes note that what next gave goes out.
func (c *client) done() {
	c.Sent++
	c.remember(acp.Client, c.line)
	if c.sent {
		c.dull = c.dull || c.outbox[0].blank
		c.outbox = c.outbox[1:]
		return
	}
	c.dull = c.dull || c.steps[c.at].Blank
	if c.steps[c.at].scan.Kind == acp.Request {
		c.pending = append(c.pending, c.at)
	}
	c.release(c.at)
	c.at++
}

// remember shows a live frame to the memory of the live conversation.
func (c *client) remember(from acp.Direction, line []byte) {
	var f acp.Frame
	acp.Scan(line, &f)
	c.live.frame(from, 0, &f)
}

// release gives the answers that waited for step i.
func (c *client) release(i int) {
	for _, a := range c.held {
		if a.after == i {
			delete(c.open, a.id)
			c.outbox = append(c.outbox, a)
		}
	}
	c.held = slices.DeleteFunc(c.held, func(a answer) bool { return a.after == i })
}

// gone leaves out what nobody is there to take.
func (c *client) gone() { c.left, c.outbox = true, nil }

// late says what the agent did not do.
func (c *client) late() {
	c.told = true
	f := Finding{Divergence: true, About: "the agent", Came: fmt.Sprintf("nothing for %v", c.opts.patience()), Then: "giving up"}
	i, waits := c.awaited()
	switch {
	case len(c.outbox) > 0:
		f.Came = fmt.Sprintf("took nothing for %v", c.opts.patience())
	case waits:
		f.Frame, f.Expected = c.steps[i].Number, "the answer to "+c.steps[i].label()
		if c.replied[i] {
			f.Expected = "the end of the turn of " + c.steps[i].label()
		}
	}
	if c.at < len(c.steps) && !waits {
		f.Frame, f.Expected = c.steps[c.at].Number, "what the agent did before "+c.steps[c.at].label()
	}
	c.teller.found(f)
}

// missed says once what the agent left without.
func (c *client) missed(what string) {
	if c.told {
		return
	}
	c.told = true
	c.teller.found(Finding{Divergence: true, About: "the agent", Expected: "that it takes or gives " + what, Came: "the end of its output"})
}

// leave compares what was done in all.
func (c *client) leave() {
	for i := c.at; i < len(c.steps); i++ {
		if t := &c.steps[i]; t.From == acp.Client && t.scan.Method != nil {
			c.Left++
		}
	}
	if !c.told && !c.stuck {
		c.asks.unused(c)
	}
	c.compareTalks()
	for i := range c.steps {
		if _, ok := c.sentAs[i]; ok && c.steps[i].cut {
			c.cut(&c.steps[i], "")
		}
	}
}

// beyond says whether the recording has nothing more to say of a live session's
// turn.
func (c *client) beyond(session string) bool {
	return c.at == len(c.steps) && slices.ContainsFunc(c.pending, func(i int) bool {
		live, _ := c.places.live(c.steps[i].session)
		return c.steps[i].cut && live == session
	})
}
