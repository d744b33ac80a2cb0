package journal

import (
	"bytes"
	"sort"
	"sync"
	"time"

	"bobproxy/acp"
)

const (
	tailRows   = 20_000
	tailBodies = 4 << 20  // bytes of bodies and texts
	tailNames  = 4 << 20  // bytes of names, ids, command lines
	bodySize   = 64 << 10 // of one body or text
)

// tail keeps the newest events in bounded memory. An old row outlives its
// body: then Bytes says how long it was. It also is the place where watchers
// register, so that what they are given first and what comes later fit
// together.
type tail struct {
	mu       sync.Mutex
	rows     ring
	bodies   arena
	ids      arena
	names    int // bytes
	watchers []*Watcher
	closed   bool
	instance string // of all events
}

// row is an event in the tail, without pointers where that can be.
type row struct {
	time            int64
	seq             uint64
	method, session string
	body, id        piece
	bytes           int64
	masked          int32
	dir             acp.Direction
	kind            acp.Kind
	eol             acp.EOL
	form            Form
	added, frame    bool
	rest            *Event // what rows have no room for; without Body, ID, Text
}

// add takes in a group of events and passes them to the watchers.
func (t *tail) add(events []Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bodies.size, t.ids.size = bodySize, 16<<10
	for i := range events {
		r := t.row(&events[i])
		t.rows.push(r)
		t.trim()
		if len(t.watchers) > 0 {
			t.tell(t.event(&r), int(r.body.n))
		}
	}
}

func (t *tail) row(e *Event) row {
	r := row{
		time:    e.Time.UnixNano(),
		seq:     e.Seq,
		method:  e.Method,
		session: e.Session,
		id:      t.ids.put(e.ID),
		bytes:   e.Bytes,
		masked:  int32(min(e.Masked, 1<<30)),
		dir:     e.Dir,
		kind:    e.Kind,
		eol:     e.EOL,
		form:    e.Form,
		added:   e.Added,
		frame:   e.Type == FrameEvent,
	}
	if r.frame {
		r.body = t.bodies.put(e.Body[:min(len(e.Body), bodySize)])
	} else {
		r.body = t.bodies.put([]byte(clip(e.Text, bodySize)))
	}
	if !r.frame || e.Action != "" || e.Reason != "" {
		rest := *e
		rest.Body, rest.ID, rest.Text = nil, nil, ""
		r.rest = &rest
	}
	t.names += r.names()
	return r
}

// names is the size of what r keeps beside its body.
func (r *row) names() int {
	n := len(r.method) + len(r.session) + int(r.id.n)
	if r.rest == nil {
		return n
	}
	n += len(r.rest.Reason)
	if s := r.rest.Start; s != nil {
		for _, arg := range s.Command {
			n += len(arg)
		}
	}
	if x := r.rest.Exit; x != nil {
		for _, p := range x.Left {
			n += len(p.Command)
		}
	}
	return n
}

// trim forgets what is beyond the bounds; the newest row always stays.
func (t *tail) trim() {
	t.bodies.keep(tailBodies / bodySize)
	for t.rows.n > 1 && (t.rows.n > tailRows || t.names > tailNames) {
		old := t.rows.pop()
		t.names -= old.names()
	}
	t.ids.dropBefore(t.rows.at(0).id.block)
}

// event makes an event of a row that can be kept.
func (t *tail) event(r *row) Event {
	var e Event
	if r.rest != nil {
		e = *r.rest
	} else {
		e.Type = FrameEvent
	}
	e.Time = time.Unix(0, r.time).UTC()
	e.Seq, e.Instance = r.seq, t.instance
	e.Method, e.Session = r.method, r.session
	e.Bytes, e.Masked = r.bytes, int(r.masked)
	e.Dir, e.Kind, e.EOL, e.Form, e.Added = r.dir, r.kind, r.eol, r.form, r.added
	if r.id.n > 0 {
		e.ID = t.ids.get(r.id)
	}
	if r.frame {
		e.Body = t.bodies.get(r.body)
	} else {
		e.Text = string(t.bodies.get(r.body))
	}
	return e
}

// watch gives all rows and registers a watcher for what comes after them.
func (t *tail) watch(buffer int) ([]Event, *Watcher) {
	t.mu.Lock()
	defer t.mu.Unlock()
	events := make([]Event, t.rows.n)
	for i := range events {
		events[i] = t.event(t.rows.at(i))
	}
	t.bodies.share()
	t.ids.share()
	w := newWatcher(t, buffer)
	if t.closed {
		close(w.ch)
		return events, w
	}
	t.watchers = append(t.watchers, w)
	t.watching()
	return events, w
}

// body is a copy of what is kept of an event's body or text.
func (t *tail) body(seq uint64) ([]byte, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := sort.Search(t.rows.n, func(i int) bool { return t.rows.at(i).seq >= seq })
	if i == t.rows.n || t.rows.at(i).seq != seq {
		return nil, false
	}
	body := t.bodies.get(t.rows.at(i).body)
	return bytes.Clone(body), len(body) > 0
}

// tell gives e to every watcher; one with no room for it is cut loose.
func (t *tail) tell(e Event, size int) {
	kept := t.watchers[:0]
	for _, w := range t.watchers {
		if w.send(e, size) {
			kept = append(kept, w)
		} else {
			w.err = ErrSlow
			close(w.ch)
		}
	}
	clear(t.watchers[len(kept):])
	t.watchers = kept
	t.watching()
}

func (t *tail) watching() {
	t.bodies.watched = len(t.watchers) > 0
	t.ids.watched = t.bodies.watched
}

// remove ends one watcher unless it has ended already.
func (t *tail) remove(w *Watcher) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, other := range t.watchers {
		if other == w {
			t.watchers = append(t.watchers[:i], t.watchers[i+1:]...)
			close(w.ch)
			t.watching()
			return
		}
	}
}

// close ends all watchers.
func (t *tail) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, w := range t.watchers {
		close(w.ch)
	}
	t.watchers = nil
}

// ring is a queue of rows. It takes all of its memory with the first row, and
// the system gives it page by page as it is filled: to let it grow would make
// work for the collector just when a conversation begins.
type ring struct {
	rows  []row
	start int
	n     int
}

func (r *ring) at(i int) *row { return &r.rows[(r.start+i)%len(r.rows)] }

// push must be followed by pops when there are more than tailRows.
func (r *ring) push(v row) {
	if r.rows == nil {
		r.rows = make([]row, tailRows+1)
	}
	r.n++
	*r.at(r.n - 1) = v
}

func (r *ring) pop() row {
	v := r.rows[r.start]
	r.rows[r.start] = row{}
	r.start = (r.start + 1) % len(r.rows)
	r.n--
	return v
}
