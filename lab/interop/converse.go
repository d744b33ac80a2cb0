package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const linger = 20 * time.Second // for what the client leaves behind to end

// outcome is what one run left.
type outcome struct {
	folder    string
	err       error
	exit      int // of the client
	output    []byte
	stderr    []byte
	workspace []byte // the file that agents of the lab repair
	editor    copies // between the client and what it started
	agent     copies // between bobproxy and the agent; empty in a direct run
	recording []byte
}

// converse runs the client until it and everything it started have ended.
func (p pair) converse(ctx context.Context, folder string, proxied bool) (o outcome, err error) {
	o.folder = folder
	work := filepath.Join(folder, "work")
	if err := p.prepare(ctx, folder, proxied); err != nil {
		return o, err
	}
	alive, err := os.OpenFile(filepath.Join(folder, "alive"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return o, err
	}
	defer alive.Close()

	client := p.directClient()
	if proxied {
		client = p.client
	}
	argv := client.command(filepath.Join(folder, "npx"))
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = work, append(p.environment(folder), client.env...)
	cmd.Stdin = strings.NewReader(client.stdin)
	// Files and no pipes, since an orphan may hold them.
	output, errOut := os.Create(filepath.Join(folder, "output"))
	words, errWords := os.Create(filepath.Join(folder, "words"))
	if err := errors.Join(errOut, errWords); err != nil {
		return o, err
	}
	defer output.Close()
	defer words.Close()
	cmd.Stdout, cmd.Stderr = output, words
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = linger
	finish, err := client.onTerminal(cmd)
	if err != nil {
		return o, err
	}
	elsewhere := p.startElsewhere(ctx, folder, proxied)
	if err = cmd.Run(); errors.As(err, new(*exec.ExitError)) && ctx.Err() == nil {
		err = nil // the code says it
	}
	o.exit = cmd.ProcessState.ExitCode()
	if err != nil || o.exit != client.exit {
		said, _ := os.ReadFile(words.Name())
		err = fmt.Errorf("client: %v; exit %d; it said: %s", err, o.exit, said[max(0, len(said)-400):])
	}

	err = errors.Join(err, elsewhere())
	finish()

	alive.SetReadDeadline(time.Now().Add(linger))
	if _, e := io.Copy(io.Discard, alive); e != nil {
		err = errors.Join(err, fmt.Errorf("processes are left %v after the client ended", linger))
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what an agent orphaned in a direct run
	o.output, _ = os.ReadFile(output.Name())
	o.stderr, _ = os.ReadFile(words.Name())
	o.editor, o.agent = readCopies(folder, "editor"), readCopies(folder, "agent")
	o.recording, _ = os.ReadFile(filepath.Join(folder, "recording.jsonl"))
	o.workspace, _ = os.ReadFile(filepath.Join(work, "retrybudget.go"))
	return o, err
}

// prepare makes the folder: a workspace, a home, and a script named npx that
// the client starts as its agent. The npm example client insists on that name.
func (p pair) prepare(ctx context.Context, folder string, proxied bool) error {
	for _, dir := range []string{"home", "runtime"} {
		if err := os.MkdirAll(filepath.Join(folder, dir), 0o700); err != nil {
			return err
		}
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "alive"), 0o600); err != nil {
		return err
	}
	exercise := exec.CommandContext(ctx, p.built("bobproxy"), "lab", "new", filepath.Join(folder, "work"))
	if out, err := exercise.CombinedOutput(); err != nil {
		return fmt.Errorf("lab new: %w: %s", err, out)
	}
	script := "#!/bin/sh\nexec " + quoted(p.agentCommand(folder, proxied)) + "\n"
	return os.WriteFile(filepath.Join(folder, "npx"), []byte(script), 0o700)
}

func (p pair) agentCommand(folder string, proxied bool) []string {
	tap := func(name string) []string { return []string{p.built("interop"), "tap", folder, name} }
	argv := tap("editor")
	if proxied {
		argv = append(argv, p.built("bobproxy"), "run", "--record", filepath.Join(folder, "recording.jsonl"))
		if p.client.killed {
			argv = append(argv, "--record-required") // only that keeps a record before its frame is passed on
		}
		if p.gate != nil {
			argv = append(argv, p.gate.flags...)
		}
		if p.replayed {
			argv = append(argv, "--bounds", "off") // a refusal is not the client's doing
		}
		argv = append(append(argv, "--"), tap("agent")...)
	}
	return append(argv, p.agent.argv...)
}

func quoted(argv []string) string {
	words := make([]string, len(argv))
	for i, arg := range argv {
		words[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	return strings.Join(words, " ")
}

// environment is ours without what would lead out of the folder.
func (p pair) environment(folder string) []string {
	env := []string{
		"HOME=" + filepath.Join(folder, "home"),
		"XDG_RUNTIME_DIR=" + filepath.Join(folder, "runtime"),
		"PATH=" + folder + ":" + os.Getenv("PATH"),
		"NO_COLOR=1",
	}
	if p.gate != nil && p.gate.script {
		env = append(env, "BOBPROXY_ANSWER_CLI=all")
	}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		switch {
		case name == "HOME", name == "PATH", strings.HasPrefix(name, "XDG_"), strings.HasPrefix(name, "BOB"):
		default:
			env = append(env, entry)
		}
	}
	return env
}
