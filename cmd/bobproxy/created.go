package main

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
)

// created is a file that is being written, or stdout.
type created struct {
	*bufio.Writer
	file *os.File // nil: stdout
	path string   // that file is to become
}

// create makes a file for this user alone, which must not be there yet unless
// force is true. What is there then stays until the new one is whole.
func create(path string, force bool, stdout *os.File) (*created, error) {
	if path == "" || path == "-" {
		return &created{Writer: bufio.NewWriterSize(stdout, 64<<10)}, nil
	}
	var f *os.File
	var err error
	if force {
		f, err = os.CreateTemp(filepath.Dir(path), ".bobproxy-*")
	} else {
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return nil, err
	}
	return &created{bufio.NewWriterSize(f, 64<<10), f, path}, nil
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
	err = errors.Join(err, c.file.Close())
	switch name := c.file.Name(); {
	case !keep || err != nil:
		err = errors.Join(err, os.Remove(name))
	case name != c.path:
		err = os.Rename(name, c.path)
	}
	return err
}
