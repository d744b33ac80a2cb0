package talk

import (
	"slices"
	"strings"

	"bobproxy/acp"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

// maxFlags is how many lines are kept of what the proxy flagged, and of gaps.
const maxFlags = 500

// aside is a line that is beside the talk: of the agent's stderr, or of the
// proxy.
type aside struct {
	model.Words
	kind kind
}

// asides are the lines beside one session's talk. They are only put together
// anew when there are more of them.
type asides struct {
	lines   []aside
	flags   []model.Words
	gaps    []model.Words
	scanned uint64 // rows up to here were looked at for flags and gaps
	counted [8]uint64
}

// of are the lines beside the talk of s, in order.
func (a *asides) of(s *model.Session) []aside {
	if s.Proxy == nil {
		return nil
	}
	a.scan(s)
	var now [8]uint64
	for i, words := range [][]model.Words{s.Proxy.Stderr, s.Proxy.Warnings, a.flags, a.gaps} {
		now[2*i], now[2*i+1] = uint64(len(words)), newest(words)
	}
	if now != a.counted {
		a.counted = now
		a.collect(s)
	}
	return a.lines
}

func newest(words []model.Words) uint64 {
	if len(words) == 0 {
		return 0
	}
	return words[len(words)-1].Seq
}

// scan looks for flags and gaps in the rows that are new.
func (a *asides) scan(s *model.Session) {
	rows := s.Proxy.Rows
	first := len(rows)
	for first > 0 && rows[first-1].Seq > a.scanned {
		first--
	}
	for _, r := range rows[first:] {
		a.scanned = r.Seq
		switch {
		case r.Session != nil && r.Session != s:
		case r.Type == journal.GapEvent:
			a.gaps = append(a.gaps, model.Words{At: r.Time, Seq: r.Seq, Text: r.Text})
		case r.Type == journal.FlaggedEvent && !toldBelow(r):
			a.flags = append(a.flags, model.Words{At: r.Time, Seq: r.Seq, Text: flagText(r)})
		}
	}
	a.flags = a.flags[max(0, len(a.flags)-maxFlags):]
	a.gaps = a.gaps[max(0, len(a.gaps)-maxFlags):]
}

// toldBelow says that a flag is about an answer that came too late: that is told
// where the permission is.
func toldBelow(r *model.Row) bool {
	return r.Permission != nil && strings.HasPrefix(flagText(r), "late answer")
}

func flagText(r *model.Row) string {
	switch {
	case strings.Contains(r.Text, r.Reason):
		return r.Text
	case strings.Contains(r.Reason, r.Text):
		return r.Reason
	}
	return r.Reason + ": " + r.Text
}

// collect puts them in order; what is told in two ways counts once. What the
// process wrote before a later session began belongs to an earlier one.
func (a *asides) collect(s *model.Session) {
	a.lines = a.lines[:0]
	add := func(k kind, words []model.Words) {
		for _, w := range words {
			if !foreign(s, w) {
				a.lines = append(a.lines, aside{w, k})
			}
		}
	}
	add(stderr, s.Proxy.Stderr)
	add(warning, s.Proxy.Warnings)
	add(warning, a.flags)
	add(gap, a.gaps)
	slices.SortStableFunc(a.lines, func(a, b aside) int {
		switch {
		case a.Seq < b.Seq:
			return -1
		case a.Seq > b.Seq:
			return 1
		}
		return 0
	})
	a.lines = slices.CompactFunc(a.lines, func(a, b aside) bool { return a.Seq == b.Seq && a.kind == b.kind })
}

func foreign(s *model.Session, w model.Words) bool {
	first := len(s.Proxy.Sessions) == 0 || s.Proxy.Sessions[0] == s
	return !first && w.At.Before(s.Talk.First)
}

// signingIn is the open request of an editor that lets the person sign in; nil:
// none.
func signingIn(p *model.Proxy) *model.Row {
	return unanswered(p, acp.MethodAuthenticate, acp.MethodAuthLogin)
}

// unanswered is a request of the editor's that has no answer yet; nil: there is
// none.
func unanswered(p *model.Proxy, methods ...string) *model.Row {
	if p == nil {
		return nil
	}
	for _, r := range p.Open {
		if r.From == acp.Client && slices.Contains(methods, r.Method) {
			return r
		}
	}
	return nil
}
