//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// site is a running proxy, its agent that obeys, the test as its editor, and a
// runtime directory of its own.
type site struct {
	*process
	run string // the runtime directory
}

// operate starts a proxy in run, which is made where it is empty.
func operate(t *testing.T, run string, flags ...string) *site {
	t.Helper()
	return operateFor(t, run, []string{"peer", "obey"}, flags...)
}

func operateFor(t *testing.T, run string, agent []string, flags ...string) *site {
	t.Helper()
	if run == "" {
		run = shortDir(t)
	}
	p := prepare(t, slices.Concat([]string{"run"}, flags, []string{"--"}, agent)...)
	p.Env = append(p.Env, "XDG_RUNTIME_DIR="+run, "TMPDIR=")
	p.begin()
	return &site{p, run}
}

// socket waits until the proxy listens at its own and gives that path; it is the
// only one there.
func (s *site) socket() (path string) {
	s.t.Helper()
	until(s.t, "a socket", func() bool {
		found, _ := filepath.Glob(filepath.Join(s.run, "bobproxy", "*.sock"))
		if len(found) == 0 {
			return false
		}
		path = found[0]
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return path
}

func (s *site) instance() string {
	return strings.TrimSuffix(filepath.Base(s.socket()), ".sock")
}

// asks has the agent ask for a permission and gives the request's name.
func (s *site) asks(number int, id, title string) string {
	s.t.Helper()
	s.send("ask " + id + " " + title + "\n")
	s.expect(permit(id, title))
	return fmt.Sprintf("%s:%d", s.instance(), number)
}

// agentHears checks what the agent hears next, and that the editor's dialog is
// taken away before or after that.
func (s *site) agentHears(id, option string) {
	s.t.Helper()
	s.agentHearsLine(id, strings.TrimSuffix(permitted(id, option), "\n"))
}

func (s *site) agentHearsLine(id, line string) {
	s.t.Helper()
	got := []string{s.line(), s.line()}
	slices.Sort(got)
	want := []string{"heard " + line + "\n", withdrawal(id)}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		s.t.Errorf("the editor reads %q, want %q", got, want)
	}
}

// names are the instances in s.run: the commands see other proxies on this
// machine as well.
func (s *site) names() (all []string) {
	found, _ := filepath.Glob(filepath.Join(s.run, "bobproxy", "*.sock"))
	for _, path := range found {
		all = append(all, strings.TrimSuffix(filepath.Base(path), ".sock"))
	}
	return all
}

// pending are the requests that wait in s.run, as a command lists them.
func (s *site) pending() (list []control.Pending) {
	s.t.Helper()
	var doc pendingDocument
	s.elsewhere("pending", "--json").decode(s.t, &doc)
	names := s.names()
	return slices.DeleteFunc(doc.Pending, func(p control.Pending) bool { return !slices.Contains(names, p.Instance) })
}

// pids are the proxies in s.run, the same way.
func (s *site) pids() (list []int) {
	s.t.Helper()
	var doc psDocument
	s.elsewhere("ps", "--json").decode(s.t, &doc)
	names := s.names()
	for _, p := range doc.Proxies {
		if slices.Contains(names, p.Instance) {
			list = append(list, p.PID)
		}
	}
	return list
}

// said is what a command came to.
type said struct {
	out, errs string
	code      int
}

// elsewhere runs a command line in a process that has no terminal and sees what
// runs in s.run.
func (s *site) elsewhere(args ...string) said {
	s.t.Helper()
	p := s.command(args...)
	p.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // whatever terminal the tests run on
	p.begin()
	rest, code := p.finish()
	return said{rest, p.errs.String(), code}
}

// atTerminal does the same in one that has.
func (s *site) atTerminal(args ...string) said {
	s.t.Helper()
	p := s.command(args...)
	p.Stdout, p.Stderr = &output{}, p.errs
	onTerminal(s.t, p)
	code := p.exit()
	return said{p.Stdout.(*output).String(), p.errs.String(), code}
}

func (s *site) command(args ...string) *process {
	p := prepare(s.t, args...)
	p.Env = append(p.Env, "XDG_RUNTIME_DIR="+s.run, "TMPDIR=")
	return p
}

// comes checks a command's exit status and what its output, either one, has in it.
func (s said) comes(t *testing.T, code int, words ...string) {
	t.Helper()
	if s.code != code {
		t.Errorf("exit status %d, want %d; stdout %q, stderr %q", s.code, code, s.out, s.errs)
	}
	for _, word := range words {
		if !strings.Contains(s.out+s.errs, word) {
			t.Errorf("%q is not in stdout %q, stderr %q", word, s.out, s.errs)
		}
	}
}

// decode reads a document, of a command that has done what it was to do.
func (s said) decode(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(s.out), into); err != nil || s.code != exitDone {
		t.Fatalf("exit status %d, stdout %q, stderr %q: %v", s.code, s.out, s.errs, err)
	}
}

