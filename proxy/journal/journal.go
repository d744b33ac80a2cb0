package journal

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"bobproxy/acp"
)

// Options says what a journal keeps and where. The zero value of each field
// is the default; Instance must be given unless Off or Path is set.
type Options struct {
	Instance string // 4 to 8 letters or digits

	Path string // record to this file, device or FIFO
	Dir  string // record to a new file in this directory; default $XDG_STATE_HOME/bobproxy
	Off  bool   // no recording: only tail and watchers

	MaxBytes int64         // of all recordings in the directory; default 1 GiB
	MaxAge   time.Duration // of a recording since its last record; default 30 days

	// Required turns the rule round that recording is a passenger: nothing
	// is dropped, and Wait tells when a record cannot be kept.
	Required bool

	Secrets []string     // values to mask wherever they show up; those below 8 bytes are ignored
	Warn    func(string) // called at most once, from any goroutine, when recording is in trouble

	open opener // instead of Path and Dir, for tests
}

// ErrClosed is what Wait says of a record that came after Close.
var ErrClosed = errors.New("journal is closed")

// Frame is one frame as the relay hands it over. Its slices lie in Chunk, or
// in memory that is not written to again.
type Frame struct {
	Dir    acp.Direction
	Scan   acp.Frame
	Line   []byte // whole line including its EOL
	Chunk  *Chunk // nil when Line is not in a chunk
	Added  bool
	Action string
	Reason string

	// Method of a response: its request's. Empty means Scan.Method.
	Method string
	// Session, where the frame itself does not name it, spelled like
	// Scan.Session. Empty means Scan.Session.
	Session string

	// Size is the true size of the line without its EOL when Line holds only
	// the beginning of it; zero when Line is whole.
	Size int
}

// Journal gives everything that happens in one proxy a sequence number and
// takes it to tail, watchers and recording. All methods may be called from
// any goroutine.
type Journal struct {
	instance string
	queue    queue
	tail     tail
	recorder *recorder // nil when off
	learnt   learnt
	done     chan struct{}
	closing  sync.Once
}

// New starts a journal. It opens no file: that is done behind the queue, and
// trouble with it is told through Warn or Wait.
func New(opts Options) (*Journal, error) {
	j := &Journal{instance: opts.Instance, done: make(chan struct{})}
	j.queue.init()
	j.queue.required, j.queue.instance = opts.Required, opts.Instance
	j.tail.instance = opts.Instance
	if !opts.Off {
		open, err := opts.place()
		if err != nil {
			return nil, fmt.Errorf("recording: %w", err)
		}
		j.recorder = newRecorder(open, opts, j.warn(opts.Warn))
		go j.recorder.run()
	}
	b := newBuilder(opts)
	j.learnt.tell(0, b.mask.known.values, true)
	go j.run(b)
	return j, nil
}

// warn makes what the recorder calls when it is in trouble or out of it: the
// event goes to everybody, the line to the user only the first time.
func (j *Journal) warn(line func(string)) func(string) {
	var once sync.Once
	return func(text string) {
		e := j.prepare(Event{Type: WarningEvent, Text: text})
		j.queue.note(&e, true)
		if line != nil {
			once.Do(func() { line(text) })
		}
	}
}

// Append takes frames in, in this order, and returns the sequence number of
// the last one. It holds their chunks until they are read. It waits only
// while the queue is full: as long as what is behind it goes on, and without
// Required at most 250 ms when that stands still.
func (j *Journal) Append(at time.Time, frames []Frame) uint64 { return j.queue.append(at, frames) }

// Kick says that the frames appended so far are on the wire, so that the
// part behind may run: it does so within 20 ms. Without it that part starts by
// itself 50 ms later.
func (j *Journal) Kick() { j.queue.kick() }

// Wait returns when record seq is in the kernel, a decision's when it is on
// the disk, or with the reason why it cannot be. Without Required it returns
// nil at once.
func (j *Journal) Wait(seq uint64) error {
	if j.recorder == nil || !j.recorder.required {
		return nil
	}
	j.queue.hurry()
	defer j.queue.unhurry()
	return j.recorder.wait(seq)
}

// Note takes in an event that is not a frame and returns its sequence
// number. Seq and Instance are set by the journal, Time too when it is zero.
// The caller changes nothing in e afterwards. A start, an exit and a warning,
// of which there are few, do not wait for room in the queue.
func (j *Journal) Note(e Event) uint64 {
	e = j.prepare(e)
	return j.queue.note(&e, e.Type == StartEvent || e.Type == ExitEvent || e.Type == WarningEvent)
}

func (j *Journal) prepare(e Event) Event {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.Time = e.Time.Round(0).UTC()
	e.Instance = j.instance
	return e
}

// Watch gives the tail and a watcher for everything after it: no gap and no
// event twice. The watcher may lag by buffer events and 2 MiB of bodies.
func (j *Journal) Watch(buffer int) ([]Event, *Watcher) { return j.tail.watch(buffer) }

// Body is what is still kept of the body of frame seq, or of the text of another
// event, masked and at most 64 KiB of it; false when it is nothing. The caller
// may keep it.
func (j *Journal) Body(seq uint64) ([]byte, bool) { return j.tail.body(seq) }

// Recording is the file that is written to, or was last; empty before the
// first record and when there is no recording.
func (j *Journal) Recording() string {
	if j.recorder == nil {
		return ""
	}
	return j.recorder.path()
}

// mostTimeouts is how many time-outs Close waits for a file that is slow but
// does not stand still.
const mostTimeouts = 10

// Close flushes and ends the journal. It waits for a disk until nothing was
// written for as long as timeout, or mostTimeouts in all, and then says so. Later
// Appends and Notes are dropped.
func (j *Journal) Close(timeout time.Duration) error {
	j.closing.Do(j.queue.close)
	if j.recorder == nil {
		<-j.done
		return nil
	}
	ticks := time.NewTicker(timeout)
	defer ticks.Stop()
	waited := timeout
	for before := j.recorder.progress(); ; waited += timeout {
		select {
		case <-j.recorder.done:
			<-j.done
			return j.recorder.result()
		case <-ticks.C:
		}
		now := j.recorder.progress()
		if now == before || waited >= mostTimeouts*timeout {
			return j.recorder.abandon(waited)
		}
		before = now
	}
}

// run is the journal goroutine. It ends when the queue is closed and drained.
func (j *Journal) run(b *builder) {
	defer close(j.done)
	if j.recorder != nil {
		defer j.recorder.finish()
	}
	defer j.tail.close()
	var spare []item
	for {
		items, ok := j.queue.take(spare)
		if !ok {
			return
		}
		for rest := items; len(rest) > 0; {
			n := min(len(rest), groupSize)
			events := b.build(rest[:n])
			j.learnt.tell(rest[n-1].seq, b.mask.known.values, b.learned)
			b.learned = false
			j.keep(events, rest[:n])
			j.queue.done.Add(1)
			rest = rest[n:]
		}
		if j.recorder != nil {
			j.recorder.flush()
		}
		clear(items)
		spare = items[:0]
	}
}

// keep takes one group of events everywhere and lets go of their memory.
func (j *Journal) keep(events []Event, items []item) {
	j.tail.add(events)
	if j.recorder != nil {
		j.recorder.add(events, items)
	}
	releaseRuns(items)
}
