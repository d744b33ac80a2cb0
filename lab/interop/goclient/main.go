// Command goclient is a client on the Go SDK that plays one conversation with
// the agent it starts and ends it by closing its stdin:
//
//	goclient AGENT ARGS…
//
// It allows what it is asked unless INTEROP_DIALOG says otherwise, sends a frame
// that fills several pipes, and with an agent that calls itself interop cancels a
// second turn.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/coder/acp-go-sdk"
)

func main() {
	if err := start(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "goclient:", err)
		os.Exit(1)
	}
}

func start(argv []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c := new(client)
	c.conn = acp.NewClientSideConnection(c, &counted{stdin, &c.owed}, stdout)
	err = c.converse(context.Background())
	c.owed.Wait()
	stdin.Close()
	<-c.conn.Done()
	return errors.Join(err, cmd.Wait())
}

// client has little of terminals and does not offer them; the embedded interface
// is nil.
type client struct {
	acp.Client
	conn *acp.ClientSideConnection
	owed sync.WaitGroup // replies to permissions that were withdrawn
}

func (c *client) converse(ctx context.Context) error {
	hello, err := c.conn.Initialize(ctx, acp.InitializeRequest{
		ProtocolVersion:    acp.ProtocolVersionNumber,
		ClientInfo:         &acp.Implementation{Name: "goclient", Version: "1"},
		ClientCapabilities: acp.ClientCapabilities{Fs: acp.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}},
	})
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	if err := c.echo(ctx); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	session, err := c.conn.NewSession(ctx, acp.NewSessionRequest{Cwd: dir, McpServers: []acp.McpServer{}})
	if err != nil {
		return fmt.Errorf("session/new: %w", err)
	}
	if err := c.prompt(ctx, session.SessionId, "Please repair RetryBudget.", stopReason()); err != nil {
		return err
	}
	if hello.AgentInfo == nil || hello.AgentInfo.Name != "interop" {
		return nil
	}
	return c.prompt(ctx, session.SessionId, "wait", acp.StopReasonCancelled)
}

// echo sends far more than a pipe holds. An agent may not know the method.
func (c *client) echo(ctx context.Context) error {
	text := strings.Repeat("a<b> \"c\" \\ é 漢 🙂 \u2028\n", 20_000)
	reply, err := c.conn.CallExtension(ctx, "_interop/echo", map[string]string{"text": text})
	var refused *acp.RequestError
	if errors.As(err, &refused) {
		fmt.Println("echo: error", refused.Code)
		return nil
	}
	if err != nil {
		return fmt.Errorf("echo: %w", err)
	}
	var back struct{ Text string }
	if err := json.Unmarshal(reply, &back); err != nil || back.Text != text {
		return fmt.Errorf("echo came back changed: %v, %d bytes of %d", err, len(back.Text), len(text))
	}
	fmt.Println("echo: the same")
	return nil
}

func (c *client) prompt(ctx context.Context, id acp.SessionId, text string, want acp.StopReason) error {
	turn, err := c.conn.Prompt(ctx, acp.PromptRequest{SessionId: id, Prompt: []acp.ContentBlock{acp.TextBlock(text)}})
	if err != nil {
		return fmt.Errorf("session/prompt: %w", err)
	}
	if turn.StopReason != want {
		return fmt.Errorf("the turn ended with %s, not %s", turn.StopReason, want)
	}
	return nil
}

func (c *client) SessionUpdate(ctx context.Context, n acp.SessionNotification) error {
	chunk := n.Update.AgentMessageChunk
	if chunk == nil || chunk.Content.Text == nil {
		return nil
	}
	fmt.Println(chunk.Content.Text.Text)
	if chunk.Content.Text.Text == "waiting" {
		return c.conn.Cancel(ctx, acp.CancelNotification{SessionId: n.SessionId})
	}
	return nil
}

// stopReason is how the first turn is to end.
func stopReason() acp.StopReason {
	if stop := os.Getenv("INTEROP_STOP"); stop != "" {
		return acp.StopReason(stop)
	}
	return acp.StopReasonEndTurn
}

func (c *client) ReadTextFile(_ context.Context, r acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	text, err := os.ReadFile(r.Path)
	return acp.ReadTextFileResponse{Content: string(text)}, err
}

func (c *client) WriteTextFile(_ context.Context, r acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	return acp.WriteTextFileResponse{}, os.WriteFile(r.Path, []byte(r.Content), 0o644)
}

func (c *client) CreateTerminal(context.Context, acp.CreateTerminalRequest) (acp.CreateTerminalResponse, error) {
	return acp.CreateTerminalResponse{TerminalId: "none"}, nil
}
