package wire

import (
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
	"bobproxy/inspector/filter"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
)

// frame is a row with that body, in a talk of its own.
func frame(body string) (*story, *model.Row) {
	s := newStory()
	return s, s.add(model.Row{From: acp.Agent, Kind: acp.Notification, Method: "session/update", Body: []byte(body)})
}

// shown is what a detail shows of a row in 60 columns.
func shown(s *story, d *Detail) string { return strings.Join(screen(d, s, 60, 40), "\n") }

func TestTree(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"order and spelling", `{"b":1.50e+3,"a":-0,"b":true}`,
			"►  b  1.50e+3\n   a  -0\n   b  true"},
		{"long keys", `{"averyveryverylongnameofamember":null}`,
			"►  averyveryverylongna…  null"},
		{"empty ones", `{"a":{},"b":[],"c":""}`,
			"►  a  {}\n   b  []\n   c  \"\""},
		{"arrays", `{"a":[1,2],"b":[[1,2]],"c":{"d":[1,2,3]}}`,
			"►▼ a  [2]\n     0  1\n     1  2\n ▼ b  [1]\n   ▼ 0  [2]\n       0  1\n       1  2\n ▼ c\n   ► d  [3]  1 · 2 · 3"},
		{"depth", `{"a":{"b":{"c":{"d":1}}}}`,
			"►▼ a\n   ▼ b\n     ► c  {1}  d"},
		{"one entry is no depth", `{"params":{"prompt":[{"type":"text","text":"hi"}]}}`,
			"►▼ params\n   ▼ prompt  [1]\n     ▼ 0\n         type  \"text\"\n         text  \"hi\""},
		{"line breaks", `{"a":"x\ny\tz\u001b\n"}`,
			"►  a  \"x↵\n       y→   z␛↵\n       \""},
		{"half a character", `{"a":"\ud83d","b":"\ud83d\ude00","c":"é\u00e9\/"}`,
			"►  a  \"‹ed›‹a0›‹bd›\"\n   b  \"😀\"\n   c  \"éé/\""},
		{"bytes", "{\"a\xff\":\"\xfe\"}",
			"►  a‹ff›  \"‹fe›\""},
		{"masked", `{"a":"[masked]"}`, "►  a  \"[masked]\""},
		{"a batch", `[{"id":1},{"id":2}]`,
			"►▼ 0\n     id  1\n ▼ 1\n     id  2"},
		{"a word", `"x"`, "►  \"x\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, r := frame(tt.body)
			d := NewDetail()
			d.Show(r)
			got := screen(d, s, 60, 40)
			text := strings.TrimRight(strings.Join(got[:min(39, len(got))], "\n"), "\n ")
			if text != tt.want {
				t.Errorf("got\n%s\nwant\n%s", text, tt.want)
			}
		})
	}
}

func TestMembersThatAreThereTwice(t *testing.T) {
	s, r := frame(`{"path":"/a","path":"/b","path":{}}`)
	d := NewDetail()
	d.Show(r)
	if got := shown(s, d); strings.Count(got, "named twice") != 2 || !strings.Contains(got, `"/b" named twice`) {
		t.Errorf("got\n%s", got)
	}
}

func TestWhatIsNoTreeIsRaw(t *testing.T) {
	for _, tt := range []struct {
		body string
		kind acp.Kind
		raw  bool
	}{
		{`{"a":1}`, acp.Notification, false},
		{`{"a":1,"a":2}`, acp.Ambiguous, false},
		{`{"a":1} {"a":2}`, acp.Ambiguous, true},
		{`{"a":1`, acp.Ambiguous, true},
		{`{'a':1}`, acp.Ambiguous, true},
		{`starting up`, acp.Text, true},
		{`12`, acp.Text, true},
		{``, acp.Text, true},
	} {
		s, r := frame(tt.body)
		r.Kind = tt.kind
		d := NewDetail()
		d.Show(r)
		if d.raw != tt.raw {
			t.Errorf("%q: raw is %v, want %v", tt.body, d.raw, tt.raw)
		}
		d.Show(frameRow(`{"a":1}`))
		if got := shown(s, d); d.raw || !strings.Contains(got, "a  1") {
			t.Errorf("after %q the next frame is\n%s", tt.body, got)
		}
		do(d, s, keys.Raw)
		if d.Show(r); !d.raw {
			t.Errorf("%q is not raw although that was chosen", tt.body)
		}
		do(d, s, keys.Raw)
		if shown(s, d); d.raw {
			t.Errorf("%q is raw although the tree was chosen", tt.body)
		}
	}
}

