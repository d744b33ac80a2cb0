package model

import (
	"math"
	"path"
	"slices"
	"strings"

	"bobproxy/acp"
	"bobproxy/acp/session"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxLive  = 256          // deeds of one session that may still change
	maxLoose = 32           // permissions of one session that are no deed's yet
	maxTerms = 256          // terminals of one session whose deed is known
	maxTotal = 4 * MaxDeeds // deeds of all sessions
)

// book is what a session's ledger is kept with.
type book struct {
	live      []*Deed                  // of this turn, or not over
	loose     []*Permission            // of this turn, not asked for anything that is known
	byEntry   map[*session.Entry]*Deed //
	terminals map[string]*Deed         // by terminal id
	files     map[string]int           // by path, where in Files
	running   bool                     // a prompt is being answered
	dropped   int                      // entries that the talk had forgotten when that was last looked at
}

// record takes what a frame means for the ledger of its session.
func (p *Proxy) record(r *Row, e *session.Entry) {
	s := r.Session
	if s == nil {
		return
	}
	if e != nil && e.Tool != nil && !e.Replay {
		if r.draft != nil {
			r.draft.Entry = e
		}
		p.tool(s, r, e)
	}
	if running := s.Talk.Running; running != s.book.running {
		if s.book.running = running; !running {
			s.turnOver()
		}
	}
	if s.book.dropped != s.Talk.Dropped {
		s.slim()
	}
}

// tool takes what a frame told of a tool call.
func (p *Proxy) tool(s *Session, r *Row, e *session.Entry) {
	d := s.book.byEntry[e]
	if d == nil {
		if d = s.adopted(e); d == nil && what(e.Tool) != "" {
			d = p.deed(s, r)
		}
		if d == nil {
			s.touch(e, nil)
			return
		}
		d.Entry = e
		s.book.enter(e, d)
	}
	d.announced = d.announced || r.Method == acp.MethodSessionUpdate
	s.touch(e, d)
	p.gather(d)
	d.judge()
	if d.over {
		s.finish(d)
	}
}

// deed is a new entry of the ledger.
func (p *Proxy) deed(s *Session, r *Row) *Deed {
	d := &Deed{At: r.Time, Seq: r.Seq, Session: s}
	p.show(s)
	if s.Deeds = append(s.Deeds, d); len(s.Deeds) > MaxDeeds {
		p.strike(s.Deeds[0])
	}
	s.book.live = append(s.book.live, d)
	s.book.live = s.book.live[max(0, len(s.book.live)-maxLive):]
	if p.mem.deeds = append(p.mem.deeds, d); len(p.mem.deeds) > maxTotal {
		p.strike(p.mem.deeds[0])
	}
	return d
}

// strike takes a deed off the ledger.
func (p *Proxy) strike(d *Deed) {
	s := d.Session
	s.Deeds = without(s.Deeds, d)
	s.book.live = without(s.book.live, d)
	p.mem.deeds = without(p.mem.deeds, d)
	if d.Entry != nil {
		delete(s.book.byEntry, d.Entry)
	}
	for id, other := range s.book.terminals {
		if other == d {
			delete(s.book.terminals, id)
		}
	}
	for _, o := range d.Asked {
		o.Deed = nil
	}
	for _, r := range slices.Clone(d.Requests) {
		d.release(r)
	}
}

// without is deeds without d, which is looked for from both ends.
func without(deeds []*Deed, d *Deed) []*Deed {
	switch {
	case len(deeds) == 0 || len(deeds) == 1 && deeds[0] == d:
		return nil // and not an array that holds on to what was in front
	case deeds[0] == d:
		return deeds[1:]
	}
	for i, other := range slices.Backward(deeds) {
		if other == d {
			return slices.Delete(deeds, i, i+1)
		}
	}
	return deeds
}

func (b *book) enter(e *session.Entry, d *Deed) {
	if b.byEntry == nil {
		b.byEntry = map[*session.Entry]*Deed{}
	}
	b.byEntry[e] = d
}

// adopted is a deed that was asked for under the id of the tool call before that
// was told of.
func (s *Session) adopted(e *session.Entry) *Deed {
	for _, d := range slices.Backward(s.book.live) {
		if d.Entry == nil && d.call != "" && d.call == e.Tool.ID {
			return d
		}
	}
	return nil
}

// finish takes a deed off those that may still change.
func (s *Session) finish(d *Deed) { s.book.live = without(s.book.live, d) }

