package proxy

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// dribble says a part of a line, or more than one, and lets everything happen that
// follows; it does not wait until all of it is taken.
func (x *table) dribble(in io.Writer, text string) (taken chan struct{}) {
	taken = make(chan struct{})
	go func() {
		defer close(taken)
		io.WriteString(in, text)
	}()
	synctest.Wait()
	return taken
}

// stall keeps a side from taking anything until the function is called that it
// gives.
func (s *side) stall() (goOn func()) {
	gap := make(chan struct{})
	s.mu.Lock()
	s.gap = gap
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		s.gap = nil
		s.mu.Unlock()
		close(gap)
	}
}

// lasting is a table in real time, for what waits for a lock: a session s with
// root, and a permission for each id. It gives what is pending.
func lasting(t *testing.T, root string, ids ...string) (x *table, pending []control.Pending) {
	t.Helper()
	t.Parallel()
	x = seat(t, Policy{}, journal.Options{Off: true, Instance: "test"})
	x.editorSays(`{"jsonrpc":"2.0","id":100,"method":"session/new","params":{"cwd":"` + root + `","mcpServers":[]}}`)
	x.agent.await(t, 1)
	x.bobSays(`{"jsonrpc":"2.0","id":100,"result":{"sessionId":"s"}}`)
	for _, id := range ids {
		x.bobSays(permits(id))
	}
	x.client.await(t, 1+len(ids))
	x.heardAll()
	return x, x.host.State().Pending
}

// loose is an outlet that nobody else writes to, and what it has written.
func loose(t *testing.T) (*outlet, *bytes.Buffer) {
	t.Helper()
	j, err := journal.New(journal.Options{Off: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close(defaults.close) })
	o, out := newOutlet(acp.Client, &ledger{journal: j}, false), &bytes.Buffer{}
	o.out = out
	return o, out
}

// What was added before the end of the stream is written, be it that nobody has come
// to that yet; what comes later is not.
func TestAddedBeforeTheEnd(t *testing.T) {
	t.Parallel()
	o, out := loose(t)
	o.added.push([]byte("an answer\n"))
	o.end()
	o.added.push([]byte("too late\n"))
	o.run()
	if got, want := out.String(), "an answer\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

// heardAll forgets what was heard so far.
func (x *table) heardAll() {
	for _, s := range []*side{x.client, x.agent} {
		s.heard()
		s.lines.Store(0)
	}
}

func (x *table) editorSays(line string) { io.WriteString(x.client.in, line+"\n") }
func (x *table) bobSays(line string)    { io.WriteString(x.agent.in, line+"\n") }

// busy waits until o is writing.
func busy(t *testing.T, o *outlet) {
	t.Helper()
	until(t, func() bool {
		if !o.mu.TryLock() {
			return true
		}
		o.mu.Unlock()
		return false
	})
}

// applies decides on what is pending for the panel, and wants to be the first.
func (x *table) applies(p control.Pending, number int) {
	x.t.Helper()
	r := x.host.Decide(broker.Decision{Request: p.Request, Digest: p.Digest, Number: number, Deny: number == 0, By: broker.ByPanel})
	if r.Result != broker.Applied {
		x.t.Errorf("the ruling is %+v", r)
	}
}

// prompt is one of that many bytes.
func prompt(size int) string {
	const before, after = `{"jsonrpc":"2.0","id":9,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"`, `"}]}}`
	return before + strings.Repeat("p", size-len(before)-len(after)) + after
}

// An answer does not wait for the end of a line that the editor has only begun,
// and lands in front of it, whole.
func TestAnswerWhileALineComes(t *testing.T) {
	sit(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.client.heard()
		line := prompt(200_000)
		for i := 0; i < len(line); i += 1000 {
			x.dribble(x.client.in, line[i:i+1000])
			if i == len(line)/2 {
				if r := x.panel(1); r.Result != broker.Applied {
					t.Errorf("the ruling is %+v", r)
				}
				x.bobHears(selects("7", "yes"))
				x.editorHears(withdraws("7"))
			}
		}
		x.bobHears()
		x.editor("")
		x.bobHears(line)
	})
}

// A line that is too long to hold passes in pieces, and an answer waits for its
// end; the other direction waits for nothing.
func TestAnswerWhileALineStreams(t *testing.T) {
	t.Parallel()
	x := seat(t, Policy{}, journal.Options{Off: true, Instance: "test"})
	x.relay.toAgent.in.most = 1000 // its pump has read nothing yet
	x.bobSays(permits("7"))
	pending := x.pends(1)
	x.client.await(t, 1)
	x.heardAll()
	line := prompt(200_000)
	io.WriteString(x.client.in, line[:100_000])
	busy(t, x.relay.toAgent.out)
	x.applies(pending[0], 1)
	x.bobSays(`{"jsonrpc":"2.0","method":"x"}`)
	x.client.await(t, 2)
	if got := x.agent.lines.Load(); got != 0 {
		t.Errorf("the agent hears %d lines in the middle of one", got)
	}
	x.editorSays(line[100_000:])
	x.agent.await(t, 2)
	x.rise()
	x.bobHears(line, selects("7", "yes"))
}

