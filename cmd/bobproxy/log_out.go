package main

import (
	"bufio"
	"io"
	"time"
)

// printed is what is printed, be it only the last of it.
type printed struct {
	out   *bufio.Writer
	last  []piece // the last ones so far, in a ring
	next  int     // where the next one goes
	most  int     // how many; 0: all, and none is kept
	any   bool    // there was something
	day   string  // of what was printed last; empty: that is not told
	zone  *time.Location
	plain bool // days are not told
}

// piece is something printed, and of when it tells.
type piece struct {
	at   time.Time
	text []byte
}

const dayLayout = "2006-01-02"

func newPrinted(l *logging) *printed {
	return &printed{
		out: bufio.NewWriterSize(l.std.out, 64<<10), most: l.last, zone: l.now.Location(),
		day: l.now.Format(dayLayout), plain: l.json || l.raw,
	}
}

// add prints text, or keeps it while only the last ones are wanted.
func (p *printed) add(at time.Time, text []byte) error {
	p.any = true
	switch {
	case p.most == 0:
		return p.write(piece{at, text})
	case len(p.last) < p.most:
		p.last = append(p.last, piece{at, append([]byte(nil), text...)})
	default:
		kept := &p.last[p.next]
		kept.at, kept.text = at, append(kept.text[:0], text...)
		p.next = (p.next + 1) % p.most
	}
	return nil
}

// settle prints what was kept; from now on all is printed at once.
func (p *printed) settle() error {
	for i := range p.last {
		if err := p.write(p.last[(p.next+i)%len(p.last)]); err != nil {
			return err
		}
	}
	p.last, p.most = nil, 0
	return p.out.Flush()
}

// write writes text, under its day where that is another one than before, or at
// first than today.
func (p *printed) write(t piece) error {
	if day := t.at.In(p.zone).Format(dayLayout); !p.plain && day != p.day && !t.at.IsZero() {
		p.day = day
		if _, err := io.WriteString(p.out, day+"\n"); err != nil {
			return err
		}
	}
	_, err := p.out.Write(t.text)
	return err
}
