package editor

import (
	"context"
	"fmt"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/terminal"
	"bobproxy/lab/wire"
)

// maxShells is how many terminals an agent may hold at once.
const maxShells = 64

// shells serves terminal requests. Commands start within the session's
// directory.
type shells struct {
	life  context.Context
	files *files

	mu   sync.Mutex
	open map[string]*terminal.Terminal
	last *terminal.Terminal // released last, and its id: a client goes on showing it
	name string
	made int
}

func newShells(life context.Context, f *files) *shells {
	return &shells{life: life, files: f, open: map[string]*terminal.Terminal{}}
}

func (s *shells) serve(method string, p wire.TerminalParams) (any, *jsonrpc2.Error) {
	if method == acp.MethodTerminalCreate {
		return s.create(p)
	}
	term := s.find(p.TerminalID)
	if term == nil {
		return nil, wire.Errorf(wire.CodeNotFound, "no terminal %q", p.TerminalID)
	}
	switch method {
	case acp.MethodTerminalOutput:
		return output(term), nil
	case acp.MethodTerminalWaitForExit:
		exit, err := term.Wait(s.life)
		if err != nil {
			return nil, wire.Errorf(jsonrpc2.CodeInternalError, "%v", err)
		}
		return status(exit), nil
	case acp.MethodTerminalRelease:
		s.drop(p.TerminalID)
	}
	term.Kill()
	return struct{}{}, nil
}

func (s *shells) create(p wire.TerminalParams) (any, *jsonrpc2.Error) {
	if p.Command == "" {
		return nil, wire.Errorf(jsonrpc2.CodeInvalidParams, "command is required")
	}
	c := terminal.Command{Path: p.Command, Args: p.Args, Dir: s.files.dir}
	if p.Cwd != nil {
		var refusal *jsonrpc2.Error
		if c.Dir, refusal = s.files.directory(*p.Cwd); refusal != nil {
			return nil, refusal
		}
	}
	if p.OutputByteLimit != nil {
		c.Limit = max(1, min(*p.OutputByteLimit, maxFile))
	}
	for _, v := range p.Env {
		c.Env = append(c.Env, v.Name+"="+v.Value)
	}
	return s.start(c)
}

func (s *shells) start(c terminal.Command) (any, *jsonrpc2.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= maxShells {
		return nil, wire.Errorf(jsonrpc2.CodeInvalidParams, "%d terminals are open; release one first", maxShells)
	}
	term, err := terminal.Start(s.life, c)
	if err != nil {
		return nil, wire.Errorf(jsonrpc2.CodeInvalidParams, "%s: %v", c.Path, err)
	}
	s.made++
	id := fmt.Sprintf("term-%d", s.made)
	s.open[id] = term
	return wire.TerminalResult{TerminalID: id}, nil
}

func (s *shells) find(id string) *terminal.Terminal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

func (s *shells) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.name = s.open[id], id
	delete(s.open, id)
}

// shown is the output of a terminal that a tool call refers to.
func (s *shells) shown(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	term := s.open[id]
	if term == nil && id == s.name {
		term = s.last
	}
	if term == nil {
		return ""
	}
	text, _ := term.Output()
	return text
}

func (s *shells) killAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, term := range s.open {
		term.Kill()
	}
}

func output(term *terminal.Terminal) wire.OutputResult {
	text, cut := term.Output()
	result := wire.OutputResult{Output: text, Truncated: cut}
	if exit, ended := term.Exited(); ended {
		s := status(exit)
		result.ExitStatus = &s
	}
	return result
}

func status(exit terminal.Exit) wire.ExitStatus {
	if exit.Signal != "" {
		return wire.ExitStatus{Signal: &exit.Signal}
	}
	return wire.ExitStatus{ExitCode: &exit.Code}
}
