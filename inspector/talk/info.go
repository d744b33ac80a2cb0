package talk

import (
	"os"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Info is the pane with everything about a session and its proxy: what was asked
// and what was not, who owes whom an answer, and the plain facts.
type Info struct {
	Self int // this process, as of a Timeline

	session *model.Session
	at      string // name of the row that is selected
	index   int    // and where it was
	screen  int    // on which row of the screen
	open    map[string]bool
	w, h    int
	rows    []fact
}

// fact is one row: what it says, and what Enter does there.
type fact struct {
	row
	tell   func() row // instead of row, once it is on the screen; nil: none
	name   string     // the same for as long as it means the same
	indent int
	opens  func() []pane.Wish // nil: nothing
	copies string             // empty: its text
	about  *model.Row         // of a debt
	deed   *model.Deed        // what it is about is copied; nil: none
}

func (f *fact) says() row {
	if f.tell != nil {
		return f.tell()
	}
	return f.row
}

// NewInfo is an info pane that shows no session yet.
func NewInfo() *Info { return &Info{Self: os.Getpid(), open: map[string]bool{}} }

// Place says which keys it has.
func (i *Info) Place() keys.Place { return keys.Info }

// Show makes it show a session; nil: none.
func (i *Info) Show(s *model.Session) {
	if i.session != s {
		*i = Info{Self: i.Self, session: s, open: map[string]bool{}, w: i.w, h: i.h}
	}
}

// Hints are its keys, most useful first.
func (i *Info) Hints(pane.Context) []keys.Action {
	return []keys.Action{keys.Open, keys.Stderr, keys.Copy}
}

// Head is what stands above it.
func (i *Info) Head(c pane.Context) pane.Head {
	if i.session == nil {
		return pane.Head{}
	}
	return pane.Head{Status: status(i.session), StatusRight: turn(i.session, c)}
}

// Draw paints all of it.
func (i *Info) Draw(a paint.Area, c pane.Context) {
	i.w, i.h = a.W, a.H
	if a.W < 1 || a.H < 1 {
		return
	}
	if i.session == nil {
		empty(a, []string{"No session."})
		return
	}
	i.collect(c)
	top := i.scroll()
	for y := 0; y < a.H && top+y < len(i.rows); y++ {
		f := i.rows[top+y]
		r := f.says()
		a.In(1+f.indent, 1).Both(y, r.left, r.right)
		if top+y == i.index && c.Focus {
			a.Put(0, y, paint.Style{Role: paint.Strong}, "►")
			a.Select(y)
		}
	}
}

// scroll is the first row on the screen, such that the row that is selected
// stays where it was.
func (i *Info) scroll() int {
	i.screen = min(max(i.screen, 0), i.h-1)
	top := min(max(i.index-i.screen, 0), max(len(i.rows)-i.h, 0))
	i.screen = i.index - top
	return top
}

// collect makes the rows anew, and finds the one that is selected again.
func (i *Info) collect(c pane.Context) {
	w := writing{Info: i, s: i.session, c: c, width: i.w - 2}
	w.c.Now, w.over = i.session.Until(c.Now)
	w.all()
	i.rows = w.rows
	i.index = min(i.index, len(i.rows)-1)
	for n, f := range i.rows {
		if f.name == i.at {
			i.index = n
			return
		}
	}
	i.index = max(i.index, 0)
	i.at = i.rows[i.index].name
}

// Do does what a key stands for.
func (i *Info) Do(action keys.Action, c pane.Context) []pane.Wish {
	if i.session == nil || i.h < 1 {
		return nil
	}
	i.collect(c)
	switch action {
	case keys.Open:
		if f := i.rows[i.index]; f.opens != nil {
			return f.opens()
		}
	case keys.Stderr:
		i.open["stderr"] = !i.open["stderr"]
		i.collect(c)
		i.jump("STDERR")
	case keys.Copy:
		return i.copied()
	default:
		i.move(action)
	}
	return nil
}

func (i *Info) copied() []pane.Wish {
	f := i.rows[i.index]
	text := f.copies
	if f.deed != nil {
		text = f.deed.Subject().String()
	}
	if text == "" {
		text = f.says().left.String()
	}
	return []pane.Wish{pane.Copied{What: "the line", Text: text}}
}

func (i *Info) move(action keys.Action) {
	to := i.index
	switch action {
	case keys.Down:
		to++
	case keys.Up:
		to--
	case keys.PageDown:
		to += max(i.h-1, 1)
	case keys.PageUp:
		to -= max(i.h-1, 1)
	case keys.HalfDown:
		to += max(i.h/2, 1)
	case keys.HalfUp:
		to -= max(i.h/2, 1)
	case keys.Top:
		to = 0
	case keys.Bottom:
		to = len(i.rows) - 1
	}
	i.choose(i.text(to, to-i.index), i.screen+to-i.index)
}

// text is the next row from n on, in a direction, that says something.
func (i *Info) text(n, by int) int {
	for n > 0 && n < len(i.rows)-1 && i.rows[n].tell == nil && len(i.rows[n].left) == 0 {
		if by < 0 {
			n--
		} else {
			n++
		}
	}
	return min(max(n, 0), len(i.rows)-1)
}

func (i *Info) choose(n, screen int) {
	i.index, i.screen, i.at = n, screen, i.rows[n].name
}

// jump selects a section, at the top of the screen.
func (i *Info) jump(name string) {
	for n, f := range i.rows {
		if f.name == name {
			i.choose(n, 0)
		}
	}
}

// Click selects what was clicked at; twice opens it.
func (i *Info) Click(x, y int, double bool, c pane.Context) []pane.Wish {
	if i.session == nil || i.h < 1 {
		return nil
	}
	i.collect(c)
	n := i.scroll() + y
	if n < 0 || n >= len(i.rows) {
		return nil
	}
	i.choose(n, y)
	if double {
		return i.Do(keys.Open, c)
	}
	return nil
}
