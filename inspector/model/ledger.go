package model

import (
	"math"
	"slices"

	"bobproxy/acp"
	"bobproxy/acp/session"
)

const (
	maxLive  = 64           // deeds of one session that may still change
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
	always    map[string]*Permission   // by kind of call, what was allowed for always and not refused for always since
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

func (b *book) lend(terminal string, d *Deed) {
	if terminal == "" {
		return
	}
	if b.terminals == nil || len(b.terminals) >= maxTerms {
		b.terminals = map[string]*Deed{}
	}
	b.terminals[clip(terminal, maxName)] = d
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
		d.kept = d.Subject().keep()
		d.Entry = &session.Entry{
			Kind: e.Kind, At: e.At, Last: e.Last, Seq: e.Seq, LastSeq: e.LastSeq, Frames: e.Frames, ID: e.ID, Over: e.Over,
			Tool: &session.Tool{
				ID: e.Tool.ID, Title: e.Tool.Title, Kind: e.Tool.Kind, Status: e.Tool.Status, Started: e.Tool.Started, Ended: e.Tool.Ended,
				NotRun: e.Tool.NotRun, Added: e.Tool.Added, Removed: e.Tool.Removed, Diffs: e.Tool.Diffs, Exit: e.Tool.Exit,
			},
		}
	}
}