// decided are the decisions in the recording of a proxy that has ended.
func (s *site) decided() (all []journal.Decision) {
	s.t.Helper()
	for _, e := range s.events() {
		if e.Type == journal.DecisionEvent {
			all = append(all, *e.Decision)
		}
	}
	return all
}

func (s *site) ends() {
	s.t.Helper()
	if rest, code := s.finish(); rest != "" || code != 0 || s.errs.String() != "" {
		s.t.Errorf("exit status %d, rest %q, stderr %q", code, rest, s.errs)
	}
}

// Each way in which a request can end, as the commands tell it.
func TestAnsweringARunningProxy(t *testing.T) {
	t.Parallel()
	s := operate(t, "")
	req := s.asks(1, "7", "one")
	s.elsewhere("approve", req).comes(t, exitRefused, "a command without a terminal may only reject, unless the proxy was started with answer-cli = all; allow it in the editor\n")
	s.atTerminal("approve", req).comes(t, exitDone, "approved "+req, "allow_once")
	s.agentHears("7", "yes")
	s.atTerminal("approve", req).comes(t, exitTooLate, "another command answered "+req+" first", "allow_once")
	s.elsewhere("deny", req, "--json").comes(t, exitTooLate, `{"error":{"code":"too_late"`, `"by":"command"`, `"optionId":"yes"`)

	req = s.asks(2, `"s-8"`, "two")
	s.elsewhere("deny", req, "--json").comes(t, exitDone, `{"request":"`+req+`","result":"applied","optionId":"no","kind":"reject_once","digest":"`)
	s.agentHears(`"s-8"`, "no")

	req = s.asks(3, "9", "three")
	s.atTerminal("answer", req, "--option", "ever").comes(t, exitRefused, "--standing")
	s.atTerminal("answer", req, "--option", "never").comes(t, exitRefused, "no option")
	s.atTerminal("answer", req, "--option", "ever", "--standing").comes(t, exitDone, "allow_always")
	s.agentHears("9", "ever")

	req = s.asks(4, "10", "four")
	s.send(permitted("10", "no"))
	s.expect("heard " + permitted("10", "no"))
	s.atTerminal("approve", req).comes(t, exitTooLate, "the editor answered "+req+" first")

	req = s.asks(5, "11", "five")
	s.send("say " + withdrawal("11"))
	s.expect(withdrawal("11"))
	s.atTerminal("approve", req).comes(t, exitExpired, "the agent has withdrawn")
	s.send(permitted("11", "no"))
	s.expect("heard " + permitted("11", "no"))

	instance := s.instance()
	s.elsewhere("deny", instance+":99").comes(t, exitUnknown)
	s.elsewhere("deny", "none1:1", "--json").comes(t, exitUnknown, `{"error":{"code":"`)
	s.elsewhere("deny", "1").comes(t, exitUsage)
	if list := s.pending(); len(list) > 0 {
		t.Errorf("pending lists %+v", list)
	}
	if waited := s.elsewhere("pending", "--wait=10ms", "--json"); waited.code == exitDone {
		t.Log("waiting in vain is not tested: another proxy on this machine asks something")
	} else {
		waited.comes(t, exitWaited, `{"error":{"code":"waited"`)
	}
	s.elsewhere("config", "--json").comes(t, exitDone, "permission-timeout")

	s.finish()
	var by []string
	for _, d := range s.decided() {
		by = append(by, d.By)
		if d.By != "command" {
			continue
		}
		if d.Peer == nil || d.Peer.PID <= 0 || d.Peer.Exe == "" || (d.Peer.TTY == "") != (d.OptionID == "no") {
			t.Errorf("%+v came from %+v", d, d.Peer)
		}
		if d.Peer != nil && d.Peer.TTY != "" && !strings.HasPrefix(d.Peer.TTY, "/dev/pts/") {
			t.Errorf("its terminal is %q", d.Peer.TTY)
		}
	}
	if got := strings.Join(by, " "); !strings.HasPrefix(got, "command command command editor agent") {
		t.Errorf("the recording says that %s decided", got)
	}
}

