package proxy

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"bobproxy/acp/session"
	"bobproxy/proxy/bounds"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// Bounds of one comparison of a request with the disk.
const (
	diskTime  = 2 * time.Second
	maxOpened = 16
	maxRead   = 1 << 20 // bytes of a file; of a longer one nothing is compared
)

// disk compares what requests say of files with the files, one request at a time,
// and only when somebody asks. The zero value is ready.
type disk struct {
	once sync.Once
	turn chan struct{}                                                    // holds what compares
	open func(path string, grants []session.Grant) (io.ReadCloser, error) // for tests; nil: openInside
}

// Disk compares the diffs of a request that waits with the disk. Of the files
// nothing is told but how they compare.
func (h *host) Disk(ctx context.Context, request string) ([]control.OnDisk, bool) {
	e, grants, ok := h.waiting(request)
	if !ok {
		return nil, false
	}
	claims := claimsOf(e.Content, e.ContentClipped)
	if len(claims) == 0 {
		return nil, true
	}
	ctx, cancel := context.WithTimeout(ctx, diskTime)
	defer cancel()
	files := h.disk.compare(ctx, claims, grants)
	mask := h.relay.journal.Mask()
	for i := range files {
		files[i].Path = mask.Text(files[i].Path)
	}
	return files, true
}

// waiting is a request, and what its paths must lie in.
func (h *host) waiting(request string) (e broker.Entry, grants []session.Grant, ok bool) {
	l := &h.relay.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok = l.broker.Waiting(request); !ok {
		return e, nil, false
	}
	if grants, _ = l.fold.Grants(e.Session); len(grants) == 0 {
		grants = l.fold.AllGrants()
	}
	return e, grants, true
}

// compare gives what is known by the end of ctx. What a file system that hangs
// keeps from returning is left behind, and nothing else is compared until it
// returns.
func (d *disk) compare(ctx context.Context, claims []claim, grants []session.Grant) []control.OnDisk {
	d.once.Do(func() { d.turn = make(chan struct{}, 1) })
	all := make([]control.OnDisk, len(claims))
	for i, c := range claims {
		all[i] = c.uncompared("no answer in time")
	}
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return all
	}
	compared := make(chan control.OnDisk, len(claims))
	go d.look(ctx, claims, grants, compared)
	for i := range all {
		select {
		case all[i] = <-compared:
		case <-ctx.Done():
			return all
		}
	}
	return all
}

// look is the goroutine that waits for the disk. It tells of each of claims, as
// far as it gets within ctx.
func (d *disk) look(ctx context.Context, claims []claim, grants []session.Grant, compared chan<- control.OnDisk) {
	defer func() { <-d.turn }()
	r := reader{open: d.open, grants: grants}
	if r.open == nil {
		r.open = openInside
	}
	for _, c := range claims {
		if ctx.Err() != nil {
			return
		}
		compared <- r.compare(c)
	}
}

// reader reads the files that a request names, and holds the last one: an agent
// may show several diffs of it, one after the other.
type reader struct {
	open   func(path string, grants []session.Grant) (io.ReadCloser, error)
	grants []session.Grant
	opened int
	path   string
	last   content
}

// content is what a file has; the zero content is of no file.
type content struct {
	there bool
	text  string // at most maxRead bytes, and one more
	why   string // why it is not known
}

func (r *reader) compare(c claim) control.OnDisk {
	if c.why != "" {
		return c.uncompared(c.why)
	}
	path := absolute(c.path, r.grants)
	if path != r.path || r.opened == 0 {
		r.path, r.last = path, r.read(path)
	}
	return c.against(r.last)
}

func (r *reader) read(path string) content {
	if r.opened++; r.opened > maxOpened {
		return content{why: "too many files"}
	}
	file, err := r.open(path, r.grants)
	if errors.Is(err, fs.ErrNotExist) {
		return content{}
	}
	if err != nil {
		return content{why: whyClosed(err)}
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxRead+1))
	if err != nil {
		return content{why: "cannot be read"}
	}
	return content{there: true, text: string(text)}
}

// errOutside is that the bounds do not let a path be opened.
type errOutside bounds.Code

func (e errOutside) Error() string { return bounds.Code(e).Text() }

// openInside opens a file that lies in all of grants. It is reached from the root
// of the first.
func openInside(path string, grants []session.Grant) (io.ReadCloser, error) {
	v, _ := check(grants, path, bounds.Read)
	if !v.Inside() {
		return nil, errOutside(v.Code)
	}
	set, _ := grants[0].Pin.(*bounds.Set)
	file, v, err := set.Open(path)
	switch {
	case err != nil:
		return nil, err
	case !v.Inside():
		return nil, errOutside(v.Code)
	}
	return file, nil
}

// whyClosed is an error of openInside in a few words for people.
func whyClosed(err error) string {
	var outside errOutside
	switch {
	case errors.As(err, &outside):
		return whyOutside(bounds.Code(outside))
	case errors.Is(err, bounds.ErrIrregular):
		return "not a regular file"
	case errors.Is(err, bounds.ErrTwoFiles):
		return "the path is ambiguous"
	case errors.Is(err, os.ErrPermission):
		return "may not be read"
	}
	return "cannot be read"
}

func whyOutside(code bounds.Code) string {
	switch code {
	case bounds.Escape:
		return "outside the workspace"
	case bounds.NoRoots:
		return "no workspace is known"
	case bounds.RootChanged:
		return "the workspace was moved"
	case bounds.Device, bounds.MagicLink, bounds.NotADirectory:
		return "not a regular file"
	case bounds.Unreadable:
		return "may not be read"
	}
	return "the path is unusable"
}
