package export

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"bobproxy/acp"
	"bobproxy/proxy/journal"
)

// Options says what a copy leaves out. The zero value leaves out keys and homes.
type Options struct {
	User, Host string   // names to replace; empty: none but those in homes
	Home       string   // a home at an unusual place; empty: none
	Secrets    []string // strings to remove wherever they stand; those below 4 bytes are ignored
	Workspace  bool     // replace the folders that sessions work in
	NoContents bool     // blank file contents, diffs, and output of tools and terminals
	NoTexts    bool     // blank prompts, messages, thoughts and titles, too; implies NoContents
	Raw        bool     // leave everything in
}

// Scrubber makes events fit to be given away. It is used by one goroutine.
type Scrubber struct {
	o       Options
	secrets secrets
	paths   []place // longest first
	names   []name
	tally   tally
}

// NewScrubber makes one that knows what it is told.
func NewScrubber(o Options) *Scrubber {
	o.NoContents = o.NoContents || o.NoTexts
	s := &Scrubber{o: o}
	for _, secret := range o.Secrets {
		if len(secret) >= 4 {
			s.secrets.tell(secret)
		}
	}
	s.addPlace(o.Home, home, Homes)
	s.addName(o.User, "me", Users)
	s.addName(o.Host, "host", Hosts)
	if short, _, ok := strings.Cut(o.Host, "."); ok {
		s.addName(short, "host", Hosts)
	}
	return s
}

// Event gives e as it may be given away. Nothing of e itself is changed.
func (s *Scrubber) Event(e journal.Event) journal.Event {
	if s.o.Raw {
		return e
	}
	var f acp.Frame
	if e.Type == journal.FrameEvent && e.Form == journal.FrameBody {
		acp.Scan(e.Body, &f)
	}
	s.learn(&e, &f)
	before, blanks := s.tally.secrets(), s.tally.blanks()
	s.facts(&e)
	if e.Type == journal.FrameEvent {
		s.body(&e, &f)
		e.Masked += s.tally.secrets() - before
	}
	e.Blanked += s.tally.blanks() - blanks
	return e
}

// Text gives a text that was put together of several events.
func (s *Scrubber) Text(text string) string {
	if s.o.Raw {
		return text
	}
	return s.text(text, true)
}

// Removed tells what was removed so far.
func (s *Scrubber) Removed() []Removed { return s.tally.told(s) }

// learn takes from an event where the work is done and who does it. Only what
// the editor's side says counts, or an agent could have any word replaced.
func (s *Scrubber) learn(e *journal.Event, f *acp.Frame) {
	switch {
	case e.Start != nil:
		s.work(e.Start.Cwd)
	case e.Dir == acp.Client && f.Kind == acp.Request && acp.NamesSetup(f.Method):
		for name, value := range acp.Members(f.Params) {
			if string(name) == "cwd" {
				cwd, _ := acp.Unquote(value)
				s.work(cwd)
			}
		}
	}
}

// facts scrubs what an event says beside its body.
func (s *Scrubber) facts(e *journal.Event) {
	e.ID = s.token(e.ID)
	if e.Decision != nil {
		e.Session = s.text(e.Session, false)
	} else {
		e.Session = s.spelled(e.Session)
	}
	e.Method, e.Reason = s.text(e.Method, false), s.text(e.Reason, true)
	if e.Text != "" {
		if e.Type == journal.StderrEvent && s.o.NoContents {
			e.Text = s.blank(e.Text, Contents)
		} else {
			e.Text = s.text(e.Text, true)
		}
	}
	e.Action = s.text(e.Action, false)
	e.Start, e.Exit, e.Decision = s.start(e.Start), s.exit(e.Exit), s.decision(e.Decision)
}

func (s *Scrubber) start(start *journal.Start) *journal.Start {
	if start == nil {
		return nil
	}
	scrubbed := *start
	scrubbed.Command, scrubbed.Cwd, scrubbed.Version = s.arguments(start.Command), s.text(start.Cwd, true), s.text(start.Version, false)
	return &scrubbed
}

func (s *Scrubber) exit(exit *journal.Exit) *journal.Exit {
	if exit == nil {
		return nil
	}
	scrubbed := *exit
	scrubbed.Signal, scrubbed.Left = s.text(exit.Signal, false), nil
	for _, p := range exit.Left {
		scrubbed.Left = append(scrubbed.Left, journal.Process{PID: p.PID, Command: s.line(p.Command)})
	}
	return &scrubbed
}

// decision scrubs a decision, in which the agent has the word too: it names its
// options, and their kinds.
func (s *Scrubber) decision(decision *journal.Decision) *journal.Decision {
	if decision == nil {
		return nil
	}
	d := *decision
	for _, field := range []*string{&d.Request, &d.By, &d.Outcome, &d.OptionID, &d.OptionKind, &d.Digest} {
		*field = s.text(*field, false)
	}
	if d.Peer != nil {
		d.Peer = &journal.Peer{PID: d.Peer.PID, Exe: s.text(d.Peer.Exe, true), TTY: s.text(d.Peer.TTY, true)}
	}
	return &d
}

// token scrubs a raw JSON value, or what stands in its place.
func (s *Scrubber) token(raw []byte) []byte {
	if len(raw) == 0 {
		return raw
	}
	if text, ok := acp.Unquote(raw); ok {
		if scrubbed := s.text(text, false); scrubbed != text {
			return appendString(nil, scrubbed)
		}
		return raw
	}
	if text := s.text(string(raw), false); text != string(raw) {
		return appendString(nil, text)
	}
	return raw
}

// spelled scrubs a string that stands without its quotes as it is spelled in JSON.
func (s *Scrubber) spelled(text string) string {
	quoted := s.token([]byte(`"` + text + `"`))
	return string(bytes.Trim(quoted, `"`))
}

// body scrubs the body of a frame, and the size that is told of it.
func (s *Scrubber) body(e *journal.Event, f *acp.Frame) {
	before := len(e.Body)
	switch {
	case e.Form == journal.NoBody:
		return
	case e.Form == journal.FrameBody:
		e.Body = s.frame(e, f)
	case s.o.NoContents:
		e.Body, e.Form = []byte(s.blank(string(e.Body), Contents)), journal.RawBody
	default:
		if text := s.text(string(e.Body), true); text != string(e.Body) {
			e.Body = []byte(text)
		}
		if e.Form == journal.RawBody && !utf8.Valid(e.Body) {
			e.Form = journal.Base64Body
		}
	}
	e.Bytes += int64(len(e.Body) - before)
}