// turnOver is for when a prompt has been answered: what has not run by now does
// not run any more, unless it goes on by itself.
func (s *Session) turnOver() {
	live := s.book.live
	s.book.live, s.book.loose = nil, nil
	for _, d := range live {
		if d.Entry == nil {
			d.over = true
		}
		if d.judge(); !d.over {
			s.book.live = append(s.book.live, d)
		}
	}
}

// credit finds what a permission was asked for, and judges that anew.
func (p *Proxy) credit(o *Permission) {
	s := o.Session
	if o.Deed == nil {
		p.place(o)
	}
	d := o.Deed
	if d == nil {
		return
	}
	d.judge()
	if d.Entry == nil && o.verdict() != Asking && o.verdict() != Allowed {
		d.over = true
		s.finish(d)
	}
}

// place enters o into the ledger: with the tool call that it names, else with
// one that is like it and was not asked for, else as a deed of its own, whose
// tool call may follow.
func (p *Proxy) place(o *Permission) {
	s := o.Session
	d := s.named(o)
	if d == nil || !d.announced && len(d.Asked) == 0 {
		if like := s.unasked(o); like != nil && like != d {
			if d != nil {
				p.strike(d)
			}
			d = like
		}
	}
	switch {
	case d != nil:
	case o.grave:
		d = p.asked(o)
	default:
		if !slices.Contains(s.book.loose, o) {
			s.book.loose = append(s.book.loose, o)
			s.book.loose = s.book.loose[max(0, len(s.book.loose)-maxLoose):]
		}
		return
	}
	d.ask(o)
}

func (d *Deed) ask(o *Permission) {
	if o.Deed = d; len(d.Asked) == maxAsks {
		d.Asked[0].Deed = nil
		d.Asked = slices.Delete(d.Asked, 0, 1)
	}
	d.Asked = append(d.Asked, o)
}

// asked is a deed of which only the permission is known.
func (p *Proxy) asked(o *Permission) *Deed {
	at := o.Row
	if at == nil {
		at = &Row{Seq: o.Seq, Time: o.Opened}
	}
	d := p.deed(o.Session, at)
	d.call, d.Title = o.Call, clip(o.Title, maxDoing)
	if d.What = consequence(o.Kind); d.What == "" {
		d.What = "edit"
		if o.Card != nil && o.Card.Command != "" {
			d.What = "execute"
		}
	}
	return d
}

// named is the deed that o names by its tool call.
func (s *Session) named(o *Permission) *Deed {
	if d := s.book.byEntry[o.Entry]; d != nil && o.Entry != nil {
		return d
	}
	for _, d := range slices.Backward(s.book.live) {
		switch {
		case o.Call == "" || d.over:
		case d.Entry != nil && d.Entry.Tool.ID == o.Call:
			return d
		case d.Entry == nil && d.call == o.Call && d.Title == clip(o.Title, maxDoing):
			return d // asked again
		}
	}
	return nil
}

// unasked is a tool call like o that was not asked for yet.
func (s *Session) unasked(o *Permission) *Deed {
	for _, d := range slices.Backward(s.book.live) {
		if d.Entry != nil && d.announced && len(d.Asked) == 0 && o.alike(d.Entry.Tool) {
			return d
		}
	}
	return nil
}

// gather finds for a tool call that was not asked for what was asked right
// before under another id, and what it has done already. A permission counts for
// one tool call only.
func (p *Proxy) gather(d *Deed) {
	s, t := d.Session, d.Entry.Tool
	if len(d.Asked) == 0 && d.announced {
		if other := s.spare(d); other != nil {
			p.merge(d, other)
		} else if i := slices.IndexFunc(s.book.loose, func(o *Permission) bool { return o.Deed == nil && o.alike(t) }); i >= 0 {
			d.ask(s.book.loose[i])
			s.book.loose = slices.Delete(s.book.loose, i, i+1)
		}
	}
	for _, id := range t.Terminals {
		switch other := s.book.terminals[id]; {
		case other == nil:
			s.book.lend(id, d)
		case other != d && other.only():
			p.merge(d, other)
		}
	}
	for _, other := range slices.Clone(s.book.live) {
		if other != d && other.only() && other.What == "write" && d.names(other.Title) {
			p.merge(d, other)
		}
	}
}

// spare is what was asked for and allowed, or is being asked for, in the same
// words as d, and that no tool call was announced for.
func (s *Session) spare(d *Deed) *Deed {
	for _, other := range slices.Backward(s.book.live) {
		if other == d || other.announced || other.ran || len(other.Asked) == 0 {
			continue
		}
		last := other.Asked[len(other.Asked)-1]
		if v := last.verdict(); (v == Asking || v == Allowed) && last.alike(d.Entry.Tool) {
			return other
		}
	}
	return nil
}

