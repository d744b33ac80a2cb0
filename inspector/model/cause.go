package model

import (
	"slices"
	"strings"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
)

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

// answered takes a response that tells what has become of a deed.
func (p *Proxy) answered(r *Row, f *acp.Frame) {
	if r.Pair == nil {
		return
	}
	if r.Pair.draft != nil && !r.Added {
		p.conclude(p.suppose(r.Pair), r, f)
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

// about is the deed of this turn that names file.
func (s *Session) about(file string) *Deed {
	return s.doing(func(d *Deed) bool { return d.names(file) })
}

// names says that the deed is about file.
func (d *Deed) names(file string) bool {
	same := func(path string) bool { return samePath(path, file) }
	if d.Entry != nil && slices.ContainsFunc(d.Entry.Tool.Paths, same) {
		return true
	}
	return slices.ContainsFunc(d.Asked, func(o *Permission) bool {
		if len(o.paths) > 0 || o.Card == nil {
			return slices.ContainsFunc(o.paths, same)
		}
		judged := o.Card.Verdict.Paths
		return slices.ContainsFunc(judged[:min(len(judged), maxPaths)], func(p broker.Path) bool { return same(p.Path) })
	})
}

// running is the deed of this turn that these words are the command line of.
func (s *Session) running(words []string) *Deed {
	if d := s.doing(func(d *Deed) bool { return executes(d.What) && !d.terminal && d.says(words) }); d != nil {
		return d
	}
	return s.mute(executes)
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
