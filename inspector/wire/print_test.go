package wire

import (
	"strings"
	"testing"

	"bobproxy/inspector/paint"
)

func TestPrinted(t *testing.T) {
	s := talk()
	for _, c := range []struct {
		name  string
		width int
	}{{"print-50", 50}, {"print-80", 80}, {"print-120", 120}} {
		p := NewPrinter(c.width)
		var got strings.Builder
		got.WriteString(paint.Text(p.Names()))
		for i, r := range s.proxy.Rows {
			if i > 0 && r.Run != "" && r.Run == s.proxy.Rows[i-1].Run {
				continue // they look alike
			}
			text := paint.Text(p.Row(r, s.now))
			if n := paint.Width(strings.TrimSuffix(text, "\n")); n > c.width {
				t.Errorf("a line of %d columns is %d wide: %s", c.width, n, text)
			}
			got.WriteString(text)
		}
		goldenText(t, c.name, got.String())
	}
}

func TestPrintedAtAnyWidth(t *testing.T) {
	s := talk()
	for _, width := range []int{-1, 0, 1, 30, 5000} {
		p := NewPrinter(width)
		for _, r := range s.proxy.Rows {
			if text := paint.Text(p.Row(r, s.now)); strings.TrimSpace(text) == "" {
				t.Errorf("nothing at width %d of row %d", width, r.Seq)
			}
		}
	}
}
