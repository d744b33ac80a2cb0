package wire

import (
	"testing"

	"bobproxy/acp"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

func FuzzDetail(f *testing.F) {
	f.Add([]byte(permissionBody), 50, false)
	f.Add([]byte(permissionBody[:400]), 30, true)
	f.Add([]byte(`{"a":{"b":[1,2,[3]],"a":"\ud800"},"a":null} x`), 9, false)
	f.Add([]byte("\xff\x1b\t\u200d\u0301{"), 1, true)
	f.Add([]byte(`[[[[[[[[[[[["x`), 80, true)
	f.Fuzz(func(t *testing.T, body []byte, w int, cut bool) {
		if w < 0 || w > 200 {
			return
		}
		s := newStory()
		r := s.add(model.Row{From: acp.Agent, Kind: acp.Notification, Method: "m", Body: body, Cut: cut})
		d := NewDetail()
		d.Show(r)
		g := paint.NewGrid(w, 20)
		for _, a := range []keys.Action{keys.UnfoldAll, keys.Bottom, keys.Fold, keys.Copy, keys.OnlyThis, keys.Wrap, keys.FoldAll, keys.Raw, keys.Bottom, keys.Raw, keys.Top} {
			d.Draw(g.All(), s.context())
			wishes := d.Do(a, s.context())
			bounded(t, d, len(body))
			for _, wish := range wishes {
				if c, ok := wish.(pane.Copied); ok && len(c.Text) > 3*len(body)+3 {
					t.Errorf("%d bytes were copied of %d", len(c.Text), len(body))
				}
			}
		}
		d.Find("a", s.context())
		d.Do(keys.NextMatch, s.context())
		d.Draw(g.All(), s.context())
		covered(t, d)
	})
}

// bounded sees that there are not more lines than there may be.
func bounded(t *testing.T, d *Detail, size int) {
	t.Helper()
	most := treeLines + textLines
	if d.raw {
		most = size + 2
	}
	if n := len(d.lines); n > most {
		t.Fatalf("%d bytes are %d lines", size, n)
	}
}

// covered sees that the lines of the raw view have every byte once.
func covered(t *testing.T, d *Detail) {
	t.Helper()
	if !d.raw {
		d.Do(keys.Raw, pane.Context{})
	}
	d.layout(d.width)
	at := 0
	for _, l := range d.lines {
		if l.note != "" {
			continue
		}
		if l.from != at {
			t.Fatalf("after byte %d comes byte %d", at, l.from)
		}
		if at = l.to; l.newline {
			at++
		}
	}
	if at != len(d.body) {
		t.Fatalf("%d of %d bytes are shown", at, len(d.body))
	}
}

func FuzzUnquote(f *testing.F) {
	for _, s := range []string{`"a\nb"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\u00`, `"\`, `"`, ``, `"a"b`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if got := unquote(raw); len(got) > len(raw) {
			t.Errorf("%q became %q", raw, got)
		}
	})
}
