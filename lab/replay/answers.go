package replay

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"bobproxy/acp"
)

// answer finds what a live request of the agent is answered.
func (c *client) answer(f *acp.Frame) answer {
	method := string(f.Method)
	about, rough := subject(method, f.Params, &c.live.fold), roughSubject(method, f.Params, &c.live.fold)
	about, rough = c.back.text(about), c.back.text(rough)
	named, _ := sessionOf(f)
	recorded := named
	if was, ok := c.back.live(named); ok {
		recorded = was
	}
	i, like := c.asks.find(method, recorded, about, rough)
	if like == unknown {
		return c.improvise(f, label(method, about))
	}
	t := &c.steps[i]
	a := answer{id: string(key(f.ID)), step: t.reply, after: none}
	permission := method == acp.MethodRequestPermission
	switch {
	case like == again && permission:
		return c.improvise(f, label(method, about))
	case like == again:
		c.found(Finding{Frame: t.Number, About: "the agent", Came: "asks once more for " + t.label(), Then: "answered like the last time"})
	case like == roughly:
		c.found(Finding{Divergence: true, Frame: t.Number, About: "the agent", Expected: t.label(), Came: show(about), Then: "answered like the first"})
	}
	if t.reply != none && like != again {
		a.pause, a.after = c.pause(t.reply), c.before(i)
	}
	switch {
	case c.files != nil && onDisk(method):
		a.line = c.fromDisk(f)
	case t.reply == none:
		a.line = c.unanswered(f, t)
	case permission:
		a.line = c.choose(f, t)
	default:
		a.line, a.blank = envelope(f.ID, &c.steps[t.reply].scan, c.places.value), c.steps[t.reply].Blank
	}
	return a
}

// onDisk says whether a method can be answered from the disk.
func onDisk(method string) bool {
	return method == acp.MethodReadTextFile || method == acp.MethodWriteTextFile
}

// before is the notification that the client sent between the request of step i
// and its answer, if it has not been sent; else none.
func (c *client) before(i int) int {
	for k := c.steps[i].reply - 1; k > i && k >= c.at; k-- {
		if t := &c.steps[k]; t.From == acp.Client && t.scan.Kind == acp.Notification && t.session == c.steps[i].session {
			return k
		}
	}
	return none
}

// unanswered answers what was not answered when it was recorded.
func (c *client) unanswered(f *acp.Frame, t *step) []byte {
	if t.method == acp.MethodRequestPermission {
		return cancelled(f.ID)
	}
	return failure(f.ID, internalError, "the recording has no answer to this")
}

func cancelled(id []byte) []byte { return result(id, `{"outcome":{"outcome":"cancelled"}}`) }

// choose answers a permission as the client did when the step t asked for it: with
// the option of the same kind and name, or else of the same kind.
func (c *client) choose(f *acp.Frame, t *step) []byte {
	reply := &c.steps[t.reply].scan
	outcome := acp.ReadOutcome(reply.Result)
	if reply.Kind == acp.Error || outcome.Kind != "selected" {
		return envelope(f.ID, reply, c.places.value)
	}
	live := acp.ReadPermission(f.Params).Options
	for _, was := range acp.ReadPermission(t.scan.Params).Options {
		if was.ID.Value != outcome.Option {
			continue
		}
		for _, same := range []func(acp.Option) bool{
			func(is acp.Option) bool { return is.Kind == was.Kind && is.Name == was.Name },
			func(is acp.Option) bool { return is.Kind == was.Kind },
		} {
			for _, is := range live {
				if same(is) && !is.Odd {
					return selected(f.ID, is)
				}
			}
		}
	}
	answer, words := refusal(f.ID, live)
	c.found(Finding{Divergence: true, Frame: t.Number, About: t.label(), Came: "without what was chosen then",
		Expected: "the option " + choiceWords(acp.ReadPermission(t.scan.Params).Options, outcome), Then: "answered with " + words})
	return answer
}

