//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bobproxy/lab/retrybudget"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// station is a proxy without a wire: what its control socket shows and takes.
type station struct {
	instance, dir string
	server        *control.Server
	journal       *journal.Journal

	mu        sync.Mutex
	pending   []control.Pending
	decisions []broker.Decision
}

func (s *station) State() control.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return control.State{Instance: s.instance, PID: os.Getpid(), Started: noon, Pending: append([]control.Pending(nil), s.pending...)}
}

func (s *station) Pending(request string) (control.Pending, bool) {
	for _, p := range s.State().Pending {
		if p.Request == request {
			return p, true
		}
	}
	return control.Pending{}, false
}

func (s *station) Watch(buffer int) (control.State, []journal.Event, *journal.Watcher) {
	events, w := s.journal.Watch(buffer)
	return s.State(), events, w
}

func (s *station) Body(uint64) ([]byte, bool) { return nil, false }

func (s *station) Disk(context.Context, string) ([]control.OnDisk, bool) { return nil, true }

func (s *station) Decide(d broker.Decision) broker.Ruling {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.decisions = append(s.decisions, d)
	if len(s.pending) == 0 {
		return broker.Ruling{Result: broker.TooLate, By: broker.ByCommand, Option: "yes", Kind: "allow_once"}
	}
	s.pending = nil
	return broker.Ruling{Result: broker.Applied, Option: "yes", Kind: "allow_once"}
}

// ask opens a permission request.
func (s *station) ask() {
	p := office().states[1].Pending[0]
	p.Instance, p.Request = s.instance, s.instance+":5"
	s.mu.Lock()
	s.pending = []control.Pending{p}
	s.mu.Unlock()
	s.journal.Note(journal.Event{Type: journal.OpenedEvent, Decision: &journal.Decision{Request: p.Request}})
}

// standUp starts one in dir; one that is not served accepts nobody, as a
// stopped process does not.
func standUp(t *testing.T, dir, instance string, served bool) *station {
	t.Helper()
	server, err := control.Listen(control.Options{
		Instance: instance, Lookup: inDir(dir), Answers: "all", Tree: func() int { return 1 << 30 }, // nobody's parent
	})
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.New(journal.Options{Instance: instance, Off: true})
	if err != nil {
		t.Fatal(err)
	}
	s := &station{instance: instance, dir: dir, server: server, journal: j}
	var done sync.WaitGroup
	if served {
		done.Go(func() { server.Serve(s) })
	}
	t.Cleanup(func() {
		j.Close(0)
		server.Close()
		done.Wait()
	})
	return s
}

func inDir(dir string) func(string) (string, bool) {
	return func(name string) (string, bool) { return dir, name == "XDG_RUNTIME_DIR" }
}

// shortDir is a folder whose path leaves room for a socket's.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "bp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// ours are the proxies in one folder: others may run on this machine.
type ours struct {
	running
	dir string
}

func (o ours) find() (list []endpoint, troubles []trouble) {
	all, _ := o.running.find()
	for _, e := range all {
		if strings.HasPrefix(e.path, o.dir) {
			list = append(list, e)
		}
	}
	return list, nil
}

// state gives a proxy that answers all the time that a slow machine takes.
func (o ours) state(ctx context.Context, e endpoint) (control.State, error) {
	if e.instance != "stop1" {
		slow, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		ctx = slow
	}
	return o.running.state(ctx, e)
}

// local runs one command line in this process against the proxies in dir.
func local(t *testing.T, dir string, args ...string) (out, errs string, code int) {
	t.Helper()
	return localUntil(t.Context(), dir, args...)
}

func localUntil(ctx context.Context, dir string, args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	r := &remote{proxies: ours{running{inDir(dir)}, dir}, now: func() time.Time { return noon }, out: &o, err: &e, width: 100}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	code = r.command(ctx, args[0], args[1:])
	return o.String(), e.String(), code
}

