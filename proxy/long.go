package proxy

import (
	"errors"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// longLine is a line that is too long to hold, while it passes. The zero value
// is none.
type longLine struct {
	size    int     // bytes so far
	tail    [2]byte // the last of them
	passing bool    // the outlet is held until it has passed
}

var errTooLong = errors.New("a line is too long to be recorded")

// carryLong passes on a piece of a line that is too long to hold; with its last
// piece the line is entered, by its size. Nothing can be added meanwhile. An
// agent's line that nobody can look at does not pass where bounds are enforced;
// and where a recording is required no such line does: its record would come
// too late.
func (p *pump) carryLong(end bool) error {
	if p.out.required {
		return &recordError{errTooLong}
	}
	piece, last := p.in.next()
	if !last {
		piece = p.in.rest()
	}
	p.long.add(piece)
	drop := p.gate != nil && p.gate.drops(p.dir)
	var err error
	if !drop {
		p.holdOutlet()
		_, err = p.out.out.Write(piece)
	}
	if last || end || err != nil {
		p.enterLong(drop, err != nil || !last)
	}
	if err != nil {
		return &writeError{err}
	}
	return nil
}

// holdOutlet keeps others from adding frames until endLong.
func (p *pump) holdOutlet() {
	if !p.long.passing {
		p.long.passing = true
		p.out.mu.Lock()
		p.out.addAll()
	}
}

// enterLong enters the line; torn says that its end did not pass.
func (p *pump) enterLong(drop, torn bool) {
	f := p.long.frame(p.dir)
	if drop {
		f.Action = withheld
	} else if torn {
		p.out.ended = true
	}
	p.out.ledger.enter([]journal.Frame{f})
	p.out.ledger.journal.Kick()
	p.endLong()
}

func (p *pump) endLong() {
	if p.long.passing {
		p.out.mu.Unlock()
	}
	p.long = longLine{}
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
