package proxy

import (
	"io"
	"sync"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// outlet is where the frames of one direction go out: those that its pump
// carries and those that the proxy adds. It is its destination's only writer,
// so every frame lands whole, and what is added lands between two frames: before
// those that are carried later, which may be the answer to it or what came of it.
type outlet struct {
	dir      acp.Direction // who sends what goes out here
	out      io.Writer
	ledger   *ledger
	required bool // a frame waits for its record

	mu    sync.Mutex // held while frames are entered and written; taken before the ledger's
	ended bool       // the stream has ended, or its last line has no end: nothing can be added

	added additions
}

func newOutlet(dir acp.Direction, l *ledger, required bool) *outlet {
	o := &outlet{dir: dir, ledger: l, required: required}
	o.added.changed.L = &o.added.mu
	return o
}

// pass enters frames and writes data, which is their bytes.
func (o *outlet) pass(frames []journal.Frame, data []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.addAll()
	seq := o.ledger.enter(frames)
	return o.write(seq, frames[len(frames)-1].Scan.EOL, data)
}

// one enters a single frame by a rule that may keep it back, and writes it
// unless it is kept back.
func (o *outlet) one(f *journal.Frame, r rule) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.addAll()
	seq := o.ledger.decide(f, r)
	if f.Action != "" {
		o.ledger.journal.Kick()
		return nil
	}
	return o.write(seq, f.Scan.EOL, f.Line)
}

// write writes data, whose last record is seq. The caller holds o.mu.
func (o *outlet) write(seq uint64, eol acp.EOL, data []byte) error {
	if o.required {
		o.ledger.journal.Kick()
		if err := o.ledger.journal.Wait(seq); err != nil {
			return &recordError{err}
		}
	}
	if eol == acp.NoEOL {
		o.ended = true
	}
	_, err := o.out.Write(data)
	o.ledger.journal.Kick()
	if err != nil {
		o.ended = true
		return &writeError{err}
	}
	return nil
}

// end writes what was added before the end of the stream, such as an answer that
// somebody was told was given. Then nothing can be added any more, and whoever
// waits for room goes on.
func (o *outlet) end() {
	o.added.close()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.addAll()
	o.ended = true
}

// run writes what is added until end is called. It is a goroutine. An error is
// left for the pump to meet.
func (o *outlet) run() {
	for o.added.wait() {
		o.mu.Lock()
		o.addAll()
		o.mu.Unlock()
	}
}

// addAll writes what waits. The caller holds o.mu, so that nothing is between the
// queue and the stream when that ends.
func (o *outlet) addAll() {
	lines := o.added.take()
	if o.ended || len(lines) == 0 {
		return
	}
	frames := make([]journal.Frame, len(lines))
	var data []byte
	for i, line := range lines {
		f := &frames[i]
		f.Dir, f.Line, f.Added = o.dir, line, true
		acp.Scan(line, &f.Scan)
		data = append(data, line...)
	}
	seq := o.ledger.enter(frames)
	o.write(seq, acp.LF, data)
}

// maxRefusals is how many error replies may wait for one destination. Then
// whoever made them necessary waits; answers to permissions have no such limit,
// but see maxWaiting.
const maxRefusals = 256

// maxWaiting is how many frames of any kind may wait for the agent. Then the
// permissions that it asks for wait as well: those that are answered without
// being asked are no bound to what an agent that does not read can cause. It is
// twice what the broker keeps, which may all be answered at once.
const maxWaiting = 2 * broker.MaxOwed

// additions are the frames that wait to be added to a stream.
type additions struct {
	mu       sync.Mutex // a leaf: nothing else is locked under it
	changed  sync.Cond  // on mu
	lines    [][]byte
	refusals int
	closed   bool
}

// push adds a frame without waiting.
func (a *additions) push(line []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed {
		a.lines = append(a.lines, line)
		a.changed.Broadcast()
	}
}

// refuse adds an error reply, waiting for room.
func (a *additions) refuse(line []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.refusals >= maxRefusals && !a.closed {
		a.changed.Wait()
	}
	if !a.closed {
		a.refusals++
		a.lines = append(a.lines, line)
		a.changed.Broadcast()
	}
}

// room waits while too much waits for the destination.
func (a *additions) room() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.lines) >= maxWaiting && !a.closed {
		a.changed.Wait()
	}
}

// wait waits for frames; it is false when there are none and none will come.
func (a *additions) wait() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.lines) == 0 && !a.closed {
		a.changed.Wait()
	}
	return len(a.lines) > 0
}

// take is the frames that wait, which do so no longer.
func (a *additions) take() (lines [][]byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.lines) == 0 {
		return nil
	}
	lines = a.lines
	a.lines, a.refusals = nil, 0
	a.changed.Broadcast()
	return lines
}

func (a *additions) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	a.changed.Broadcast()
}

// do carries out what the broker wants, in its order. It is called under the
// ledger's lock and does not wait for the wire.
func (l *ledger) do(effects []broker.Effect) (last uint64) {
	for _, e := range effects {
		switch {
		case e.Note != nil:
			last = l.journal.Note(*e.Note)
		case e.ToAgent != nil:
			l.toAgent.push(e.ToAgent)
		case e.ToClient != nil:
			l.toClient.push(e.ToClient)
		}
	}
	return last
}
