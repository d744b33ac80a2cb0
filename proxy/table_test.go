package proxy

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// table is a proxy without processes: both pumps, the gate, the clock and the
// journal, with a test at all three of its sides. Its time is the bubble's.
type table struct {
	t              *testing.T
	relay          *relay
	host           *host
	client, agent  *side
	events         *journal.Watcher
	noted          []journal.Event
	running, clock sync.WaitGroup
}

// side is one peer as the test plays it.
type side struct {
	in  *io.PipeWriter
	mu  sync.Mutex
	out bytes.Buffer
	gap chan struct{} // not nil: a write waits for it to be closed

	lines atomic.Int64  // that came so far
	more  chan struct{} // told of every write
}

func (s *side) Write(b []byte) (int, error) {
	s.mu.Lock()
	gap := s.gap
	s.mu.Unlock()
	if gap != nil {
		<-gap
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines.Add(int64(bytes.Count(b, []byte("\n"))))
	select {
	case s.more <- struct{}{}:
	default:
	}
	return s.out.Write(b)
}

// await waits until n lines came, outside a bubble.
func (s *side) await(t *testing.T, n int) {
	t.Helper()
	late := time.After(time.Minute)
	for s.lines.Load() < int64(n) {
		select {
		case <-s.more:
		case <-late:
			t.Fatalf("%d lines came, want %d", s.lines.Load(), n)
		}
	}
}

// until waits for a condition, outside a bubble.
func until(t *testing.T, met func() bool) {
	t.Helper()
	for late := time.Now().Add(time.Minute); !met(); runtime.Gosched() {
		if time.Now().After(late) {
			t.Fatal("what must happen does not")
		}
	}
}

// pends waits until n permissions are open and the editor has been asked,
// outside a bubble.
func (x *table) pends(n int) []control.Pending {
	x.t.Helper()
	late := time.After(time.Minute)
	for {
		if open := x.host.State().Pending; len(open) == n {
			return open
		}
		select {
		case <-x.client.more:
		case <-late:
			x.t.Fatalf("%d permissions do not come to wait", n)
		}
	}
}

// heard are the lines that came since the last call.
func (s *side) heard() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.out.String()
	s.out.Reset()
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// sit runs play in a bubble at a table with policy p.
func sit(t *testing.T, p Policy, play func(x *table)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x := seat(t, p, journal.Options{Off: true, Instance: "test"})
		defer x.rise()
		play(x)
	})
}

// seat makes a table that rise must end. Outside a bubble its time is real.
func seat(t *testing.T, p Policy, record journal.Options) *table {
	t.Helper()
	j, err := journal.New(record)
	if err != nil {
		t.Fatal(err)
	}
	x := &table{t: t, client: &side{more: make(chan struct{}, 1)}, agent: &side{more: make(chan struct{}, 1)}}
	_, x.events = j.Watch(100_000)
	x.relay = &relay{Options: Options{Policy: p, Journal: journal.Options{Instance: "test"}}, journal: j, stopClock: make(chan struct{})}
	if err := x.relay.prepare(); err != nil {
		t.Fatal(err)
	}
	x.host = &host{relay: x.relay}
	fromClient, clientIn := io.Pipe()
	fromAgent, agentIn := io.Pipe()
	x.client.in, x.agent.in = clientIn, agentIn
	pool := journal.NewPool()
	r := x.relay
	r.toAgent.begin(acp.Client, x.agent, r.gate, lines{src: fromClient, pool: pool, most: MaxFrame})
	r.toClient.begin(acp.Agent, x.client, r.gate, lines{src: fromAgent, pool: pool, most: MaxFrame})
	x.running.Go(func() { r.toAgent.run() })
	x.running.Go(func() { r.toClient.run() })
	x.running.Go(r.toAgent.out.run)
	x.running.Go(r.toClient.out.run)
	x.clock.Go(func() { r.ledger.runClock(r.stopClock) })
	x.clock.Go(r.gate.flags.run)
	return x
}

