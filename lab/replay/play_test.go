package replay

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeClock never lets time pass, or lets it be over at once: the pauses, and
// the patience. It keeps what it was asked for.
type fakeClock struct {
	pauses, patience bool // what is over at once
	asked            []time.Duration
}

const fakePatience = time.Hour

func (c *fakeClock) After(d time.Duration) (<-chan time.Time, func()) {
	over := make(chan time.Time, 1)
	if d < fakePatience && d != lastWords {
		c.asked = append(c.asked, d)
	}
	if d == fakePatience && c.patience || d < fakePatience && c.pauses {
		over <- time.Time{}
	}
	return over, func() {}
}

// opposite is the live end of a replay that goes on.
type opposite struct {
	in    *bufio.Reader
	out   io.WriteCloser
	found []Finding // once done is closed
	done  chan struct{}
	Report
	err error
}

func startAgent(ctx context.Context, recording []Frame, o Options) *opposite {
	toAgent, out := io.Pipe()
	in, fromAgent := io.Pipe()
	e := &opposite{in: bufio.NewReader(in), out: out, done: make(chan struct{})}
	o.Found = func(f Finding) { e.found = append(e.found, f) }
	go func() {
		defer close(e.done)
		e.Report, e.err = Agent(ctx, recording, toAgent, fromAgent, o)
	}()
	return e
}