// only says that d is a request of the agent without a tool call.
func (d *Deed) only() bool { return d.Entry == nil && len(d.Asked) == 0 }

// merge makes one deed of two.
func (p *Proxy) merge(d, other *Deed) {
	asked, requests := other.Asked, slices.Clone(other.Requests)
	terminals := d.Session.book.terminals
	for id, of := range terminals {
		if of == other {
			terminals[id] = d
		}
	}
	p.strike(other)
	for _, o := range asked {
		d.ask(o)
	}
	for _, r := range requests {
		d.cause(r)
	}
	if other.Seq < d.Seq {
		d.Seq, d.At = other.Seq, other.At
	}
}

func (b *book) lend(terminal string, d *Deed) {
	if terminal == "" {
		return
	}
	if b.terminals == nil || len(b.terminals) >= maxTerms {
		b.terminals = map[string]*Deed{}
	}
	b.terminals[clip(terminal, maxName)] = d
}

// request takes a request, of which some are the agent's own deeds.
func (p *Proxy) request(r *Row, f *acp.Frame) {
	if r.From != acp.Agent {
		return
	}
	s := r.Session
	if s == nil {
		s = p.mem.nobody
	}
	switch r.Method {
	case acp.MethodRequestPermission:
		p.ask(r, f)
	case acp.MethodReadTextFile:
		p.read(s, r, acp.ReadFile(f.Params).Path.Value)
	case acp.MethodWriteTextFile:
		p.write(s, r, acp.ReadFile(f.Params).Path.Value)
	case acp.MethodTerminalCreate:
		p.run(s, r, acp.ReadTerminal(f.Params))
	case acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit, acp.MethodTerminalKill, acp.MethodTerminalRelease:
		if d := s.book.terminals[clip(terminalID(f.Params), maxName)]; d != nil {
			d.cause(r)
		}
	}
}

func (p *Proxy) read(s *Session, r *Row, file string) {
	if r.Action != "" || file == "" {
		return
	}
	s.file(file, "read")
	if d := s.about(file); d != nil {
		d.cause(r)
	}
}

func (p *Proxy) write(s *Session, r *Row, file string) {
	if r.Action == "" && file != "" {
		s.file(file, "wrote")
	}
	d := s.about(file)
	if d == nil {
		d = s.mute(changesFiles)
	}
	if d == nil {
		d = p.deed(s, r)
		d.What, d.Title = "write", clip(file, maxDoing)
	}
	d.cause(r)
	d.judge()
}

func (p *Proxy) run(s *Session, r *Row, t acp.Terminal) {
	words := append([]string{t.Command.Value}, t.Args...)
	d := s.running(words)
	if d == nil {
		d = p.deed(s, r)
		d.What, d.Title = "terminal", clip(strings.Join(words[:min(len(words), maxPaths)], " "), maxDoing)
	}
	d.cause(r)
	d.judge()
}

// about is the deed of this turn that names file.
func (s *Session) about(file string) *Deed {
	return s.doing(func(d *Deed) bool { return d.names(file) })
}

// doing is the newest deed of this turn that is as said, one that may run before
// one that may not.
func (s *Session) doing(is func(*Deed) bool) (d *Deed) {
	for _, other := range slices.Backward(s.book.live) {
		if other.over || other.only() || !is(other) {
			continue
		}
		if other.Verdict == Allowed || other.ran {
			return other
		}
		if d == nil {
			d = other
		}
	}
	return d
}

// mute is the only deed of this turn of that kind, when nothing is known of it
// that a request could be compared with. A request that comes while it goes on
// is taken for its own. One that somebody allowed who could read nothing but a
// few words is no leave for anything.
func (s *Session) mute(fits func(what string) bool) *Deed {
	var mute *Deed
	for _, d := range s.book.live {
		switch {
		case d.over || d.only() || !fits(d.What):
		case mute != nil || !d.silent():
			return nil
		default:
			mute = d
		}
	}
	return mute
}

// silent says that neither files nor an input are known of the deed.
func (d *Deed) silent() bool {
	_, known := d.texts()
	return !known && len(d.Asked) == 0 && (d.Entry == nil || len(d.Entry.Tool.Paths) == 0)
}

func executes(what string) bool { return what == "execute" }

func changesFiles(what string) bool { return what == "edit" || what == "move" || what == "delete" }

