package journal

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// lines are of every sort that a peer may send.
var lines = []string{
	`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}` + "\n",
	`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}` + "\r\n",
	`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s\u00e91","update":{"t":"é\u2028 <b>&"}}}` + "\n",
	"{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"t\":\"\u2028\u2029\U0001F600\x7f\"}}\n",
	`{"id":12345678901234567890123,"method":"x/y","params":[1.0,-0,1e400]}` + "\n",
	`{"id":1.0,"method":"x"}` + "\n",
	`{"id":null,"method":"x"}` + "\n",
	`{"id":{"a":[1,2]},"method":"x"}` + "\n",
	`{"id":"` + strings.Repeat("i", 5000) + `","method":"` + strings.Repeat("é", 5000) + `"}` + "\n",
	`{"id":"a\"b\u0000\\","method":"m\u000a\ud83d\ude00"}` + "\n",
	`{"id":1,"id":2,"method":"a","method":"b"}` + "\n",
	`{"id":7,"error":{"code":-32603,"message":"x"}}` + "\n",
	`{"deep":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `,"id":1,"method":"x"}` + "\n",
	"\xef\xbb\xbf{\"id\":1,\"method\":\"x\"}\n",
	" {\"id\":1,\"method\":\"x\"} \n",
	"[{\"id\":1,\"method\":\"x\"}]\n",
	"not JSON at all\n", "\n", "\r\n", "", "\x00\x01\x1f\"\\\t\n", "bad \xff\xfe UTF-8\r\n", "half a rune \xe2\x82", "tail without end",
	`{"id":1,"method":"x","s":"` + "\xff" + `"}` + "\n",
}

// others are events that are no frames, of every type.
var others = []Event{
	{Type: StartEvent, Start: &Start{Command: []string{"bob", "acp", "é\n"}, PID: 12, Cwd: "/w", Version: "1.2"}},
	{Type: OpenedEvent, ID: []byte(`"p"`), Session: "s", Decision: &Decision{Request: "test1:1", Digest: "00ff"}},
	{Type: DecisionEvent, ID: []byte("5"), Session: "s", Decision: &Decision{Request: "test1:1", By: "panel", Outcome: "selected", OptionID: "o", HasOption: true, OptionKind: "allow_once",
		Wait: 1234 * time.Millisecond, Digest: "00ff", Peer: &Peer{PID: 3, Exe: "/bin/x", TTY: "/dev/pts/1"}, Late: true}},
	{Type: DecisionEvent, ID: []byte("6"), Session: "s", Decision: &Decision{Request: "test1:2", By: "editor", Outcome: "selected", HasOption: true, OptionKind: "reject_once"}},
	{Type: DecisionEvent, ID: []byte("7"), Session: "s", Decision: &Decision{Request: "test1:3", By: "cancel", Outcome: "cancelled"}},
	{Type: StderrEvent, Text: "words \u2028 and \x1b[1m more\n"},
	{Type: StderrEvent, Text: "no \xff UTF-8"},
	{Type: WarningEvent, Text: "careful"},
	{Type: FlaggedEvent, Method: "m", Reason: "why", Text: "odd"},
	{Type: GapEvent, Gap: &Gap{Count: 3, Bytes: 400}},
	{Type: ExitEvent, Exit: &Exit{Status: 143, Signal: "terminated", Left: []Process{{9, "sleep 9"}, {10, ""}}}},
	{Type: ExitEvent, Exit: &Exit{}},
	{Type: "unheard-of", Text: "kept"},
}

// normal makes events comparable: empty and absent slices are the same, and
// an id that was cut is no token any more.
func normal(e Event) Event {
	if len(e.ID) >= nameSize {
		e.ID = nil
	}
	if len(e.Body) == 0 {
		e.Body = nil
	}
	return e
}

func TestWriteThenRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	m := &memory{}
	j := begin(t, Options{open: m.open})
	var sent []string
	for i := range 200 {
		switch {
		case i < len(others): // each at least once
			j.Note(others[i])
			continue
		case rng.IntN(4) == 0:
			j.Note(others[rng.IntN(len(others))])
			continue
		}
		line := lines[rng.IntN(len(lines))]
		if rng.IntN(8) == 0 {
			line = update(rng.IntN(40_000))
		}
		fs := frames(acp.Direction(1+rng.IntN(2)), line)
		switch rng.IntN(6) {
		case 0:
			fs[0].Added = true
		case 1:
			fs[0].Action, fs[0].Reason = "refused", "outside \"roots\""
		case 2:
			fs[0].Method, fs[0].Session = "session/new", `a\u0062c`
		}
		sent = append(sent, line)
		j.Append(time.Now(), fs)
	}
	closed(t, j)
	tail, _ := j.Watch(1)
	got := readAll(t, m.text())
	if len(got) != len(tail) || len(got) != 200 {
		t.Fatalf("%d events written, %d read", len(tail), len(got))
	}
	for i, e := range got {
		if e.Seq != uint64(i+1) {
			t.Fatalf("event %d has number %d", i, e.Seq)
		}
		if want := normal(tail[i]); !reflect.DeepEqual(normal(e), want) {
			t.Fatalf("got  %+v\nwant %+v", normal(e), want)
		}
		if e.Type != FrameEvent {
			continue
		}
		eol := map[acp.EOL]string{acp.LF: "\n", acp.CRLF: "\r\n"}[e.EOL]
		if line := string(e.Body) + eol; line != sent[0] || e.Bytes != int64(len(e.Body)) {
			t.Fatalf("got  %q\nwant %q", line, sent[0])
		}
		sent = sent[1:]
	}
}

func TestRecordShape(t *testing.T) {
	m := &memory{}
	j := begin(t, Options{open: m.open})
	at := time.Unix(1700000000, 1_000)
	fs := frames(acp.Client, lines[0], "x\r\n", "\xff\n", "cut")
	fs[2].Action, fs[2].Reason = "withheld", "unreadable"
	fs[3].Size = 200 << 20
	j.Append(at, fs)
	big := frames(acp.Agent, update(100_000))
	big[0].Added = true
	j.Append(at, big)
	e := others[2]
	e.Time = at
	j.Note(e)
	closed(t, j)
	want := `{"time":"2023-11-14T22:13:20.000001000Z","seq":1,"instance":"test1","event":"frame","dir":"client","kind":"request","method":"session/prompt","id":1,"session":"s1","bytes":90,"frame":` + strings.TrimSuffix(lines[0], "\n") + `}
{"time":"2023-11-14T22:13:20.000001000Z","seq":2,"instance":"test1","event":"frame","dir":"client","kind":"text","bytes":1,"eol":"crlf","raw":"x"}
{"time":"2023-11-14T22:13:20.000001000Z","seq":3,"instance":"test1","event":"frame","dir":"client","kind":"text","bytes":1,"action":"withheld","reason":"unreadable","base64":"/w=="}
{"time":"2023-11-14T22:13:20.000001000Z","seq":4,"instance":"test1","event":"frame","dir":"client","kind":"text","bytes":209715200,"eol":"none","raw":"cut"}
{"time":"2023-11-14T22:13:20.000001000Z","seq":5,"instance":"test1","event":"frame","dir":"agent","kind":"notification","method":"session/update","session":"sess_0123456789abcdef","bytes":` + fmt.Sprint(len(big[0].Line)-1) + `,"added":true,"frame":` + strings.TrimSuffix(update(100_000), "\n") + `}
{"time":"2023-11-14T22:13:20.000001000Z","seq":6,"instance":"test1","event":"decision","id":5,"session":"s","request":"test1:1","by":"panel","outcome":"selected","optionId":"o","optionKind":"allow_once","waitMs":1234,"digest":"00ff","peer":{"pid":3,"exe":"/bin/x","tty":"/dev/pts/1"},"late":true}
`
	if got := m.text(); got != want {
		t.Errorf("got  %.3000s\nwant %.3000s", got, want)
	}
	if jq, err := exec.LookPath("jq"); err == nil {
		cmd := exec.Command(jq, "-c", ".frame // .raw // .base64")
		cmd.Stdin = strings.NewReader(m.text())
		if out, err := cmd.CombinedOutput(); err != nil || bytes.Count(out, []byte("\n")) != 6 {
			t.Errorf("jq: %v: %.200s", err, out)
		}
	}
}

func TestOddIDs(t *testing.T) {
	for raw, want := range map[string]string{`01`: `"01"`, `"a`: `"\"a"`, "tru": `"tru"`, "[1,\n2]": `"[1,\n2]"`, `"\ud800"`: `"\ud800"`, "-0.0e1": "-0.0e1"} {
		m := &memory{}
		j := begin(t, Options{open: m.open})
		j.Append(time.Now(), []Frame{{Dir: acp.Agent, Scan: acp.Frame{Kind: acp.Ambiguous, ID: []byte(raw)}, Line: []byte("x\n")}})
		closed(t, j)
		if got := string(readAll(t, m.text())[0].ID); got != want {
			t.Errorf("id %q is recorded as %s, want %s", raw, got, want)
		}
	}
}

func TestReadDamaged(t *testing.T) {
	const good = `{"time":"2023-11-14T22:13:20Z","seq":1,"event":"warning","text":"x"}`
	for _, tt := range []struct {
		name, in, want string
	}{
		{"torn at the end", good + "\n" + good[:20], "ok"},
		{"whole without LF", good + "\n" + good, "ok ok"},
		{"torn in the middle", good + "\n" + good[:20] + "\n" + good + "\n", "ok 2 ok"},
		{"records in one line", good + good + "\n" + good + "\n", "1 ok"},
		{"other things", "\n[]\n1\n\"x\"\n{}\n{\"event\":5.5e}\nnull\n \n", "2 3 4 5 6 7"},
		{"wrong members", `{"event":"frame","dir":"up"}` + "\n" + `{"event":"frame","kind":"up"}` + "\n" + `{"event":"frame","frame":[]}` + "\n" +
			`{"event":"start","command":"x"}` + "\n" + `{"event":"decision","peer":[]}` + "\n" + `{"event":"exit","left":[1]}` + "\n", "1 2 3 4 5 6"},
		{"unknown members", `{"event":"warning","x":{"event":"gap"},"y":[1],"text":"t"}` + "\n", "ok"},
		{"other order and blanks", `{ "frame" : { "id" : 1 } , "event":"frame","dir":"client","kind":"request" }` + "\r\n", "ok"},
		{"empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, err := range Read(strings.NewReader(tt.in)) {
				var bad *LineError
				switch {
				case errors.As(err, &bad):
					got = append(got, fmt.Sprint(bad.Line))
				case err != nil:
					t.Fatal(err)
				default:
					got = append(got, "ok")
				}
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

func TestReadLongLine(t *testing.T) {
	m := &memory{}
	j := begin(t, Options{open: m.open})
	line := update(64 << 20)
	j.Append(time.Now(), frames(acp.Agent, line))
	closed(t, j)
	all := readAll(t, m.text())
	if len(all) != 1 || string(all[0].Body)+"\n" != line {
		t.Fatal("a long frame does not come back as it was")
	}
}

func FuzzRead(f *testing.F) {
	m := &memory{}
	j := begin(f, Options{open: m.open})
	for _, line := range lines {
		j.Append(time.Now(), frames(acp.Agent, line))
	}
	for _, e := range others {
		j.Note(e)
	}
	j.Close(time.Minute)
	for line := range strings.Lines(m.text()) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for e, err := range Read(bytes.NewReader(in)) {
			if err == nil && e.Form == FrameBody && !bytes.Contains(in, e.Body) {
				t.Errorf("frame %q is not from the input", e.Body)
			}
		}
	})
}