func frameRow(body string) *model.Row {
	_, r := frame(body)
	return r
}

func TestFramesThatWereCut(t *testing.T) {
	body := `{"method":"fs/write_text_file","params":{"path":"/a","content":"one\ntwo` + strings.Repeat("x", 100)
	for _, end := range []string{"", `\`, `\u00`, "\xc3"} {
		s, r := frame(body + end)
		r.Cut, r.Size = true, 1<<20
		d := NewDetail()
		d.Show(r)
		got := shown(s, d)
		for _, want := range []string{`path     "/a"`, `content  "one↵`, "two", "… only the first " + size(int64(len(body+end))) + " were kept."} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in\n%s", want, got)
			}
		}
	}
}

func TestBodyThatIsDropped(t *testing.T) {
	s, r := frame(`{"a":1}`)
	d := NewDetail()
	d.Show(r)
	shown(s, d)
	r.Body = nil
	if got := shown(s, d); !strings.Contains(got, "Only the size of this frame is known.") || strings.Contains(got, "a  1") {
		t.Errorf("got\n%s", got)
	}
	if got := fmt.Sprint(do(d, s, keys.CopyAll, keys.Save)); got != "[{"+missing(r)+"} {"+missing(r)+"}]" {
		t.Errorf("got %s", got)
	}
	r.Body = []byte(`{"b":2}`)
	if got := shown(s, d); !strings.Contains(got, "b  2") {
		t.Errorf("got\n%s", got)
	}
}

func TestFolding(t *testing.T) {
	s, r := frame(`{"a":{"b":{"c":{"d":{"e":1}}}},"z":2}`)
	d := NewDetail()
	d.Show(r)
	lines := func() int { shown(s, d); return len(d.lines) }
	path := func() string { return strings.Join(d.tree.path(d.lines[d.at].node), ".") }
	for _, tt := range []struct {
		do   keys.Action
		n    int
		path string
	}{
		{keys.Down, 4, "a.b"},
		{keys.Down, 4, "a.b.c"},
		{keys.Unfold, 5, "a.b.c"},
		{keys.Down, 5, "a.b.c.d"},
		{keys.Open, 6, "a.b.c.d"},
		{keys.Down, 6, "a.b.c.d.e"},
		{keys.Fold, 6, "a.b.c.d"},
		{keys.Fold, 5, "a.b.c.d"},
		{keys.Fold, 5, "a.b.c"},
		{keys.FoldAll, 2, "a"},
		{keys.Fold, 2, "a"},
		{keys.UnfoldAll, 6, "a"},
		{keys.Bottom, 6, "z"},
		{keys.Top, 6, "a"},
	} {
		do(d, s, tt.do)
		if n, p := lines(), path(); n != tt.n || p != tt.path {
			t.Errorf("after %s: %d lines, at %s; want %d at %s", tt.do, n, p, tt.n, tt.path)
		}
	}
}

func TestRawAndTreeStayAtThePlace(t *testing.T) {
	s := talk()
	d := NewDetail()
	d.Show(s.open["agent5"])
	shown(s, d)
	do(d, s, keys.UnfoldAll)
	for range 20 {
		do(d, s, keys.Down)
	}
	want := d.lines[d.at].node
	do(d, s, keys.Raw)
	l := d.lines[d.at]
	if from := d.tree.nodes[want].from; from < l.from || from >= l.to {
		t.Errorf("raw it is at bytes %d to %d, want %d", l.from, l.to, from)
	}
	do(d, s, keys.Raw)
	if got := d.tree.path(d.lines[d.at].node); strings.Join(got, ".") != "params.toolCall.locations.0.path" && d.lines[d.at].node > want {
		t.Errorf("back in the tree it is at %v", got)
	}
}

