package conform

import (
	"time"

	"bobproxy/acp"
	"bobproxy/acp/check"
	"bobproxy/proxy/journal"
)

// Bounds of a report.
const (
	MaxFindings = 10000
	maxGroups   = 500 // of one rule and side each
	maxKinds    = 200 // of one group
	maxFirst    = 3   // frames that are named of a kind
	maxProxies  = 64  // that recorded into one file
)

// Finding is one of a recording.
type Finding struct {
	check.Finding
	Instance string    // of the proxy that recorded it
	At       time.Time // of the frame; zero at the end of a recording
	Accepted bool      // by the baseline
}

// Judge is shown a recording, event by event. Make it with New.
type Judge struct {
	baseline *Baseline
	proxies  map[string]*check.Checker
	report   Report
	groups   map[groupKey]*Group
}

// swallowed is the action of an answer to what was settled already.
const swallowed = "swallowed"

type groupKey struct {
	rule string
	by   acp.Direction
}

// New is a judge that accepts what is in b; nil: nothing.
func New(b *Baseline) *Judge {
	return &Judge{baseline: b, proxies: map[string]*check.Checker{}, groups: map[groupKey]*Group{}}
}

// Take takes the next event, or why a line of the recording is none.
func (j *Judge) Take(e *journal.Event, err error) {
	if err != nil {
		j.report.Damaged++
		for _, c := range j.proxies {
			c.Missed()
		}
		return
	}
	c := j.checker(e)
	switch {
	case c == nil:
	case e.Type == journal.GapEvent:
		c.Missed()
	case e.Type == journal.ExitEvent:
		c.Ended(e.Time)
	case e.Type == journal.FrameEvent:
		j.report.Frames++
		for _, f := range Frame(c, e) {
			j.add(e.Instance, e.Time, f)
		}
	}
}

// checker is the one of the proxy that recorded e; nil when there are too many.
// What begins in the middle has missed the beginning.
func (j *Judge) checker(e *journal.Event) *check.Checker {
	c := j.proxies[e.Instance]
	if c == nil && len(j.proxies) < maxProxies {
		c = check.New()
		if e.Seq > 1 || j.report.Damaged > 0 {
			c.Missed()
		}
		j.proxies[e.Instance] = c
	}
	return c
}

// Frame shows c one frame as the conversation was shown it, and gives what its
// sender did wrong.
func Frame(c *check.Checker, e *journal.Event) []check.Finding {
	var f acp.Frame
	if e.Action == swallowed {
		passed := *e
		passed.Action = ""
		passed.Replay(&f)
		return c.Swallowed(e.Time, e.Seq, e.Dir, &f, e.Body)
	}
	if !e.Replay(&f) {
		return nil
	}
	if e.Form == journal.NoBody || e.Form != journal.FrameBody && f.Reason == 0 && !f.Strict && f.Kind > acp.Text && f.Kind < acp.Ambiguous {
		f.Cut = true
		acp.Mend(e.Body, &f)
	}
	if e.Added {
		c.Added(e.Time, e.Seq, e.Dir, &f, e.Body)
		return nil
	}
	return c.Frame(e.Time, e.Seq, e.Dir, &f, e.Body)
}

// End gives the report. Nothing is taken after it.
func (j *Judge) End() *Report {
	for _, instance := range sorted(j.proxies) {
		for _, f := range j.proxies[instance].End() {
			j.add(instance, time.Time{}, f)
		}
	}
	j.report.Groups = j.inOrder()
	return &j.report
}

func (j *Judge) add(instance string, at time.Time, f check.Finding) {
	accepted := j.baseline.Accepts(&f)
	if accepted {
		j.report.Accepted++
	} else {
		j.report.Counts[f.Severity]++
	}
	if len(j.report.Findings) < MaxFindings {
		j.report.Findings = append(j.report.Findings, Finding{f, instance, at, accepted})
	} else {
		j.report.More++
	}
	if !accepted {
		j.group(&f)
	}
}
