package wire

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// Draw paints the lines around the cursor, below the names of the columns where
// there is room for them.
func (w *Wire) Draw(a paint.Area, c pane.Context) {
	w.sync()
	p := painter{w: w, c: c, columns: layout(a.W, w.idWidth(), w.columns)}
	w.above = 0
	if a.W >= 60 && a.H >= 6 {
		p.names(a.Rows(0, 1))
		w.above = 1
		a = a.Rows(1, a.H-1)
	}
	w.height = max(a.H, 1)
	if len(w.index.lines) == 0 {
		w.empty(a)
		return
	}
	w.scroll()
	if n := len(w.index.shown); w.top+a.H >= len(w.index.lines) {
		w.cursor.seen = max(w.cursor.seen, w.index.shown[n-1].Seq)
	}
	for y := 0; y < a.H && w.top+y < len(w.index.lines); y++ {
		if w.top+y < 0 {
			a.Line(1, y, paint.L(paint.Dim, older(w.proxy, a.W-2)))
			continue
		}
		p.line(a.Rows(y, 1), w.top+y)
	}
}

// scroll brings the cursor into view, and no blank below the last line. Above
// the first line stands what is missing before it.
func (w *Wire) scroll() {
	first := 0
	if w.proxy.Dropped > 0 && w.height > 1 {
		first = -1
	}
	w.top = min(max(w.top, w.cursor.at-w.height+1), w.cursor.at)
	if w.top == 0 && w.cursor.at < w.height+first {
		w.top = first
	}
	w.top = max(min(w.top, len(w.index.lines)-w.height), first)
}

func (w *Wire) empty(a paint.Area) {
	text := "Nothing has crossed the wire yet."
	if n := len(w.index.scope); n > 0 {
		text = "The filter hides everything here: " + count(n, "event") + "."
	}
	for y, l := range paint.L(paint.Dim, text).Wrap(a.W - 2) {
		a.Line(1, y+1, l)
	}
}

// idWidth is how wide the column of ids is: as the longest one so far, but
// bounded.
func (w *Wire) idWidth() int {
	lines := w.index.lines
	for i := max(w.top, 0); i < min(w.top+w.height, len(lines)); i++ {
		w.ids = max(w.ids, len(w.index.shown[lines[i].from].ID))
	}
	return min(max(w.ids, 2), 10)
}

// painter paints lines of the list.
type painter struct {
	w *Wire
	c pane.Context
	columns
}

func (p *painter) names(a paint.Area) {
	put := func(col column, name string) {
		if col.w >= len(name) {
			a.Put(col.x, 0, paint.Style{Role: paint.Dim}, name)
		}
	}
	right := func(col column, name string) { put(column{col.x + col.w - len(name), col.w}, name) }
	put(p.time, "TIME")
	put(p.method, "METHOD")
	right(p.id, "ID")
	right(p.size, "SIZE")
	right(p.latency, "LATENCY")
	put(p.words, "FIRST WORDS")
}

// line paints line i of the list.
func (p *painter) line(a paint.Area, i int) {
	l := p.w.index.lines[i]
	r := p.w.index.shown[l.from]
	p.when(a, r)
	p.sort(a, r)
	if r.Type == journal.FrameEvent {
		p.frame(a, l, r)
	} else {
		room := max(a.W-1-p.method.x, 0)
		a.Sub(p.method.x, 0, room, 1).Line(0, 0, saying(r, p.c.Home, room))
	}
	if i == p.w.cursor.at {
		a.Put(0, 0, paint.Style{Role: paint.Strong}, "►")
		if p.c.Focus {
			a.Select(0)
		}
	}
}

func (p *painter) when(a paint.Area, r *model.Row) {
	layout := "15:04:05"
	if p.exact {
		layout = "15:04:05.000"
	}
	if p.time.w > 0 && !r.Time.IsZero() {
		a.Put(p.time.x, 0, paint.Style{Role: paint.Dim}, r.Time.In(p.c.Now.Location()).Format(layout))
	}
	if r.Proxy != nil && r.Proxy.Marks[r.Seq] {
		a.Put(p.kind.x-1, 0, paint.Style{Role: paint.Heading}, "●")
	}
}

// sort paints the arrow, the sign beside it, and the kind.
func (p *painter) sort(a paint.Area, r *model.Row) {
	x := p.kind.x
	switch r.From {
	case acp.Client:
		a.Put(x, 0, paint.Style{Role: paint.Out}, "→")
	case acp.Agent:
		a.Put(x, 0, paint.Style{Role: paint.In}, "←")
	}
	switch {
	case r.Added:
		a.Put(x+1, 0, paint.Style{Role: paint.Strong}, "*")
	case r.Type == journal.FrameEvent && r.Reason != "", len(r.Findings()) > 0:
		a.Put(x+1, 0, paint.Style{Role: paint.Warn}, "!")
	}
	word, role := kind(r)
	a.Put(x+arrowWidth, 0, paint.Style{Role: role}, word)
}

// frame paints what is beside the kind of a frame, or of a run of them.
func (p *painter) frame(a paint.Area, l line, r *model.Row) {
	one := l.form == single || l.form == member
	p.subject(a, l, r)
	if one {
		p.number(a, r)
	}
	if r.Action == "" || p.words.w > 0 || paint.Width(r.Action) <= p.latency.w {
		right(a, p.size, paint.L(paint.Plain, size(l.size)))
	}
	if p.words.w > 0 {
		p.speech(a, l, r)
	} else if r.Action != "" {
		p.outcome(a, r)
		return
	}
	if one {
		right(a, p.latency, latency(r, p.c.Now))
	}
}

