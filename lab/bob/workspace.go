package bob

import (
	"fmt"
	"os"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/terminal"
	"bobproxy/lab/wire"
)

// outputLimit is how much of a command's output Bob wants to see.
const outputLimit = 64 << 10

// read returns the text of a file, through the client if it offers that.
func (t *turn) read(path string) (string, error) {
	if !t.client.FS.ReadTextFile {
		text, err := os.ReadFile(path)
		return string(text), err
	}
	var file wire.FileResult
	err := t.call(acp.MethodReadTextFile, wire.FileParams{SessionID: t.s.id, Path: path}, &file)
	return file.Content, err
}

// write replaces the text of a file, through the client if it offers that.
func (t *turn) write(path, text string) error {
	if !t.client.FS.WriteTextFile {
		return os.WriteFile(path, []byte(text), 0o644)
	}
	return t.call(acp.MethodWriteTextFile, wire.FileParams{SessionID: t.s.id, Path: path, Content: &text}, nil)
}

// run runs a command in the session's directory, in a terminal of the client if
// it offers them. It calls started with what to show of it meanwhile.
func (t *turn) run(command string, started func(...wire.ToolContent)) (output string, code int, err error) {
	if t.client.Terminal {
		return t.runThere(command, started)
	}
	started()
	term, err := terminal.Start(t.ctx, terminal.Command{Path: command, Dir: t.cwd, Limit: outputLimit})
	if err != nil {
		return "", 0, err
	}
	// The context kills the command, so this ends in any case.
	exit, err := term.Wait(t.life)
	if err == nil {
		err = t.ctx.Err()
	}
	output, _ = term.Output()
	return output, exit.Code, err
}

func (t *turn) runThere(command string, started func(...wire.ToolContent)) (string, int, error) {
	limit := outputLimit
	var made wire.TerminalResult
	err := t.call(acp.MethodTerminalCreate, wire.TerminalParams{
		SessionID: t.s.id, Command: command, Cwd: &t.cwd, OutputByteLimit: &limit,
	}, &made)
	if err != nil {
		return "", 0, err
	}
	it := wire.TerminalParams{SessionID: t.s.id, TerminalID: made.TerminalID}
	defer t.release(it)
	started(wire.ToolTerminal(made.TerminalID))

	var exit wire.ExitStatus
	if err := t.call(acp.MethodTerminalWaitForExit, it, &exit); err != nil {
		return "", 0, err
	}
	var out wire.OutputResult
	if err := t.call(acp.MethodTerminalOutput, it, &out); err != nil {
		return "", 0, err
	}
	if exit.ExitCode == nil {
		return out.Output, 0, fmt.Errorf("%s was ended by a signal", command)
	}
	return out.Output, *exit.ExitCode, nil
}

// release frees a terminal, which kills what still runs in it. It does not
// wait: the turn may be over.
func (t *turn) release(it wire.TerminalParams) {
	_, _ = t.conn.DispatchCall(t.life, acp.MethodTerminalRelease, it, jsonrpc2.PickID(t.nextID()))
}
