package main

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"

	"bobproxy/proxy/journal"
)

// tape reads a recording from its first event to its last, over all the files
// that it goes on in. It has one line in memory at a time.
type tape struct {
	instance string   // only what this proxy recorded; empty: all
	files    []string // that are still to be read
	now      io.ReadCloser
	left     int64           // bytes to be read, at most
	seen     map[string]bool // instances that recorded so far

	// follow is called at the end of the last file, and says whether there may
	// soon be more; nil: there is not.
	follow func() (bool, error)
	path   string // of the file that is open
	final  bool   // what is left of it is read, and then it is over
}

// open opens a recording; stdin is what - stands for. It is an error of the file
// system when it cannot be read.
func (r source) open(stdin io.Reader) (*tape, error) {
	t := &tape{instance: r.instance, left: math.MaxInt64, seen: map[string]bool{}}
	switch {
	case r.file == "-":
		t.now = io.NopCloser(stdin)
		return t, nil
	case r.file == "":
		return nil, errors.New("this proxy keeps no recording")
	}
	t.files = journal.Continued(r.file)
	return t, t.next()
}

// next goes on to the next file that is there: the first ones of a long
// recording may have been removed.
func (t *tape) next() (err error) {
	err = io.EOF
	for len(t.files) > 0 {
		t.path, t.files, t.final = t.files[0], t.files[1:], false
		t.now, err = os.Open(t.path)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return err
}

// Close closes what is open.
func (t *tape) Close() error { return t.now.Close() }

// events are those of the recording, as [journal.Read] gives them.
func (t *tape) events() iter.Seq2[journal.Event, error] {
	return func(yield func(journal.Event, error) bool) {
		for line, err := range t.lines() {
			if !yield(line.Event, err) {
				return
			}
		}
	}
}

// lines are the same with the records.
func (t *tape) lines() iter.Seq2[journal.Line, error] {
	return func(yield func(journal.Line, error) bool) {
		for more := t.file(true, yield); more; more = t.file(false, yield) {
			t.now.Close()
			if err := t.next(); err == io.EOF || errors.Is(err, fs.ErrNotExist) {
				return
			} else if err != nil {
				yield(journal.Line{}, err)
				return
			}
		}
	}
}

// file yields the lines of the file that is open. It is false when nobody wants
// more, and when the file only has the name of a further one: what goes on in a
// file was begun in one before it.
func (t *tape) file(first bool, yield func(journal.Line, error) bool) bool {
	for line, err := range journal.Lines(t) {
		if err == nil {
			if !first && !t.seen[line.Instance] {
				return false
			}
			first = true
			t.remember(line.Instance)
		}
		if err != nil || t.instance == "" || line.Instance == t.instance {
			if !yield(line, err) {
				return false
			}
		}
	}
	return true
}

// mostSeen is how many instances are remembered; so many do not record to one
// file.
const mostSeen = 1024

func (t *tape) remember(instance string) {
	if len(t.seen) < mostSeen {
		t.seen[instance] = true
	}
}

// Read reads the file that is open, as far as it may be read.
func (t *tape) Read(b []byte) (int, error) {
	if t.left <= 0 {
		return 0, io.EOF
	}
	for {
		n, err := t.now.Read(b[:min(int64(len(b)), t.left)])
		t.left -= int64(n)
		if n > 0 || err != io.EOF || !t.grows() {
			return n, err
		}
		if err := t.wait(); err != nil {
			return 0, err
		}
	}
}

// grows says whether there may be more behind the end of the file.
func (t *tape) grows() bool { return t.follow != nil && !t.final && len(t.files) == 0 }

// wait waits for more. What was written before the next file was begun, or before
// it was said that nothing is to come, is still to be read.
func (t *tape) wait() error {
	more, err := t.follow()
	if t.path != "" {
		t.files = journal.Continued(t.path)[1:]
	}
	t.final = !more || len(t.files) > 0
	return err
}
