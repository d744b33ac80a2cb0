package journal

import (
	"errors"
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
	queue queue
}

// New starts a journal. It opens no file: that is done behind the queue, and
// trouble with it is told through Warn or Wait.
func New(opts Options) (*Journal, error) { return &Journal{}, nil }

// Append takes frames in, in this order, and returns the sequence number of
// the last one. It holds their chunks until they are read. It waits only
// while the queue is full, which without Required takes at most 250 ms in a row.
func (j *Journal) Append(at time.Time, frames []Frame) uint64 { return 0 }

// Kick says that the frames appended so far are on the wire, so that the
// part behind may run. Without it that part starts by itself 50 ms later.
func (j *Journal) Kick() {}

// Wait returns when record seq is in the kernel, a decision's when it is on
// the disk, or with the reason why it cannot be. Without Required it returns
// nil at once.
func (j *Journal) Wait(seq uint64) error { return nil }

// Note takes in an event that is not a frame and returns its sequence
// number. Seq and Instance are set by the journal, Time too when it is zero.
// The caller changes nothing in e afterwards.
func (j *Journal) Note(e Event) uint64 { return 0 }

// Watch gives the tail and a watcher for everything after it: no gap and no
// event twice. The watcher may lag by buffer events and 4 MiB.
func (j *Journal) Watch(buffer int) ([]Event, *Watcher) { return nil, nil }

// Close flushes and ends the journal. It waits at most timeout for a hung
// disk and then says so. Later Appends and Notes are dropped.
func (j *Journal) Close(timeout time.Duration) error { return nil }
