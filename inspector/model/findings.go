package model

import (
	"encoding/json"
	"slices"

	"bobproxy/acp"
	"bobproxy/acp/check"
	"bobproxy/proxy/journal"
)

const (
	maxFindings = 2   // that one row keeps
	maxFinding  = 400 // bytes of the text of one
)

// judging is how far the rules of the protocol were applied to the rows. That is
// done when somebody asks, since it costs as much as all else that is done with
// a frame.
type judging struct {
	checker *check.Checker
	upTo    uint64 // number of the last row
}

// Findings are what the sender of a frame did wrong by the rules of the protocol,
// the first ones, without what is for information only; nil for what is no frame
// and what the proxy made. The first call for a proxy judges all rows before r.
func (r *Row) Findings() []check.Finding {
	if r.Proxy == nil || r.Type != journal.FrameEvent {
		return nil
	}
	if r.Seq > r.Proxy.mem.judging.upTo {
		r.Proxy.judge(r.Seq)
	}
	return r.findings
}

// judge applies the rules to all rows up to number seq.
func (p *Proxy) judge(seq uint64) {
	j := &p.mem.judging
	if j.checker == nil {
		j.checker = check.New()
	}
	i, _ := slices.BinarySearchFunc(p.Rows, j.upTo+1, func(r *Row, seq uint64) int {
		if r.Seq < seq {
			return -1
		}
		return 1
	})
	if i == 0 && len(p.Rows) > 0 && p.Rows[0].Seq > j.upTo+1 {
		j.checker.Missed() // rows that are forgotten, or were never told
	}
	for ; i < len(p.Rows) && p.Rows[i].Seq <= seq; i++ {
		p.Rows[i].judge(j.checker)
	}
	j.upTo = seq
}

func (r *Row) judge(c *check.Checker) {
	switch {
	case r.Type == journal.GapEvent:
		c.Missed()
		return
	case r.Type != journal.FrameEvent || r.Action != "" && r.Action != "refused" && r.Action != "swallowed":
		return
	}
	f := r.frame()
	if r.Action == "swallowed" {
		r.find(c.Swallowed(r.Time, r.Seq, r.From, &f, r.Body))
		return
	}
	if r.Added {
		c.Added(r.Time, r.Seq, r.From, &f, r.Body)
		return
	}
	r.find(c.Frame(r.Time, r.Seq, r.From, &f, r.Body))
}

// find keeps what was found of r.
func (r *Row) find(all []check.Finding) {
	for _, one := range all {
		if one.Severity == check.Info || len(r.findings) == maxFindings {
			continue
		}
		one.Text = clip(one.Text, maxFinding)
		r.findings = append(r.findings, one)
	}
}

// frame is the frame of r; where the body is not there, or not whole, what is
// known beside it, and what the beginning of it says.
func (r *Row) frame() (f acp.Frame) {
	if len(r.Body) > 0 && !r.Cut {
		if acp.Scan(r.Body, &f); f.Kind == r.Kind {
			return f
		}
	}
	if r.Kind == acp.Text || r.Kind == acp.Ambiguous {
		acp.Scan(r.Body, &f)
		f.Kind, f.Cut = r.Kind, true
		return f
	}
	f = acp.Frame{Kind: r.Kind, Cut: true, ID: []byte(r.ID)}
	if r.ID == "" {
		f.ID = nil
	}
	if r.Kind == acp.Request || r.Kind == acp.Notification {
		f.Method = []byte(r.Method)
		if r.Session != nil && r.Session.Talk.Session != "" {
			token, _ := json.Marshal(r.Session.Talk.Session)
			f.Session = token[1 : len(token)-1]
		}
	}
	acp.Mend(r.Body, &f)
	return f
}
