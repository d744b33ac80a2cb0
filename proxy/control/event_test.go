package control

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// whole has something in every field.
var whole = journal.Event{
	Time: time.Date(2026, 5, 4, 3, 2, 1, 123456789, time.UTC), Seq: 1<<64 - 1, Instance: "abcde",
	Type: journal.DecisionEvent, Dir: acp.Agent, Kind: acp.Ambiguous, EOL: acp.CRLF,
	Method: "session/request_permission", ID: []byte(`"1e999"`), Session: "s\u2028<>&", Bytes: 1 << 40,
	Added: true, Action: "withheld", Reason: "why", Masked: 3, Blanked: 5, Form: journal.Base64Body, Body: []byte("\xff\x00{}"),
	Decision: &journal.Decision{
		Request: "abcde:1", By: "panel", Outcome: "selected", OptionID: "\xffid", HasOption: true, OptionKind: "allow_once",
		Wait: 1234567891, Digest: "d", Peer: &journal.Peer{PID: 7, Exe: "/tmp/\xfe (deleted)", TTY: "/dev/pts/4"}, Late: true,
	},
	Start: &journal.Start{Command: []string{"a", "", "\xff"}, PID: 9, Cwd: "/\xfd", Version: "v1"},
	Exit:  &journal.Exit{Status: 137, Signal: "SIGKILL", Left: []journal.Process{{PID: 1, Command: "x\xff"}, {PID: 2}}},
	Gap:   &journal.Gap{Count: 5, Bytes: 6},
	Text:  "words \xff\x00\x1b[2J",
}

func trip(t *testing.T, e journal.Event) journal.Event {
	t.Helper()
	line, err := appendEvent(nil, &e, nil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(line), "\n") != 1 || !utf8.Valid(line) {
		t.Fatalf("not one line of UTF-8: %q", line)
	}
	var d delta
	if err := decode([]byte(strings.TrimSuffix(strings.TrimPrefix(string(line), eventStart), "}\n")), &d); err != nil {
		t.Fatal(err)
	}
	back, err := d.Event.event()
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestEventsArriveAsTheyWere(t *testing.T) {
	reflectFields(t, reflect.ValueOf(whole), "Event")
	cases := []journal.Event{whole, {}, {Decision: &journal.Decision{Outcome: "selected", HasOption: true}}, {Time: time.Unix(0, 0).UTC(), Type: "a type of tomorrow", Text: strings.Repeat("x", maxText)}}
	for kind := acp.Text; kind <= acp.Ambiguous; kind++ {
		cases = append(cases, journal.Event{Type: journal.FrameEvent, Kind: kind})
	}
	for dir := acp.Direction(0); dir <= acp.Agent; dir++ {
		cases = append(cases, journal.Event{Dir: dir})
	}
	for eol := acp.NoEOL; eol <= acp.CRLF; eol++ {
		cases = append(cases, journal.Event{EOL: eol})
	}
	for form := journal.NoBody; form <= journal.Base64Body; form++ {
		cases = append(cases, journal.Event{Form: form, Body: []byte("b")})
	}
	for _, d := range []*journal.Decision{{}, {Request: "r"}} {
		cases = append(cases, journal.Event{Decision: d, Start: &journal.Start{}, Exit: &journal.Exit{}, Gap: &journal.Gap{}})
	}
	for _, e := range cases {
		if got := trip(t, e); !reflect.DeepEqual(got, e) {
			t.Errorf("got  %+v\nwant %+v", got, e)
		}
	}
}

// reflectFields fails where a field of the sample is empty: a field that is added
// to an event one day has to be added here.
func reflectFields(t *testing.T, v reflect.Value, name string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer:
		v = v.Elem()
	case reflect.Slice:
		if v.Len() > 0 {
			v = v.Index(0)
		}
	}
	if !v.IsValid() || v.IsZero() {
		t.Errorf("the sample has no %s", name)
		return
	}
	if v.Kind() != reflect.Struct || v.Type() == reflect.TypeFor[time.Time]() {
		return
	}
	for i := range v.NumField() {
		reflectFields(t, v.Field(i), name+"."+v.Type().Field(i).Name)
	}
}

func TestLongStringsAreCut(t *testing.T) {
	long := strings.Repeat("é", maxText) // two bytes each
	got := trip(t, journal.Event{Text: "a" + long, Session: long, Body: []byte(long), Reason: strings.Repeat("\xff", maxText+5)})
	if len(got.Text) != maxText-1 || !utf8.ValidString(got.Text) {
		t.Errorf("text of %d bytes, valid %v", len(got.Text), utf8.ValidString(got.Text))
	}
	if len(got.Session) != maxText || len(got.Body) != maxText || len(got.Reason) != maxText {
		t.Errorf("session %d, body %d, reason %d", len(got.Session), len(got.Body), len(got.Reason))
	}
}
