package load_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"bobproxy/lab/load"
)

func request(id int, method, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"sessionId":"load","prompt":[{"type":"text","text":%q}]}}`+"\n",
		id, method, text)
}

func TestEcho(t *testing.T) {
	long := request(41, "session/prompt", strings.Repeat("a b\n", 700_000))
	note := `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"load"}}` + "\n"
	for name, c := range map[string]struct {
		in   string
		same bool // comes back as it is
	}{
		"nothing":            {"", true},
		"notification":       {note, true},
		"many notifications": {strings.Repeat(note, 40_000), true},
		"no JSON":            {"hello\n\n{\r\n", true},
		"string id":          {`{"jsonrpc":"2.0","id":"1","method":"x"}` + "\n", true},
		"no last line feed":  {note + `{"jsonrpc"`, true},
		"request":            {request(7, "session/prompt", strings.Repeat("x", 200)), false},
		"long request":       {long, false},
	} {
		t.Run(name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"whole":         strings.NewReader(c.in),
				"halves":        iotest.HalfReader(strings.NewReader(c.in)),
				"end with data": iotest.DataErrReader(strings.NewReader(c.in)),
			} {
				var out bytes.Buffer
				if err := load.Echo(r, &out); err != nil {
					t.Fatal(how, err)
				}
				if c.same && out.String() != c.in {
					t.Errorf("%s: got %.100q, want %.100q", how, out.String(), c.in)
				}
				if !c.same {
					checkAnswer(t, out.Bytes(), c.in)
				}
			}
		})
	}
}

// checkAnswer fails unless line ends a turn with the id and the size of prompt.
func checkAnswer(t *testing.T, line []byte, prompt string) {
	t.Helper()
	var asked, got struct {
		ID     int
		Result struct{ StopReason string }
	}
	if err := json.Unmarshal([]byte(prompt), &asked); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, &got); err != nil {
		t.Fatalf("%v in %.100q", err, line)
	}
	if got.ID != asked.ID || got.Result.StopReason != "end_turn" {
		t.Errorf("got %.100q for id %d", line, asked.ID)
	}
	if len(line) != len(prompt) {
		t.Errorf("got %d bytes, want %d", len(line), len(prompt))
	}
}

func TestEchoAnswersBeforeTheNextLine(t *testing.T) {
	toAgent, in := io.Pipe()
	out, fromAgent := io.Pipe()
	defer time.AfterFunc(time.Minute, func() {
		out.CloseWithError(errors.New("no answer within a minute"))
	}).Stop()
	ended := make(chan error, 1)
	go func() { ended <- load.Echo(toAgent, fromAgent) }()
	for id := range 100 {
		prompt := request(id, "session/prompt", strings.Repeat("x", 100))
		io.WriteString(in, prompt)
		line := make([]byte, len(prompt))
		if _, err := io.ReadFull(out, line); err != nil {
			t.Fatal(err)
		}
		checkAnswer(t, line, prompt)
	}
	in.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestStream(t *testing.T) {
	for _, c := range []struct{ n, size int }{
		{0, 200}, {1, load.MinSize}, {5000, 200}, {100, 10_000}, {3, 1 << 20},
	} {
		t.Run(fmt.Sprint(c.n, "x", c.size), func(t *testing.T) {
			var out bytes.Buffer
			if err := load.Stream(&out, c.n, c.size); err != nil {
				t.Fatal(err)
			}
			if got := out.Len(); got != c.n*c.size {
				t.Fatalf("got %d bytes, want %d", got, c.n*c.size)
			}
			for i := range c.n {
				checkUpdate(t, out.Next(c.size), i)
			}
		})
	}
}

// checkUpdate fails unless frame is one agent_message_chunk with number i.
func checkUpdate(t *testing.T, frame []byte, i int) {
	t.Helper()
	if bytes.IndexByte(frame, '\n') != len(frame)-1 {
		t.Fatalf("%.200q is not one line", frame)
	}
	var got struct {
		Method string
		Params struct {
			SessionID string
			Update    struct {
				SessionUpdate string
				Content       struct{ Type, Text string }
			}
		}
	}
	if err := json.Unmarshal(frame, &got); err != nil {
		t.Fatalf("%v in %.200q", err, frame)
	}
	update := got.Params.Update
	if got.Method != "session/update" || got.Params.SessionID == "" ||
		update.SessionUpdate != "agent_message_chunk" || update.Content.Type != "text" {
		t.Fatalf("got %.200q", frame)
	}
	if want := fmt.Sprintf("%012d", i); !strings.HasPrefix(update.Content.Text, want) {
		t.Fatalf("got number %.12q, want %s", update.Content.Text, want)
	}
}

// sizes is a writer that keeps how much each write brought.
type sizes struct {
	bytes.Buffer
	writes []int
}

func (s *sizes) Write(p []byte) (int, error) {
	s.writes = append(s.writes, len(p))
	return s.Buffer.Write(p)
}

func TestPieces(t *testing.T) {
	var out sizes
	if err := load.Pieces(&out, 10_001, 1000); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(out.writes), "[1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1]"; got != want {
		t.Errorf("got writes of %s, want %s", got, want)
	}
	checkUpdate(t, out.Bytes(), 0)
}

func TestTooSmall(t *testing.T) {
	if err := load.Stream(io.Discard, 1, load.MinSize-1); err == nil {
		t.Error("Stream: no error")
	}
	if err := load.Pieces(io.Discard, load.MinSize-1, 1); err == nil {
		t.Error("Pieces: no error")
	}
	if err := load.Pieces(io.Discard, 1000, 0); err == nil {
		t.Error("Pieces of nothing: no error")
	}
}

func TestTurns(t *testing.T) {
	first, second := request(3, "session/prompt", strings.Repeat("x", 100)), request(4, "session/prompt", "")
	in := request(1, "initialize", "") + request(2, "session/new", "") + first + second
	var out bytes.Buffer
	err := load.Turns(strings.NewReader(in), &out, func(w io.Writer) error { return load.Stream(w, 1, 300) })
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(out.Bytes(), []byte{'\n'})
	if len(lines) != 7 {
		t.Fatalf("got %d lines: %s", len(lines)-1, out.Bytes())
	}
	for i, want := range []string{`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1`, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"load"}}`} {
		if !bytes.HasPrefix(lines[i], []byte(want)) {
			t.Errorf("got %s, want %s", lines[i], want)
		}
	}
	checkUpdate(t, lines[2], 0)
	checkAnswer(t, lines[3], first)
	checkUpdate(t, lines[4], 0)
	checkAnswer(t, lines[5], second)
}

func TestVolumeTellsStreamsApart(t *testing.T) {
	var stream bytes.Buffer
	if err := load.Stream(&stream, 10, 200); err != nil {
		t.Fatal(err)
	}
	sink := func(p []byte) load.Volume {
		v, err := load.Sink(iotest.HalfReader(bytes.NewReader(p)))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	whole := sink(stream.Bytes())
	if whole.Frames != 10 || whole.Bytes != 2000 {
		t.Fatalf("got %+v", whole)
	}
	frames := bytes.SplitAfter(stream.Bytes(), []byte{'\n'})
	lost := bytes.Join(frames[1:], nil)
	moved := bytes.Join([][]byte{frames[1], frames[0], bytes.Join(frames[2:], nil)}, nil)
	for name, other := range map[string][]byte{"lost": lost, "moved": moved} {
		if sink(other) == whole {
			t.Errorf("a frame %s is not seen", name)
		}
	}
}
