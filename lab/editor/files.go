package editor

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/lab/wire"
)

// maxFile is the largest file an agent is given.
const maxFile = 32 << 20

// files serves fs requests within one directory. The operating system enforces
// the bound for each step of a path, so links do not lead out of it.
type files struct {
	dir      string
	real     string // dir without links, as agents often spell it
	root     *os.Root
	careless bool // serves the whole system instead
}

func openFiles(dir string, careless bool) (*files, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &files{dir, real, root, careless}, nil
}

func (f *files) close() { _ = f.root.Close() }

// inside gives a path relative to the directory, or says why it has none.
func (f *files) inside(path string) (string, *jsonrpc2.Error) {
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", wire.Errorf(jsonrpc2.CodeInvalidParams, "not an absolute path: %q", path)
	}
	for _, dir := range []string{f.dir, f.real} {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel, nil
		}
	}
	return "", wire.Errorf(jsonrpc2.CodeInvalidParams, "%s is outside %s", path, f.dir)
}

func (f *files) read(p wire.FileParams) (any, *jsonrpc2.Error) {
	if f.careless {
		return readAnywhere(f.anywhere(p.Path), p)
	}
	rel, refusal := f.inside(p.Path)
	if refusal != nil {
		return nil, refusal
	}
	if err := f.regular(rel); err != nil {
		return nil, fileError(p.Path, err)
	}
	file, err := f.root.Open(rel)
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	return content(file, p)
}

// content reads the part of a file that p asks for, and closes it.
func content(file *os.File, p wire.FileParams) (any, *jsonrpc2.Error) {
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = errors.New("file is too large")
	}
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	part, refusal := lines(string(text), p.Line, p.Limit)
	return wire.FileResult{Content: part}, refusal
}

func (f *files) write(p wire.FileParams) (any, *jsonrpc2.Error) {
	if p.Content == nil {
		return nil, wire.Errorf(jsonrpc2.CodeInvalidParams, "content is required")
	}
	if f.careless {
		return writeAnywhere(f.anywhere(p.Path), p)
	}
	rel, refusal := f.inside(p.Path)
	if refusal != nil {
		return nil, refusal
	}
	if err := f.regular(rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fileError(p.Path, err)
	}
	err := f.root.MkdirAll(filepath.Dir(rel), 0o755)
	if err == nil {
		err = f.root.WriteFile(rel, []byte(*p.Content), 0o644)
	}
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	return struct{}{}, nil
}

// directory is where a command may start.
func (f *files) directory(path string) (string, *jsonrpc2.Error) {
	if f.careless {
		return f.anywhere(path), nil
	}
	rel, refusal := f.inside(path)
	if refusal != nil {
		return "", refusal
	}
	// Stat refuses what a link leads out.
	if info, err := f.root.Stat(rel); err != nil || !info.IsDir() {
		return "", wire.Errorf(jsonrpc2.CodeInvalidParams, "no directory of this session: %s", path)
	}
	return path, nil
}

// regular refuses what would block or is no file.
func (f *files) regular(rel string) error {
	info, err := f.root.Stat(rel)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	return err
}

var errNotRegular = errors.New("not a regular file")

func fileError(path string, err error) *jsonrpc2.Error {
	if errors.Is(err, fs.ErrNotExist) {
		return wire.Errorf(wire.CodeNotFound, "no such file: %s", path)
	}
	// A path error repeats the path, and calls it by its relative name.
	if inner := new(fs.PathError); errors.As(err, &inner) {
		err = inner.Err
	}
	return wire.Errorf(jsonrpc2.CodeInvalidParams, "%s: %v", path, err)
}

// lines is the part of a text that begins at a line, counted from 1, and holds
// at most limit of them.
func lines(text string, line, limit *int) (string, *jsonrpc2.Error) {
	if line != nil && *line < 1 || limit != nil && *limit < 0 {
		return "", wire.Errorf(jsonrpc2.CodeInvalidParams, "line counts from 1 and limit from 0")
	}
	skip := 0
	if line != nil {
		skip = *line - 1
	}
	from, to, n := len(text), len(text), 0
	at := 0
	for part := range strings.Lines(text) {
		if n == skip {
			from = at
		}
		if limit != nil && n == skip+*limit {
			to = at
			break
		}
		at += len(part)
		n++
	}
	if from > to {
		from = to
	}
	return text[from:to], nil
}