// rise ends everything and waits for it.
func (x *table) rise() {
	x.client.in.Close()
	x.agent.in.Close()
	x.running.Wait()
	close(x.relay.stopClock)
	x.relay.gate.flags.close()
	x.clock.Wait()
	x.relay.journal.Close(time.Minute)
}

// later lets time pass: the bubble's, of which nobody has to wait for any.
func (x *table) later(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// editor lets the editor say lines and everything happen that follows.
func (x *table) editor(lines ...string) { x.say(x.client.in, lines) }

// bob does the same for the agent.
func (x *table) bob(lines ...string) { x.say(x.agent.in, lines) }

func (x *table) say(in io.Writer, lines []string) {
	x.t.Helper()
	if _, err := io.WriteString(in, strings.Join(lines, "\n")+"\n"); err != nil {
		x.t.Fatal(err)
	}
	synctest.Wait()
}

// wants compares what one side heard since it was last asked.
func (x *table) wants(who string, s *side, want ...string) {
	x.t.Helper()
	got := s.heard()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		x.t.Errorf("%s hears\n  %s\nwant\n  %s", who, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func (x *table) editorHears(want ...string) { x.t.Helper(); x.wants("the editor", x.client, want...) }
func (x *table) bobHears(want ...string)    { x.t.Helper(); x.wants("the agent", x.agent, want...) }

// happened are the events of a type since the last call with any type.
func (x *table) happened(types ...journal.Type) (all []journal.Event) {
	x.t.Helper()
	x.later(100 * time.Millisecond) // the journal runs behind
	for {
		select {
		case e := <-x.events.Events():
			x.noted = append(x.noted, e)
			continue
		default:
		}
		break
	}
	for _, e := range x.noted {
		for _, want := range types {
			if e.Type == want {
				all = append(all, e)
			}
		}
	}
	x.noted = nil
	return all
}

// decided are the decisions since the last look, in words.
func (x *table) decided() (all []string) {
	x.t.Helper()
	for _, e := range x.happened(journal.DecisionEvent) {
		d := e.Decision
		text := strings.TrimSpace(fmt.Sprintf("%s %s %s %s", d.By, d.Outcome, d.OptionID, d.OptionKind))
		if d.Late {
			text += " late"
		}
		all = append(all, text)
	}
	return all
}

// panel answers the only open permission by its option's number; 0 denies.
func (x *table) panel(number int) broker.Ruling {
	x.t.Helper()
	open := x.host.State().Pending
	if len(open) == 0 {
		x.t.Fatal("nothing is pending")
	}
	r := x.host.Decide(broker.Decision{
		Request: open[0].Request, Digest: open[0].Digest, Number: number, Deny: number == 0, By: broker.ByPanel, Standing: true,
	})
	synctest.Wait()
	return r
}

// The frames of the tests.

const threeOptions = `[{"optionId":"yes","name":"Allow","kind":"allow_once"},{"optionId":"ever","name":"Always","kind":"allow_always"},{"optionId":"no","name":"Reject","kind":"reject_once"}]`

func asks4(id, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"session/request_permission","params":{` + params + `}}`
}

// permits is a permission request with three options.
func permits(id string) string {
	return asks4(id, `"sessionId":"s","toolCall":{"toolCallId":"c","title":"Run it","kind":"execute"},"options":`+threeOptions)
}

func selects(id, option string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"outcome":{"outcome":"selected","optionId":"` + option + `"}}}`
}

func cancels(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"outcome":{"outcome":"cancelled"}}}`
}

func withdraws(id string) string {
	return `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + id + `}}`
}

// opens is what makes the session s with roots.
func (x *table) opens(id string, roots ...string) {
	x.t.Helper()
	var more []string
	for _, root := range roots[1:] {
		more = append(more, `"`+root+`"`)
	}
	x.editor(`{"jsonrpc":"2.0","id":100,"method":"session/new","params":{"cwd":"` + roots[0] + `","additionalDirectories":[` + strings.Join(more, ",") + `],"mcpServers":[]}}`)
	x.bob(`{"jsonrpc":"2.0","id":100,"result":{"sessionId":"` + id + `"}}`)
	x.client.heard()
	x.agent.heard()
}