// One whose time has run out is told as such, and the agent has its refusal.
func TestAnsweringTooLate(t *testing.T) {
	t.Parallel()
	s := operate(t, "", "--permission-timeout", "1ms")
	req := s.asks(1, "7", "one")
	s.agentHears("7", "no")
	s.atTerminal("approve", req).comes(t, exitExpired, "ran out of time")
	s.elsewhere("deny", req, "--json").comes(t, exitExpired, `"by":"timeout"`, `"code":"expired"`)
	s.ends()
}

// The documents for scripts have the members that scripts count on.
func TestDocumentsOfARunningProxy(t *testing.T) {
	t.Parallel()
	s := operate(t, "")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/tmp","mcpServers":[]}}` + "\n")
	s.line()
	s.send(`say {"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}` + "\n")
	s.line()
	req := s.asks(1, "7", "make it")
	members := func(doc string, path ...string) []string {
		t.Helper()
		var v any
		if err := json.Unmarshal([]byte(doc), &v); err != nil {
			t.Fatalf("%v: %s", err, doc)
		}
		for _, name := range path {
			v = v.(map[string]any)[name]
			if list, ok := v.([]any); ok {
				v = list[max(0, slices.IndexFunc(list, func(v any) bool { return v.(map[string]any)["instance"] == s.instance() }))]
			}
		}
		var names []string
		for name, member := range v.(map[string]any) {
			if names = append(names, name); member == nil {
				t.Errorf("%s is null in %s", name, doc)
			}
		}
		slices.Sort(names)
		return names
	}
	has := func(got []string, want ...string) {
		t.Helper()
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("there is no %s in %q", name, got)
			}
		}
	}
	pending := s.elsewhere("pending", "--json")
	pending.comes(t, exitDone, `"request":"`+req+`"`, `"title":"make it"`, `"input":{"command":"make"}`)
	has(members(pending.out, "pending"), "request", "digest", "instance", "session", "id", "title", "kind", "verdict", "input", "deadline", "options")
	has(members(pending.out, "pending", "verdict"), "level", "paths", "text")
	has(members(pending.out, "pending", "options"), "number", "optionId", "name", "kind")
	ps := s.elsewhere("ps", "--json")
	ps.comes(t, exitDone, `"pending":1`, `"state":"waiting"`, `"bounds":"enforce"`, `"timeout":"2m0s"`)
	has(members(ps.out, "proxies"), "instance", "pid", "command", "cwd", "started", "client", "agent", "sessions", "pending", "recording", "bounds", "timeout")
	has(members(ps.out, "proxies", "sessions"), "id", "title", "cwd", "state")
	for _, doc := range []string{pending.out, ps.out} {
		if strings.Count(doc, "\n") != 1 {
			t.Errorf("not one line: %q", doc)
		}
	}
}

