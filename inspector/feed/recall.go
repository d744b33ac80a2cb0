package feed

import (
	"context"
	"io"
	"os"
	"slices"
	"time"

	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// Bounds of what is read of a recording.
const (
	mostRecalled = 18000    // events
	mostRead     = 32 << 20 // bytes, from its end
	longestBody  = 64 << 10 // of a body or a text, as proxies give them
	recallTime   = 10 * time.Second
)

// Bounds of what may happen meanwhile; beyond them the recording is left alone.
const (
	mostMeanwhile      = 20000
	mostMeanwhileBytes = 8 << 20
)

// recall reads from the proxy's recording what was before m. What happens until
// then goes to meanwhile, so that the proxy does not cut us loose. The caller
// calls release when it holds the events no longer.
func (p *follower) recall(m *Attached, deltas <-chan control.Delta, meanwhile *batch) (before []journal.Event, release func()) {
	release = func() {}
	if len(m.Events) == 0 || m.Events[0].Seq <= 1 || m.State.Recording == "" {
		return nil, release
	}
	ctx, cancel := context.WithTimeout(p.feed.ctx, recallTime)
	defer cancel()
	recalls := p.feed.recalls
	var read chan []journal.Event
	for recalls != nil || read != nil {
		select {
		case recalls <- struct{}{}:
			recalls, release = nil, func() { <-p.feed.recalls }
			read = make(chan []journal.Event, 1)
			go p.readBefore(ctx, &m.State, m.Events[0].Seq, read)
		case before = <-read:
			return before, release
		case d, ok := <-deltas:
			if !ok {
				deltas = nil
				break
			}
			if meanwhile.add(d); len(meanwhile.deltas) >= mostMeanwhile || meanwhile.bytes >= mostMeanwhileBytes {
				cancel()
				deltas = nil
			}
		case <-ctx.Done():
			if read != nil {
				before = <-read
			}
			return before, release
		}
	}
	return before, release
}

// readBefore is the goroutine that reads a recording. It says what it has read
// when ctx is done.
func (p *follower) readBefore(ctx context.Context, s *control.State, first uint64, read chan<- []journal.Event) {
	var events []journal.Event
	defer func() { read <- events }()
	defer p.feed.opts.Protect()
	events = before(ctx, s, first)
}

// clocks is how far the time of a proxy's first event may lie before when it
// says it has started.
const clocks = 10 * time.Second

// before gives the last events below first in the recording of a proxy. What
// cannot be read is left out.
func before(ctx context.Context, s *control.State, first uint64) (events []journal.Event) {
	file, err := openOwn(s.Recording)
	if err != nil {
		return nil
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil
	}
	if _, err := file.Seek(max(0, size-mostRead), io.SeekStart); err != nil {
		return nil
	}
	last := uint64(0)
	behind := func() bool { return last+1 < first }
	for e, err := range journal.Read(&growing{ctx: ctx, file: file, left: 2 * mostRead, behind: behind}) {
		if err != nil || e.Instance != s.Instance || e.Time.Before(s.Started.Add(-clocks)) {
			continue
		}
		if e.Seq <= last { // another run under the same name begins
			events = events[:0]
		}
		last = e.Seq
		if e.Seq < first {
			events = keep(events, e)
		}
	}
	if ctx.Err() != nil {
		return nil // there is a hole at the end
	}
	return events[max(0, len(events)-mostRecalled):]
}

// keep adds e, and now and then forgets what is too old.
func keep(events []journal.Event, e journal.Event) []journal.Event {
	if len(e.Body) > longestBody {
		e.Body = slices.Clone(e.Body[:longestBody])
	}
	if len(e.Text) > longestBody {
		e.Text = string([]byte(e.Text[:longestBody]))
	}
	if len(events) >= 2*mostRecalled {
		n := copy(events, events[len(events)-mostRecalled:])
		clear(events[n:])
		events = events[:n]
	}
	return append(events, e)
}

// growing reads a recording, and goes on at its end while what is to come is
// behind: a proxy under a flood writes a little later than it tells.
type growing struct {
	ctx    context.Context
	file   *os.File
	left   int // bytes
	behind func() bool
	waits  int
}

const (
	writeTime = 20 * time.Millisecond // until it is looked whether there is more
	mostWaits = 25                    // in vain, one after the other
)

func (g *growing) Read(b []byte) (int, error) {
	for g.left > 0 {
		if err := g.ctx.Err(); err != nil {
			return 0, err
		}
		n, err := g.file.Read(b[:min(len(b), g.left)])
		g.left -= n
		if n > 0 || err != io.EOF {
			g.waits = 0
			return n, err
		}
		if g.waits++; !g.behind() || g.waits > mostWaits {
			break
		}
		select {
		case <-time.After(writeTime):
		case <-g.ctx.Done():
		}
	}
	return 0, io.EOF
}
