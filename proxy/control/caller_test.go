//go:build linux

package control_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
	"bobproxy/proxy/keeper"

	"github.com/creack/pty"
)

// ask runs a client in a process of its own, with a terminal or without.
func ask(t *testing.T, p *proxy, as broker.By, request string, terminal bool) (report, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], answerArg, p.Path(), string(as), request)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var name string
	if terminal {
		master, tty, err := pty.Open()
		must(t, err)
		defer master.Close()
		defer tty.Close()
		name, cmd.Stdin, cmd.SysProcAttr.Setctty = tty.Name(), tty, true
	}
	out, err := cmd.Output()
	must(t, err)
	return parse(t, string(out)), name
}

func parse(t *testing.T, line string) report {
	t.Helper()
	var r report
	if err := json.Unmarshal([]byte(line), &r); err != nil || r.Err != "" {
		t.Fatalf("%v in %q", err, line)
	}
	return r
}

func TestWhoMayAnswer(t *testing.T) {
	for _, tt := range []struct {
		name     string
		answers  string
		as       broker.By
		terminal bool
		want     string
		why      string
	}{
		{"command with a terminal", "", broker.ByCommand, true, "all", ""},
		{"command without", "", broker.ByCommand, false, "deny-only", "without a terminal may only reject"},
		{"panel with a terminal", "", broker.ByPanel, true, "all", ""},
		{"panel without", "", broker.ByPanel, false, "none", "a panel without a terminal"},
		{"all, no terminal", "all", broker.ByCommand, false, "all", ""},
		{"all does not help a panel", "all", broker.ByPanel, false, "none", "a panel without a terminal"},
		{"deny-only, terminal", "deny-only", broker.ByCommand, true, "deny-only", "answer-cli = deny-only"},
		{"deny-only, no terminal", "deny-only", broker.ByCommand, false, "deny-only", "answer-cli = deny-only"},
		{"deny-only is for commands", "deny-only", broker.ByPanel, true, "all", ""},
		{"off", "off", broker.ByCommand, true, "none", "answer-cli = off"},
		{"off is for commands", "off", broker.ByPanel, true, "all", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := run(t, func(o *control.Options) { o.Answers = tt.answers })
			r, tty := ask(t, p, tt.as, p.open(1), tt.terminal)
			if r.Greeting.Answers != tt.want || !strings.Contains(r.Greeting.Why, tt.why) || (r.Greeting.Why == "") != (tt.why == "") {
				t.Errorf("greeting %+v, want %s and %q", r.Greeting, tt.want, tt.why)
			}
			if !r.Watched {
				t.Error("it may not watch")
			}
			if tt.want == "none" {
				if r.Ruling.Result != broker.Refused || r.Ruling.Text != r.Greeting.Why || len(p.decisions()) > 0 {
					t.Errorf("ruling %+v, asked %v", r.Ruling, p.decisions())
				}
				return
			}
			if r.Ruling.Result != broker.Applied || len(p.decisions()) != 1 {
				t.Fatalf("ruling %+v, asked %v", r.Ruling, p.decisions())
			}
			d := p.decisions()[0]
			if d.By != tt.as || d.DenyOnly != (tt.want == "deny-only") {
				t.Errorf("the proxy was told %+v", d)
			}
			if exe, _ := os.Executable(); d.Peer.TTY != tty || d.Peer.Exe != exe || d.Peer.PID == os.Getpid() {
				t.Errorf("peer %+v, want %s on %q", d.Peer, exe, tty)
			}
		})
	}
}

// agent starts a shell script below a keeper, as an agent is.
func agent(t *testing.T, script string) (root int, in io.Writer, out *bufio.Reader) {
	t.Helper()
	inRead, inWrite, err := os.Pipe()
	must(t, err)
	outRead, outWrite, err := os.Pipe()
	must(t, err)
	a, err := keeper.Start(keeper.Spec{
		Path: "/bin/sh", Argv: []string{"sh", "-c", script}, Env: os.Environ(),
		Stdin: inRead, Stdout: outWrite, Stderr: os.Stderr,
	})
	must(t, err)
	inRead.Close()
	outWrite.Close()
	t.Cleanup(func() {
		a.Kill()
		wait(t, "the end of the tree", a.Gone())
		inWrite.Close()
		outRead.Close()
	})
	return a.Root(), inWrite, bufio.NewReader(outRead)
}