// Who may answer with what.
func TestWhoMayAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		setting                       string
		approve, deny, approveAt, end int // exit statuses; At: with a terminal
	}{
		{"", exitRefused, exitDone, exitDone, exitDone},
		{"all", exitDone, exitDone, exitDone, exitDone},
		{"deny-only", exitRefused, exitDone, exitRefused, exitDone},
		{"off", exitRefused, exitRefused, exitRefused, exitRefused},
	} {
		t.Run("answer-cli "+tt.setting, func(t *testing.T) {
			t.Parallel()
			var flags []string
			if tt.setting != "" {
				flags = []string{"--answer-cli", tt.setting}
			}
			s := operate(t, "", flags...)
			number := 0
			try := func(want int, run func(...string) said, verb string) {
				t.Helper()
				number++
				run(verb, s.asks(number, fmt.Sprint(number), "x")).comes(t, want)
			}
			try(tt.approve, s.elsewhere, "approve")
			s.settle(1, tt.approve)
			try(tt.deny, s.elsewhere, "deny")
			s.settle(2, tt.deny)
			try(tt.approveAt, s.atTerminal, "approve")
			s.settle(3, tt.approveAt)
			try(tt.end, s.atTerminal, "deny")
			s.settle(4, tt.end)
			s.ends()
		})
	}
}

// settle has the editor answer what a command could not, and reads what either
// leads to.
func (s *site) settle(number, code int) {
	s.t.Helper()
	id := fmt.Sprint(number)
	if code == exitDone {
		s.line()
		s.line()
		return
	}
	s.send(permitted(id, "no"))
	s.expect("heard " + permitted(id, "no"))
}

// What the agent starts may look and not answer, however far it has gone away
// from its parents, and the recording says that it tried.
func TestTheAgentAnswersItself(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, how string }{
		{"its child", "%s"},
		{"a grandchild in its own session", "setsid sh -c '%s'"},
		{"an orphan in its own session", `done=$(mktemp -u); mkfifo $done; setsid sh -c '(%s; echo $? >'$done') >&3 2>&1 &' 3>&1; read code <$done; rm $done; exit $code`},
		{"one with its hands off", `exec env -i PATH="$PATH" XDG_RUNTIME_DIR="$XDG_RUNTIME_DIR" %s`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := operate(t, "", "--answer-cli", "all")
			req := s.asks(1, "7", "rm -r")
			does := func(command string) (code int, out string) {
				t.Helper()
				s.send("run " + fmt.Sprintf(tt.how, command) + "\n")
				if _, err := fmt.Sscanf(s.line(), "%d %q", &code, &out); err != nil {
					t.Fatal(err)
				}
				return code, out
			}
			if code, out := does("bobproxy pending --json"); code != exitDone || !strings.Contains(out, req) {
				t.Errorf("it looks: exit status %d, %s", code, out)
			}
			for _, line := range []string{"approve " + req, "deny " + req, "answer --number 1 " + req} {
				if code, out := does("bobproxy " + line); code != exitRefused || !strings.Contains(out, "is below the agent, and such a process may watch but not answer") {
					t.Errorf("%s: exit status %d, %s", line, code, out)
				}
			}
			s.elsewhere("approve", req).comes(t, exitDone) // while others may
			s.agentHears("7", "yes")
			s.ends()
			var flagged []string
			for _, e := range s.events() {
				if e.Type == journal.FlaggedEvent && strings.Contains(e.Text, "turned away") {
					flagged = append(flagged, e.Text)
				}
			}
			if len(flagged) != 3 || !strings.Contains(flagged[0], "an answer to "+req+" was turned away: process ") || !strings.Contains(flagged[0], "is below the agent") {
				t.Errorf("flagged is %q", flagged)
			}
			if d := s.decided(); len(d) != 1 || d[0].By != "command" {
				t.Errorf("the decisions are %+v", d)
			}
		})
	}
}

