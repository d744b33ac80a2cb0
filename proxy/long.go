package proxy

import (
	"errors"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// longLine is a line that is too long to hold, while it passes. The zero value
// is none.
type longLine struct {
	size int     // bytes so far
	tail [2]byte // the last of them
}

var errTooLong = errors.New("a line is too long to be recorded")

// carryLong passes on a piece of a line that is too long to hold; with its last
// piece the line is entered, by its size. Where a recording is required such a
// line does not pass at all: its record would come too late.
func (p *pump) carryLong(end bool) error {
	if p.required {
		return &recordError{errTooLong}
	}
	piece, last := p.in.next()
	if !last {
		piece = p.in.rest()
	}
	p.long.add(piece)
	_, err := p.out.Write(piece)
	if last || end || err != nil {
		p.ledger.enter([]journal.Frame{p.long.frame(p.dir)})
		p.ledger.journal.Kick()
		p.long = longLine{}
	}
	if err != nil {
		return &writeError{err}
	}
	return nil
}

func (l *longLine) add(piece []byte) {
	l.size += len(piece)
	for _, b := range piece[max(0, len(piece)-len(l.tail)):] {
		l.tail = [2]byte{l.tail[1], b}
	}
}

// frame is what is told of the line.
func (l *longLine) frame(dir acp.Direction) journal.Frame {
	f := journal.Frame{Dir: dir, Size: l.size, Reason: "too long to hold"}
	f.Scan.Kind = acp.Ambiguous
	switch {
	case l.tail == [2]byte{'\r', '\n'}:
		f.Scan.EOL, f.Size = acp.CRLF, l.size-2
	case l.tail[1] == '\n':
		f.Scan.EOL, f.Size = acp.LF, l.size-1
	}
	return f
}