// speech paints the first words.
func (p *painter) speech(a paint.Area, l line, r *model.Row) {
	words := paint.Clean(paint.Dim, gathered(p.w.index.rows(l)))
	if end := mark(p.last(l)); end != nil {
		words = append(append(end, paint.S(paint.Plain, " ")), words...)
	}
	if r.Action != "" {
		words = append(paint.L(paint.Bad, r.Action+" "), words...)
	}
	a.Sub(p.words.x, 0, p.words.w, 1).Line(0, 0, words)
}

// outcome paints what was done with a frame instead of forwarding it, at the
// end of the line.
func (p *painter) outcome(a paint.Area, r *model.Row) {
	end := max(p.method.end(), p.size.end(), p.latency.end())
	a.Sub(0, 0, end, 1).Right(0, paint.L(paint.Bad, " "+head(r.Action)))
}

// subject paints the method.
func (p *painter) subject(a paint.Area, l line, r *model.Row) {
	m := a.Sub(p.method.x, 0, p.method.w, 1)
	role := paint.Plain
	if r.Kind == acp.Response || r.Kind == acp.Error {
		role = paint.Dim
	}
	switch l.form {
	case single:
		m.Line(0, 0, p.ended(paint.Clean(role, method(r, p.short)), r))
	case folded:
		p.run(m, role, l, "")
	case heading:
		p.run(m, role, l, " ▼")
	case member:
		text := method(r, p.short)
		if p.words.w == 0 && r.First != "" {
			text = words(r)
		}
		x := m.Put(0, 0, paint.Style{Role: paint.Border}, "│ ")
		m.In(x, 0).Line(0, 0, paint.Clean(role, text))
	}
}

// run paints what a run is about, and how many rows it is of, which is never
// cut.
func (p *painter) run(a paint.Area, role paint.Role, l line, sign string) {
	rows := p.w.index.rows(l)
	tail := paint.Line{paint.S(paint.Strong, fmt.Sprintf(" ×%d", len(rows))), paint.S(paint.Plain, sign)}
	room := a.W - tail.Width()
	name := runName(rows, p.short)
	if paint.Width(name) > room {
		name = runName(rows, true)
	}
	x := a.Sub(0, 0, room, 1).Line(0, 0, paint.Clean(role, name))
	a.Line(x, 0, p.ended(tail, p.last(l)))
}

// ended adds how a tool call ended, where there is no column for words.
func (p *painter) ended(l paint.Line, r *model.Row) paint.Line {
	if end := mark(r); end != nil && p.words.w == 0 {
		return append(append(l, paint.S(paint.Plain, " ")), end...)
	}
	return l
}

func (p *painter) last(l line) *model.Row { return p.w.index.shown[l.to-1] }

// gathered is the beginning of what chunks say together, or of what the last of
// other rows says.
func gathered(rows []*model.Row) string {
	if !rows[0].Chunk {
		return words(rows[len(rows)-1])
	}
	var b strings.Builder
	for _, r := range rows {
		if b.Len() > 200 {
			break
		}
		b.WriteString(words(r))
	}
	return b.String()
}

// number paints an id: its end, when it is too long.
func (p *painter) number(a paint.Area, r *model.Row) {
	id := r.ID
	if len(id) > p.id.w && p.id.w > 1 {
		id = "…" + id[len(id)-p.id.w+1:]
	}
	right(a, p.id, paint.L(paint.Dim, id))
}

// latency is how long an answer took, or that there is none yet, or how long
// there still is to give one.
func latency(r *model.Row, now time.Time) paint.Line {
	switch {
	case r.Kind == acp.Response || r.Kind == acp.Error:
		if r.Pair == nil {
			return nil
		}
		return paint.L(speed(r), lapse.Took(r.Waited))
	case !r.Waiting:
		return nil
	}
	left, ok := remaining(r, now)
	switch {
	case !ok:
		return paint.L(paint.Plain, "open")
	case left <= 10*time.Second:
		return paint.L(paint.Danger, lapse.Left(left))
	}
	return paint.L(paint.Warn, lapse.Left(left))
}

// remaining is how long there is to answer a request for permission; false when
// nothing is said of that.
func remaining(r *model.Row, now time.Time) (time.Duration, bool) {
	if r.Permission == nil || r.Permission.Card == nil || r.Permission.Card.Deadline == nil {
		return 0, false
	}
	return r.Permission.Card.Deadline.Sub(now), true
}

// speed is the role of a latency. A turn takes as long as it takes, and so does
// a person.
func speed(r *model.Row) paint.Role {
	switch {
	case r.Method == acp.MethodSessionPrompt || r.Method == acp.MethodRequestPermission:
		return paint.Plain
	case r.Waited >= 10*time.Second:
		return paint.Bad
	case r.Waited >= time.Second:
		return paint.Warn
	}
	return paint.Plain
}

// right paints a line at the right of a column.
func right(a paint.Area, col column, l paint.Line) {
	if col.w > 0 {
		a.Sub(col.x, 0, col.w, 1).Right(0, l)
	}
}