func TestOffsets(t *testing.T) {
	s, r := frame("{\"a\":\"\xff\xfe" + strings.Repeat("é", 60) + `"}`)
	d := NewDetail()
	d.Show(r)
	d.ShowRaw(r)
	got := screen(d, s, 40, 12)
	want := []string{`►    0 {"a":"‹ff›‹fe›éééééééééééééééééé`, "    44 éééééééééééééééééééééééééééééééé", `   108 éééééééééé"}`}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d is %q, want %q", i, got[i], want[i])
		}
	}
}

func TestLongTexts(t *testing.T) {
	s, r := frame(`{"a":"` + strings.Repeat(`x\n`, 2000) + `","b":1}`)
	d := NewDetail()
	d.Show(r)
	shown(s, d)
	if n := len(d.lines); n != textLines+2 {
		t.Errorf("there are %d lines, want %d", n, textLines+2)
	}
	do(d, s, keys.Bottom)
	if got := shown(s, d); !strings.Contains(got, "… more of this text, r for raw") {
		t.Errorf("got\n%s", got)
	}
	s, r = frame(`{"a":[` + strings.Repeat("1,", 20000) + `1]}`)
	d.Show(r)
	do(d, s, keys.UnfoldAll, keys.Bottom)
	if got := shown(s, d); len(d.lines) != treeLines+1 || !strings.Contains(got, "… more, r for raw") {
		t.Errorf("of many values there are %d lines:\n%s", len(d.lines), got)
	}
}

func TestWrap(t *testing.T) {
	s, r := frame(`{"a":"` + strings.Repeat("word ", 40) + `\nsecond","b":1}`)
	d := NewDetail()
	d.Show(r)
	shown(s, d)
	if n := len(d.lines); n != 6 {
		t.Errorf("wrapped there are %d lines, want 6", n)
	}
	do(d, s, keys.Wrap)
	if got := screen(d, s, 60, 40); len(d.lines) != 3 || !strings.HasSuffix(got[0], "…") || !strings.Contains(got[1], "second") {
		t.Errorf("cut it is\n%s", strings.Join(got, "\n"))
	}
}

func TestFind(t *testing.T) {
	s := talk()
	d := NewDetail()
	d.Show(s.open["agent5"])
	shown(s, d)
	c := s.context()
	at := func() string { return strings.Join(d.tree.path(d.lines[d.at].node), ".") }
	if got := d.Find("TOKEN.go", c); got != "1 of 4" || at() != "params.toolCall.title" {
		t.Errorf("found %s at %s", got, at())
	}
	for _, want := range []string{"params.toolCall.content.0.path", "params.toolCall.locations.0.path", "params.toolCall.rawInput.path", "params.toolCall.title"} {
		do(d, s, keys.NextMatch)
		if at() != want {
			t.Errorf("the next one is at %s, want %s", at(), want)
		}
	}
	if got := fmt.Sprint(do(d, s, keys.PrevMatch)); got != "[{4 of 4}]" {
		t.Errorf("the one before is %s", got)
	}
	if got := d.Find("line two", c); got != "1 of 1" || d.lines[d.at].part != 1 {
		t.Errorf("found %s in line %d of the text", got, d.lines[d.at].part)
	}
	if got := d.Find("nowhere", c); got != "not found" {
		t.Errorf("found %s", got)
	}
	if got := fmt.Sprint(do(d, s, keys.NextMatch)); got != "[{not found}]" {
		t.Errorf("next: %s", got)
	}
	if got := d.Find("", c); got != "" || do(d, s, keys.NextMatch) != nil {
		t.Errorf("ended: %q", got)
	}
	do(d, s, keys.Raw)
	if got := d.Find("allow_always", c); got != "1 of 1" || !strings.Contains(shown(s, d), "allow_always") {
		t.Errorf("in the bytes: %s", got)
	}
}

