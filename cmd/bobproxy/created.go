package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
)

// created is a file that is being written, or stdout. It gets its name when it is
// whole; until then it stands beside that under another one.
type created struct {
	*bufio.Writer
	file  *os.File // nil: stdout
	path  string   // that file is to become
	force bool     // what is there under that name goes
	kept  func()   // ends the care for interrupts
}

// create makes a file for this user alone, whose name must not be taken yet
// unless force is true. What is there then stays until the new one is whole. An
// interrupt leaves nothing behind.
func create(path string, force bool, stdout *os.File) (*created, error) {
	if path == "" || path == "-" {
		return &created{Writer: bufio.NewWriterSize(stdout, 64<<10)}, nil
	}
	if _, err := os.Lstat(path); err == nil && !force {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrExist}
	}
	caught := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".bobproxy-*")
	if err != nil {
		signal.Stop(caught)
		return nil, plainly(err, path)
	}
	c := &created{bufio.NewWriterSize(f, 64<<10), f, path, force, nil}
	c.kept = c.unlessInterrupted(caught)
	return c, nil
}

// plainly tells an error by the name that was asked for.
func plainly(err error, path string) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return &fs.PathError{Op: "open", Path: path, Err: of.Err}
	}
	return err
}

// unlessInterrupted removes the file at a signal, and ends this process by it. The
// care is over when the function that it gives has returned.
func (c *created) unlessInterrupted(caught chan os.Signal) (over func()) {
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case s := <-caught:
			_ = c.file.Close() // an open one cannot be removed everywhere
			_ = os.Remove(c.file.Name())
			endBy(s)
		case <-done:
		}
	}()
	return func() {
		close(done)
		<-gone
		signal.Stop(caught)
	}
}

// isOneOf says that path is one of files that are there already, by whatever name.
func isOneOf(path string, files ...string) bool {
	here, err := os.Stat(path)
	if path == "" || err != nil || !here.Mode().IsRegular() {
		return false
	}
	return slices.ContainsFunc(files, func(file string) bool {
		info, err := os.Stat(file)
		return err == nil && os.SameFile(here, info)
	})
}

// itself is the complaint about a copy that would take the place of what it is
// made of.
func itself(path, what string) *complaint {
	return misused("-o: %s is the %s itself, which would be gone", quotation(path), what).with("name another file")
}

// unwritable is why a file could not be made.
func unwritable(err error) *complaint {
	c := misused("-o: %s", field(err.Error()))
	if errors.Is(err, os.ErrExist) {
		c = c.with("to write over it: --force")
	}
	return c
}

// finish ends the file: it is kept, or it is as if nobody had made it.
func (c *created) finish(keep bool, err error) error {
	if unflushed := c.Flush(); err == nil { // else it says the same again
		err = unflushed
	}
	if c.file == nil {
		return err
	}
	defer c.kept()
	err = errors.Join(err, c.file.Close())
	switch name := c.file.Name(); {
	case !keep || err != nil:
		return errors.Join(err, os.Remove(name))
	case c.force:
		err = os.Rename(name, c.path)
	default:
		err = moveBeside(name, c.path)
	}
	if err != nil {
		_ = os.Remove(c.file.Name()) // it may have moved
	}
	return err
}

// moveBeside gives a file another name, unless somebody took it meanwhile. Where
// a file cannot have two names for a moment, an empty one holds the place.
func moveBeside(from, to string) error {
	switch err := os.Link(from, to); {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s was made by somebody else meanwhile", to)
	}
	place, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(place.Close(), os.Rename(from, to))
}
