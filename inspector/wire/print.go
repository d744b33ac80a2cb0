package wire

import (
	"time"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Printer paints rows as the list shows them, each by itself and without a
// cursor, for text that scrolls by.
type Printer struct {
	list    Wire
	columns columns
	grid    *paint.Grid
}

const printedID = 4 // cells of an id, which cannot follow what is still to come

// NewPrinter paints lines that are width cells wide.
func NewPrinter(width int) *Printer {
	width = min(max(width, 30), 400)
	p := &Printer{grid: paint.NewGrid(0, 0)}
	p.list.cursor.at = -1
	p.columns = layout(width+2, printedID, fitting) // with the edges of a pane
	p.columns.shift(-1)
	p.grid.Clear(width, 1)
	return p
}

// shift moves all columns.
func (c *columns) shift(by int) {
	for _, col := range []*column{&c.time, &c.kind, &c.method, &c.id, &c.size, &c.latency, &c.words} {
		col.x += by
	}
}

// Names are the names of the columns. What is painted is good until the next
// call.
func (p *Printer) Names() *paint.Grid {
	p.grid.Clear(p.grid.W, 1)
	(&painter{columns: p.columns}).names(p.grid.All())
	return p.grid
}

// Row is a row; times are in the place of now.
func (p *Printer) Row(r *model.Row, now time.Time) *paint.Grid {
	p.list.index.shown = append(p.list.index.shown[:0], r)
	p.list.index.lines = append(p.list.index.lines[:0], line{0, 1, 0, r.Size, single})
	p.grid.Clear(p.grid.W, 1)
	(&painter{w: &p.list, c: pane.Context{Now: now}, columns: p.columns}).line(p.grid.All(), 0)
	return p.grid
}