func TestDetailWishes(t *testing.T) {
	s := talk()
	s.settle()
	ask := s.open["agent5"]
	d := NewDetail()
	d.Show(ask)
	shown(s, d)
	d.Find("sess_7f3a9c01", s.context())
	for _, tt := range []struct {
		do   keys.Action
		want any
	}{
		{keys.Back, pane.Close{}},
		{keys.NextFrame, pane.Step{By: 1}},
		{keys.PrevFrame, pane.Step{By: -1}},
		{keys.Pair, pane.Detail{Row: ask.Pair}},
		{keys.OnlyThis, pane.Narrow{Term: "params.sessionId:sess_7f3a9c01"}},
		{keys.NotThis, pane.Narrow{Term: "-params.sessionId:sess_7f3a9c01"}},
		{keys.Copy, pane.Copied{What: "sessionId", Text: "sess_7f3a9c01"}},
		{keys.CopyAll, pane.Copied{What: "the frame", Text: permissionBody}},
		{keys.Save, pane.Saved{Name: fmt.Sprintf("7f3a-%d.json", ask.Seq), Data: ask.Body}},
	} {
		if got := do(d, s, tt.do); len(got) != 1 || fmt.Sprintf("%#v", got[0]) != fmt.Sprintf("%#v", tt.want) {
			t.Errorf("%s: got %#v, want %#v", tt.do, got, tt.want)
		}
	}
	d.Find("rawInput", s.context())
	if got := do(d, s, keys.Copy)[0].(pane.Copied); !strings.HasPrefix(got.Text, `{"path":"/home/me`) || !strings.HasSuffix(got.Text, `"limit":1e3}`) {
		t.Errorf("of an object %q is copied", got.Text)
	}
}

// TestTermsFindTheFrame filters on every value of a frame, and finds the frame.
func TestTermsFindTheFrame(t *testing.T) {
	s := talk()
	ask := s.open["agent5"]
	d := NewDetail()
	d.Show(ask)
	for i := range d.tree.nodes {
		if d.tree.nodes[i].container() {
			continue
		}
		if d.tree.nodes[i].name() == "jsonrpc" {
			continue
		}
		narrow, ok := d.narrow(i, false)[0].(pane.Narrow)
		if !ok {
			t.Errorf("of %v: %v", d.tree.path(i), d.narrow(i, false))
			continue
		}
		e, err := filter.Parse(narrow.Term)
		if err != nil {
			t.Errorf("%s: %v", narrow.Term, err)
		} else if !e.Match(ask, filter.World{}) {
			t.Errorf("%s does not find the frame", narrow.Term)
		}
	}
}

func TestDetailOfNothing(t *testing.T) {
	s := newStory()
	d := NewDetail()
	if got := shown(s, d); !strings.Contains(got, "No frame is selected.") {
		t.Errorf("got %s", got)
	}
	do(d, s, keys.Down, keys.Raw, keys.Copy, keys.Back, keys.NextFrame)
	d.Find("x", s.context())
	d.Click(1, 1, true, s.context())
	if h := d.Head(s.context()); h.Status != nil {
		t.Errorf("its head is %v", h)
	}
}

func TestClickInDetail(t *testing.T) {
	s := talk()
	d := NewDetail()
	d.Show(s.open["agent5"])
	before := shown(s, d)
	y := strings.Count(before[:strings.Index(before, "► options")], "\n")
	d.Click(3, y, true, s.context())
	if got := shown(s, d); !strings.Contains(got, "►  ▼ options") || !strings.Contains(got, "► 0  {3}  allow_once") {
		t.Errorf("two clicks gave\n%s", got)
	}
}