func TestThroughTheSocket(t *testing.T) {
	dir := shortDir(t)
	if out, errs, code := local(t, dir, "ps"); code != exitDone || !strings.HasPrefix(out, "no proxy is running") || errs != "" {
		t.Errorf("exit status %d, stdout %q, stderr %q", code, out, errs)
	}
	s := standUp(t, dir, "live1", true)
	if out, _, _ := local(t, dir, "ps", "--json"); !strings.Contains(out, `{"proxies":[{"instance":"live1",`) {
		t.Errorf("ps prints %s", out)
	}
	s.ask()
	if out, _, code := local(t, dir, "pending"); code != exitDone || !strings.Contains(out, "\nREQ      live1:5 ") {
		t.Errorf("exit status %d, pending prints %s", code, out)
	}
	if _, errs, code := local(t, dir, "approve", "live1:5", "--digest", digestA); code != exitDone || errs != "" {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
	if _, errs, code := local(t, dir, "deny", "live1:5"); code != exitTooLate || !strings.HasPrefix(errs, "bobproxy: another command answered live1:5 first") {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.decisions[0]
	if d.Peer == nil || d.Peer.PID != os.Getpid() {
		t.Errorf("it came from %+v", d.Peer)
	}
	d.Peer = nil
	if want := (broker.Decision{Request: "live1:5", Digest: digestA, Option: "yes", Number: 1, By: broker.ByCommand}); d != want {
		t.Errorf("got %+v, want %+v", d, want)
	}
	s.server.Close()
	if _, errs, code := local(t, dir, "deny", "live1:5"); code != exitUnknown {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
}

func TestWaitThroughTheSocket(t *testing.T) {
	dir := shortDir(t)
	out := make(chan string)
	go func() {
		text, errs, code := local(t, dir, "pending", "--json", "--wait")
		out <- fmt.Sprint(text, errs, code)
	}()
	s := standUp(t, dir, "late1", true) // before or after the waiting has begun
	until(t, "somebody to watch", func() bool { return watchers(t, s) > 0 })
	s.ask()
	if got := <-out; !strings.HasPrefix(got, `{"pending":[{"request":"late1:5",`) || !strings.HasSuffix(got, "]}\n0") {
		t.Errorf("got %s", got)
	}
}

// watchers asks s how many there are.
func watchers(t *testing.T, s *station) int {
	t.Helper()
	out, _, _ := local(t, s.dir, "ps", "--json")
	var doc psDocument
	if err := json.Unmarshal([]byte(out), &doc); err != nil || len(doc.Proxies) != 1 {
		t.Fatalf("ps prints %s", out)
	}
	return doc.Proxies[0].Watchers
}

// A socket that nobody serves does not keep anybody waiting for long.
func TestStoppedProxyThroughTheSocket(t *testing.T) {
	dir := shortDir(t)
	standUp(t, dir, "stop1", false)
	standUp(t, dir, "live1", true).ask()
	out, errs, code := local(t, dir, "ps")
	if code != exitDone || !strings.Contains(out, "\nlive1 ") || errs != "bobproxy: proxy stop1 did not answer within 2s; it may be stopped or overloaded\n" {
		t.Errorf("exit status %d, stdout %q, stderr %q", code, out, errs)
	}
	if _, errs, code := local(t, dir, "approve", "live1:5"); code != exitDone {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
}

// The command as it is: what it prints, how it exits, and that a signal ends it.
func TestCommandsAsProcesses(t *testing.T) {
	dir := shortDir(t)
	s := standUp(t, dir, "live1", true)
	command := func(args ...string) *process {
		p := prepare(t, args...)
		p.Env = append(p.Env, "XDG_RUNTIME_DIR="+dir)
		p.begin()
		return p
	}
	p := command("pending", "--wait=1h", "--json")
	until(t, "it to watch", func() bool { return watchers(t, s) > 0 || !alive(fmt.Sprint(p.Process.Pid)) })
	p.Process.Signal(syscall.SIGINT)
	switch rest, code := p.finish(); {
	case code == exitDone:
		t.Log("what a signal does to somebody who waits is not tested: another proxy on this machine asks something")
	case code != 130 || rest != "":
		t.Errorf("after SIGINT: exit status %d, stdout %q", code, rest)
	}
	s.ask()
	p = command("approve", "--json", "live1:5")
	if rest, code := p.finish(); code != exitDone || rest != `{"request":"live1:5","result":"applied","optionId":"yes","kind":"allow_once","digest":"`+digestA+"\"}\n" {
		t.Errorf("exit status %d, stdout %q, stderr %s", code, rest, p.errs)
	}
	p = command("deny", "live1:5", "--json")
	if rest, code := p.finish(); code != exitTooLate || rest != "" || !strings.HasPrefix(p.errs.String(), `{"error":{"code":"too_late"`) {
		t.Errorf("exit status %d, stdout %q, stderr %s", code, rest, p.errs)
	}
	p = command("--pipe", "ps")
	if rest, code := p.finish(); code != exitUsage || rest != "" {
		t.Errorf("exit status %d, stdout %q", code, rest)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full:", err)
	}
	defer full.Close()
	p = prepare(t, "ps")
	p.Env, p.Stdout = append(p.Env, "XDG_RUNTIME_DIR="+filepath.Clean(dir)), full
	p.begin()
	if code := p.exit(); code != 125 || !strings.Contains(p.errs.String(), "bobproxy: writing the result: ") {
		t.Errorf("on a full disk: exit status %d, stderr %s", code, p.errs)
	}
}

// Somebody at another terminal approves what the agent asks for, one request
// after the other, and the repair succeeds although the editor answers nothing.
func TestApprovedFromElsewhere(t *testing.T) {
	dir, exercise := shortDir(t), filepath.Join(t.TempDir(), "retrybudget")
	if err := retrybudget.Materialise(exercise); err != nil {
		t.Fatal(err)
	}
	p := prepare(t, "lab", "editor", "--cwd", exercise, "--allow", "none", "--pace", "0s", "--",
		"bobproxy", "run", "--answer-cli", "all", "--", "bobproxy", "lab", "agent", "--pace", "0s")
	p.Env = append(p.Env, "XDG_RUNTIME_DIR="+dir)
	p.begin()
	ctx, over := context.WithCancel(t.Context())
	ended := make(chan int)
	go func() {
		rest, code := p.finish()
		over()
		if code != exitDone {
			t.Errorf("the editor ended with %d: %s%s", code, rest, p.errs)
		}
		ended <- code
	}()
	approved := 0
	for {
		out, _, code := localUntil(ctx, dir, "pending", "--wait", "--json")
		if code != exitDone {
			break
		}
		var doc pendingDocument
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatal(err)
		}
		for _, o := range doc.Pending {
			if _, errs, code := local(t, dir, "approve", o.Request, "--digest", o.Digest); code != exitDone {
				t.Fatalf("exit status %d: %s", code, errs)
			}
			approved++
		}
	}
	<-ended
	if approved < 2 || strings.Count(p.recording(), `"by":"command"`) != approved {
		t.Errorf("%d were approved, and the recording says:\n%s", approved, clip(p.recording()))
	}
	check := exec.Command(filepath.Join(exercise, retrybudget.Verify))
	check.Dir = exercise
	if out, err := check.CombinedOutput(); err != nil || !strings.Contains(string(out), retrybudget.Verified) {
		t.Errorf("the program is not repaired: %v\n%s", err, out)
	}
}
