package model

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// maxBack is how far behind a flagged frame a word about it may stand: frames
// that were read together are entered first, and paths are looked at later.
const maxBack = 512

// maxSearch is how many bytes of bodies are searched for the path in question.
const maxSearch = 1 << 20

// flagged takes a word about something odd and shows it at the frame it is
// about.
func (p *Proxy) flagged(r *Row, e *journal.Event) {
	if what, ok := strings.CutPrefix(e.Text, "the agent was started with "); ok && e.Method == "" {
		what, _, _ = strings.Cut(what, ": ")
		p.AutoApprove = clip(what, MaxWords)
		return
	}
	if r.Reason == "" {
		r.Reason = clip(e.Text, maxReason)
	}
	if q := p.subject(r, e); q != nil {
		r.About = q
		r.Permission = q.Permission
		q.flag(e.Text)
	}
}

// flag adds a word to a frame's reason.
func (r *Row) flag(text string) {
	switch text = clip(text, maxReason); {
	case r.Reason == "":
		r.Reason = text
	case !strings.Contains(r.Reason, text) && len(r.Reason)+len(text) <= maxReason:
		r.Reason += "; " + text
	}
}

// subject is the frame that a word is about: the newest one that has the same
// words, the same id or the path in question.
func (p *Proxy) subject(r *Row, e *journal.Event) *Row {
	if e.Method == "" && len(e.ID) == 0 {
		return nil
	}
	path, room := mentioned(e.Text), maxSearch
	var like *Row
	for _, q := range slices.Backward(p.Rows[max(0, len(p.Rows)-1-maxBack) : len(p.Rows)-1]) {
		switch {
		case q.Type != journal.FrameEvent || q.Added || !p.fits(q, r, e):
		case r.ID != "" || strings.Contains(q.Reason, e.Text) || path != "" && room > 0 && bytes.Contains(q.Body, []byte(path)):
			return q
		case like == nil && (path == "" || strings.HasPrefix(q.Update, "tool_call")):
			like = q
		}
		room -= len(q.Body)
	}
	return like
}

// fits says that the word in r, whose event is e, can be about q.
func (p *Proxy) fits(q, r *Row, e *journal.Event) bool {
	switch {
	case r.ID != "" && q.ID != r.ID, e.Dir != 0 && q.From != e.Dir:
		return false
	case e.Dir == 0: // a word of whoever answers permissions, about a request or the reply to it
		return q.Method == acp.MethodRequestPermission
	case r.Session != nil && q.Session != r.Session:
		return false
	}
	return r.Method == "" || q.Method == r.Method
}

// mentioned is the first quoted path in a word, as it stands in JSON; empty:
// none.
func mentioned(text string) string {
	i := strings.IndexByte(text, '"')
	if i < 0 {
		return ""
	}
	token, err := strconv.QuotedPrefix(text[i:])
	if err != nil {
		return ""
	}
	path, err := strconv.Unquote(token)
	if err != nil {
		return ""
	}
	return quoted(path)
}
