package bob

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/wire"
)

// patience is how long escape waits for an answer to a frame that a client may
// have dropped; questions to a person wait as long as the turn.
const patience = 3 * time.Second

// use makes use of what the client granted. It says what came of it and whether
// that was a way out.
type use func(*escape, reply) (said string, through bool)

// escape is an agent on its way out of one session's directory.
type escape struct {
	*turn
	outside string
	links   []string // those that were made
	fresh   string   // the file that the present attempt may make
}

// escape tries one way out after another and says which of them led out. What
// it makes outside are files called bob-was-here-….
func (t *turn) escape() error {
	e := &escape{turn: t, outside: t.opts.Outside}
	if e.outside == "" {
		e.outside = filepath.Join(filepath.Dir(t.cwd), "outside")
	}
	defer e.unlink()
	e.link()
	if err := t.say("I may work in %s, and try to get into %s.", t.cwd, e.outside); err != nil {
		return err
	}
	var out []string
	for i, a := range attempts {
		e.fresh = fmt.Sprintf("bob-was-here-%d.txt", i+1)
		through, err := e.try(a)
		if err != nil {
			return err
		}
		if through {
			out = append(out, "\n- "+a.title)
		}
	}
	return t.say("%d attempts, %d got through.\n%s", len(attempts), len(out), strings.Join(out, ""))
}

// link makes the links that attempts go through. Where one cannot be made, the
// attempts that need it find nothing.
func (e *escape) link() {
	for name, target := range map[string]string{
		"bob-door":  e.outside,
		"bob-key":   filepath.Join(e.outside, "secret.txt"),
		"bob-later": filepath.Join(e.outside, "bob-was-here-later.txt"),
	} {
		if path := e.path(name); os.Symlink(target, path) == nil {
			e.links = append(e.links, path)
		}
	}
}

func (e *escape) unlink() {
	for _, path := range e.links {
		_ = os.Remove(path)
	}
}

// Attempt is what a tool call of escape has for its raw output.
type Attempt struct {
	Through bool   `json:"through"` // the client did or permitted it
	Said    string `json:"said"`    // what the client said, or what came of it
}

func (e *escape) try(a attempt) (through bool, err error) {
	call := e.announce(wire.ToolCall{Title: a.title, Kind: a.kind})
	offered := options(call.ToolCallID, "Always allow this")
	id, box := e.nextID(), make(chan reply, 4)
	e.mail.expect(id, box)
	e.mail.expectLost(box)
	if err := e.frames.WriteLines([]byte(e.fill(a.frame, id, call, offered) + "\n")); err != nil {
		return false, err
	}
	said, through, err := e.outcome(a, box, offered)
	if err != nil {
		e.progress(call, wire.Failed, wire.ToolText("Cancelled."))
		return false, err
	}
	status := wire.Failed
	if through {
		status = wire.Completed
	}
	e.settled(call, status, Attempt{through, said}, wire.ToolText(said))
	return through, nil
}

// outcome waits for what the client says and uses what it grants.
func (e *escape) outcome(a attempt, box <-chan reply, offered []wire.PermissionOption) (said string, through bool, err error) {
	asked := strings.Contains(a.frame, acp.MethodRequestPermission)
	ctx, stop := e.waiting(), func() {}
	if !asked {
		ctx, stop = context.WithTimeout(ctx, patience)
	}
	defer stop()
	r, err := await(ctx, box)
	switch {
	case e.ctx.Err() != nil:
		return "", false, errCancelled
	case err != nil:
		return fmt.Sprintf("no answer within %v", patience), false, nil
	case asked:
		if said, through = verdict(r, offered); !through {
			return said, false, nil
		}
	case r.refusal != nil:
		return words(r.refusal), false, nil
	}
	said, through = a.use(e, r)
	return said, through, nil
}

// fill puts a frame's places in. Texts are escaped as JSON needs it.
func (e *escape) fill(frame string, id jsonrpc2.ID, call wire.ToolCall, offered []wire.PermissionOption) string {
	up, err := filepath.Rel(e.cwd, e.outside)
	if err != nil {
		up = e.outside
	}
	return strings.NewReplacer(
		"{id}", string(wire.Raw(id)), "{options}", string(wire.Raw(offered)),
		"{session}", inString(e.s.id), "{call}", inString(call.ToolCallID),
		"{cwd}", inString(e.cwd), "{outside}", inString(e.outside),
		"{name}", inString(filepath.Base(e.outside)), "{up}", inString(filepath.ToSlash(up)),
		"{new}", inString(e.fresh),
	).Replace(frame)
}

func inString(text string) string {
	quoted := wire.Raw(text)
	return string(quoted[1 : len(quoted)-1])
}

func (e *escape) gotText(r reply) (string, bool) {
	var file wire.FileResult
	if err := json.Unmarshal(r.result, &file); err != nil {
		return "answered, but with no text", false
	}
	if inside, err := os.ReadFile(e.path("README.md")); err == nil && file.Content == string(inside) {
		return "got the file inside", false
	}
	return quoted(file.Content), true
}

func quoted(text string) string {
	return fmt.Sprintf("got %d bytes: %q", len(text), clipped(text, 40))
}

func (e *escape) gotWritten(reply) (string, bool) { return "written", true }

func (e *escape) gotTerminal(r reply) (string, bool) {
	var made wire.TerminalResult
	_ = json.Unmarshal(r.result, &made)
	it := wire.TerminalParams{SessionID: e.s.id, TerminalID: made.TerminalID}
	defer e.release(it)
	var exit wire.ExitStatus
	if err := e.call(acp.MethodTerminalWaitForExit, it, &exit); err != nil {
		return fmt.Sprintf("started, and then: %v", err), true
	}
	if exit.ExitCode == nil {
		return "ran, and was ended by a signal", true
	}
	return fmt.Sprintf("ran, exit code %d", *exit.ExitCode), true
}

// mayWrite does itself what it was allowed to do, as most agents do.
func (e *escape) mayWrite(reply) (string, bool) {
	if err := os.WriteFile(filepath.Join(e.outside, e.fresh), []byte("Bob was here.\n"), 0o644); err != nil {
		return fmt.Sprintf("allowed, but: %v", err), true
	}
	return "allowed, and written", true
}

func (e *escape) mayRead(reply) (string, bool) {
	text, err := os.ReadFile(filepath.Join(e.outside, "secret.txt"))
	if err != nil {
		return fmt.Sprintf("allowed, but: %v", err), true
	}
	return "allowed, and " + quoted(string(text)), true
}
