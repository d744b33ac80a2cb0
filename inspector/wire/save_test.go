package wire

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

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

// TestSavedRowsTellWhoAnswered saves what a recording tells and reads it again:
// the same events, permissions and ledger come of it.
func TestSavedRowsTellWhoAnswered(t *testing.T) {
	tests := []struct {
		name string
		data []byte
	}{
		{"demo", recorded(t, "demo")},
		{"answers", recorded(t, "answers")},
		{"all there is", recordingOf(
			journal.Event{Type: journal.StartEvent, Start: &journal.Start{Command: []string{"bob", "acp two"}, PID: 12, Cwd: "/ws", Version: "1.2"}},
			journal.Event{Type: journal.FrameEvent, Dir: acp.Agent, Kind: acp.Request, EOL: acp.CRLF, Method: acp.MethodRequestPermission, ID: []byte("7"), Session: `s\"1`,
				Bytes: int64(len(permissionLine)), Form: journal.FrameBody, Body: []byte(permissionLine)},
			journal.Event{Type: journal.OpenedEvent, Method: acp.MethodRequestPermission, ID: []byte("7"), Session: `s"1`, Decision: &journal.Decision{Request: "abcde:1", Digest: "d1"}},
			journal.Event{Type: journal.DecisionEvent, Method: acp.MethodRequestPermission, ID: []byte("7"), Session: `s"1`, Decision: &journal.Decision{
				Request: "abcde:1", By: "panel", Outcome: "selected", OptionID: "", HasOption: true, OptionKind: "allow_once", Wait: 2400 * time.Millisecond, Digest: "d1",
				Peer: &journal.Peer{PID: 9, Exe: "/bin/bobproxy", TTY: "/dev/pts/4"}}},
			journal.Event{Type: journal.DecisionEvent, Method: acp.MethodRequestPermission, ID: []byte("7"), Session: `s"1`, Text: "too late", Decision: &journal.Decision{
				Request: "abcde:1", By: "editor", Outcome: "cancelled", Wait: 3 * time.Second, Digest: "d1", Late: true}},
			journal.Event{Type: journal.StderrEvent, Text: "no UTF-8: \xff"},
			journal.Event{Type: journal.GapEvent, Gap: &journal.Gap{Count: 3, Bytes: 77}},
			journal.Event{Seq: 12, Type: journal.WarningEvent, Text: "a hole is before this"},
			journal.Event{Seq: 13, Type: journal.ExitEvent, Exit: &journal.Exit{Status: 3, Signal: "killed", Left: []journal.Process{{PID: 77, Command: "sleep 9"}}}},
		)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			first := model.New()
			p := read(t, first, test.data)
			w := NewWire()
			w.Show(nil, p)
			saved := w.Do(keys.Save, pane.Context{Model: first})[0].(pane.Saved)
			second := model.New()
			q := read(t, second, saved.Data)
			if got, want := rowsOf(q), rowsOf(p); got != want {
				t.Errorf("read again it is\n%s\nwant\n%s", got, want)
			}
			for i, r := range p.Rows {
				if again := q.Rows[i].Event; !reflect.DeepEqual(r.Event, again) {
					t.Errorf("event %d was saved as %+v, want %+v", r.Seq, again, r.Event)
				}
			}
		})
	}
}

const permissionLine = `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s\"1","toolCall":{"toolCallId":"c1","title":"rm x","kind":"execute"},"options":[{"optionId":"","name":"Yes","kind":"allow_once"}]}}`

// recorded is a recording of the model's.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../model/testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// recordingOf is events as a recording, numbered where they are not.
func recordingOf(all ...journal.Event) (data []byte) {
	for i, e := range all {
		e.Time, e.Seq, e.Instance = noon.Add(time.Duration(i)*time.Second), cmp.Or(e.Seq, uint64(i+1)), "abcde"
		data = append(e.AppendRecord(data), '\n')
	}
	return data
}

func read(t *testing.T, m *model.Model, data []byte) *model.Proxy {
	t.Helper()
	p, err := m.Read("it", bytes.NewReader(data))
	if err != nil || p.Damaged > 0 {
		t.Fatalf("cannot be read: %v, %d lines damaged", err, p.Damaged)
	}
	return p
}

// rowsOf is what is known of a proxy, apart from what rows keep of events.
func rowsOf(p *model.Proxy) string {
	var b strings.Builder
	fmt.Fprintln(&b, p.Missed, p.State, p.Exit, p.Stderr, p.Warnings)
	for _, o := range append(p.Closed, p.Pending...) {
		fmt.Fprintln(&b, o.Request, o.Digest, o.Title, o.Opened, o.Closed, o.Who(), o.Late)
	}
	for _, s := range p.Sessions {
		for _, d := range s.Deeds {
			fmt.Fprintln(&b, s.Name(), d.What, d.Title, d.Who())
		}
	}
	for _, r := range p.Rows {
		text := saying(r, "", wholeLine)
		fmt.Fprintln(&b, r.Seq, r.Time, r.Type, r.From, r.Kind, r.Method, r.ID, r.Size, r.EOL, r.Action, r.Reason, r.Masked, r.Cut, len(r.Body), text)
	}
	return b.String()
}
