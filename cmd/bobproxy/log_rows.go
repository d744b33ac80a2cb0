package main

import (
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/filter"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/wire"
	"bobproxy/proxy/journal"
)

// sieve chooses rows.
type sieve struct {
	expr, since, until filter.Expr
	world              filter.World
	session            string // id; empty: all
	unsure             int    // how many were left out that might match, if more of them were looked at
}

// at says whether something of that time is wanted.
func (s *sieve) at(t time.Time) bool {
	r := model.Row{Time: t}
	return s.since.Match(&r, s.world) && s.until.Match(&r, s.world)
}

// row says whether a row is wanted. What belongs to no session belongs to all.
func (s *sieve) row(r *model.Row) bool {
	if s.session != "" && r.Session != nil && r.Session.Talk.Session != "" && r.Session.Talk.Session != s.session {
		return false
	}
	return s.at(r.Time) && s.chooses(r)
}

// chooses says whether the filter does, and counts what it cannot say that of.
func (s *sieve) chooses(r *model.Row) bool {
	if s.expr.Match(r, s.world) {
		return true
	}
	if s.expr.Unsure(r, s.world) {
		s.unsure++
	}
	return false
}

// recordReader prints records, or the frames in them, without a look at what
// they mean.
type recordReader struct {
	*logging
	out *printed
}

func (r *recordReader) take(line *journal.Line) error {
	if !r.sieve.at(line.Time) {
		return nil
	}
	if text := r.record(line); text != nil {
		return r.out.add(line.Time, text)
	}
	return nil
}

func (r *recordReader) pause() error { return nil }
func (r *recordReader) end() error   { return nil }

// record is what is printed of an event; nil: nothing.
func (l *logging) record(line *journal.Line) []byte {
	switch {
	case l.json && isTerminal(l.std.out):
		return append(forTerminal(line.Record), '\n')
	case l.json:
		return append(line.Record, '\n')
	case line.Type != journal.FrameEvent || line.Form == journal.NoBody:
		return nil
	}
	return append(append([]byte(nil), line.Body...), lineEnd(line.EOL)...)
}

// forTerminal is a record in which nothing is obeyed or hidden by a terminal:
// blanks between values are spaces, and the rest stands in strings.
func forTerminal(record []byte) []byte {
	out := append([]byte(nil), record...)
	for i, c := range out {
		if c < ' ' {
			out[i] = ' '
		}
	}
	return escapeUnseen(out)
}

func lineEnd(eol acp.EOL) string {
	switch eol {
	case acp.CRLF:
		return "\r\n"
	case acp.NoEOL:
		return ""
	}
	return "\n"
}

// Bounds of rows that wait for what becomes of them.
const (
	mostHeld      = 4000
	mostHeldBytes = 4 << 20
)

// rowReader makes rows of events. A row is printed when it is known what became
// of it, so that a request can be told to be open, or chosen for how it was
// answered; behind one that takes too long nothing waits for ever.
type rowReader struct {
	*logging
	out     *printed
	reading *model.Reading
	told    map[*model.Proxy]uint64 // number of the last row
	paint   *wire.Printer
	held    []heldRow
	bytes   int
	live    bool // nothing is waited for any more
}

// heldRow is a row that was not printed yet.
type heldRow struct {
	row  *model.Row
	text []byte // to print, when it is no text for people
	size int
}

func newRowReader(l *logging, out *printed) *rowReader {
	l.sieve.session = l.source.session
	return &rowReader{
		logging: l, out: out, reading: model.New().Begin(l.source.name),
		told: map[*model.Proxy]uint64{}, paint: wire.NewPrinter(l.width),
	}
}

func (r *rowReader) take(line *journal.Line) error {
	p := r.reading.Take(&line.Event, nil)
	if p == nil {
		return nil
	}
	first := len(p.Rows)
	for first > 0 && p.Rows[first-1].Seq > r.told[p] {
		first--
	}
	for _, row := range p.Rows[first:] {
		r.told[p] = row.Seq
		h := heldRow{row: row, size: 256 + len(line.Record)}
		if row.Seq == line.Seq && (r.json || r.raw) {
			h.text = r.record(line)
		}
		r.held, r.bytes = append(r.held, h), r.bytes+h.size
	}
	return r.release(false)
}

// release prints from the oldest row on what is known well enough; all: all of
// it.
func (r *rowReader) release(all bool) error {
	n := 0
	for ; n < len(r.held); n++ {
		known := decided(r.held[n].row)
		if !all && !known && !r.live && len(r.held)-n <= mostHeld && r.bytes <= mostHeldBytes {
			break
		}
		if err := r.show(&r.held[n], known || all); err != nil {
			return err
		}
		r.bytes -= r.held[n].size
	}
	clear(r.held[:n])
	r.held = r.held[n:]
	return nil
}

// decided says that it is known what became of a row.
func decided(r *model.Row) bool {
	return !r.Waiting && (r.Permission == nil || !r.Permission.Open())
}

func (r *rowReader) show(h *heldRow, known bool) error {
	if !r.sieve.row(h.row) {
		return nil
	}
	if r.json || r.raw {
		if h.text == nil {
			return nil
		}
		return r.out.add(h.row.Time, h.text)
	}
	row := h.row
	if !known && row.Waiting {
		unknown := *row
		unknown.Waiting = false
		row = &unknown
	}
	return r.out.add(row.Time, r.line(r.paint.Row(row, r.now), 0))
}

// pause is when all that was recorded is read: from now on rows are printed as
// they come.
func (r *rowReader) pause() error {
	err := r.release(false)
	for _, h := range r.held {
		if err == nil {
			err = r.show(&h, false)
		}
	}
	r.held, r.bytes, r.live = nil, 0, true
	return err
}

func (r *rowReader) end() error {
	r.reading.End()
	return r.release(true)
}

// line is row y of a grid as a line of text.
func (l *logging) line(g *paint.Grid, y int) []byte {
	if l.ink.ASCII {
		g.ToASCII()
	}
	return []byte(paint.ANSI(g, y, l.ink.Theme) + "\n")
}
