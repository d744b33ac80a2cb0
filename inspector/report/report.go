package report

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"bobproxy/acp"
)

// Bounds of what is listed.
const (
	MaxSlowest = 8    // answers
	MaxTurns   = 1000 // the first ones
	MaxNames   = 512  // measures, and methods; the rest are together one, called [Others]
)

// Others is what stands for the names beyond MaxNames.
const Others = "(others)"

// Report is what was measured, of a whole recording or of one session.
type Report struct {
	Session string // id; empty: all of it
	Timed   bool   // the recording says when its frames came
	First   time.Time
	Last    time.Time

	Sessions int
	Frames   [3]int // by who sent them
	Bytes    [3]int64
	Turns    []OneTurn
	AllTurns int
	Slowest  []Pair // the slowest first
	Counts   Counts

	series map[Measure]*Series
	flows  map[string]*Flow
}

// Counts are things that only their number is told of.
type Counts struct {
	Stderr   int    `json:"stderrLines"`
	Flagged  int    `json:"flagged"`
	Warnings int    `json:"warnings"`
	Odd      int    `json:"oddFrames"`
	Late     int    `json:"late"`    // answers that came when it was settled already
	Closed   int    `json:"closed"`  // dialogs that the editor closed when it was settled already
	Stray    int    `json:"stray"`   // answers that nobody waited for
	Stopped  int    `json:"stopped"` // frames that were refused or withheld
	Refused  int    `json:"refused"`
	Withheld int    `json:"withheld"` // replies to what was settled before among them
	Added    int    `json:"added"`    // frames of the proxy's own
	Masked   int    `json:"masked"`   // values
	Errors   int    `json:"errors"`   // answers that are one
	Open     int    `json:"unanswered"`
	Missing  uint64 `json:"missing"` // records that could not be kept
	Damaged  int    `json:"damaged"` // lines that cannot be read

	// Of tool calls, where somebody has looked for them.
	Unasked   int `json:"unasked,omitempty"`   // ran, and nobody was asked
	Forbidden int `json:"forbidden,omitempty"` // ran although that was not allowed
}

// OneTurn is a prompt and what was done for it.
type OneTurn struct {
	Session string
	Number  int    // in its session, from 1
	Frame   uint64 // of the prompt
	End     uint64 // the frame it ended with; 0: it did not end
	Start   time.Time
	Took    time.Duration
	First   time.Duration // until the first chunk; negative: there was none
	Asked   time.Duration // while at least one permission waited
	Tools   int           // calls that ended
	Stop    string        // its stop reason, or error
}

// Pair is a request and its answer.
type Pair struct {
	Method  string
	By      string // who answered: client, agent or proxy
	Session string
	Asked   uint64 // frame; 0: not known
	Frame   uint64 // of the answer
	Waited  time.Duration
}

// Flow is what crossed the wire of one method, by who sent it.
type Flow struct {
	Method string
	Frames [3]int
	Bytes  [3]int64
}

// All is the bytes of both sides.
func (f *Flow) All() int64 { return plus(f.Bytes[acp.Client], f.Bytes[acp.Agent]) }

// Series is what was measured of m; nil when it never happened.
func (r *Report) Series(m Measure) *Series { return r.series[m] }

// Measures are those that happened, in the order of kinds, then by name.
func (r *Report) Measures() []Measure {
	return slices.SortedFunc(maps.Keys(r.series), func(a, b Measure) int {
		return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.Name, b.Name))
	})
}

// Flows are those of all methods, the one with most bytes first.
func (r *Report) Flows() []*Flow {
	return slices.SortedFunc(maps.Values(r.flows), func(a, b *Flow) int {
		return cmp.Or(cmp.Compare(b.All(), a.All()), cmp.Compare(a.Method, b.Method))
	})
}

func newReport(session string) *Report {
	return &Report{Session: session, series: map[Measure]*Series{}, flows: map[string]*Flow{}}
}

// seen widens the time that is told of.
func (r *Report) seen(at time.Time) {
	if at.IsZero() {
		return
	}
	if !r.Timed || at.Before(r.First) {
		r.First = at
	}
	if !r.Timed || at.After(r.Last) {
		r.Last = at
	}
	r.Timed = true
}

// flow counts a frame.
func (r *Report) flow(method string, from acp.Direction, size int64) {
	f := r.flows[method]
	if f == nil {
		if len(r.flows) >= MaxNames {
			method = Others
		}
		if f = r.flows[method]; f == nil {
			f = &Flow{Method: method}
			r.flows[method] = f
		}
	}
	f.Frames[from]++
	f.Bytes[from] = plus(f.Bytes[from], size)
	r.Frames[from]++
	r.Bytes[from] = plus(r.Bytes[from], size)
}

// measured is the series of m, be it that of the others.
func (r *Report) measured(m Measure) *Series {
	s := r.series[m]
	if s == nil && len(r.series) >= MaxNames {
		m.Name = Others
		s = r.series[m]
	}
	if s == nil {
		s = &Series{}
		r.series[m] = s
	}
	return s
}

// slow keeps p when it is one of the slowest.
func (r *Report) slow(p Pair) {
	if n := len(r.Slowest); n == MaxSlowest && r.Slowest[n-1].Waited >= p.Waited {
		return
	}
	i, _ := slices.BinarySearchFunc(r.Slowest, p, func(have, p Pair) int {
		return cmp.Or(cmp.Compare(p.Waited, have.Waited), -1)
	})
	r.Slowest = slices.Insert(r.Slowest, i, p)
	r.Slowest = r.Slowest[:min(len(r.Slowest), MaxSlowest)]
}

func (r *Report) turn(t OneTurn) {
	if r.AllTurns++; len(r.Turns) < MaxTurns {
		r.Turns = append(r.Turns, t)
	}
}