// Nothing below the agent answers, however it was started and whatever it says
// it is; all of it may watch.
func TestAgentsOwnProcesses(t *testing.T) {
	for _, tt := range []struct{ name, script string }{
		{"the agent itself", `read go; exec "$@"`},
		{"its child", `read go; "$@"; :`},
		{"one of its own session", `read go; setsid "$@"; :`},
		{"an orphan of its own session", `read go; (setsid sh -c 'while [ $(cut -d" " -f4 /proc/$$/stat) = '$$' ]; do :; done; exec "$@"' sh "$@" &); exec sleep 1000`},
	} {
		for _, as := range []broker.By{broker.ByCommand, broker.ByPanel} {
			t.Run(tt.name+" as "+string(as), func(t *testing.T) {
				var root atomic.Int64
				type turned struct {
					who     journal.Peer
					request string
				}
				refused := make(chan turned, 4)
				p := run(t, func(o *control.Options) {
					o.Tree = func() int { return int(root.Load()) }
					o.Refused = func(who journal.Peer, request, why string) { refused <- turned{who, request} }
				})
				request := p.open(1)
				script := fmt.Sprintf("set -- '%s' %s '%s' %s %s; %s", os.Args[0], answerArg, p.Path(), as, request, tt.script)
				id, in, out := agent(t, script)
				root.Store(int64(id))
				io.WriteString(in, "go\n")
				r := parse(t, readLine(t, out))
				if r.Ruling.Result != broker.Refused || r.Greeting.Answers != "none" || !strings.Contains(r.Ruling.Text, "is below the agent") {
					t.Errorf("%+v", r)
				}
				if !r.Watched {
					t.Error("it may not watch")
				}
				if got := wait(t, "word of it", refused); got.request != request || got.who.PID == 0 {
					t.Errorf("told %+v", got)
				}
				if asked := p.decisions(); len(asked) > 0 {
					t.Errorf("the proxy was asked: %+v", asked)
				}
				if r, _ := ask(t, p, broker.ByCommand, request, false); r.Ruling.Result != broker.Applied {
					t.Errorf("one that is not below the agent: %+v", r)
				}
			})
		}
	}
}

// A terminal that the agent has made for itself does not help it.
func TestAgentWithATerminal(t *testing.T) {
	p := run(t, func(o *control.Options) { o.Tree = os.Getpid })
	r, _ := ask(t, p, broker.ByPanel, p.open(1), true)
	if r.Ruling.Result != broker.Refused || !strings.Contains(r.Ruling.Text, "is below the agent") {
		t.Errorf("%+v", r)
	}
}

func TestUnknownTree(t *testing.T) {
	for name, tree := range map[string]func() int{"unset": nil, "not started": func() int { return 0 }} {
		t.Run(name, func(t *testing.T) {
			p := run(t, func(o *control.Options) { o.Tree = tree })
			r, _ := ask(t, p, broker.ByCommand, p.open(1), true)
			if !r.Watched || r.Ruling.Result != broker.Refused || !strings.Contains(r.Ruling.Text, "cannot be told whether") {
				t.Errorf("%+v", r)
			}
		})
	}
}

const hello, decide = `{"jsonrpc":"2.0","id":1,"method":"hello","params":{"as":"command"}}`, `{"jsonrpc":"2.0","id":2,"method":"decide","params":{"request":"test1:1","option":"yes"}}`

func pass(args []string) int {
	conn, err := net.Dial("unix", args[0])
	if err != nil {
		fmt.Println(err)
		return 1
	}
	file, _ := conn.(*net.UnixConn).File()
	alive, _, _ := os.Pipe()
	cmd := exec.Command(os.Args[0], heirArg)
	cmd.Stdout, cmd.ExtraFiles = os.Stdout, []*os.File{file, alive}
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
	}
	return 0
}

func inherit() int {
	conn, parent := os.NewFile(3, "connection"), os.NewFile(4, "parent")
	io.Copy(io.Discard, parent) // until it has ended
	fmt.Fprintln(conn, hello)
	fmt.Fprintln(conn, decide)
	in := bufio.NewReader(conn)
	in.ReadString('\n')
	answer, _ := in.ReadString('\n')
	fmt.Print(answer)
	return 0
}

// Who connects and ends leaves its number to others, not its rights.
func TestConnectionOfAProcessThatHasEnded(t *testing.T) {
	p := run(t, nil)
	p.open(1)
	cmd := exec.Command(os.Args[0], passArg, p.Path())
	out, err := cmd.StdoutPipe()
	must(t, err, cmd.Start())
	line := readLine(t, bufio.NewReader(out))
	cmd.Wait()
	if !strings.Contains(line, `"result":"refused"`) || len(p.decisions()) > 0 {
		t.Errorf("%s; asked %v", line, p.decisions())
	}
}
