package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// gated is a conversation that goes through both pumps and a gate, one step
// after the other: what a peer wrote is read in pieces, and in between somebody
// answers what waits, or time passes.
type gated struct {
	t      *testing.T
	relay  *relay
	random *rand.Rand
	now    time.Time
	said   map[acp.Direction][]byte
	heard  map[acp.Direction]*bytes.Buffer // by who said it
}

// converse has it happen, and gives what the recording says of it.
func (g *gated) converse(p Policy, piece int) (events []journal.Event) {
	j, err := journal.New(journal.Options{Off: true, Instance: "test"})
	if err != nil {
		g.t.Fatal(err)
	}
	_, watcher := j.Watch(1 << 12)
	var watching, adding sync.WaitGroup
	watching.Go(func() {
		for e := range watcher.Events() {
			events = append(events, e)
		}
	})
	g.relay = &relay{Options: Options{Policy: p, Journal: journal.Options{Instance: "test"}}, journal: j}
	if err := g.relay.prepare(); err != nil {
		g.t.Fatal(err)
	}
	pool := journal.NewPool()
	var going []*pump
	for i, p := range []*pump{&g.relay.toAgent, &g.relay.toClient} {
		dir := acp.Client + acp.Direction(i)
		g.heard[dir] = &bytes.Buffer{}
		src := newPieces(g.said[dir], piece, g.random.Uint64())
		p.begin(dir, g.heard[dir], g.relay.gate, lines{src: src, pool: pool, most: MaxFrame})
		adding.Go(p.out.run)
		going = append(going, p)
	}
	for len(going) > 0 {
		i := g.random.IntN(len(going))
		if !g.step(going[i]) {
			going = append(going[:i], going[i+1:]...)
		}
		g.meanwhile()
	}
	adding.Wait()
	g.relay.gate.flags.close()
	g.relay.gate.flags.run()
	g.relay.ledger.gone()
	j.Close(time.Minute)
	watching.Wait()
	if watcher.Err() != nil {
		g.t.Skip("more events than are looked at")
	}
	return events
}

// step is one turn of [pump.run], and false at its end.
func (g *gated) step(p *pump) bool {
	_, err := p.in.fill()
	if err := p.carry(err != nil); err != nil {
		g.t.Fatal(err)
	}
	if err != nil {
		p.endLong()
		p.out.end()
		p.in.release()
	}
	return err == nil
}

// meanwhile is what happens beside the wire, now and then.
func (g *gated) meanwhile() {
	switch n := g.random.IntN(16); n {
	case 0: // cancelled sessions have had their time, and so have permissions
		g.now = g.now.Add(time.Hour)
		g.relay.ledger.expire(g.now)
	case 1, 2:
		h := host{relay: g.relay}
		for _, p := range h.State().Pending {
			h.Decide(broker.Decision{Request: p.Request, Digest: p.Digest, Number: 1, Deny: n == 1, By: broker.ByPanel, Standing: true})
		}
	}
}

// check goes through the recording: each line that came is there, in its order,
// and whatever went out is either one of them, whole, or said to be added.
func (g *gated) check(mode Mode, events []journal.Event) {
	in := map[acp.Direction][]byte{acp.Client: g.said[acp.Client], acp.Agent: g.said[acp.Agent]}
	out := map[acp.Direction][]byte{acp.Client: g.heard[acp.Client].Bytes(), acp.Agent: g.heard[acp.Agent].Bytes()}
	take := func(from map[acp.Direction][]byte, e journal.Event) []byte {
		line, eol := cut(from[e.Dir])
		whole := from[e.Dir][:min(len(from[e.Dir]), len(line)+len(lineEnd[eol]))]
		if e.Bytes != int64(len(line)) || e.EOL != eol || len(whole) == 0 || e.Masked == 0 && !bytes.Equal(e.Body, line) {
			g.t.Fatalf("record %d says %d bytes %q of the %s; there are %q", e.Seq, e.Bytes, e.Body, e.Dir, whole)
		}
		from[e.Dir] = from[e.Dir][len(whole):]
		return whole
	}
	for _, e := range events {
		if e.Type != journal.FrameEvent {
			continue
		}
		if e.Added {
			g.checkAdded(take(out, e))
			continue
		}
		came := take(in, e)
		switch e.Action {
		case "":
			if went := take(out, e); !bytes.Equal(came, went) {
				g.t.Fatalf("record %d: %q came, %q went out", e.Seq, came, went)
			}
		case swallowed:
		case refused, withheld:
			if mode != Enforce {
				g.t.Errorf("%q was %s, and bounds are %s", came, e.Action, mode)
			}
		default:
			g.t.Errorf("%q was %q", came, e.Action)
		}
		if e.Action != "" && e.Reason == "" {
			g.t.Errorf("%q was %s without a reason", came, e.Action)
		}
	}
	for dir := range in {
		if len(in[dir])+len(out[dir]) > 0 {
			g.t.Errorf("no record of %q that the %s said, nor of %q that went out", in[dir], dir, out[dir])
		}
	}
}

// checkAdded checks that what the proxy says itself is one sound frame.
func (g *gated) checkAdded(line []byte) {
	var f acp.Frame
	acp.Scan(line, &f)
	if f.Kind == acp.Request || f.Kind == acp.Ambiguous || f.Kind == acp.Text || f.EOL != acp.LF {
		g.t.Errorf("the proxy adds %q", line)
	}
}