// Two proxies, and each has its own requests.
func TestTwoProxies(t *testing.T) {
	t.Parallel()
	one := operate(t, "")
	first := one.asks(1, "7", "first")
	two := operate(t, one.run)
	two.send("ask 7 second\n")
	two.expect(permit("7", "second"))
	var list []control.Pending
	until(t, "both to be listed", func() bool {
		list = one.pending()
		return len(list) == 2
	})
	second := list[1].Request
	if list[0].Request != first || list[0].Title != "first" || list[1].Title != "second" || list[0].Instance == list[1].Instance {
		t.Errorf("pending lists %+v", list)
	}
	if got := one.pids(); !slices.Equal(got, []int{one.Process.Pid, two.Process.Pid}) {
		t.Errorf("ps lists %v", got)
	}
	two.elsewhere("deny", second).comes(t, exitDone)
	two.agentHears("7", "no")
	two.ends()
	one.atTerminal("approve", first).comes(t, exitDone)
	one.agentHears("7", "yes")
	one.elsewhere("deny", second).comes(t, exitUnknown)
	one.ends()
	for _, s := range []*site{one, two} {
		if d := s.decided(); len(d) != 1 {
			t.Errorf("the decisions of one are %+v", d)
		}
	}
}

// Of two people who answer at once one wins, the other is told so, and the
// agent hears one answer.
func TestTwoAnswersAtOnce(t *testing.T) {
	t.Parallel()
	s := operate(t, "", "--answer-cli", "all")
	const times = 10
	for i := range times {
		id := fmt.Sprint(100 + i)
		req := s.asks(i+1, id, "x")
		var both [2]*process
		for k, verb := range []string{"approve", "deny"} {
			both[k] = s.command(verb, req)
			both[k].begin()
		}
		options := [2]string{"yes", "no"}
		winner := -1
		for k, p := range both {
			switch rest, code := p.finish(); {
			case code == exitDone && winner < 0:
				winner = k
			case code == exitTooLate && strings.Contains(p.errs.String(), "another command answered "+req+" first"):
			default:
				t.Errorf("exit status %d, stdout %q, stderr %s", code, rest, p.errs)
			}
		}
		if winner < 0 {
			t.Fatal("nobody has won")
		}
		s.agentHears(id, options[winner])
	}
	s.ends()
	if d := s.decided(); len(d) != times {
		t.Errorf("%d decisions, want %d: %+v", len(d), times, d)
	}
}

// A panel that is killed leaves nothing behind: the editor goes on, and the next
// panel sees what waits, with the time that is left, and what was before it.
func TestPanelIsKilled(t *testing.T) {
	t.Parallel()
	s := operate(t, "")
	panel := func() (*process, glance) {
		t.Helper()
		p := s.command()
		p.Path, p.Args = filepath.Join(filepath.Dir(p.Path), "peer"), []string{"peer", "panel", s.socket()}
		p.begin()
		var g glance
		if err := json.Unmarshal([]byte(p.line()), &g); err != nil {
			t.Fatal(err)
		}
		return p, g
	}
	const before = 500
	for i := range before {
		s.send(fmt.Sprintf("say %s}\n", numbered(i)))
		s.line()
	}
	killed, g := panel()
	if g.Events < 2*before || len(g.Pending) != 0 || g.Answers != "none" {
		t.Errorf("the first panel sees %+v; want %d events and nothing to answer without a terminal", g, 2*before)
	}
	req := s.asks(1, "7", "one")
	killed.expect("opened " + req + " one\n")
	killed.Process.Kill()
	killed.exit()
	s.send("say still here\n")
	s.expect("still here\n")
	next, g := panel()
	if len(g.Pending) != 1 || g.Pending[0].Request != req || g.Pending[0].Deadline == nil {
		t.Fatalf("the next panel sees %+v", g)
	}
	if p := g.Pending[0]; p.Deadline.Sub(p.Opened).String() != "2m0s" {
		t.Errorf("opened %s, to be answered until %s", p.Opened, p.Deadline)
	}
	s.send(permitted("7", "yes"))
	s.expect("heard " + permitted("7", "yes"))
	next.expect("decided " + req + " editor\n")
	s.ends()
	next.expect("exit 0\n")
	next.expect("the proxy is ending\n")
	if left, _ := os.ReadDir(filepath.Join(s.run, "bobproxy")); len(left) > 0 {
		t.Errorf("left in the runtime directory: %v", left)
	}
}
