//go:build unix

package lab_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/check"
	"bobproxy/lab/bob"
	"bobproxy/lab/editor"
)

// TestTheyKeepToTheProtocol checks whole rounds, in which nothing but what is
// done on purpose may be found.
func TestTheyKeepToTheProtocol(t *testing.T) {
	for _, test := range []struct {
		name   string
		agent  string
		editor editor.Options
		want   []string
	}{
		{name: "a round"},
		{name: "without files and terminals", editor: editor.Options{Allow: editor.Always, NoFiles: true, NoTerminal: true}},
		{name: "all is rejected", editor: editor.Options{Allow: editor.Reject}},
		{name: "plan mode", editor: editor.Options{Mode: "plan"}},
		{name: "ask mode", editor: editor.Options{Mode: "ask"}},
		{name: "a cancelled turn", editor: editor.Options{Misbehave: []editor.Misbehaviour{editor.Cancel}}},
		{name: "many questions", agent: "flood,ask-three,withdraw"},
		{name: "a mode that is none", agent: "bypass", want: []string{"mode/unknown"}},
		{name: "an answer after the end", agent: "run-late-allow", editor: editor.Options{Misbehave: []editor.Misbehaviour{editor.Cancel, editor.AllowAfterCancel}},
			want: []string{"permission/after-cancel"}},
		{name: "session/cancel with an id", agent: "ask-after-cancel", editor: editor.Options{Misbehave: []editor.Misbehaviour{editor.Cancel, editor.CancelAsRequest}},
			want: []string{"method/kind"}},
		{name: "two answers", agent: "ask-three", editor: editor.Options{Misbehave: []editor.Misbehaviour{editor.AnswerTwice}}, want: []string{"json-rpc/answered-twice"}},
		{name: "another option", agent: "ask-three", editor: editor.Options{Misbehave: []editor.Misbehaviour{editor.WrongOption}}, want: []string{"permission/not-offered"}},
		{name: "options that are none", agent: "odd-options",
			want: []string{"permission/empty-option", "permission/no-options", "permission/same-option", "shape/missing", "shape/type", "shape/word"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := bob.Options{}
			if test.agent != "" {
				opts = rogue(t, test.agent)
			}
			var got, texts []string
			for _, f := range checked(t, opts, test.editor) {
				if texts = append(texts, fmt.Sprintf("%v %s: %s", f.By, f.Rule, f.Text)); !slices.Contains(got, f.Rule) {
					got = append(got, f.Rule)
				}
			}
			if slices.Sort(got); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant %v", strings.Join(texts, "\n"), test.want)
			}
		})
	}
}

// checked plays a round and gives what is wrong with it.
func checked(t *testing.T, b bob.Options, e editor.Options) []check.Finding {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	agentIn, clientOut := io.Pipe()
	clientIn, agentOut := io.Pipe()
	j := &judged{checker: check.New()}
	e.Dir, e.Prompt, e.Out = exercise(t), "Please repair RetryBudget.", io.Discard
	var agent sync.WaitGroup
	agent.Go(func() { _ = bob.Serve(ctx, agentIn, &heard{WriteCloser: agentOut, by: acp.Agent, to: j}, b) })
	if _, err := editor.Converse(ctx, clientIn, &heard{WriteCloser: clientOut, by: acp.Client, to: j}, e); err != nil {
		t.Fatal(err)
	}
	agent.Wait()
	return append(j.found, j.checker.End()...)
}

// judged is a conversation that is checked as it goes on.
type judged struct {
	mu      sync.Mutex
	checker *check.Checker
	seq     uint64
	found   []check.Finding
}

func (j *judged) line(by acp.Direction, line []byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var f acp.Frame
	acp.Scan(line, &f)
	j.seq++
	j.found = append(j.found, j.checker.Frame(time.Time{}, j.seq, by, &f, line)...)
}

// heard has each line judged before it is passed on.
type heard struct {
	io.WriteCloser
	by   acp.Direction
	to   *judged
	rest []byte // a line that is not whole yet
}

func (h *heard) Write(p []byte) (int, error) {
	h.rest = append(h.rest, p...)
	for {
		n := bytes.IndexByte(h.rest, '\n')
		if n < 0 {
			return h.WriteCloser.Write(p)
		}
		h.to.line(h.by, h.rest[:n+1])
		h.rest = h.rest[n+1:]
	}
}
