//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// line is a step that is one line, and what the recording says about it.
type line struct {
	step
	record
}

// record is what a frame's record says beside its bytes, which every script
// checks.
type record struct {
	kind    acp.Kind
	method  string
	id      string // raw token
	session string
	reason  string
	form    journal.Form // 0: FrameBody
}

func (r record) String() string {
	return fmt.Sprintf("%s method %q id %s session %q reason %q form %d", r.kind, r.method, r.id, r.session, r.reason, r.form)
}

func recorded(e journal.Event) record {
	r := record{e.Kind, e.Method, string(e.ID), e.Session, e.Reason, e.Form}
	if r.form == journal.FrameBody {
		r.form = 0
	}
	return r
}

// playLines plays lines and compares their records, which are in the order in
// which the lines were said.
func playLines(t *testing.T, lines ...line) {
	t.Helper()
	var s script
	for _, l := range lines {
		s.Steps = append(s.Steps, l.step)
	}
	s.Steps = append(s.Steps, hangUp)
	got := s.play(t)
	if len(got) != len(lines) {
		t.Fatalf("%d frames are recorded, want %d", len(got), len(lines))
	}
	for i, e := range got {
		if got := recorded(e); got != lines[i].record || e.Dir != lines[i].From {
			t.Errorf("line %d %q is recorded as\n%s: %s, want\n%s: %s", i, clip(string(lines[i].Text)), e.Dir, got, lines[i].From, lines[i].record)
		}
	}
}

const (
	initialize  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`
	initialized = `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}`
)

var (
	asksInitialize    = line{fromClient(initialize + "\n"), record{kind: acp.Request, method: "initialize", id: "0"}}
	answersInitialize = line{fromAgent(initialized + "\n"), record{kind: acp.Response, method: "initialize", id: "0"}}
)

// chunk is an update of session s with text, which stands in JSON as it is.
func chunk(text string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}}}`
}

var isUpdate = record{kind: acp.Notification, method: "session/update", session: "s"}

func text(size int) string { return strings.Repeat("0123456789abcdef", size/16+1)[:size] }

// ofSize is an update of that many bytes.
func ofSize(size int) string { return chunk(text(size - len(chunk("")))) }

// No line is too long for the way, in either direction, and none harms the
// small one behind it.
func TestLongFrames(t *testing.T) {
	t.Parallel()
	var lines []line
	for _, size := range []int{65_535, 65_536, 65_537, 70_000, 131_072, 1 << 20, 1_048_577, 20 << 20} {
		lines = append(lines,
			line{fromAgent(ofSize(size) + "\n"), isUpdate},
			line{fromAgent(chunk("small") + "\n"), isUpdate},
			line{fromClient(ofSize(min(size, 2<<20)) + "\n"), isUpdate},
			line{fromClient(chunk("small") + "\n"), isUpdate},
		)
	}
	playLines(t, lines...)
}

