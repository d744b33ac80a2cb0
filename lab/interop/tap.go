package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// copies is what a tap kept: the bytes of each side and the status of its
// child, which is -1 when the tap was killed.
type copies struct {
	client, agent []byte
	status        int
}

func readCopies(folder, name string) (c copies) {
	path := filepath.Join(folder, name)
	c.client, _ = os.ReadFile(path + ".client")
	c.agent, _ = os.ReadFile(path + ".agent")
	text, err := os.ReadFile(path + ".status")
	c.status, _ = strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		c.status = -1
	}
	return c
}

func init() { runtime.LockOSThread() } // the parent death signal goes by thread

// tap runs argv in its own place: what it reads and writes, its signals and
// its exit status are the child's. Bytes are kept before they are passed on,
// since the peer may kill us when it has them. A pipe named alive is held open
// by the tap and by what it starts.
func tap(folder, name string, argv []string) int {
	status, err := tapped(filepath.Join(folder, name), filepath.Join(folder, "alive"), argv)
	if err != nil {
		fmt.Fprintf(os.Stderr, "interop tap: %v\n", err)
		return 125
	}
	return status
}

func tapped(path, alive string, argv []string) (int, error) {
	held, err := os.OpenFile(alive, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	fromClient, err := os.Create(path + ".client")
	if err != nil {
		return 0, err
	}
	fromAgent, err := os.Create(path + ".agent")
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	cmd.ExtraFiles = []*os.File{held}
	cmd.SysProcAttr = diesWithUs()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	cmd.Stdout = io.MultiWriter(fromAgent, os.Stdout)
	cmd.WaitDelay = time.Second // a child of the child may keep stdout open
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	go passSignals(signals, cmd.Process)
	go func() {
		io.Copy(stdin, io.TeeReader(os.Stdin, fromClient))
		stdin.Close()
	}()
	cmd.Wait()
	status := statusOf(cmd.ProcessState)
	return status, os.WriteFile(path+".status", []byte(strconv.Itoa(status)), 0o600)
}

func passSignals(signals <-chan os.Signal, to *os.Process) {
	for s := range signals {
		to.Signal(s)
	}
}

func statusOf(state *os.ProcessState) int {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return state.ExitCode()
}
