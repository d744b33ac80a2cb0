package editor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/acp/clean"
	"bobproxy/lab/wire"
)

// ErrGone says that the agent ended the connection before it had answered.
var ErrGone = errors.New("agent ended the connection")

// ErrRefused says that the agent answered a request with an error.
var ErrRefused = errors.New("agent refused")

// ErrHung says that the agent did not end a turn that was cancelled.
var ErrHung = errors.New("agent did not end the turn")

// Version is the release the editor gives as its own.
const Version = "1.0.0"

// conversation is one connection with one session and one turn.
type conversation struct {
	opts    Options
	dir     string
	conn    *jsonrpc2.Conn
	life    context.Context // until the conversation returns
	stop    func()          // cancels the turn, as a person would
	screen  *screen
	files   *files
	shells  *shells
	dialogs *dialogs
	replies crew
}

// Converse speaks with an agent at the other end of in and out: one session, one
// prompt turn. It closes out at the end and waits for the end of in, no longer
// than o.Grace, then closes it, too.
func Converse(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) (Result, error) {
	dir, err := o.dir()
	if err != nil {
		return Result{}, err
	}
	files, err := openFiles(dir, o.does(Careless))
	if err != nil {
		return Result{}, err
	}
	defer files.close()
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()

	turn, stop := context.WithCancel(ctx)
	defer stop()
	c := &conversation{opts: o, dir: dir, life: life, stop: stop, files: files, screen: newScreen(o, dir)}
	c.shells = newShells(life, files)
	c.dialogs = newDialogs(c)
	stream := wire.NewStream(in, out)
	ready := make(chan struct{})
	c.conn = jsonrpc2.NewConn(life, stream, &reader{c, ready}, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	close(ready)

	var asking sync.WaitGroup
	asking.Go(c.dialogs.run)
	result, err := c.play(turn)
	c.dialogs.closeAll()
	c.shells.killAll() // what the agent still waits for has an end
	c.within(c.replies.idle())
	_ = stream.CloseWrite()
	c.within(c.conn.DisconnectNotify()) // last words
	end()
	c.shells.killAll()
	_ = c.conn.Close()
	asking.Wait()
	<-c.replies.idle()
	c.screen.end(result.StopReason, err)
	counts := c.dialogs.counts()
	result.Permitted, result.Refused = counts.Permitted, counts.Refused
	result.Elsewhere, result.Late = counts.Elsewhere, counts.Late
	return result, err
}

// within waits for done, no longer than the grace.
func (c *conversation) within(done <-chan struct{}) {
	timer := time.NewTimer(c.opts.grace())
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// play goes through the protocol from initialize to the end of the turn.
func (c *conversation) play(ctx context.Context) (Result, error) {
	var hello wire.InitializeResult
	if err := c.call(ctx, acp.MethodInitialize, c.capabilities(), &hello); err != nil {
		return Result{}, err
	}
	if hello.ProtocolVersion != wire.Version {
		return Result{}, fmt.Errorf("agent speaks protocol version %d, this editor %d", hello.ProtocolVersion, wire.Version)
	}
	c.screen.agent(hello)

	var session wire.SessionState
	err := c.call(ctx, acp.MethodSessionNew, map[string]any{"cwd": c.dir, "mcpServers": []any{}}, &session)
	if err != nil {
		return Result{}, err
	}
	result := Result{Session: session.SessionID}
	c.screen.session(session)
	if err := c.enterMode(ctx, session); err != nil {
		return result, err
	}
	c.screen.prompt(c.opts.Prompt)
	result.StopReason, err = c.prompt(ctx, session.SessionID)
	return result, err
}

func (c *conversation) capabilities() wire.InitializeParams {
	version := wire.Version
	p := wire.InitializeParams{
		ProtocolVersion: &version,
		ClientInfo:      &wire.Implementation{Name: "bobproxy-lab", Title: "Lab editor", Version: Version},
	}
	p.ClientCapabilities.FS.ReadTextFile = !c.opts.NoFiles
	p.ClientCapabilities.FS.WriteTextFile = !c.opts.NoFiles
	p.ClientCapabilities.Terminal = !c.opts.NoTerminal
	return p
}

// enterMode sets the mode that was asked for, by id or by name.
func (c *conversation) enterMode(ctx context.Context, s wire.SessionState) error {
	if c.opts.Mode == "" {
		return nil
	}
	var names []string
	if s.Modes != nil {
		for _, m := range s.Modes.AvailableModes {
			if strings.EqualFold(m.ID, c.opts.Mode) || strings.EqualFold(m.Name, c.opts.Mode) {
				err := c.call(ctx, acp.MethodSessionSetMode, wire.SessionParams{SessionID: s.SessionID, ModeID: m.ID}, nil)
				if err == nil {
					c.screen.entered(m.ID)
				}
				return err
			}
			names = append(names, clean.Line(m.Name))
		}
	}
	return fmt.Errorf("agent has no mode %q, only: %s", c.opts.Mode, strings.Join(names, ", "))
}

// prompt plays the turn. When ctx ends it cancels the turn and gives the agent
// the grace to say so.
func (c *conversation) prompt(ctx context.Context, session string) (string, error) {
	turn, err := c.conn.DispatchCall(ctx, acp.MethodSessionPrompt, wire.PromptParams{
		SessionID: session, Prompt: []wire.Block{wire.Text(c.opts.Prompt)},
	})
	if err != nil {
		return "", named(acp.MethodSessionPrompt, err)
	}
	var result wire.PromptResult
	err = turn.Wait(ctx, &result)
	if ctx.Err() != nil {
		c.dialogs.stop()
		c.cancel(session)
		c.dialogs.closeAll()
		grace, stop := context.WithTimeout(c.life, c.opts.grace())
		defer stop()
		err = turn.Wait(grace, &result)
		if errors.Is(err, context.DeadlineExceeded) {
			return "", fmt.Errorf("%w within %v of session/cancel", ErrHung, c.opts.grace())
		}
	}
	return result.StopReason, named(acp.MethodSessionPrompt, err)
}

// cancel sends session/cancel.
func (c *conversation) cancel(session string) {
	params := wire.SessionParams{SessionID: session}
	if !c.opts.does(CancelAsRequest) {
		c.screen.note("cancel", acp.MethodSessionCancel)
		_ = c.conn.Notify(c.life, acp.MethodSessionCancel, params)
		return
	}
	c.screen.note("cancel", acp.MethodSessionCancel+" as a request")
	call, err := c.conn.DispatchCall(c.life, acp.MethodSessionCancel, params)
	if err != nil {
		return
	}
	c.replies.Go(func() {
		if err := named(acp.MethodSessionCancel, call.Wait(c.life, nil)); err != nil {
			c.screen.note("cancel", err.Error())
		}
	})
}

func (c *conversation) call(ctx context.Context, method string, params, result any) error {
	return named(method, c.conn.Call(ctx, method, params, result))
}

// named says which request an error belongs to, in words fit to print.
func named(method string, err error) error {
	refusal := new(jsonrpc2.Error)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsonrpc2.ErrClosed), errors.Is(err, syscall.EPIPE):
		return fmt.Errorf("%s: %w", method, ErrGone)
	case errors.As(err, &refusal):
		return fmt.Errorf("%w %s: %s (%d)", ErrRefused, method, clean.Line(refusal.Message), refusal.Code)
	}
	return fmt.Errorf("%s: %w", method, err)
}