var lineEnd = map[acp.EOL]string{acp.NoEOL: "", acp.LF: "\n", acp.CRLF: "\r\n"}

// obeyed is a path outside of root that an editor would open which reads text
// forgivingly: with names in any letter case, past what stands before the first
// object, and to that object's end on whichever line.
func obeyed(text []byte, root string) string {
	at := bytes.IndexByte(text, '{')
	if at < 0 {
		return ""
	}
	var f struct {
		Method string
		Params struct{ Path, Cwd string }
	}
	if json.NewDecoder(bytes.NewReader(text[at:])).Decode(&f) != nil {
		return ""
	}
	path := f.Params.Path
	switch f.Method {
	default:
		return ""
	case acp.MethodTerminalCreate:
		path = f.Params.Cwd
	case acp.MethodReadTextFile, acp.MethodWriteTextFile:
	}
	if clean := filepath.Clean(path); path == "" || clean == root || strings.HasPrefix(clean, root+"/") {
		return ""
	}
	return path
}

// FuzzGate takes any bytes, cut anywhere, through both pumps with a gate. No line
// is lost, changed or made up without a record that says so; where bounds are
// enforced and roots have a ceiling, no path outside of it is opened.
func FuzzGate(f *testing.F) {
	session := `{"jsonrpc":"2.0","id":100,"method":"session/new","params":{"cwd":"/ws","mcpServers":[]}}` + "\n"
	made := `{"jsonrpc":"2.0","id":100,"result":{"sessionId":"s"}}` + "\n"
	lines := func(l ...string) string { return strings.Join(l, "\n") + "\n" }
	for i, talk := range []struct{ client, agent string }{
		{"", ""},
		{"x", "{\n\r\n\x00{"},
		{session + selects("7", "yes"), made + permits("7") + "\n" + reads("8", "s", "/ws/a")},
		{session + lines(selects("7", "yes"), selects("7", "no"), cancels("7")), made + lines(permits("7"), permits("7"), permits(`"7"`))},
		{session + lines(`{"id":7,"error":{"code":-32800,"message":""}}`, selects("7.0", "yes")), made + lines(permits("7"), withdraws("7"), permits("7"), permits("7.0"), permits("null"))},
		{session + lines(`{"method":"session/cancel","params":{"sessionId":"s"}}`, selects("1", "yes"), selects("2", "ever")), made + lines(permits("1"), permits("2"), permits("3"))},
		{session + lines(`{"id":9,"method":"session/cancel"}`, `{"id":10,"method":"session/delete","params":{"sessionId":"s"}}`), made + lines(`{"id":10,"result":{}}`, reads("2", "s", "/ws/a"))},
		{session, made + lines(reads("1", "s", "/etc/passwd"), writes("2", "s", "/ws/../x"), starts("3", "s", `,"cwd":"/"`), writes("null", "s", "/x"), writes("{}", "s", "/x"))},
		{session, made + "\ufeff" + lines(reads("1", "s", "/x"), "["+reads("2", "s", "/x")+"]", strings.Replace(reads("3", "s", "/x"), "method", "Method", 1))},
		{"\ufeff" + session + lines(strings.Replace(session, "cwd", `cwd":"/","cwd`, 1)), made + lines(reads("1", "s", "/x"), reads("2", "s", "/"))},
		{session, made + lines("{", reads("1", "s", "/x"), `"method":"fs/read_text_file",`, `"params":{"path":"/x"}}`)},
		{session, made + lines(`{"params":{"path":"/x"},`, `"method":`, `"fs\/read_text_file"`, "}")},
		{session, made + lines(`{"params":{"path":"/x"},"y":[`, `{"method":"y"}`, `],"Method":"fs/write_text_file"}`)},
		{session + "[" + selects("7", "yes") + "]\n", made + permits("7") + "\r\n" + permits("7")},
		{session, made + lines(asks4("5", `"sessionId":"s","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"/x"}]},"options":`+threeOptions), strings.Replace(permits("6"), `"options"`, `"options":[],"options"`, 1))},
	} {
		for mode := range uint64(3) {
			f.Add([]byte(talk.client), []byte(talk.agent), 3*uint64(i)+mode, uint16(40*i))
		}
	}
	root := f.TempDir()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	f.Fuzz(func(t *testing.T, client, agent []byte, seed uint64, piece uint16) {
		mode := []Mode{Off, Warn, Enforce}[seed%3]
		p := Policy{Bounds: mode, Ceiling: root, PermissionTimeout: time.Minute}
		if seed%5 == 0 {
			p.RequestTimeout, p.PromptTimeout = time.Minute, time.Minute
		}
		g := &gated{
			t: t, now: time.Now(), random: rand.New(rand.NewPCG(seed, uint64(piece))),
			said:  map[acp.Direction][]byte{acp.Client: at(root, client), acp.Agent: at(root, agent)},
			heard: map[acp.Direction]*bytes.Buffer{},
		}
		g.check(mode, g.converse(p, 1+int(piece)))
		rest := g.heard[acp.Agent].Bytes()
		for line := range bytes.Lines(rest) {
			if path := obeyed(rest, root); path != "" && mode == Enforce {
				t.Errorf("the editor opens %s, told by %q", path, rest)
			}
			rest = rest[len(line):]
		}
	})
}

// at puts the workspace, /ws, at root.
func at(root string, text []byte) []byte {
	quoted := strings.Trim(fmt.Sprintf("%q", root), `"`)
	return bytes.ReplaceAll(text, []byte("/ws"), []byte(quoted))
}
