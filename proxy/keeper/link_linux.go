package keeper

import (
	"errors"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"
)

// The link is a stream socket between proxy and keeper. A message is a field
// that holds fields; a field is a length (4 bytes, little endian) and that many
// bytes, and a number is its digits. The link's end means that the process on
// the other side is gone.

// job is the first message to the keeper.
type job struct {
	path  string
	dir   string
	grace time.Duration
	argv  []string
}

// order is every later message to the keeper. The signal goes to the agent
// alone; end also starts the clock after which the whole tree is killed; kill
// does not wait for that clock.
type order struct {
	signal syscall.Signal
	end    bool
	kill   bool
}

// report is every message from the keeper.
type report struct {
	kind   reportKind
	number int       // started: the agent's process id; failed: an errno; exited: the wait status
	ending bool      // exited: empty will follow
	left   []Process // exited
}

type reportKind int

const (
	started reportKind = iota
	failed             // the agent could not be started
	exited
	empty // the tree that was being ended is gone
)

func (j job) fields() []string {
	return append([]string{j.path, j.dir, strconv.FormatInt(int64(j.grace), 10)}, j.argv...)
}

func (o order) fields() []string {
	return []string{strconv.Itoa(int(o.signal)), strconv.FormatBool(o.end), strconv.FormatBool(o.kill)}
}

func (r report) fields() []string {
	f := []string{strconv.Itoa(int(r.kind)), strconv.Itoa(r.number), strconv.FormatBool(r.ending)}
	for _, p := range r.left {
		f = append(f, strconv.Itoa(p.Pid), p.Command)
	}
	return f
}

// errMessage is a message that no side of ours sends.
var errMessage = errors.New("not a message of the keeper's link")

func (j *job) set(f []string) error {
	if len(f) < 3 {
		return errMessage
	}
	grace, err := strconv.ParseInt(f[2], 10, 64)
	*j = job{path: f[0], dir: f[1], grace: time.Duration(grace), argv: f[3:]}
	return err
}

func (o *order) set(f []string) error {
	if len(f) != 3 {
		return errMessage
	}
	signal, err := strconv.Atoi(f[0])
	*o = order{signal: syscall.Signal(signal), end: f[1] == "true", kill: f[2] == "true"}
	return err
}

func (r *report) set(f []string) error {
	if len(f)%2 != 1 || len(f) < 3 {
		return errMessage
	}
	kind, errKind := strconv.Atoi(f[0])
	number, errNumber := strconv.Atoi(f[1])
	*r = report{kind: reportKind(kind), number: number, ending: f[2] == "true"}
	for f = f[3:]; len(f) > 0; f = f[2:] {
		pid, err := strconv.Atoi(f[0])
		if err != nil {
			return err
		}
		r.left = append(r.left, Process{pid, f[1]})
	}
	return errors.Join(errKind, errNumber)
}

const maxMessage = 16 << 20 // an argv can be megabytes long

func send(w io.Writer, m interface{ fields() []string }) error {
	b := make([]byte, sizeBytes)
	for _, field := range m.fields() {
		b = append(b, make([]byte, sizeBytes)...)
		putSize(b[len(b)-sizeBytes:], len(field))
		b = append(b, field...)
	}
	putSize(b, len(b)-sizeBytes)
	_, err := w.Write(b)
	return err
}

func receive(r io.Reader, m interface{ set([]string) error }) error {
	var head [sizeBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	if size(head[:]) > maxMessage {
		return errMessage
	}
	body := make([]byte, size(head[:]))
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	fields, err := split(body)
	if err != nil {
		return err
	}
	return m.set(fields)
}

// split is the fields that a message's body consists of.
func split(body []byte) (fields []string, err error) {
	for len(body) > 0 {
		if len(body) < sizeBytes || size(body) > uint32(len(body)-sizeBytes) {
			return nil, errMessage
		}
		end := sizeBytes + int(size(body))
		fields = append(fields, string(body[sizeBytes:end]))
		body = body[end:]
	}
	return fields, nil
}

const sizeBytes = 4

func putSize(b []byte, n int) {
	for i := range sizeBytes {
		b[i] = byte(n >> (8 * i))
	}
}

func size(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// link makes both ends; ours is close-on-exec and known to the poller.
func link() (ours, theirs *os.File, err error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	if err := syscall.SetNonblock(fds[0], true); err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(fds[0]), "keeper"), os.NewFile(uintptr(fds[1]), "proxy"), nil
}
