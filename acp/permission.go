package acp

import "bytes"

// Permission is what session/request_permission asks, in the shape of v1
// (toolCall) or of the v2 draft (title, subject). Of a request that has both,
// both count: the paths of both are in Call.
type Permission struct {
	Session     String
	Title       string // v2's own, else the tool call's; empty when neither says one
	Description string // v2
	Subject     string // v2: the subject's type (tool_call, command, …); empty in v1
	Command     string // v2: what a subject of type command would run
	Cwd         string // v2: where
	Call        ToolCall
	Options     []Option
	NoOptions   bool   // options is absent or no array
	Reason      Reason // as of File; Conflict when toolCall and subject say different things of one call
}

var (
	permissionNames = []string{"sessionId", "toolCall", "options", "title", "description", "subject"}
	subjectNames    = []string{"type", "toolCall", "toolCallId", "command", "cwd"}
)

// ReadPermission reads the params of session/request_permission.
func ReadPermission(params []byte) Permission {
	p := Permission{NoOptions: true}
	w := walker{strict: true}
	var subject ToolCall
	p.Reason = w.walk(params, permissionNames, func(name string, i int) (int, bool) {
		switch name {
		case "toolCall":
			return w.toolCall(i, &p.Call)
		case "options":
			return w.options(i, &p)
		case "title":
			return w.words(i, &p.Title)
		case "description":
			return w.words(i, &p.Description)
		case "subject":
			return w.subject(i, &p, &subject)
		}
		return w.str(i, &p.Session)
	})
	if !p.Call.join(&subject) && p.Reason == 0 {
		p.Reason = Conflict
	}
	if p.Title == "" {
		p.Title = p.Call.Title.Value
	}
	return p
}

// subject reads what a v2 request is about. What its type does not provide for
// is read as well: a peer may look at it.
func (w *walker) subject(i int, p *Permission, call *ToolCall) (end int, ok bool) {
	var id String
	end, ok = w.members(i, subjectNames, func(name string, i int) (int, bool) {
		switch name {
		case "toolCall":
			return w.toolCall(i, call)
		case "toolCallId":
			return w.str(i, &id)
		case "command":
			return w.word(i, &p.Command)
		case "cwd":
			return w.word(i, &p.Cwd)
		}
		return w.word(i, &p.Subject)
	})
	if call.ID.Missing() {
		call.ID = id
	}
	return end, ok
}

// join adds to a call what another part of the same request says of it. It
// reports whether the two could be the same call.
func (c *ToolCall) join(o *ToolCall) (same bool) {
	same = agree(c.ID.Raw, o.ID.Raw) && agree(c.Kind.Raw, o.Kind.Raw) &&
		agree(c.RawInput, o.RawInput) && agree(c.Content, o.Content)
	for _, s := range []struct{ to, from *String }{
		{&c.ID, &o.ID}, {&c.Title, &o.Title}, {&c.Kind, &o.Kind}, {&c.Status, &o.Status},
	} {
		if absent(s.to.Raw) && s.from.Raw != nil {
			*s.to = *s.from
		}
	}
	for _, v := range []struct{ to, from *[]byte }{{&c.RawInput, &o.RawInput}, {&c.Content, &o.Content}} {
		if absent(*v.to) && *v.from != nil {
			*v.to = *v.from
		}
	}
	c.Locations = append(c.Locations, o.Locations...)
	c.Diffs = append(c.Diffs, o.Diffs...)
	c.URIs = append(c.URIs, o.URIs...)
	c.HasLocations = c.HasLocations || o.HasLocations
	c.HasContent = c.HasContent || o.HasContent
	return same
}

// agree reports whether two values are the same, or only one is there.
func agree(a, b []byte) bool {
	return absent(a) || absent(b) || bytes.Equal(a, b)
}
