package bob

import (
	"encoding/json"
	"path/filepath"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/wire"
)

// Version is the release of Bob Shell that the script is modelled on.
const Version = "2.0.8"

// pageSize is how many sessions a page of session/list holds.
const pageSize = 50

// answer returns the result of a request, or nil when a turn will answer it,
// and what is to be done once the result is out.
func (a *agent) answer(req *jsonrpc2.Request) (result any, then func(), err *jsonrpc2.Error) {
	if req.Method == acp.MethodInitialize {
		result, err = a.initialize(req)
		return result, nil, err
	}
	if !a.initialized {
		return nil, nil, wire.Errorf(jsonrpc2.CodeInvalidRequest, "%s before initialize", req.Method)
	}
	switch req.Method {
	case acp.MethodSessionNew:
		return a.newSession(req)
	case acp.MethodSessionLoad:
		return a.reopen(req, true)
	case acp.MethodSessionResume:
		return a.reopen(req, false)
	case acp.MethodSessionList:
		result, err = a.list(req)
		return result, nil, err
	case acp.MethodSessionClose:
		return a.closeSession(req)
	case acp.MethodSessionDelete:
		return a.deleteSession(req)
	case acp.MethodSessionSetMode:
		return a.setMode(req)
	case acp.MethodSessionSetConfigOption:
		return a.setValue(req)
	case acp.MethodSessionPrompt:
		return nil, nil, a.prompt(req)
	}
	return nil, nil, wire.Errorf(jsonrpc2.CodeMethodNotFound, "method not found: %s", req.Method)
}

// notice takes the notifications of a client; those it does not know pass.
func (a *agent) notice(req *jsonrpc2.Request) {
	if req.Method != acp.MethodSessionCancel {
		return
	}
	var p wire.SessionParams
	if params(req, &p) != nil {
		return
	}
	if s := a.session(p.SessionID); s != nil {
		a.stop(s)
	}
}

func (a *agent) initialize(req *jsonrpc2.Request) (any, *jsonrpc2.Error) {
	var p wire.InitializeParams
	if err := params(req, &p); err != nil {
		return nil, err
	}
	if p.ProtocolVersion == nil {
		return nil, missing("protocolVersion")
	}
	a.client, a.initialized = p.ClientCapabilities, true
	return wire.InitializeResult{
		ProtocolVersion: wire.Version,
		AgentInfo:       &wire.Implementation{Name: "bob", Title: "Bob", Version: Version},
		AgentCapabilities: wire.AgentCapabilities{
			LoadSession:        true,
			PromptCapabilities: map[string]bool{"image": false, "audio": false, "embeddedContext": true},
			SessionCapabilities: map[string]any{
				"list": struct{}{}, "resume": struct{}{}, "close": struct{}{}, "delete": struct{}{},
			},
		},
		AuthMethods: []struct{}{},
	}, nil
}

func (a *agent) newSession(req *jsonrpc2.Request) (any, func(), *jsonrpc2.Error) {
	p, err := directory(req)
	if err != nil {
		return nil, nil, err
	}
	if len(p.MCPServers) == 0 {
		return nil, nil, missing("mcpServers")
	}
	s := a.create(p.Cwd)
	state := s.state()
	state.SessionID = s.id
	return state, func() { a.notify(s.id, commandsUpdate()) }, nil
}

// reopen serves session/load and session/resume.
func (a *agent) reopen(req *jsonrpc2.Request, replay bool) (any, func(), *jsonrpc2.Error) {
	p, err := directory(req)
	if err != nil {
		return nil, nil, err
	}
	if replay && len(p.MCPServers) == 0 {
		return nil, nil, missing("mcpServers")
	}
	s, err := a.known(p.SessionID)
	if err != nil {
		return nil, nil, err
	}
	history, state, ok := a.open(s, p.Cwd)
	if !ok {
		return nil, nil, wire.Errorf(jsonrpc2.CodeInvalidRequest, "session %s is in a prompt turn", s.id)
	}
	if replay {
		for _, update := range history {
			a.notify(s.id, update)
		}
	}
	return state, func() { a.notify(s.id, commandsUpdate()) }, nil
}

