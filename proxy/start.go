package proxy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
	"bobproxy/proxy/keeper"
)

// start makes the pipes and starts the agent.
func (r *relay) start() error {
	var theirs [3]*os.File
	var err error
	for i, ours := range []**os.File{&r.agentIn, &r.agentOut, &r.agentErr} {
		read, write, e := os.Pipe()
		if e != nil {
			return fmt.Errorf("making a pipe for the agent: %w", e)
		}
		if i == 0 {
			*ours, theirs[i] = write, read
		} else {
			*ours, theirs[i] = read, write
		}
		defer theirs[i].Close()
		if e := forAgent(theirs[i]); e != nil {
			return fmt.Errorf("making a pipe for the agent: %w", e)
		}
	}
	widen(r.agentIn)
	widen(r.agentOut)
	r.agent, err = keeper.Start(keeper.Spec{
		Path: r.Path, Argv: r.Argv, Env: r.Env, Dir: r.Dir,
		Stdin: theirs[0], Stdout: theirs[1], Stderr: theirs[2],
		Grace: r.limits.grace,
	})
	return err
}

func startCode(err error) int {
	var s *keeper.StartError
	switch {
	case !errors.As(err, &s):
		return ExitOurs
	case errors.Is(err, os.ErrNotExist):
		return ExitNotFound
	}
	return ExitNotExecutable
}

// prepare makes what carries and decides, before there is an agent.
func (r *relay) prepare() error {
	l := &r.ledger
	l.journal = r.journal
	l.deadline = make(chan time.Time, 1)
	r.toAgent.out = newOutlet(acp.Client, l, r.Journal.Required)
	r.toClient.out = newOutlet(acp.Agent, l, r.Journal.Required)
	l.toAgent, l.toClient = &r.toAgent.out.added, &r.toClient.out.added
	gate, err := newGate(r.Policy, r.Journal.Instance, l, r.toAgent.out, r.toClient.out)
	r.gate = gate
	return err
}

// begin starts the goroutines; doc.go lists them.
func (r *relay) begin() {
	pool := journal.NewPool()
	r.toAgent.begin(acp.Client, r.agentIn, r.gate, lines{src: steady{r.Stdin}, pool: pool, most: r.limits.frame})
	r.toClient.begin(acp.Agent, steady{r.Stdout}, r.gate, lines{src: r.agentOut, pool: pool, most: r.limits.frame})
	r.toAgentDone, r.toClientDone = make(chan error, 1), make(chan error, 1)
	r.stderrDone, r.flushed = make(chan struct{}), make(chan struct{})
	r.stopClock = make(chan struct{})

	toAgentDone, toClientDone := r.toAgentDone, r.toClientDone // the fields change hands
	go func() { toAgentDone <- r.pumpToAgent() }()
	go func() { toClientDone <- r.toClient.run() }()
	go r.toAgent.out.run()
	go r.toClient.out.run()
	go func() { r.stderr.read(r.agentErr, &r.stderrPace); close(r.stderrDone) }()
	go func() { r.stderr.write(steady{r.Stderr}); close(r.flushed) }()
	r.helpers.Go(func() { r.ledger.runClock(r.stopClock) })
	r.helpers.Go(r.gate.flags.run)
	r.listen()
}

func (p *pump) begin(dir acp.Direction, out io.Writer, g *gate, in lines) {
	p.dir, p.gate, p.in, p.out.out = dir, g, in, out
}