// While the editor does not take a large frame, the agent gets what it waits for;
// what the proxy says to the editor lands behind the frame.
func TestAnswerWhileAFrameIsNotTaken(t *testing.T) {
	root, out := workspace(t)
	x, pending := lasting(t, root, "7")
	large := `{"jsonrpc":"2.0","method":"x","params":"` + strings.Repeat("x", 5<<20) + `"}`
	goOn := x.client.stall()
	x.bobSays(reads("6", "s", out+"/secret"))
	x.agent.await(t, 1)
	x.bobSays(large)
	busy(t, x.relay.toClient.out)
	x.applies(pending[0], 1)
	x.agent.await(t, 2)
	x.editorSays(prompt(1000))
	x.agent.await(t, 3)
	goOn()
	x.client.await(t, 2)
	x.rise()
	got := x.agent.heard()
	if len(got) != 3 || !strings.HasPrefix(got[0], `{"jsonrpc":"2.0","id":6,"error":`) || got[1] != selects("7", "yes") || got[2] != prompt(1000) {
		t.Errorf("the agent hears %q", got)
	}
	if got := x.client.heard(); len(got) != 2 || got[0] != large || got[1] != withdraws("7") {
		t.Errorf("the editor hears %.200q", got)
	}
}

// While the agent takes nothing, answers wait their turn and nothing is torn; what
// the agent says passes.
func TestAnswerWhileTheAgentReadsNothing(t *testing.T) {
	root, out := workspace(t)
	x, pending := lasting(t, root, "7", "8")
	goOn := x.agent.stall()
	large := prompt(1 << 20)
	x.editorSays(large)
	busy(t, x.relay.toAgent.out)
	x.applies(pending[0], 0)
	x.applies(pending[1], 1)
	if again := x.host.State().Pending; len(again) > 0 {
		t.Errorf("%d are still pending", len(again))
	}
	x.bobSays(reads("6", "s", out+"/secret") + "\n" + reads("5", "s", root+"/a.txt"))
	x.client.await(t, 3)
	if got := x.agent.lines.Load(); got != 0 {
		t.Errorf("the agent has taken %d lines", got)
	}
	goOn()
	x.agent.await(t, 4)
	x.rise()
	got := x.agent.heard()
	if len(got) != 4 || got[0] != large || got[1] != selects("7", "no") || got[2] != selects("8", "yes") || !strings.HasPrefix(got[3], `{"jsonrpc":"2.0","id":6,"error":`) {
		t.Errorf("the agent hears %.300q", got)
	}
	if got := x.client.heard(); len(got) != 3 { // in one order or another
		t.Errorf("the editor hears %q", got)
	}
}

// Nothing is added behind a line that has no end.
func TestNothingBehindALineWithoutAnEnd(t *testing.T) {
	_, out := workspace(t)
	sit(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.client.heard()
		x.dribble(x.client.in, "{")
		x.client.in.Close()
		synctest.Wait()
		x.panel(1)
		x.bob(reads("6", "s", out+"/secret"))
		x.bobHears("{")
		for _, e := range x.happened(journal.FrameEvent) {
			if e.Added && e.Dir == acp.Client {
				t.Errorf("%s is recorded as added", e.Body)
			}
		}
	})
}

// However the editor takes it that its dialog is withdrawn, the agent hears
// nothing of it, and what comes after that passes.
func TestRepliesToAWithdrawal(t *testing.T) {
	for _, id := range []string{"3", `"3"`, `"\u0033\/x"`, "-9223372036854775808"} {
		failed := func(code string) string {
			return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":"m"}}`
		}
		for name, says := range map[string][]string{
			"cancelled as a request": {failed("-32800")},
			"no such method":         {failed("-32601")},
			"another error":          {failed("-32603")},
			"cancelled":              {cancels(id)},
			"allowed":                {selects(id, "ever")},
			"rejected":               {selects(id, "no")},
			"odd":                    {`{"id":` + id + `,"result":null}`},
			"twice":                  {failed("-32800"), selects(id, "yes")},
			"unreadable":             {`{"id":` + id + `,"id":` + id + `,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`},
			"nothing":                nil,
		} {
			sit(t, Policy{}, func(x *table) {
				x.bob(permits(id))
				x.client.heard()
				x.panel(0)
				x.bobHears(selects(id, "no"))
				x.editorHears(withdraws(id))
				rest := []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no such method"}}`, prompt(300)}
				x.editor(append(says, rest...)...)
				x.bobHears(rest...)
				x.editorHears()
				if t.Failed() {
					t.Fatalf("that was %s, %s", id, name)
				}
			})
		}
	}
}

// What waits to be added goes out before what is carried later: it may be the
// answer that the carried frame follows from.
func TestAddedBeforeWhatFollows(t *testing.T) {
	t.Parallel()
	const frame = `{"jsonrpc":"2.0","method":"x"}` + "\n"
	carried := func() journal.Frame {
		f := journal.Frame{Dir: acp.Client, Line: []byte(frame)}
		acp.Scan(f.Line, &f.Scan)
		return f
	}
	for name, carry := range map[string]func(*outlet) error{
		"pass": func(o *outlet) error { return o.pass([]journal.Frame{carried()}, []byte(frame)) },
		"one":  func(o *outlet) error { f := carried(); return o.one(&f, rule{judge: nothing}) },
		"long": func(o *outlet) error {
			(&pump{out: o}).holdOutlet()
			_, err := o.out.Write([]byte(frame))
			o.mu.Unlock()
			return err
		},
	} {
		o, out := loose(t)
		o.added.push([]byte("a withdrawal\n"))
		if err := carry(o); err != nil {
			t.Fatal(err)
		}
		if got, want := out.String(), "a withdrawal\n"+frame; got != want {
			t.Errorf("%s: wrote %q, want %q", name, got, want)
		}
	}
}