// A large frame is read like a small one: size is no way round what looks at
// methods.
func TestLargeRequestsAreStillRead(t *testing.T) {
	t.Parallel()
	prompt := `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"image","mimeType":"image/png","data":"` + text(3<<20) + `"}]}}`
	write := `{"jsonrpc":"2.0","id":7,"params":{"content":"` + text(30<<20) + `","path":"/etc/passwd","sessionId":"s"},"method":"fs/write_text_file"}`
	read := `{"jsonrpc":"2.0","id":2,"result":{"content":"` + text(3<<20) + `"}}`
	playLines(t,
		line{fromClient(prompt + "\n"), record{kind: acp.Request, method: "session/prompt", id: "1", session: "s"}},
		line{fromAgent(write + "\n"), record{kind: acp.Request, method: "fs/write_text_file", id: "7", session: "s"}},
		line{fromClient(`{"jsonrpc":"2.0","id":7,"result":null}` + "\n"), record{kind: acp.Response, method: "fs/write_text_file", id: "7", session: "s"}},
		line{fromAgent(`{"jsonrpc":"2.0","id":2,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/x"}}` + "\n"), record{kind: acp.Request, method: "fs/read_text_file", id: "2", session: "s"}},
		line{fromClient(read + "\n"), record{kind: acp.Response, method: "fs/read_text_file", id: "2", session: "s"}},
		line{fromAgent(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}` + "\n"), record{kind: acp.Response, method: "session/prompt", id: "1", session: "s"}},
	)
}

// A long frame for one session leaves the frames of another around it alone.
func TestLongFrameBetweenSessions(t *testing.T) {
	t.Parallel()
	update := func(session, text string) line {
		frame := strings.Replace(chunk(text), `"sessionId":"s"`, `"sessionId":"`+session+`"`, 1)
		return line{fromAgent(frame + "\n"), record{kind: acp.Notification, method: "session/update", session: session}}
	}
	playLines(t, update("b", "1"), update("a", text(11<<20)), update("b", "2"), update("a", "small"), update("b", "3"))
}

// An agent that cannot take a long line fails as it would by itself: it got the
// whole line, and its status and words are its own.
func TestWeakAgentFailsByItself(t *testing.T) {
	t.Parallel()
	p := start(t, "run", "--", "peer", "weak")
	p.send(ofSize(60_000) + "\n")
	p.expect("60000\n")
	p.send(ofSize(70_000) + "\n")
	if rest, code := p.rest(), p.exit(); rest != "" || code != 3 {
		t.Errorf("rest %q, exit status %d; want nothing and 3", rest, code)
	}
	if got, want := p.errs.String(), "bufio.Scanner: token too long\n"; got != want {
		t.Errorf("stderr %q, want %q", got, want)
	}
	if got := frames(p.events()); len(got) != 3 || got[2].Bytes != 70_000 {
		t.Errorf("%d frames recorded, want 3, the last of 70000 bytes", len(got))
	}
}

// Characters cut anywhere by the writer arrive whole.
func TestOneByteAWrite(t *testing.T) {
	t.Parallel()
	frame := chunk("漢字かな交じり文 👩‍👩‍👧‍👦 é \U0001F1E9\U0001F1EA") + "\r\n"
	playLines(t,
		line{bytewise(fromAgent(frame)), isUpdate},
		line{bytewise(fromClient(frame)), isUpdate},
		line{bytewise(fromAgent("\n")), record{form: journal.RawBody}},
		line{bytewise(fromClient("no frame, ünterbrochen\n")), record{form: journal.RawBody}},
	)
}

// The CR of a CRLF is forwarded, and the frame is read all the same.
func TestCRLF(t *testing.T) {
	t.Parallel()
	playLines(t,
		line{fromClient(initialize + "\r\n"), asksInitialize.record},
		line{fromAgent(initialized + "\r\n"), answersInitialize.record},
		line{
			fromAgent(`{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[]}}` + "\r\n"),
			record{kind: acp.Request, method: "session/request_permission", id: `"p"`, session: "s"},
		},
		line{
			fromClient(`{"jsonrpc":"2.0","id":"p","result":{"outcome":{"outcome":"cancelled"}}}` + "\n"),
			record{kind: acp.Response, method: "session/request_permission", id: `"p"`, session: "s"},
		},
		line{fromAgent("\r\n"), record{form: journal.RawBody}},
		line{fromAgent(chunk("two CR") + "\r\r\n"), record{kind: acp.Ambiguous, method: "session/update", reason: "line break inside the line", form: journal.RawBody}},
		line{fromAgent("{\r\"method\":\"x\"}\n"), record{kind: acp.Ambiguous, method: "x", reason: "line break inside the line", form: journal.RawBody}},
	)
}

// An agent that leaves without a word because of a CR is still its own master.
func TestAgentThatQuitsOnCRLF(t *testing.T) {
	t.Parallel()
	p := start(t, "run", "--", "sh", "-c", `IFS= read -r line; case "$line" in *"$(printf '\r')") exit 0;; esac; exit 9`)
	p.send(initialize + "\r\n")
	if rest, code := p.rest(), p.exit(); rest != "" || code != 0 || p.errs.String() != "" {
		t.Errorf("rest %q, exit status %d, stderr %q; want nothing, 0 and nothing", rest, code, p.errs)
	}
}

func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	const bom = "\ufeff"
	playLines(t,
		line{fromClient(bom + initialize + "\n"), record{kind: acp.Ambiguous, method: "initialize", id: "0", reason: "bytes before the object", form: journal.RawBody}},
		line{
			fromAgent(bom + `{"jsonrpc":"2.0","id":1,"method":"fs/write_text_file","params":{"sessionId":"s","path":"/etc/x","content":""}}` + "\n"),
			record{kind: acp.Ambiguous, method: "fs/write_text_file", id: "1", reason: "bytes before the object", form: journal.RawBody},
		},
		line{fromAgent("\xff\xfe{\x00}\x00\n"), record{kind: acp.Ambiguous, reason: "not UTF-8 but another encoding", form: journal.Base64Body}},
		line{fromAgent(bom + "\n"), record{form: journal.RawBody}},
	)
}

// Words and blanks between frames are carried, are no frames, and get no
// answer.
func TestLinesThatAreNoFrames(t *testing.T) {
	t.Parallel()
	isText := record{form: journal.RawBody}
	playLines(t,
		line{fromAgent("Loaded cached credentials.\n"), isText},
		asksInitialize,
		line{fromAgent("\n"), isText},
		line{fromAgent("\x1b[1;32mWelcome back\x1b[0m\t\a\n"), isText},
		answersInitialize,
		line{fromAgent("   \n"), isText},
		line{fromAgent("\t\n"), isText},
		line{fromAgent(chunk("x") + "\n"), isUpdate},
		line{fromAgent("42\n"), isText},
		line{fromAgent(`"{"` + "\n"), record{kind: acp.Ambiguous, reason: "bytes before the object", form: journal.RawBody}},
		line{fromClient("null\n"), isText},
		line{fromClient("\n"), isText},
		line{fromClient("[]\n"), isText},
		line{fromAgent("\x00\x01\x7f\n"), isText},
		line{fromAgent("\xff\n"), record{form: journal.Base64Body}},
	)
}

// What the agent prints once its stdin has ended is delivered.
func TestWordsAfterTheEndOfStdin(t *testing.T) {
	t.Parallel()
	var s script
	s.Steps = append(s.Steps, fromAgent(chunk("x")+"\n"), hangUp)
	for _, word := range []string{"hook: Stop\n", "saving\n", "{debug}\n", "bye\n"} {
		s.Steps = append(s.Steps, fromAgent(word))
	}
	if got := s.play(t); len(got) != 5 {
		t.Errorf("%d frames recorded, want 5", len(got))
	}
}

// A banner printed by a wrapper in front of the agent does no harm.
func TestBannerOfAWrapper(t *testing.T) {
	t.Parallel()
	const banner = "\x1b[36m  nix develop  \x1b[0m\n\n\tready — ✓\n"
	file := filepath.Join(t.TempDir(), "banner")
	if err := os.WriteFile(file, []byte(banner), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "run", "--", "sh", "-c", "cat "+file+"; exec cat")
	for _, l := range strings.SplitAfter(banner, "\n")[:3] {
		p.expect(l)
	}
	p.send(initialize + "\n")
	p.expect(initialize + "\n")
	if rest, code := p.finish(); rest != "" || code != 0 {
		t.Errorf("rest %q, exit status %d", rest, code)
	}
	if got := frames(p.events()); len(got) != 5 {
		t.Errorf("%d frames recorded, want 5", len(got))
	}
}

// No shell stands between: what a shell would expand arrives as it is, and no
// start-up file of a shell is read.
func TestNoShellStartsTheAgent(t *testing.T) {
	t.Parallel()
	rc := filepath.Join(t.TempDir(), "rc")
	if err := os.WriteFile(rc, []byte("echo noise\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"$HOME", "*", "a b", ";exit 1", "`id`", "~", "", "--record", "\xff"}
	p := prepare(t, append([]string{"run", "--", "peer", "env"}, args...)...)
	p.Env = append(p.Env, "ENV="+rc, "BASH_ENV="+rc)
	p.begin()
	rest, code := p.finish()
	if want := "env\x00" + strings.Join(args, "\x00") + "\x00"; code != 0 || !strings.HasPrefix(rest, want) {
		t.Errorf("exit status %d, the agent got %q; want %q", code, clip(rest), want)
	}
}

// LF ends a line and nothing else does.
func TestOnlyLFEndsALine(t *testing.T) {
	t.Parallel()
	var lines []line
	for _, c := range []string{"\u2028", "\u2029", "\u0085"} {
		lines = append(lines, line{fromAgent(chunk("a"+c+"b") + "\n"), isUpdate}, line{fromClient(chunk("a"+c+"b") + "\n"), isUpdate})
	}
	odd := record{kind: acp.Ambiguous, method: "session/update", reason: "control character in a string", form: journal.RawBody}
	for _, c := range []string{"\v", "\f", "\x00", "\x1e"} {
		lines = append(lines, line{fromAgent(chunk("a"+c+"b") + "\n"), odd}, line{fromClient(chunk("a"+c+"b") + "\n"), odd})
	}
	playLines(t, lines...)
}

// The beginning of a frame whose writer was killed arrives, and is recorded as
// a line without an end.
func TestAgentKilledInsideAFrame(t *testing.T) {
	t.Parallel()
	half := ofSize(9000)[:4000]
	s := script{Steps: []step{fromAgent(chunk("whole") + "\n"), fromClient(initialize + "\n"), fromAgent(half)}, Kill: syscall.SIGKILL}
	o, p := s.proxied(t)
	s.check(t, o)
	events := p.events()
	s.checkRecording(t, events)
	last := frames(events)[2]
	want := record{kind: acp.Ambiguous, method: "session/update", reason: "broken JSON", form: journal.RawBody}
	if got := recorded(last); got != want || last.EOL != acp.NoEOL || last.Bytes != 4000 {
		t.Errorf("the half is recorded as %s, end %d, %d bytes; want %s, none, 4000", got, last.EOL, last.Bytes, want)
	}
	if x := events[len(events)-1].Exit; x == nil || x.Status != 137 || x.Signal != "killed" {
		t.Errorf("the end is recorded as %+v", x)
	}
}

// A whole frame that only lacks its line feed at the end of the stream passes,
// from either side.
func TestLastLineWithoutLF(t *testing.T) {
	t.Parallel()
	s := script{Steps: []step{fromClient(initialize), hangUp, fromAgent(initialized)}, Exit: 4}
	got := s.play(t)
	if len(got) != 2 || recorded(got[0]) != asksInitialize.record || recorded(got[1]) != answersInitialize.record {
		t.Errorf("recorded as %v", got)
	}
}

// One bad line is one bad line, and nobody is told off for it.
func TestBadLineHarmsNoOther(t *testing.T) {
	t.Parallel()
	bad := []string{
		"{bad", "{", `{"jsonrpc":"2.0","id":5,"method":"x"`, `{"id":5,}`, `{"a":"` + "\t" + `"}`,
		strings.Repeat("[", 5000) + "{", strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200),
	}
	var s script
	for _, bad := range bad {
		s.Steps = append(s.Steps,
			fromClient(bad+"\n"), fromClient(initialize+"\n"),
			fromAgent(bad+"\n"), fromAgent(initialized+"\n"))
	}
	s.Steps = append(s.Steps, hangUp)
	got := s.play(t)
	if len(got) != 4*len(bad) {
		t.Fatalf("%d frames recorded, want %d", len(got), 4*len(bad))
	}
	for i, bad := range bad {
		got := got[4*i:]
		if got[0].Kind != acp.Ambiguous || got[2].Kind != acp.Ambiguous {
			t.Errorf("%q is recorded as %s and %s", clip(bad), got[0].Kind, got[2].Kind)
		}
		if recorded(got[1]) != asksInitialize.record || recorded(got[3]) != answersInitialize.record {
			t.Errorf("what follows %q is recorded as %s and %s", clip(bad), recorded(got[1]), recorded(got[3]))
		}
	}
}

// Bytes that are not UTF-8 pass as they are and are kept without loss.
func TestInvalidUTF8(t *testing.T) {
	t.Parallel()
	odd := record{kind: acp.Notification, method: "session/update", session: "s", reason: "invalid UTF-8", form: journal.Base64Body}
	var lines []line
	for _, bytes := range []string{
		"\xc3\x28",     // torn
		"\xc0\xaf",     // longer than need be
		"\xed\xa0\x80", // a surrogate
		"caf\xe9",      // another encoding
	} {
		lines = append(lines, line{fromAgent(chunk(bytes) + "\n"), odd}, line{fromClient(chunk(bytes) + "\r\n"), odd})
	}
	playLines(t, lines...)
}

// A short frame is at the other side while its writer stays silent: nothing
// waits for more. It is in the recording as well.
func TestShortFrameDoesNotWaitForMore(t *testing.T) {
	t.Parallel()
	const note = `{"jsonrpc":"2.0","method":"$/x"}` + "\n"
	p := start(t, "run", "--", "sh", "-c", `printf '{"jsonrpc":"2.0","method":"$/x"}\n'; read -r line; printf '%s\n' "$line"; read -r line`)
	p.expect(note)
	until(t, "the record of it", func() bool { return strings.Contains(p.recordingSoFar(), `"method":"$/x","bytes":32`) })
	p.send("first\n")
	p.expect("first\n")
	if rest, code := p.finish(); rest != "" || code != 1 {
		t.Errorf("rest %q, exit status %d; want nothing and 1", rest, code)
	}
}

// Where nothing can be recorded traffic goes on from the first frame, with one
// line about it at most.
func TestNowhereToRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	unread := filepath.Join(dir, "unread")
	if err := syscall.Mkfifo(unread, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, env string
		says      string // part of the line; empty: none need come
	}{
		{"a file in the way", "XDG_STATE_HOME=" + file, "bobproxy: "},
		{"below a file", "XDG_STATE_HOME=" + file + "/below", "bobproxy: "},
		{"not in a file system that keeps files", "XDG_STATE_HOME=/proc/nonexistent", "bobproxy: "},
		{"not writable", "XDG_STATE_HOME=" + locked, ""}, // root may write there
		{"a full device", "BOBPROXY_RECORD=/dev/full", "bobproxy: "},
		{"a FIFO that nobody reads", "BOBPROXY_RECORD=" + unread, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := prepare(t, "run", "--", "peer", "echo")
			p.Env = append(p.Env, tt.env)
			p.begin()
			for range 100 {
				p.send(initialize + "\n")
				p.expect(initialize + "\n")
			}
			if rest, code := p.finish(); rest != "" || code != 0 {
				t.Errorf("rest %q, exit status %d; want nothing and 0", rest, code)
			}
			if says := p.errs.String(); strings.Count(says, "\n") > 1 || !strings.Contains(says, tt.says) {
				t.Errorf("stderr %q; want at most one line, with %q", says, tt.says)
			}
		})
	}
}

// recordingSoFar is recording, while it may not be there yet.
func (p *process) recordingSoFar() string {
	if len(p.recordings()) == 0 {
		return ""
	}
	return p.recording()
}