// names says that the deed is about file.
func (d *Deed) names(file string) bool {
	same := func(path string) bool { return samePath(path, file) }
	if d.Entry != nil && slices.ContainsFunc(d.Entry.Tool.Paths, same) {
		return true
	}
	return slices.ContainsFunc(d.Asked, func(o *Permission) bool {
		if o.Card != nil {
			for _, p := range o.Card.Verdict.Paths {
				if same(p.Path) {
					return true
				}
			}
		}
		return slices.ContainsFunc(o.paths, same)
	})
}

// running is the deed of this turn that these words are the command line of.
func (s *Session) running(words []string) *Deed {
	if d := s.doing(func(d *Deed) bool { return executes(d.What) && !d.terminal && d.says(words) }); d != nil {
		return d
	}
	return s.mute(executes)
}

// says says that what is known of the deed names this command line, or that
// nothing is known that it could be compared with.
func (d *Deed) says(words []string) bool {
	texts, known := d.texts()
	if !known && !strings.ContainsAny(strings.TrimSpace(d.Title), " ./") {
		return true
	}
	return slices.ContainsFunc(spellings(words), func(line string) bool {
		return slices.ContainsFunc(texts, func(text string) bool {
			return within(text, line) || within(text, quoted(line))
		})
	})
}

// texts are what a person could read of the deed; known says that its input or
// command is among them.
func (d *Deed) texts() (texts []string, known bool) {
	texts = []string{d.Title}
	if d.Entry != nil {
		texts = append(texts, string(d.Entry.Tool.Input))
	}
	for _, o := range d.Asked {
		texts = append(texts, o.Title)
		if o.Card != nil {
			texts = append(texts, string(o.Card.Input), o.Card.Clipped, o.Card.Command)
		}
	}
	for _, text := range texts[1:] {
		known = known || len(text) > len("null")
	}
	return texts, known
}

// spellings are the ways in which an agent may have written a command line: as
// it is, without the folder of the program, and without the shell around it.
func spellings(words []string) []string {
	if len(words) == 0 || words[0] == "" {
		return nil
	}
	line := strings.Join(words, " ")
	short := strings.Join(append([]string{path.Base(words[0])}, words[1:]...), " ")
	if len(words) > 2 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") {
		return []string{line, short, words[len(words)-1]}
	}
	return []string{line, short}
}

// within says that part is in text and neither begins nor ends within a word.
func within(text, part string) bool {
	for at := 0; part != ""; at++ {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return false
		}
		if at += i; !wordAt(text, at-1) && !wordAt(text, at+len(part)) {
			return true
		}
	}
	return false
}

func wordAt(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// quoted is text as it stands in JSON.
func quoted(text string) string {
	token, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return ""
	}
	return string(token[1 : len(token)-1])
}

// terminalID is the terminal that params or a result name.
func terminalID(value []byte) string {
	for name, v := range acp.Members(value) {
		if string(name) == "terminalId" {
			id, _ := acp.Unquote(v)
			return id
		}
	}
	return ""
}

// answered takes a response that tells what has become of a deed.
func (p *Proxy) answered(r *Row, f *acp.Frame) {
	if r.Pair == nil {
		return
	}
	r.Permission = r.Pair.Permission
	d := r.Pair.deed
	switch {
	case d == nil:
	case r.Kind == acp.Error && d.only():
		d.ran, d.acted, d.failed, d.over = false, false, true, true
		d.judge()
	case r.Method == acp.MethodTerminalCreate:
		d.Session.book.lend(terminalID(f.Result), d)
	}
}

// slim lets go of the tool calls that the talk has forgotten, and keeps of each
// what the ledger shows.
func (s *Session) slim() {
	s.book.dropped = s.Talk.Dropped
	oldest := uint64(math.MaxUint64)
	if len(s.Talk.Entries) > 0 {
		oldest = s.Talk.Entries[0].Seq
	}
	for e, d := range s.book.byEntry {
		if e.Seq >= oldest {
			continue
		}
		delete(s.book.byEntry, e)
		d.Entry = &session.Entry{
			Kind: e.Kind, At: e.At, Last: e.Last, Seq: e.Seq, LastSeq: e.LastSeq, Frames: e.Frames, ID: e.ID, Over: e.Over,
			Tool: &session.Tool{
				ID: e.Tool.ID, Title: e.Tool.Title, Kind: e.Tool.Kind, Status: e.Tool.Status, Started: e.Tool.Started, Ended: e.Tool.Ended,
				NotRun: e.Tool.NotRun, Added: e.Tool.Added, Removed: e.Tool.Removed, Diffs: e.Tool.Diffs, Exit: e.Tool.Exit,
			},
		}
	}
}