func (e *opposite) say(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(e.out, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
}

func (e *opposite) line(t *testing.T) string {
	t.Helper()
	line, err := e.in.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func TestPauses(t *testing.T) {
	clock := &fakeClock{pauses: true}
	e := startAgent(t.Context(), talk, Options{Speed: 2, Patience: fakePatience, Clock: clock})
	for _, line := range []string{hello, open, setMode} {
		e.say(t, line)
		e.line(t)
	}
	e.say(t, prompt)
	e.line(t)
	e.line(t)
	e.say(t, yes)
	e.line(t)
	e.line(t)
	e.out.Close()
	<-e.done
	want := slices.Repeat([]time.Duration{time.Second / 2}, 7)
	if !slices.Equal(clock.asked, want) || e.err != nil || e.Divergences > 0 {
		t.Errorf("pauses %v, want %v; %v %v", clock.asked, want, e.err, e.found)
	}
}

// TestPauseGoesOnWhileTheClientSpeaks: what is heard meanwhile is answered, and
// makes the pause no longer.
func TestPauseGoesOnWhileTheClientSpeaks(t *testing.T) {
	clock := &fakeClock{}
	e := startAgent(t.Context(), talk, Options{Speed: 1, Patience: fakePatience, Clock: clock})
	e.say(t, hello)
	for range 3 {
		e.say(t, `{"id":50,"method":"_x/y"}`)
		if got := e.line(t); !strings.Contains(got, `"id":50`) {
			t.Errorf("got %s while it pauses", got)
		}
	}
	go io.Copy(io.Discard, e.in)
	e.out.Close()
	<-e.done
	if e.err != nil || e.Left == 0 {
		t.Errorf("error %v, %d left", e.err, e.Left)
	}
	if want := []time.Duration{time.Second}; !slices.Equal(clock.asked, want) {
		t.Errorf("pauses %v, want %v", clock.asked, want)
	}
}

func TestPatience(t *testing.T) {
	for name, test := range map[string]struct {
		say  []string
		hear int // lines, until the client is to speak
		want string
	}{
		"nothing is asked":      {nil, 0, `frame 1, the client: expected initialize, came nothing for 1h0m0s; giving up`},
		"nothing is answered":   {[]string{hello, open, setMode, prompt}, 5, `frame 10, the client: expected the answer to session/request_permission "edit Edit /ws/a", came nothing for 1h0m0s; giving up`},
		"the next is not asked": {[]string{hello}, 1, `frame 3, the client: expected session/new, came nothing for 1h0m0s; giving up`},
	} {
		t.Run(name, func(t *testing.T) {
			over := make(overClock)
			e := startAgent(t.Context(), talk, Options{Patience: fakePatience, Clock: over})
			go io.WriteString(e.out, strings.Join(append(test.say, ""), "\n"))
			for range test.hear {
				e.line(t)
			}
			over <- time.Time{}
			<-e.done
			if len(e.found) != 1 || e.found[0].String() != test.want || e.Divergences != 1 {
				t.Errorf("found %v, want %s", e.found, test.want)
			}
		})
	}
}

// overClock lets time be over when a test says so.
type overClock chan time.Time

func (c overClock) After(time.Duration) (<-chan time.Time, func()) { return c, func() {} }

// TestClientTakesNothing: a peer that does not read is given up like one that
// does not speak.
func TestClientTakesNothing(t *testing.T) {
	over := make(overClock)
	e := startAgent(t.Context(), talk, Options{Patience: fakePatience, Clock: over})
	e.say(t, hello, open, open, open) // taken while nothing that is answered is read
	over <- time.Time{}
	<-e.done
	if len(e.found) == 0 || e.Divergences == 0 || e.err != nil {
		t.Errorf("found %v, error %v", e.found, e.err)
	}
}

func TestContextEndsAReplay(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	e := startAgent(ctx, talk, Options{Patience: -1})
	e.say(t, hello)
	e.line(t)
	end()
	<-e.done
	if e.err != context.Canceled {
		t.Errorf("got %v, want %v", e.err, context.Canceled)
	}
}

// TestClientThatLeavesWithoutReading closes both of its ends in the middle.
func TestClientThatLeavesWithoutReading(t *testing.T) {
	toAgent, out := io.Pipe()
	in, fromAgent := io.Pipe()
	var found []Finding
	done := make(chan Report)
	go func() {
		r, err := Agent(t.Context(), talk, toAgent, fromAgent, Options{Found: func(f Finding) { found = append(found, f) }})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	in.Close()
	io.WriteString(out, hello+"\n")
	out.Close()
	if r := <-done; r.Divergences == 0 {
		t.Errorf("got %+v, found %v", r, found)
	}
}

// TestAgentThatSaysNothingAtTheEnd does not end its output.
func TestAgentThatSaysNothingAtTheEnd(t *testing.T) {
	toAgent, fromClient := io.Pipe()
	toClient, fromAgent := io.Pipe()
	go func() { // answers everything with what talk has
		lines := bufio.NewScanner(toAgent)
		for lines.Scan() {
			var f struct{ ID json.RawMessage }
			if json.Unmarshal(lines.Bytes(), &f) == nil {
				io.WriteString(fromAgent, `{"id":`+string(f.ID)+`,"result":{"sessionId":"s","protocolVersion":1,"stopReason":"end_turn"}}`+"\n")
			}
		}
	}()
	report, err := Client(t.Context(), talk[:4], toClient, fromClient, Options{Dir: "/live", Patience: fakePatience, Clock: &fakeClock{pauses: true}})
	if err != nil || report.Divergences > 0 || report.Sent != 2 {
		t.Errorf("got %+v, %v", report, err)
	}
}

// TestPeerThatAsksWithoutReading is heard no more until it reads.
func TestPeerThatAsksWithoutReading(t *testing.T) {
	e := startAgent(t.Context(), talk, Options{Patience: fakePatience, Clock: &fakeClock{}})
	asked := make(chan int)
	go func() {
		const most = 4 * maxOutbox
		for range most {
			io.WriteString(e.out, `{"id":5,"method":"_x/y"}`+"\n")
		}
		e.out.Close()
		asked <- most
	}()
	got := 0
	for lines := bufio.NewScanner(e.in); lines.Scan(); {
		got++
	}
	<-e.done
	if want := <-asked; got != want {
		t.Errorf("got %d answers, want %d", got, want)
	}
}
