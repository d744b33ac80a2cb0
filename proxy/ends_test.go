//go:build linux

package proxy

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bobproxy/proxy/journal"
)

// ladder is a relay in this process, with an agent that is a shell script.
type ladder struct {
	t       *testing.T
	in      *os.File // what the editor writes to
	out     *bufio.Reader
	signals chan os.Signal
	code    chan int
}

const forever = 10 * time.Minute

// patient are limits that no test reaches; each test shortens its own.
func patient() limits {
	l := defaults
	l.hello, l.idle, l.grace, l.drain = forever, forever, forever, forever
	return l
}

func script(t *testing.T, l limits, text string) *ladder {
	t.Helper()
	return recorded(t, l, text, journal.Options{Off: true})
}

func recorded(t *testing.T, l limits, text string, record journal.Options) *ladder {
	t.Helper()
	in, editorIn := pipe(t)
	editorOut, out := pipe(t)
	editorOut.SetReadDeadline(time.Now().Add(2 * time.Minute)) // whoever waits longer waits in vain
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := &ladder{t: t, in: editorIn, out: bufio.NewReader(editorOut), signals: make(chan os.Signal, 4), code: make(chan int, 1)}
	go func() {
		code, err := Run(Options{
			Path: "/bin/sh", Argv: []string{"sh", "-c", text}, Env: os.Environ(),
			Stdin: in, Stdout: out, Stderr: null, Signals: r.signals,
			Journal: record, limits: l,
		})
		if err != nil {
			t.Error(err)
		}
		out.Close() // as the end of the process does
		r.code <- code
	}()
	return r
}

func (r *ladder) send(text string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, text); err != nil {
		r.t.Fatal(err)
	}
}

func (r *ladder) expect(want string) {
	r.t.Helper()
	if got, err := r.out.ReadString('\n'); got != want+"\n" {
		r.t.Fatalf("got %q, %v; want %q", got, err, want)
	}
}

// ends waits for the end, and wants nothing but rest before it.
func (r *ladder) ends(rest string, code int) {
	r.t.Helper()
	got, err := io.ReadAll(r.out)
	if err != nil || string(got) != rest {
		r.t.Errorf("the rest is %q, %v; want %q", got, err, rest)
	}
	select {
	case got := <-r.code:
		if got != code {
			r.t.Errorf("exit code %d, want %d", got, code)
		}
	case <-time.After(time.Minute):
		r.t.Fatal("the relay does not end")
	}
}

// An agent that owes an answer when the editor has left may be silent for as
// long as it needs.
func TestOwedAnswerIsWaitedFor(t *testing.T) {
	t.Parallel()
	l := patient()
	l.idle = 10 * time.Millisecond
	r := script(t, l, `trap 'echo told to end; exit 1' TERM; cat >/dev/null; sleep 0.5 & wait; echo '{"id":1,"result":{}}'; exit 3`)
	r.send(`{"id":1,"method":"initialize"}` + "\n")
	r.in.Close()
	r.ends(`{"id":1,"result":{}}`+"\n", 3)
}

// An agent that owes nothing may still go on talking.
func TestTalkingAgentIsListenedTo(t *testing.T) {
	t.Parallel()
	l := patient()
	l.idle = 2 * time.Second
	r := script(t, l, `trap 'echo told to end; exit 1' TERM; cat >/dev/null
		for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do echo $i; sleep 0.1 & wait; done; exit 4`)
	r.in.Close()
	for i := range 25 {
		r.expect(strconv.Itoa(i + 1))
	}
	r.ends("", 4)
}

// One that has fallen silent is told to end, and killed if it does not.
func TestSilentAgentIsEnded(t *testing.T) {
	t.Parallel()
	l := patient()
	l.idle, l.grace = 10*time.Millisecond, 10*time.Millisecond
	r := script(t, l, `trap '' TERM; echo ready; while :; do sleep 0.01; done`)
	r.expect("ready")
	r.in.Close()
	r.ends("", 137)
}

func TestSecondSignalDoesNotWait(t *testing.T) {
	t.Parallel()
	r := script(t, patient(), `trap 'echo told' TERM; echo ready; while :; do sleep 0.01; done`)
	r.expect("ready")
	r.signals <- syscall.SIGTERM
	r.expect("told")
	r.signals <- syscall.SIGINT
	r.ends("", 137)
}

// A signal that comes when the agent has ended leaves a reader the time to read
// on; with another one that time is over.
func TestSignalWhileDelivering(t *testing.T) {
	t.Parallel()
	// One line without an end, so that it is delivered only when the agent has
	// ended, and more than a pipe holds.
	const text = `head -c 900000 /dev/zero; exit 5`
	r := script(t, patient(), text)
	if _, err := r.out.Peek(1); err != nil {
		t.Fatal(err)
	}
	r.signals <- syscall.SIGTERM
	if n, err := io.Copy(io.Discard, r.out); n != 900_000 || err != nil {
		t.Errorf("%d bytes arrive, %v; want 900000", n, err)
	}
	<-r.code

	r = script(t, patient(), text)
	if _, err := r.out.Peek(1); err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		select {
		case r.signals <- syscall.SIGTERM:
		case <-r.code:
			done = true
		case <-time.After(time.Minute):
			t.Fatal("the relay does not end")
		}
	}
}

// An agent that is asked and says no word of ACP is hinted at in the recording,
// and left alone.
func TestAgentThatDoesNotSpeakACP(t *testing.T) {
	t.Parallel()
	const hint = `"text":"no ACP message from the agent after 50ms`
	l := patient()
	l.hello = 50 * time.Millisecond
	file := filepath.Join(t.TempDir(), "recording")
	told := func() bool {
		text, _ := os.ReadFile(file)
		return strings.Contains(string(text), hint)
	}
	r := recorded(t, l, `echo '> '; read line; read line; echo "you said $line"; exit 2`, journal.Options{Path: file})
	r.expect("> ")
	r.send(`{"id":1,"method":"initialize"}` + "\n")
	for deadline := time.Now().Add(time.Minute); !told(); {
		if time.Now().After(deadline) {
			t.Fatal("nothing hints at an agent that does not speak ACP")
		}
		<-time.After(5 * time.Millisecond)
	}
	r.send("go\n")
	r.ends("you said go\n", 2)

	file = filepath.Join(t.TempDir(), "recording")
	r = recorded(t, l, `echo '{"method":"hello"}'; read line; sleep 0.3; exit 2`, journal.Options{Path: file})
	r.expect(`{"method":"hello"}`)
	r.send(`{"id":1,"method":"initialize"}` + "\n")
	r.ends("", 2)
	if told() {
		t.Error("an agent that speaks ACP is said not to")
	}
}

// An agent that asks for what is refused, over and over, and reads no answer, is
// held up; when it is killed then, and its stdin is still held open by what it
// left behind, the proxy ends all the same.
func TestEndsWithRefusalsNobodyReads(t *testing.T) {
	t.Parallel()
	l := patient()
	l.drain = 500 * time.Millisecond
	r := script(t, l, `exec 3<&0; sleep 1000 <&3 >/dev/null 2>&1 & echo $!; (sleep 1; kill -9 $$) &
		exec yes '{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/etc/passwd"}}'`)
	left, err := r.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(left))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	r.ends("", 137)
}
