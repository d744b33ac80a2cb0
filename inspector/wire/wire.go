package wire

import (
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
)

// Matcher is a filter of rows.
type Matcher interface {
	Match(*model.Row) bool
	Unsure(*model.Row) bool // of one that does not match: with more known of it, it might
	String() string
}

// Wire is the pane with the list of frames. Use NewWire.
type Wire struct {
	session *model.Session
	proxy   *model.Proxy
	index   index
	cursor  cursor
	views   map[viewKey]view // of what was shown before

	columns set
	top     int // line at the top
	height  int // lines there was room for, when it was last painted
	above   int // rows above them
	ids     int // cells that the longest id takes
}

// NewWire is a list that shows nothing and follows what comes.
func NewWire() *Wire {
	return &Wire{cursor: cursor{follow: true}, views: map[viewKey]view{}, height: 10}
}

// Place is that of the wire's keys.
func (w *Wire) Place() keys.Place { return keys.Wire }

// Show shows the rows of one session and those that belong to none, or, when s
// is nil or has no id, all of the proxy. Each list keeps its selection.
func (w *Wire) Show(s *model.Session, p *model.Proxy) {
	if s == w.session && p == w.proxy {
		return
	}
	w.remember()
	w.session, w.proxy = s, p
	w.index.show(s, p)
	w.ids, w.top = 0, 0
	w.recall()
}

// Filter shows only the rows that m matches; nil: all.
func (w *Wire) Filter(m Matcher) {
	if m == nil && w.index.match == nil {
		return
	}
	above := w.cursor.at - w.top
	w.sync()
	w.index.match = m
	w.index.filter()
	w.locate()
	w.top = w.cursor.at - above
}

// Selected is the row that is selected; nil when there is none.
func (w *Wire) Selected() *model.Row {
	w.sync()
	if len(w.index.lines) == 0 {
		return nil
	}
	l := w.index.lines[w.cursor.at]
	if i, ok := w.index.find(w.cursor.row); ok && l.from <= i && i < l.to {
		return w.cursor.row
	}
	return w.index.shown[l.from]
}

// Select selects the row of that number, or the nearest one that is shown. The
// list no longer follows what comes.
func (w *Wire) Select(seq uint64) {
	w.sync()
	w.pause()
	if i := w.index.nearest(seq); i >= 0 {
		w.cursor.row, w.cursor.heading = w.index.shown[i], false
	}
	w.locate()
}

// sync takes in what has come, gone or changed since it was last called.
func (w *Wire) sync() {
	if w.proxy == nil {
		return
	}
	if w.index.sync() {
		above := w.cursor.at - w.top
		w.locate()
		w.top = w.cursor.at - above
	} else if w.cursor.follow {
		w.locate()
	}
}
