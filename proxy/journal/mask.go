package journal

import (
	"bytes"
	"net/url"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/secret"
)

// masker replaces secret values in events before anybody sees them, and
// remembers them so as to find them again wherever they show up later.
type masker struct {
	known   secrets
	learned bool // something new since the owner last looked
	sure    bool // the frame in work is the editor's and readable: its word counts
}

func newMasker(values []string) *masker {
	m := new(masker)
	for _, v := range values {
		m.learned = m.known.add(v, true) || m.learned
	}
	return m
}

// learn remembers a value that was masked. An agent must not be able to have
// the command it asks permission for masked by calling it a secret before, nor
// a banner to make everyday words unreadable.
func (m *masker) learn(value string) {
	if m.known.add(value, m.sure) {
		m.learned = true
	}
}

// frame masks the body of a frame and reports whether it is an object that
// can stand in JSON as it is, which strict says of it beforehand.
//
// A message is an object, be it one with blanks around it or with something in
// a string that is no character. Those cannot stand in JSON, but are read.
func (m *masker) frame(e *Event, strict bool) bool {
	whole := e.Kind != acp.Text && e.Kind != acp.Ambiguous
	m.sure = whole && e.Dir == acp.Client
	switch {
	case !whole:
		whole = m.loose(e, strict)
	case concerned(e.Method, e.Body) && !m.members(e):
		whole = m.loose(e, strict)
	}
	if m.known.in(e.Body) || whole && m.known.any() && bytes.Contains(e.Body, []byte(`\u`)) {
		whole = m.scrub(e, whole)
	}
	if !strict && m.known.in(e.Body) { // a value that is no UTF-8 itself, or lies across tokens
		whole = m.scrub(e, false)
	}
	if e.Masked > 0 && (m.known.in(e.ID) || m.known.in(unescape(bytes.Trim(e.ID, `"`)))) {
		e.ID = []byte(`"` + mark + `"`)
	}
	if e.Reason != "" {
		e.Reason, _ = m.known.scrubString(e.Reason)
	}
	return whole && strict
}

// note masks known values in an event that is not a frame, and the secrets in
// command lines. How the agent was started is the user's word.
func (m *masker) note(e *Event) {
	if e.Start != nil {
		start := *e.Start
		m.sure = true
		start.Command = m.arguments(start.Command, &e.Masked)
		e.Start = &start
	}
	m.sure = false // what comes now is from the agent's side
	if e.Type == FlaggedEvent {
		e.Text = m.hidden(e.Text, secret.Line(e.Text), &e.Masked)
	}
	if e.Exit != nil {
		exit := *e.Exit
		exit.Left = append([]Process(nil), exit.Left...)
		for i := range exit.Left {
			left := &exit.Left[i]
			left.Command = m.hidden(left.Command, secret.Line(left.Command), &e.Masked)
		}
		e.Exit = &exit
	}
	if len(m.known.values) == 0 {
		return
	}
	count := func(s *string) {
		clean, n := m.known.scrubString(*s)
		*s = clean
		e.Masked += n
	}
	count(&e.Text)
	count(&e.Reason)
	count(&e.Session)
	if m.known.in(e.ID) || m.known.in(unescape(bytes.Trim(e.ID, `"`))) {
		e.ID = []byte(`"` + mark + `"`)
		e.Masked++
	}
	if e.Decision != nil {
		decision := *e.Decision
		count(&decision.OptionID)
		count(&decision.OptionKind)
		e.Decision = &decision
	}
	if e.Start != nil {
		count(&e.Start.Cwd)
		for i := range e.Start.Command {
			count(&e.Start.Command[i])
		}
	}
	if e.Exit != nil {
		for i := range e.Exit.Left {
			count(&e.Exit.Left[i].Command)
		}
	}
}

// name is a method or session as it is shown: valid UTF-8, at most 1 KiB,
// without known values.
func (m *masker) name(raw []byte) string {
	clean, _ := m.known.scrubString(text(raw))
	return clean
}

// concerned says whether a frame of this method may carry secret values in
// places that are known. Methods nobody knows are looked into when they have
// a member that looks like one of those places, or hide what members they have.
func concerned(method string, body []byte) bool {
	switch method {
	case "session/update", "session/prompt", "session/cancel", "session/request_permission", "session/list",
		"session/set_mode", "session/set_config_option", "fs/read_text_file", "fs/write_text_file", "terminal/output",
		"terminal/release", "terminal/kill", "terminal/wait_for_exit", "$/cancel_request":
		return false
	case "initialize", "session/new", "session/load", "session/resume", "session/fork", "authenticate", "auth/login",
		"auth/status", "auth/status_update", "providers/set", "providers/list", "terminal/create", "elicitation/create":
		return true
	}
	for _, hint := range [...]string{`"env"`, `"headers"`, `"mcpServers"`, `\u`} {
		if bytes.Contains(body, []byte(hint)) {
			return true
		}
	}
	return false
}

// url masks the user part of a URL and the secret ones among its parameters.
func (m *masker) url(s string) (string, int) {
	var b strings.Builder
	n := 0
	rest := s
	if before, after, ok := strings.Cut(rest, "://"); ok {
		authority := after[:cutAt(after, "/?#")]
		if user, _, ok := cutLast(authority, "@"); ok {
			b.WriteString(before + "://" + mark)
			rest = after[len(user):]
			m.user(user)
			n++
		}
	}
	for {
		i := cutAt(rest, "?&#")
		b.WriteString(rest[:i])
		if i == len(rest) {
			return b.String(), n
		}
		b.WriteByte(rest[i])
		rest = rest[i+1:]
		parameter := rest[:cutAt(rest, "&#")]
		if name, value, ok := strings.Cut(parameter, "="); ok && value != "" && secret.Name(name) {
			b.WriteString(name + "=" + mark)
			rest = rest[len(parameter):]
			m.parameter(value)
			n++
		}
	}
}

func (m *masker) user(info string) {
	name, password, ok := strings.Cut(info, ":")
	if !ok {
		password = name
	}
	m.parameter(password)
}

func (m *masker) parameter(value string) {
	m.learn(value)
	if plain, err := url.QueryUnescape(value); err == nil {
		m.learn(plain)
	}
}

// cutAt is the index of the first of chars in s, or its length.
func cutAt(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
