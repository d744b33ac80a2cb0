package main

import (
	"slices"

	"bobproxy/acp/check"
	"bobproxy/inspector/model"
)

// ran is what ran in a recording without that somebody had allowed it, of the
// kinds that were asked for.
type ran struct {
	unasked []*model.Deed // nobody was asked
	refused []*model.Deed // it was not allowed, or not yet
	covered []*model.Deed // nobody was asked, and what was allowed for always before may be why
	claimed []*model.Deed // it was not allowed, and is called completed in words that say it did not run
}

// fails says whether something counts. strict counts what is doubtful as well.
func (r *ran) fails(strict bool) bool {
	return len(r.unasked)+len(r.refused) > 0 || strict && len(r.covered)+len(r.claimed) > 0
}

// whatRan reads the ledgers of all proxies that recorded into one file.
func (k *checking) whatRan(m *model.Model) (r ran) {
	for _, p := range m.Proxies {
		for _, s := range p.Sessions {
			for _, d := range s.Deeds {
				if slices.Contains(k.unasked, d.Call()) {
					r.sort(d)
				}
			}
		}
	}
	return r
}

// sort puts d where it belongs, if anywhere.
func (r *ran) sort(d *model.Deed) {
	completed := d.Entry != nil && d.Entry.Tool.Status == "completed"
	switch d.Verdict {
	case model.Unasked:
		if d.Cover != nil {
			r.covered = append(r.covered, d)
			return
		}
		r.unasked = append(r.unasked, d)
	case model.Refused, model.TimedOut, model.Withdrawn, model.Asking:
		switch {
		case d.Despite, completed && !check.SaysNotRun(d.Entry.Tool.Output):
			r.refused = append(r.refused, d)
		case completed:
			r.claimed = append(r.claimed, d)
		}
	}
}
