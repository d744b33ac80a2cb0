// Command goagent is an agent on the Go SDK that asks for what is outside of
// its session, and then for what is inside, and says what came of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/coder/acp-go-sdk"
)

func main() {
	a := new(agent)
	a.conn = acp.NewAgentSideConnection(a, os.Stdout, os.Stdin)
	<-a.conn.Done()
}

// agent plays one turn of one session; the embedded interface is nil.
type agent struct {
	acp.Agent
	conn *acp.AgentSideConnection
	cwd  string
}

func (a *agent) Initialize(context.Context, acp.InitializeRequest) (acp.InitializeResponse, error) {
	return acp.InitializeResponse{
		ProtocolVersion: acp.ProtocolVersionNumber,
		AgentInfo:       &acp.Implementation{Name: "stray", Version: "1"},
	}, nil
}

func (a *agent) NewSession(_ context.Context, r acp.NewSessionRequest) (acp.NewSessionResponse, error) {
	a.cwd = r.Cwd
	return acp.NewSessionResponse{SessionId: "session"}, nil
}

func (a *agent) Prompt(ctx context.Context, r acp.PromptRequest) (acp.PromptResponse, error) {
	for _, dir := range []string{filepath.Dir(a.cwd), a.cwd} {
		path := filepath.Join(dir, "stray.txt")
		_, err := a.conn.WriteTextFile(ctx, acp.WriteTextFileRequest{SessionId: r.SessionId, Path: path, Content: "astray\n"})
		a.say(ctx, r.SessionId, "write", err)
		_, err = a.conn.ReadTextFile(ctx, acp.ReadTextFileRequest{SessionId: r.SessionId, Path: path})
		a.say(ctx, r.SessionId, "read", err)
		_, err = a.conn.CreateTerminal(ctx, acp.CreateTerminalRequest{SessionId: r.SessionId, Command: "true", Cwd: &dir})
		a.say(ctx, r.SessionId, "run", err)
	}
	return acp.PromptResponse{StopReason: acp.StopReasonEndTurn}, nil
}

// say ends the process when the client cannot be told.
func (a *agent) say(ctx context.Context, id acp.SessionId, what string, err error) {
	text := what + ": done"
	var refused *acp.RequestError
	if errors.As(err, &refused) {
		data, _ := refused.Data.(map[string]any)
		text = fmt.Sprintf("%s: %d %v %s", what, refused.Code, data["source"], refused.Message)
	} else if err != nil {
		text = fmt.Sprintf("%s: %v", what, err)
	}
	if err := a.conn.SessionUpdate(ctx, acp.SessionNotification{SessionId: id, Update: acp.UpdateAgentMessageText(text)}); err != nil {
		fmt.Fprintln(os.Stderr, "goagent:", err)
		os.Exit(1)
	}
}
