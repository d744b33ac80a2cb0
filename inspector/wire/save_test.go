package wire

import (
	"bytes"
	"testing"

	"bobproxy/acp"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

func TestSavedRowsAreARecording(t *testing.T) {
	s := talk()
	s.settle()
	s.add(model.Row{From: acp.Agent, Kind: acp.Ambiguous, Method: "a\xffb", ID: `{"broken`, Reason: "twice", Action: "withheld", Size: 9, Body: []byte("{\"a\":1,\n}")})
	s.add(model.Row{From: acp.Client, Kind: acp.Request, Cut: true, Size: 100000, Body: []byte(`{"jsonrpc":"2.0","params":"`)})
	s.add(model.Row{From: acp.Client, Kind: acp.Text, Body: []byte{}})
	w := list(s, 50, 20)
	saved := do(w, s, keys.Save)[0].(pane.Saved)
	if saved.Name != "7f3a-wire.jsonl" {
		t.Errorf("its name is %s", saved.Name)
	}
	i := 0
	for e, err := range journal.Read(bytes.NewReader(saved.Data)) {
		if err != nil {
			t.Fatal(err)
		}
		same(t, s.proxy.Rows[i], &e)
		i++
	}
	if i != len(s.proxy.Rows) {
		t.Errorf("%d rows were saved, want %d", i, len(s.proxy.Rows))
	}
}

func same(t *testing.T, r *model.Row, e *journal.Event) {
	t.Helper()
	type facts struct {
		seq                  uint64
		of                   journal.Type
		kind                 acp.Kind
		from                 acp.Direction
		added                bool
		masked               int
		size                 int64
		body, action, reason string
	}
	want := facts{r.Seq, r.Type, r.Kind, r.From, r.Added, r.Masked, r.Size, string(r.Body), r.Action, r.Reason}
	if r.Type != journal.FrameEvent {
		want.size = 0
	}
	if got := (facts{e.Seq, e.Type, e.Kind, e.Dir, e.Added, e.Masked, e.Bytes, string(e.Body), e.Action, e.Reason}); got != want || !e.Time.Equal(r.Time) {
		t.Errorf("row %d was saved as\n%+v\nwant\n%+v", r.Seq, got, want)
	}
	if e.Text != r.Text {
		t.Errorf("the text of row %d was saved as %q, want %q", r.Seq, e.Text, r.Text)
	}
}
