package wire

import (
	"strconv"

	"bobproxy/inspector/paint"
	"bobproxy/proxy/journal"
)

const offsetWidth = 6 // cells of the margin with the offsets of bytes

// rawLines makes the lines of bytes.
func (d *Detail) rawLines() {
	text := d.rawText()
	if text == "" {
		return
	}
	pieces, _ := flow(text, max(d.width-offsetWidth-2, 8), len(text)+1, false)
	for i, p := range pieces {
		d.lines = append(d.lines, textLine{part: i, piece: p})
	}
}

// rawLine paints a line of bytes, with the number of the first one before it.
func (d *Detail) rawLine(a paint.Area, l textLine) {
	offset := strconv.Itoa(l.from)
	a.Put(1+offsetWidth-1-len(offset), 0, paint.Style{Role: paint.Dim}, offset)
	write(a, offsetWidth+1, paint.Style{}, d.rawText()[l.from:l.to], d.find)
}

// rawText is what the raw view shows: the bytes of a frame, or the text of
// another event.
func (d *Detail) rawText() string {
	if d.row.Type != journal.FrameEvent {
		return d.row.Text
	}
	return d.tree.body
}
