package terminal

import (
	"time"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"bobproxy/inspector/paint"
)

const (
	maxWidth, maxHeight = 1000, 500
	// maxCluster is how many bytes one cell can have: the library shows a longer
	// cluster as a question mark.
	maxCluster = 64
)

// repaint is how much is sent when it is drawn next.
type repaint uint8

const (
	changes    repaint = iota
	everything         // all cells are given to the library, which knows what it has sent
	all                // all is sent, whatever was sent before
)

// draw lets the app paint, and sends what changed.
func (s *Screen) draw(app App, now time.Time) {
	w, h := s.screen.Size()
	s.cells.Clear(w, h)
	app.Draw(s.cells, now)
	if s.ascii() {
		s.cells.ToASCII()
	}
	s.send()
	s.pace.drawn(now)
	app.Shown(time.Now()) // the terminal may have taken its time
}

func (s *Screen) send() {
	if s.cells.W != s.shown.W || s.cells.H != s.shown.H {
		s.anew = max(s.anew, everything)
	}
	changed := s.copy()
	switch {
	case s.anew == all:
		s.screen.Sync()
	case changed:
		s.screen.Show()
	}
	s.anew = changes
	s.cells, s.shown = s.shown, s.cells
}

// copy gives the cells that changed to the library, and says whether there were
// any.
func (s *Screen) copy() (changed bool) {
	for y := range s.cells.H {
		for x := range s.cells.W {
			if s.anew == changes && *s.cells.At(x, y) == *s.shown.At(x, y) {
				continue
			}
			changed = true
			s.put(x, y, *s.cells.At(x, y))
		}
	}
	return changed
}

// put gives one cell to the library. What it would show in another width than
// the grid has is shown as question marks, so that nothing else moves.
func (s *Screen) put(x, y int, c paint.Cell) {
	style := s.style(c.Style)
	want := 1
	if c.Wide {
		want = 2
	}
	if _, got := s.screen.Put(x, y, text(c), style); got != want {
		s.screen.Put(x, y, "?", style)
	}
}

func text(c paint.Cell) string {
	if c.Text == "" {
		return " "
	}
	t := c.Text
	for len(t) > maxCluster {
		_, n := utf8.DecodeLastRuneInString(t)
		t = t[:len(t)-n]
	}
	return t
}

func (s *Screen) style(p paint.Style) tcell.Style {
	l := s.theme.Look(p)
	return tcell.StyleDefault.Foreground(colour(l.FG)).Background(colour(l.BG)).
		Bold(l.Bold).Dim(l.Dim).Underline(l.Under).Reverse(l.Reverse)
}

func colour(c paint.Color) tcell.Color {
	if c == paint.Default {
		return tcell.ColorDefault
	}
	return tcell.PaletteColor(c.ANSI())
}
