package wire

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"bobproxy/acp"
	"bobproxy/acp/clean"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// text is the line of the cursor as text.
func (w *Wire) text(c pane.Context) string {
	l := w.index.lines[w.cursor.at]
	r := w.index.shown[l.from]
	word, _ := kind(r)
	parts := []string{r.Time.In(c.Now.Location()).Format("15:04:05.000"), arrow(r), strings.TrimSpace(word)}
	if r.Type != journal.FrameEvent {
		return clean.Line(join(append(parts, saying(r, c.Home, wholeLine).String())...))
	}
	if l.form == folded || l.form == heading {
		return clean.Line(join(append(parts, runName(w.index.rows(l), false), fmt.Sprintf("×%d", l.to-l.from), size(l.size), gathered(w.index.rows(l)))...))
	}
	return clean.Line(join(append(parts, method(r, false), r.ID, size(r.Size), latency(r, c.Now).String(), r.Action, words(r))...))
}

func arrow(r *model.Row) string {
	switch r.From {
	case acp.Client:
		return "→"
	case acp.Agent:
		return "←"
	}
	return ""
}

// join puts a blank between the parts that say something.
func join(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p != "" && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return b.String()
}

// copyFrames copies the frames at the cursor, one a line.
func (w *Wire) copyFrames() []pane.Wish {
	rows := w.index.rows(w.index.lines[w.cursor.at])
	if len(rows) == 1 {
		return copyFrame(rows[0])
	}
	var b strings.Builder
	for _, r := range rows {
		if r.Body != nil {
			b.Write(r.Body)
			b.WriteByte('\n')
		}
	}
	return []pane.Wish{pane.Copied{What: count(len(rows), "frame"), Text: b.String()}}
}

// copyFrame copies a frame as it was on the wire, or the text of another event.
func copyFrame(r *model.Row) []pane.Wish {
	switch {
	case r.Type != journal.FrameEvent:
		return []pane.Wish{pane.Copied{What: "the text", Text: r.Text}}
	case r.Body == nil:
		return say(missing(r))
	case r.Cut:
		return []pane.Wish{pane.Copied{What: "the frame as far as it is kept", Text: string(r.Body)}}
	}
	return []pane.Wish{pane.Copied{What: "the frame", Text: string(r.Body)}}
}

// record is rows as a recording has them, one a line, as far as they are known
// here.
func record(rows []*model.Row) []byte {
	var b []byte
	for _, r := range rows {
		e := event(r)
		b = append(e.AppendRecord(b), '\n')
	}
	return b
}

// event is what r was made of.
func event(r *model.Row) journal.Event {
	if r.Event != nil {
		return *r.Event
	}
	e := journal.Event{
		Time: r.Time.UTC(), Seq: r.Seq, Type: r.Type,
		Dir: r.From, Kind: r.Kind, EOL: r.EOL, Method: r.Method, Session: sessionOf(r), Bytes: r.Size,
		Added: r.Added, Action: r.Action, Reason: r.Reason, Masked: r.Masked, Text: r.Text,
	}
	if r.Proxy != nil {
		e.Instance = r.Proxy.Instance
	}
	if r.ID != "" {
		e.ID = []byte(r.ID)
	}
	if e.Form = formOf(r); e.Form != journal.NoBody {
		e.Body = r.Body
	}
	switch {
	case r.Decision != nil:
		e.Decision = r.Decision
	case r.Type == journal.OpenedEvent && r.Permission != nil:
		e.Decision = &journal.Decision{Request: r.Permission.Request, Digest: r.Permission.Digest}
	}
	return e
}

// formOf is how the body stands in a record: as itself when it is one object.
func formOf(r *model.Row) journal.Form {
	switch {
	case r.Type != journal.FrameEvent || r.Body == nil:
		return journal.NoBody
	case !utf8.Valid(r.Body):
		return journal.Base64Body
	case !r.Cut && plain(r.Body):
		return journal.FrameBody
	}
	return journal.RawBody
}

// plain says that b can stand in a line of JSON as it is.
func plain(b []byte) bool {
	var f acp.Frame
	acp.Scan(b, &f)
	return f.Strict
}

// sessionOf is the id of r's session, in a frame as it is spelled there.
func sessionOf(r *model.Row) string {
	if r.Session == nil {
		return ""
	}
	id := r.Session.Talk.Session
	if r.Type == journal.OpenedEvent || r.Type == journal.DecisionEvent {
		return id
	}
	quoted, _ := jsontext.AppendQuote(nil, id) // what is not UTF-8 is replaced
	return string(quoted[1 : len(quoted)-1])
}
