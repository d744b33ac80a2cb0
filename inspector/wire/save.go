package wire

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"
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
		told, _ := told(r)
		return clean.Line(join(append(parts, told)...))
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
		return say(notKept)
	case r.Cut:
		return []pane.Wish{pane.Copied{What: "the beginning of the frame; the recording has the rest", Text: string(r.Body)}}
	}
	return []pane.Wish{pane.Copied{What: "the frame", Text: string(r.Body)}}
}

const notKept = "The frame is no longer kept here; the recording has it."

// record is rows as a recording has them, one a line, as far as they are known
// here.
func record(rows []*model.Row) []byte {
	var b []byte
	for _, r := range rows {
		b = append(entry(b, r), '\n')
	}
	return b
}

func entry(b []byte, r *model.Row) []byte {
	b = append(b, `{"time":"`...)
	b = append(r.Time.UTC().AppendFormat(b, time.RFC3339Nano), `","seq":`...)
	b = fmt.Append(b, r.Seq)
	b = text(b, "event", string(r.Type))
	if r.Proxy != nil {
		b = text(b, "instance", r.Proxy.Instance)
	}
	if r.From != 0 {
		b = text(b, "dir", r.From.String())
	}
	if r.Type == journal.FrameEvent {
		b = text(b, "kind", r.Kind.String())
	}
	b = text(b, "method", r.Method)
	if r.ID != "" {
		b = append(append(b, `,"id":`...), value(r.ID)...)
	}
	if r.Session != nil {
		b = text(b, "session", r.Session.Talk.Session)
	}
	if r.Type == journal.FrameEvent {
		b = fmt.Append(b, `,"bytes":`, r.Size)
	}
	if r.Added {
		b = append(b, `,"added":true`...)
	}
	b = text(text(b, "action", r.Action), "reason", r.Reason)
	if r.Masked > 0 {
		b = fmt.Append(b, `,"masked":`, r.Masked)
	}
	return append(body(text(b, "text", r.Text), r), '}')
}

// body adds the frame: its own bytes when they are one object.
func body(b []byte, r *model.Row) []byte {
	switch {
	case r.Body == nil:
		return b
	case !utf8.Valid(r.Body):
		return text(b, "base64", base64.StdEncoding.EncodeToString(r.Body))
	case !r.Cut && plain(r.Body):
		return append(append(b, `,"frame":`...), r.Body...)
	}
	return text(b, "raw", string(r.Body))
}

// plain says that b can stand in a line of JSON as it is.
func plain(b []byte) bool {
	var f acp.Frame
	acp.Scan(b, &f)
	return f.Strict
}

// text adds a member unless it is empty.
func text(b []byte, name, s string) []byte {
	if s == "" {
		return b
	}
	b = append(append(append(b, `,"`...), name...), `":`...)
	b, _ = jsontext.AppendQuote(b, s) // what is not UTF-8 is replaced
	return b
}

// value is an id as it was, or as a string when it is not JSON.
func value(id string) []byte {
	if v := jsontext.Value(id); v.IsValid() {
		return v
	}
	b, _ := jsontext.AppendQuote(nil, id)
	return b
}
