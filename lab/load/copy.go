package load

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// copyThrough is the least that a proxy in Go can do: it starts agent and copies
// both directions until the agent ends. The copier of stdin is left to end with
// stdin or with the process.
func copyThrough(agent []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cmd := exec.Command(agent[0], agent[1:]...)
	cmd.Stderr = stderr
	// Pipes of our own even where stdin and stdout are files: handing those
	// down would leave nobody in the middle.
	in, err := cmd.StdinPipe()
	if err != nil {
		return failed(stderr, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return failed(stderr, err)
	}
	if err := cmd.Start(); err != nil {
		return failed(stderr, err)
	}
	go copyClient(in, stdin)
	_, copyErr := io.Copy(stdout, out)
	if copyErr != nil {
		out.Close() // the agent's next write fails, as ours did
	}
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode()
	}
	if err := errors.Join(copyErr, err); err != nil {
		return failed(stderr, err)
	}
	return 0
}

func copyClient(agent io.WriteCloser, stdin io.Reader) {
	io.Copy(agent, stdin)
	agent.Close()
}

func failed(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "copy:", err)
	return 125
}
