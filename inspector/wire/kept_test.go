package wire

import (
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

func TestWhatIsMissingOfAFrame(t *testing.T) {
	live := func(p *model.Proxy) { p.State.Recording = "/r.jsonl" }
	none := func(*model.Proxy) {}
	file := func(p *model.Proxy) { p.Link = model.Recorded }
	whole := model.Row{Body: []byte("{}")}
	dropped := model.Row{}
	unread := model.Row{Unread: true}
	cut := model.Row{Body: make([]byte, 64<<10), Cut: true}
	for name, tt := range map[string]struct {
		of   model.Row
		in   func(*model.Proxy)
		want string
	}{
		"whole":                        {whole, live, ""},
		"dropped, recorded":            {dropped, live, "What this frame said is not kept here; the recording has it."},
		"dropped, not recorded":        {dropped, none, "Only the size of this frame is known. What it said was not kept."},
		"dropped, from a file":         {dropped, file, "What this frame said is not kept here; the file has it."},
		"never told, recorded":         {unread, live, "What this frame said is not kept here; the recording has it."},
		"never told, not recorded":     {unread, none, "Only the size of this frame is known. What it said was not kept."},
		"not recorded, from that file": {unread, file, "Only the size of this frame is known. What it said was not kept."},
		"cut, recorded":                {cut, live, "… only the first 64K are kept here; the recording has the rest."},
		"cut, not recorded":            {cut, none, "… only the first 64K were kept."},
	} {
		s := newStory()
		tt.in(s.proxy)
		tt.of.From, tt.of.Kind, tt.of.Size = acp.Agent, acp.Notification, 2150
		r := s.add(tt.of)
		if got := missing(r); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
		d := NewDetail()
		d.Show(r)
		for _, width := range []int{30, 50, 66, 100} {
			var g *paint.Grid
			for range 2 { // the first one tells how many lines there are
				do(d, s, keys.Bottom)
				g = paint.NewGrid(width, 20)
				d.Draw(g.All(), s.context())
			}
			got := strings.Join(strings.Fields(strings.ReplaceAll(paint.Text(g), "►", " ")), " ")
			if !strings.Contains(got, tt.want) {
				t.Errorf("%s: in %d cells it is not whole:\n%s", name, width, paint.Text(g))
			}
		}
	}
}

func TestOlderEventsAreTold(t *testing.T) {
	for _, tt := range []struct {
		n         uint64
		recording string
		width     int
		want      string
	}{
		{40116, "/r.jsonl", 98, "… 40116 older events are not kept here; the recording has them"},
		{1, "/r.jsonl", 98, "… 1 older event is not kept here; the recording has it"},
		{40116, "/r.jsonl", 48, "… 40116 older events, in the recording"},
		{40116, "/r.jsonl", 30, "… 40116 older events"},
		{40116, "", 48, "… 40116 older events are no longer kept"},
		{40116, "", 10, "… 40116 older"},
	} {
		p := &model.Proxy{Dropped: tt.n}
		p.State.Recording = tt.recording
		if got := older(p, tt.width); got != tt.want {
			t.Errorf("%d in %d cells: got %q, want %q", tt.n, tt.width, got, tt.want)
		}
	}
}

func TestOlderEventsStandAboveTheFirst(t *testing.T) {
	s := newStory()
	for range 30 {
		s.update("tool_call", 100, "words", "")
	}
	s.proxy.Dropped = 40116
	w := NewWire()
	w.Show(s.session, s.proxy)
	top := func(height int) string {
		g := paint.NewGrid(50, height)
		w.Draw(g.All(), s.context())
		first, _, _ := strings.Cut(paint.Text(g), "\n")
		return strings.TrimSpace(first)
	}
	const want = "… 40116 older events are no longer kept"
	if got := top(10); got == want {
		t.Errorf("it is there at the end")
	}
	do(w, s, keys.Top)
	if got := top(10); got != want {
		t.Errorf("at the top: got %q, want %q", got, want)
	}
	if w.Click(5, 0, false, s.context()); w.cursor.at != 0 {
		t.Errorf("a click on it goes to line %d", w.cursor.at)
	}
	if w.Click(5, 1, false, s.context()); w.cursor.at != 0 {
		t.Errorf("a click below it goes to line %d", w.cursor.at)
	}
	for range 9 {
		do(w, s, keys.Down)
	}
	if got := top(10); got == want {
		t.Errorf("it hides the line of the cursor")
	}
	do(w, s, keys.Bottom)
	if got := top(31); got != want {
		t.Errorf("with room for all: got %q, want %q", got, want)
	}
	if got, want := w.amount(), "the newest 30 events"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// dim knows nothing of frames without a body.
type dim struct{ only }

func (dim) Unsure(r *model.Row) bool { return r.Body == nil }

func TestTheNumbersStandBeforeTheFilter(t *testing.T) {
	s := newStory()
	for i := range 20 {
		s.update("tool_call", 100, "words", "").Unread = i < 7
		if i >= 7 {
			s.proxy.Rows[i].Body = []byte("{}")
		}
	}
	w := NewWire()
	w.Show(s.session, s.proxy)
	w.Filter(dim{"initialize"})
	if got, want := w.Head(s.context()).Status.Cut(32).String(), "0 of 20 events, 7 unknown  / me…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.update("tool_call", 100, "words", "")
	s.proxy.Rows = s.proxy.Rows[3:]
	if got, want := w.Head(s.context()).Status.String(), "0 of 18 events, 5 unknown  / method:initialize"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