func (a *agent) list(req *jsonrpc2.Request) (any, *jsonrpc2.Error) {
	var p wire.SessionParams
	if err := params(req, &p); err != nil {
		return nil, err
	}
	rows := a.rows(p.Cwd)
	from := 0
	if p.Cursor != "" {
		n, err := strconv.Atoi(p.Cursor)
		if err != nil || n < 0 || n > len(rows) {
			return nil, wire.Errorf(jsonrpc2.CodeInvalidParams, "cursor %q is none of ours", p.Cursor)
		}
		from = n
	}
	page := wire.Sessions{Sessions: rows[from:min(from+pageSize, len(rows))]}
	if from+pageSize < len(rows) {
		page.NextCursor = strconv.Itoa(from + pageSize)
	}
	return page, nil
}

func (a *agent) closeSession(req *jsonrpc2.Request) (any, func(), *jsonrpc2.Error) {
	s, _, err := a.named(req)
	if err != nil {
		return nil, nil, err
	}
	a.stop(s)
	a.shut(s)
	return struct{}{}, nil, nil
}

func (a *agent) deleteSession(req *jsonrpc2.Request) (any, func(), *jsonrpc2.Error) {
	s, _, err := a.named(req)
	if err != nil {
		return nil, nil, err
	}
	a.stop(s)
	a.forget(s)
	return struct{}{}, nil, nil
}

func (a *agent) setMode(req *jsonrpc2.Request) (any, func(), *jsonrpc2.Error) {
	s, p, err := a.named(req)
	if err != nil {
		return nil, nil, err
	}
	if !a.enter(s, p.ModeID) {
		return nil, nil, wire.Errorf(jsonrpc2.CodeInvalidParams, "no mode %q", p.ModeID)
	}
	return struct{}{}, func() {
		a.notify(s.id, wire.CurrentMode{Kind: wire.ModeUpdate, CurrentModeID: p.ModeID})
		a.notify(s.id, wire.Config{Kind: wire.ConfigUpdate, ConfigOptions: configOptions(p.ModeID)})
	}, nil
}

// setValue serves session/set_config_option; the mode is the only option.
func (a *agent) setValue(req *jsonrpc2.Request) (any, func(), *jsonrpc2.Error) {
	s, p, err := a.named(req)
	if err != nil {
		return nil, nil, err
	}
	if p.ConfigID != modeOption || !a.enter(s, p.Value) {
		return nil, nil, wire.Errorf(jsonrpc2.CodeInvalidParams, "no option %q with value %q", p.ConfigID, p.Value)
	}
	return map[string]any{"configOptions": configOptions(p.Value)}, func() {
		a.notify(s.id, wire.CurrentMode{Kind: wire.ModeUpdate, CurrentModeID: p.Value})
	}, nil
}

// params decodes the params of a request.
func params(req *jsonrpc2.Request, into any) *jsonrpc2.Error {
	if req.Params == nil {
		return nil
	}
	if err := json.Unmarshal(*req.Params, into); err != nil {
		return wire.Errorf(jsonrpc2.CodeInvalidParams, "%s: %v", req.Method, err)
	}
	return nil
}

// directory decodes the params of a request that must name a directory.
func directory(req *jsonrpc2.Request) (p wire.SessionParams, err *jsonrpc2.Error) {
	if err := params(req, &p); err != nil {
		return p, err
	}
	if !filepath.IsAbs(p.Cwd) {
		return p, wire.Errorf(jsonrpc2.CodeInvalidParams, "cwd must be an absolute path, got %q", p.Cwd)
	}
	return p, nil
}

// named decodes the params of a request and finds the session they name.
func (a *agent) named(req *jsonrpc2.Request) (*session, wire.SessionParams, *jsonrpc2.Error) {
	var p wire.SessionParams
	if err := params(req, &p); err != nil {
		return nil, p, err
	}
	s, err := a.known(p.SessionID)
	return s, p, err
}

func (a *agent) known(id string) (*session, *jsonrpc2.Error) {
	if id == "" {
		return nil, missing("sessionId")
	}
	if s := a.session(id); s != nil {
		return s, nil
	}
	return nil, wire.Errorf(wire.CodeNotFound, "no session %q", id)
}

func missing(field string) *jsonrpc2.Error {
	return wire.Errorf(jsonrpc2.CodeInvalidParams, "%s is required", field)
}
