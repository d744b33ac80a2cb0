//go:build unix

package terminal

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/gdamore/tcell/v2"
	"golang.org/x/term"
)

// tty stands between the terminal library and the terminal of the process. It
// sends one write after another, so that ours and the library's never mix; it
// notices when the terminal has gone; it takes pastes out of what is typed; and
// it can be made quiet, which the library needs for letting go.
//
// All methods of a nil tty do nothing.
type tty struct {
	tcell.Tty // reads, knows the size and sets the modes
	out       *os.File
	cooked    *term.State
	sending   sync.Mutex // held across a write, whose order it is for

	lost sync.Once
	gone chan struct{} // closed when nothing can be read or written any more

	mu      sync.Mutex
	size    tcell.WindowSize
	reading bool          // the library is in Read, or will not read any more
	quiet   bool          // Read gives nothing any more
	entered chan struct{} // closed at the next Read
	drained chan struct{} // closed by Drain
	paste   pasteFilter
	strings controlString
	kept    []byte // of what was read, not given yet
}

const controlling = "/dev/tty"

// take takes the terminal of the process.
func (s *Screen) take() error {
	terminfo, err := s.env.terminfo()
	if err != nil {
		return err
	}
	if s.tty, err = openTTY(); err != nil {
		return fmt.Errorf("there is no terminal to show the panel in (%w); start it from a terminal window", err)
	}
	if s.screen, err = tcell.NewTerminfoScreenFromTtyTerminfo(s.tty, terminfo); err == nil {
		err = s.screen.Init()
	}
	if err != nil {
		s.tty.force()
		return fmt.Errorf("the terminal cannot be used (%w); try another one", err)
	}
	return nil
}

func openTTY() (*tty, error) {
	inner, err := tcell.NewDevTtyFromDev(controlling)
	if err != nil {
		return nil, err
	}
	// A descriptor of its own, so that a write can have a deadline.
	out, err := os.OpenFile(controlling, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	t := &tty{Tty: inner, out: out, gone: make(chan struct{})}
	err = t.control(func(fd int) (err error) {
		t.cooked, err = term.GetState(fd)
		return err
	})
	return t, err
}

func (t *tty) control(do func(fd int) error) error {
	conn, err := t.out.SyscallConn()
	if err != nil {
		return err
	}
	if failed := conn.Control(func(fd uintptr) { err = do(int(fd)) }); failed != nil {
		return failed
	}
	return err
}

func (t *tty) Start() error {
	t.mu.Lock()
	t.reading, t.quiet = false, false
	t.entered, t.drained = make(chan struct{}), make(chan struct{})
	t.paste.reset()
	t.strings = controlString{}
	t.kept = nil
	t.mu.Unlock()
	return t.Tty.Start()
}

// Read gives what was typed. What was pasted is kept for pasted, and only the
// marks around it are given.
func (t *tty) Read(b []byte) (int, error) {
	drained := t.enter()
	if n := t.rest(b); n > 0 {
		return n, nil
	}
	n, err := t.Tty.Read(b)
	if t.leave(err) {
		<-drained
		return 0, os.ErrClosed
	}
	if err != nil {
		t.vanish()
		return 0, err
	}
	t.mu.Lock()
	t.kept = t.strings.filter(t.paste.filter(b[:n]), time.Now())
	t.mu.Unlock()
	return t.rest(b), nil
}

// rest moves to b what was read and not given yet: with the mark after a paste
// it can be more than was asked for.
func (t *tty) rest(b []byte) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := copy(b, t.kept)
	t.kept = t.kept[n:]
	t.reading = t.reading && n == 0
	return n
}

func (t *tty) enter() (drained <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reading = true
	close(t.entered)
	t.entered = make(chan struct{})
	return t.drained
}

// leave says whether what was read must not be given. After an error the
// library does not read again, so it counts as reading for ever.
func (t *tty) leave(err error) (quiet bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reading = t.quiet || err != nil
	return t.quiet
}

// quiesce returns when the library waits for something to read and will not get
// it. It would wait for itself if it were stopped while it passes on what it
// has read.
func (t *tty) quiesce(wait time.Duration) {
	if t == nil {
		return
	}
	t.mu.Lock()
	t.quiet = true
	entered, ready := t.entered, t.reading
	t.mu.Unlock()
	if ready || entered == nil {
		return
	}
	select {
	case <-entered:
	case <-time.After(wait):
	}
}

func (t *tty) Drain() error {
	t.mu.Lock()
	select {
	case <-t.drained:
	default:
		close(t.drained)
	}
	t.mu.Unlock()
	return t.Tty.Drain()
}

// Write sends all of b.
func (t *tty) Write(b []byte) (int, error) {
	t.sending.Lock()
	defer t.sending.Unlock()
	n, err := t.out.Write(b)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.vanish()
	}
	return n, err
}

// send is Write for what no library sends. What cannot be sent is lost.
func (t *tty) send(s string) {
	if t != nil && s != "" {
		_, _ = t.Write([]byte(s))
	}
}

func (t *tty) vanish() {
	if t != nil {
		t.lost.Do(func() { close(t.gone) })
	}
}

// vanished is closed when the terminal has gone.
func (t *tty) vanished() <-chan struct{} {
	if t == nil {
		return nil
	}
	return t.gone
}

// pasted is the oldest paste that was not taken yet.
func (t *tty) pasted() (string, bool) {
	if t == nil {
		return "", false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.paste.take()
}

// WindowSize is bounded, since a grid of that size is made. A terminal that does
// not tell its size any more has gone; it keeps the last one, since the library
// draws for ever when it knows two sizes at once.
func (t *tty) WindowSize() (tcell.WindowSize, error) {
	size, err := t.Tty.WindowSize()
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.vanish()
		return t.size, nil
	}
	size.Width, size.Height = min(size.Width, maxWidth), min(size.Height, maxHeight)
	t.size = size
	return size, nil
}

// hurry gives writes another moment, also one that is stuck because the
// terminal takes nothing.
func (t *tty) hurry() {
	if t != nil {
		_ = t.out.SetWriteDeadline(time.Now().Add(leaving / 4))
	}
}

// force restores the terminal's settings without waiting for anything.
func (t *tty) force() {
	if t != nil {
		t.hurry()
		_ = t.control(func(fd int) error { return term.Restore(fd, t.cooked) })
	}
}

// end lets go of the terminal, and of whoever is still stuck in a write to it.
func (t *tty) end() {
	if t != nil {
		_ = t.out.Close()
	}
}
