package bob

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/lab/wire"
)

// turn is one prompt turn. Its goroutine alone uses it.
type turn struct {
	*agent
	s      *session
	ctx    context.Context // until session/cancel or the end of the connection
	client wire.ClientCapabilities
	cwd    string
}

// prompt checks a prompt and starts its turn, which will answer it.
func (a *agent) prompt(req *jsonrpc2.Request) *jsonrpc2.Error {
	var p struct {
		SessionID string        `json:"sessionId"`
		Prompt    *[]wire.Block `json:"prompt"`
	}
	if err := params(req, &p); err != nil {
		return err
	}
	if p.Prompt == nil {
		return missing("prompt")
	}
	s, err := a.known(p.SessionID)
	if err != nil {
		return err
	}
	t, mode, err := a.begin(s)
	if err != nil {
		return err
	}
	a.turns.Go(func() {
		stop := t.play(text(*p.Prompt), mode)
		a.finish(s)
		_ = a.conn.Reply(a.life, req.ID, wire.PromptResult{StopReason: stop})
	})
	return nil
}

// begin makes s busy.
func (a *agent) begin(s *session) (*turn, string, *jsonrpc2.Error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.closed {
		return nil, "", wire.Errorf(wire.CodeNotFound, "session %s is closed", s.id)
	}
	if s.cancel != nil {
		return nil, "", wire.Errorf(jsonrpc2.CodeInvalidRequest, "session %s is in a prompt turn already", s.id)
	}
	ctx, cancel := context.WithCancel(a.life)
	s.cancel = cancel
	return &turn{agent: a, s: s, ctx: ctx, client: a.client, cwd: s.cwd}, s.mode, nil
}

// finish makes s idle, before the reply that lets the client prompt again.
func (a *agent) finish(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s.cancel()
	s.cancel = nil
}

// text is what a person typed; of what they attached only the address.
func text(prompt []wire.Block) string {
	var words []string
	for _, block := range prompt {
		if block.Text != "" {
			words = append(words, block.Text)
		} else if block.URI != "" {
			words = append(words, block.URI)
		}
	}
	return strings.Join(words, " ")
}

// Ways for a script to end early. The person has been told already.
var (
	errRefused   = errors.New("refused")
	errCancelled = errors.New("cancelled")
	errStuck     = errors.New("cannot go on")
)

// play runs the script that prompt and mode ask for and returns the stop
// reason.
func (t *turn) play(prompt, mode string) string {
	t.remember(t.s, wire.Chunk{Kind: wire.UserChunk, MessageID: t.messageID(), Content: wire.Text(prompt)})
	err := t.script(prompt, mode)()
	if t.ctx.Err() != nil || errors.Is(err, errCancelled) {
		return wire.Cancelled
	}
	return wire.EndTurn
}

// script picks what to play.
func (t *turn) script(prompt, mode string) func() error {
	if command, ok := strings.CutPrefix(strings.TrimSpace(prompt), "/"); ok {
		name, _, _ := strings.Cut(command, " ")
		switch name {
		case "plan":
			mode = modePlan
		case "explain", "review":
			mode = modeAsk
		default:
			return func() error { return t.decline(name) }
		}
	}
	switch mode {
	case modePlan:
		return t.plan
	case modeAsk:
		return t.explain
	}
	if acts := t.acts(); len(acts) > 0 {
		return func() error { return t.misbehave(acts) }
	}
	return t.repair
}

// update sends an update and keeps it for session/load.
func (t *turn) update(u any) {
	t.remember(t.s, u)
	t.notify(t.s.id, u)
}

// title names the session.
func (t *turn) title(title string) {
	t.mu.Lock()
	t.s.title = title
	t.mu.Unlock()
	t.notify(t.s.id, wire.Info{Kind: wire.InfoUpdate, Title: title})
}

// usage reports made-up figures: so many tokens of context, at a fixed price.
func (t *turn) usage(tokens int) {
	t.notify(t.s.id, wire.Usage{
		Kind: wire.UsageUpdate, Used: tokens, Size: 200_000,
		Cost: &wire.Cost{Amount: float64(tokens) / 500_000, Currency: "USD"},
	})
}

// say streams a message. It returns the error of the turn's context, so that a
// script can go on with the next step only if there is to be one.
func (t *turn) say(format string, args ...any) error {
	return t.stream(wire.AgentChunk, fmt.Sprintf(format, args...))
}

// think streams a thought.
func (t *turn) think(text string) error { return t.stream(wire.ThoughtChunk, text) }

func (t *turn) stream(kind, text string) error {
	id := t.messageID()
	for _, piece := range pieces(text) {
		if err := t.pause(); err != nil {
			return err
		}
		t.update(wire.Chunk{Kind: kind, MessageID: id, Content: wire.Text(piece)})
	}
	return t.ctx.Err()
}

// pieces cuts a text after every fourth word.
func pieces(text string) []string {
	var cut []string
	words, from := 0, 0
	for i, r := range text {
		if r != ' ' {
			continue
		}
		if words++; words%4 == 0 {
			cut = append(cut, text[from:i+1])
			from = i + 1
		}
	}
	return append(cut, text[from:])
}

func (t *turn) pause() error {
	if t.opts.Pace <= 0 {
		return t.ctx.Err()
	}
	timer := time.NewTimer(t.opts.Pace)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.ctx.Done():
	}
	return t.ctx.Err()
}

func (t *turn) messageID() string {
	t.s.messages++
	return fmt.Sprintf("msg-%d", t.s.messages)
}

func (t *turn) path(name string) string { return filepath.Join(t.cwd, name) }
