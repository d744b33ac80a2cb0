package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"bobproxy/acp"
	"bobproxy/lab/child"
)

// Options say what to probe.
type Options struct {
	Command  []string
	Env      []string      // added to our environment
	Dir      string        // of the session, a whole path; the agent itself starts in our folder
	Protocol int           // version to offer
	Settle   time.Duration // how long to wait for updates behind session/new
	Grace    time.Duration // how long the agent has to go
	Version  string        // ours

	// Then, if there is one, is called with the agent's process when all has been
	// said, before it is seen off.
	Then func(pid int)
}

// codeAuth is the error of an agent that wants somebody to log in first.
const codeAuth = -32000

// ErrStart says that the agent could not be started.
var ErrStart = errors.New("starting the agent")

// Run probes an agent until ctx ends at most; then, or when the agent does not
// play along, Problem of the report says what is missing. An error, which is
// ErrStart, means that there is nothing to report.
func Run(ctx context.Context, o Options) (Report, error) {
	var stderr ending
	begin := time.Now()
	agent, err := child.Start(child.Command{Argv: o.Command, Env: o.Env, Stderr: &stderr})
	if err != nil {
		return Report{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	p := &probe{Options: o, in: agent.Stdin, lines: make(chan message)}
	p.report = Report{Command: o.Command, Auth: []Choice{}, Modes: []Choice{}, Models: []Choice{}, Options: []Option{}}
	p.report.Took.Start = since(begin)
	go listen(agent.Stdout, p.lines)
	if err := p.converse(ctx); err != nil {
		p.report.Problem = err.Error()
	}
	if o.Then != nil {
		o.Then(agent.PID())
	}
	_ = agent.Stdin.Close()
	last := make(chan []byte, 1)
	go func() { last <- p.rest() }() // or it might wait for somebody to read
	p.report.Killed = agent.Leave(p.grace(ctx))
	p.report.Last = <-last
	p.report.Ending, p.report.Status, p.report.Stderr = agent.Ending(), agent.Status(), string(stderr.text)
	if p.report.Commands == nil {
		p.report.Commands = []Choice{}
	}
	return p.report, nil
}

type probe struct {
	Options
	in     io.Writer
	lines  chan message
	report Report
	last   int       // id of the newest request
	asked  time.Time // when session/new was sent
}

// grace is short when somebody has had enough.
func (p *probe) grace(ctx context.Context) time.Duration {
	if ctx.Err() != nil {
		return min(p.Grace, 200*time.Millisecond)
	}
	return p.Grace
}

// converse is all that is said.
func (p *probe) converse(ctx context.Context) error {
	begin := time.Now()
	hello, err := p.call(ctx, acp.MethodInitialize, p.greeting(), &p.report.Hello)
	if err != nil {
		return err
	}
	p.report.Took.Initialize = since(begin)
	closes, err := p.readHello(hello)
	if err != nil {
		return err
	}
	p.asked = time.Now()
	session, err := p.call(ctx, acp.MethodSessionNew, map[string]any{"cwd": p.Dir, "mcpServers": []any{}}, &p.report.Opened)
	if refused := new(refusal); errors.As(err, &refused) && refused.Code == codeAuth {
		p.report.AuthRequired = true
		return nil
	}
	if err != nil {
		return err
	}
	p.report.Took.SessionNew = since(p.asked)
	p.readSession(session)
	p.settle(ctx)
	if closes {
		p.close(ctx)
	}
	return nil
}

func (p *probe) greeting() any {
	info := map[string]string{"name": "bobproxy-probe", "title": "bobproxy probe", "version": p.Version}
	if p.Protocol >= 2 {
		return map[string]any{"protocolVersion": p.Protocol, "info": info, "capabilities": map[string]any{}}
	}
	return map[string]any{
		"protocolVersion": p.Protocol, "clientInfo": info,
		"clientCapabilities": map[string]any{"fs": map[string]bool{"readTextFile": false, "writeTextFile": false}, "terminal": false},
	}
}

// refusal is an error reply to a request of ours.
type refusal struct {
	method string
	failure
}

func (r *refusal) Error() string {
	text := fmt.Sprintf("%s was refused: %s (%d)", r.method, r.Message, r.Code)
	if len(r.Data) > 0 && string(r.Data) != "null" {
		text += " " + string(r.Data[:min(len(r.Data), 1000)])
	}
	return text
}

// call sends a request and waits for its answer, whose line it keeps; what else
// comes meanwhile is taken.
func (p *probe) call(ctx context.Context, method string, params any, line *[]byte) (json.RawMessage, error) {
	p.last++
	id := strconv.Itoa(p.last)
	// An agent that does not take it has ended, which is seen below.
	_ = p.send(map[string]any{"jsonrpc": "2.0", "id": p.last, "method": method, "params": params})
	for {
		m, err := p.next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("the agent ended without an answer to %s", method)
		case err != nil:
			return nil, fmt.Errorf("%s was not answered in time", method)
		case m.Method != "" || string(m.ID) != id:
			p.take(m)
			continue
		}
		*line = m.line
		if m.Error != nil {
			return nil, &refusal{method, *m.Error}
		}
		return m.Result, nil
	}
}

func (p *probe) next(ctx context.Context) (message, error) {
	select {
	case m, ok := <-p.lines:
		if !ok {
			return m, io.EOF
		}
		return m, nil
	case <-ctx.Done():
		return message{}, ctx.Err()
	}
}

// settle waits for what an agent tells of a new session, which most do right
// away: until its commands have come, but not for long.
func (p *probe) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.Settle)
	defer cancel()
	for p.report.Commands == nil {
		m, err := p.next(ctx)
		if err != nil {
			return
		}
		p.take(m)
	}
}

// close lets the agent forget the session.
func (p *probe) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.Settle)
	defer cancel()
	_, _ = p.call(ctx, acp.MethodSessionClose, map[string]any{"sessionId": p.report.Session}, new([]byte)) // it ends anyway
}

// rest reads what the agent says until its stdout has ended, and keeps the end.
func (p *probe) rest() []byte {
	var last ending
	for m := range p.lines {
		_, _ = last.Write(append(m.line, '\n')) // never fails
	}
	return last.text
}

// send writes one line. It is small enough for any pipe, so it waits for nobody.
func (p *probe) send(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = p.in.Write(append(line, '\n'))
	return err
}
