package keeper

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// The link is a stream socket between proxy and keeper. Every message is a
// length (4 bytes, little endian) and that many bytes of JSON. Its end means
// that the process on the other side is gone.

// job is the first message to the keeper. Bytes, not strings: an argument need
// not be UTF-8 and JSON would mend it.
type job struct {
	Path  []byte
	Argv  [][]byte
	Dir   []byte
	Grace time.Duration
}

// order is every later message to the keeper. Signal goes to the agent alone;
// End also starts the clock after which the whole tree is killed; Kill does not
// wait for that clock.
type order struct {
	Signal syscall.Signal `json:",omitempty"`
	End    bool           `json:",omitempty"`
	Kill   bool           `json:",omitempty"`
}

// report is every message from the keeper; one of its fields is set.
type report struct {
	Started int           `json:",omitempty"` // the agent's process id
	Failed  syscall.Errno `json:",omitempty"` // the agent could not be started
	Exited  *exited       `json:",omitempty"`
	Empty   bool          `json:",omitempty"` // the tree that was being ended is gone
}

type exited struct {
	Status syscall.WaitStatus
	Left   []Process `json:",omitempty"`
	Ending bool      `json:",omitempty"` // Empty will follow
}

const maxMessage = 16 << 20 // an argv can be megabytes long

func send(w io.Writer, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	message := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(body)), uint32(len(body)))
	_, err = w.Write(append(message, body...))
	return err
}

func receive(r io.Reader, v any) error {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > maxMessage {
		return errors.New("message too large")
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	return json.Unmarshal(body, v)
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
