//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// peer is the agents that the tests need and a shell is too slow or too clumsy
// for: `peer MODE ARGS…`.
func peer(args []string) int {
	switch args[0] {
	case "act": // act FILE: plays a script's agent
		return act(args[1])
	case "weak": // tells the length of each line, and gives up at one above 64 KiB
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			fmt.Println(len(lines.Bytes()))
		}
		fmt.Fprintln(os.Stderr, lines.Err())
		return 3
	case "count": // count N: that many frames, numbered, then waits for the end
		n, _ := strconv.Atoi(args[1])
		out := bufio.NewWriterSize(os.Stdout, 64<<10)
		for i := range n {
			out.Write(append(numbered(i), "}\n"...))
		}
		out.Flush()
		io.Copy(io.Discard, os.Stdin)
		return 0
	case "ask": // ask N: that many requests at once, then counts as many answers
		n, _ := strconv.Atoi(args[1])
		out := bufio.NewWriterSize(os.Stdout, 64<<10)
		for i := range n {
			out.WriteString(asks(strconv.Itoa(i), "ask"))
		}
		out.Flush()
		in := bufio.NewReader(os.Stdin)
		for i := range n {
			if got, _ := in.ReadString('\n'); got != answers(strconv.Itoa(i)) {
				return complain(fmt.Errorf("answer %d is %q", i, got))
			}
		}
		fmt.Println("all answered")
		io.Copy(io.Discard, in)
		return 0
	case "refuse": // an error for each request, whose ids count from 0
		in := bufio.NewScanner(os.Stdin)
		for i := 0; in.Scan(); i++ {
			os.Stdout.WriteString(refuses(strconv.Itoa(i)))
		}
		return 0
	case "endless": // endless N: a line of that many bytes, then every line back
		n, _ := strconv.Atoi(args[1])
		for piece := bytes.Repeat([]byte("a"), 64<<10); n > 0; n -= len(piece) {
			piece = piece[:min(n, len(piece))]
			os.Stdout.Write(piece)
		}
		os.Stdout.WriteString("\n")
		io.Copy(os.Stdout, os.Stdin)
		return 0
	case "echo": // every line back
		io.Copy(os.Stdout, os.Stdin)
		return 0
	case "env": // its arguments and environment, NUL after each
		for _, s := range append(args, os.Environ()...) {
			fmt.Printf("%s\x00", s)
		}
		return 0
	case "burst": // burst BYTES CODE: that many bytes as lines of 100, then exits at once
		n, _ := strconv.Atoi(args[1])
		code, _ := strconv.Atoi(args[2])
		os.Stdout.WriteString(strings.Repeat(strings.Repeat("x", 99)+"\n", n/100))
		return code
	case "signals": // tells of each signal, ends with QUIT
		caught := make(chan os.Signal, 16)
		signal.Notify(caught, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGQUIT)
		fmt.Println("ready", os.Getpid())
		for s := range caught {
			fmt.Println(s)
			if s == syscall.SIGQUIT {
				return 0
			}
		}
	case "chatter": // chatter BYTES: that many bytes of stderr as lines of 100, then echo
		n, _ := strconv.Atoi(args[1])
		os.Stderr.WriteString(strings.Repeat(strings.Repeat("e", 99)+"\n", n/100))
		io.Copy(os.Stdout, os.Stdin)
		return 0
	case "lastwords": // lastwords FILE: numbered lines of stderr until they are not taken any more, how many in FILE, exits
		return lastWords(args[1])
	case "editor": // editor KEEP CMD ARGS…: starts CMD and tells its first line; KEEP: a process of its own holds CMD's stdin open too
		return editorStub(args[1] == "sibling", args[2:])
	case "obey": // does what the editor's lines say
		return obey()
	case "panel": // panel PATH: watches the proxy there and tells of it, as JSON
		return watchAsPanel(args[1])
	case "late": // answers only after its stdin has ended
		in, _ := io.ReadAll(bufio.NewReader(os.Stdin))
		fmt.Printf("%d bytes\n", len(in))
		return 5
	}
	fmt.Fprintln(os.Stderr, "no such peer:", args)
	return 99
}

// editorStub is an editor that starts its agent and then does nothing.
func editorStub(sibling bool, argv []string) int {
	agent := exec.Command(argv[0], argv[1:]...)
	agent.Stderr = os.Stderr
	in, write, err := os.Pipe()
	if err != nil {
		return 98
	}
	agent.Stdin = in
	out, err := agent.StdoutPipe()
	if err != nil || agent.Start() != nil {
		return 97
	}
	in.Close()
	if sibling {
		holder := exec.Command("sleep", "1000")
		holder.ExtraFiles = []*os.File{write}
		if holder.Start() != nil {
			return 96
		}
		fmt.Print(holder.Process.Pid, " ")
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	fmt.Print(line)
	agent.Wait()
	write.Close()
	return 0
}