func selected(id []byte, o acp.Option) []byte {
	return result(id, `{"outcome":{"outcome":"selected","optionId":`+string(o.ID.Raw)+`}}`)
}

// refusal is the first option to reject once, or else cancelled.
func refusal(id []byte, options []acp.Option) (line []byte, words string) {
	for _, o := range options {
		if o.Kind == "reject_once" && !o.Odd {
			return selected(id, o), show(o.Name)
		}
	}
	return cancelled(id), "cancelled"
}

// improvise answers what the recorded agent did not ask. It permits nothing.
func (c *client) improvise(f *acp.Frame, about string) answer {
	a := answer{id: string(key(f.ID)), step: none, after: none}
	then := "answered with an error"
	switch method := string(f.Method); {
	case method == acp.MethodRequestPermission:
		a.line, then = refusal(f.ID, acp.ReadPermission(f.Params).Options)
		then = "answered with " + then
	case method == acp.MethodElicitationCreate:
		a.line, then = result(f.ID, `{"action":"cancel"}`), "answered with cancel"
	case c.files != nil && onDisk(method):
		a.line, then = c.fromDisk(f), "answered from the disk"
	case method == acp.MethodReadTextFile:
		a.line = failure(f.ID, notFound, "this file was not read in the recording")
	case c.knows(method):
		a.line = failure(f.ID, internalError, "this was not asked in the recording")
	default:
		a.line = failure(f.ID, methodNotFound, "Method not found: "+method)
	}
	asked := Finding{Divergence: true, About: "the agent", Came: "asks for " + about, Why: "in the recording it does not", Then: then}
	if session, _ := sessionOf(f); c.beyond(session) {
		asked.Divergence, asked.Why = false, "the recording ends before that"
	}
	c.found(asked)
	return a
}

const notFound = -32002

// knows says whether the recorded agent has used the method.
func (c *client) knows(method string) bool {
	for i := range c.steps {
		if t := &c.steps[i]; t.isRequest(acp.Agent) && t.method == method {
			return true
		}
	}
	return false
}

// maxFile is the largest file that is read for an agent.
const maxFile = 16 << 20

// fromDisk serves a file in the client's directory.
func (c *client) fromDisk(f *acp.Frame) []byte {
	path := said(f.Params, "path")
	name, err := filepath.Rel(c.opts.Dir, path)
	if err != nil || !filepath.IsLocal(name) {
		return failure(f.ID, invalidParams, "the file is not in the workspace")
	}
	if string(f.Method) == acp.MethodWriteTextFile {
		if c.writeFile(name, said(f.Params, "content")) != nil {
			return failure(f.ID, internalError, "the file cannot be written")
		}
		return result(f.ID, "{}")
	}
	content, err := c.readFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failure(f.ID, notFound, "no such file")
	case err != nil:
		return failure(f.ID, internalError, "the file cannot be read")
	}
	part := lines(string(content), number(f.Params, "line"), number(f.Params, "limit"))
	return result(f.ID, `{"content":`+string(quoted(part))+`}`)
}

func (c *client) writeFile(name, content string) error {
	if info, err := c.files.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fs.ErrInvalid
	}
	if err := c.files.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return c.files.WriteFile(name, []byte(content), 0o666)
}

// readFile reads a regular file: opening a FIFO would wait for somebody to write
// to it.
func (c *client) readFile(name string) ([]byte, error) {
	switch info, err := c.files.Stat(name); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(), info.Size() > maxFile:
		return nil, fs.ErrInvalid
	}
	file, err := c.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxFile))
}

const invalidParams = -32602

// number is an integer member; zero when there is none.
func number(object []byte, name string) (n int) {
	_ = json.Unmarshal(member(object, name), &n) // what is no number is zero
	return n
}

// lines are limit lines of a text from a line on, counted from 1; zero means all.
func lines(s string, from, limit int) string {
	all := strings.SplitAfter(s, "\n")
	all = all[min(max(from-1, 0), len(all)):]
	if limit > 0 {
		all = all[:min(limit, len(all))]
	}
	return strings.Join(all, "")
}
