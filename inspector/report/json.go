package report

import (
	"time"

	"bobproxy/acp"
)

// Document is a report in JSON. Members are only ever added.
type Document struct {
	Recording  string       `json:"recording"`
	Session    string       `json:"session,omitempty"`
	First      *time.Time   `json:"first,omitempty"`
	Last       *time.Time   `json:"last,omitempty"`
	Sessions   int          `json:"sessions"`
	TurnCount  int          `json:"turnCount"`
	Client     Side         `json:"client"`
	Agent      Side         `json:"agent"`
	Times      []TimesLine  `json:"times"`
	Methods    []MethodLine `json:"methods"`
	Slowest    []PairLine   `json:"slowest"`
	Turns      []TurnLine   `json:"turns"` // the first ones
	Counts     Counts       `json:"counts"`
	Assertions []CheckLine  `json:"assertions,omitempty"`
}

// Side is what one side sent.
type Side struct {
	Frames int   `json:"frames"`
	Bytes  int64 `json:"bytes"`
}

// TimesLine is a measure of time.
type TimesLine struct {
	Measure string  `json:"measure"` // as in an assertion
	Count   int     `json:"count"`
	SumMs   float64 `json:"sumMs"`
	MinMs   float64 `json:"minMs"`
	P50Ms   float64 `json:"p50Ms"`
	P90Ms   float64 `json:"p90Ms"`
	P99Ms   float64 `json:"p99Ms"`
	MaxMs   float64 `json:"maxMs"`
	Kept    int     `json:"percentilesOf,omitempty"` // values, where these are not all
}

// MethodLine is what crossed the wire of one method.
type MethodLine struct {
	Method string `json:"method"`
	Client Side   `json:"client"`
	Agent  Side   `json:"agent"`
	P50    int64  `json:"p50Bytes"` // of a frame
	P90    int64  `json:"p90Bytes"`
	P99    int64  `json:"p99Bytes"`
	Max    int64  `json:"maxBytes"`
	Kept   int    `json:"percentilesOf,omitempty"`
}

// PairLine is a request and its answer.
type PairLine struct {
	Method   string  `json:"method"`
	By       string  `json:"by"`
	Session  string  `json:"session,omitempty"`
	Request  uint64  `json:"requestFrame"`
	Answer   uint64  `json:"answerFrame"`
	WaitedMs float64 `json:"waitedMs"`
}

// TurnLine is a turn.
type TurnLine struct {
	Session      string     `json:"session"`
	Turn         int        `json:"turn"`
	Prompt       uint64     `json:"promptFrame"`
	End          uint64     `json:"endFrame,omitempty"` // absent: it did not end
	Start        *time.Time `json:"start,omitempty"`
	TookMs       *float64   `json:"tookMs,omitempty"`
	FirstTokenMs *float64   `json:"firstTokenMs,omitempty"`
	AskedMs      float64    `json:"askedMs"`
	Tools        int        `json:"toolCalls"`
	Stop         string     `json:"stopReason,omitempty"`
}

// CheckLine is an assertion.
type CheckLine struct {
	Assertion string   `json:"assertion"`
	Holds     bool     `json:"holds"`
	Value     *float64 `json:"value,omitempty"` // absent: it was never measured
	Unit      string   `json:"unit,omitempty"`  // ms or bytes
}

// JSON is all of the report, under name.
func (r *Report) JSON(name string, verdicts []Verdict) Document {
	d := Document{
		Recording: name, Session: r.Session, Sessions: r.Sessions, TurnCount: r.AllTurns, Counts: r.Counts,
		Client: Side{r.Frames[acp.Client], r.Bytes[acp.Client]}, Agent: Side{r.Frames[acp.Agent], r.Bytes[acp.Agent]},
		Times: []TimesLine{}, Methods: []MethodLine{}, Slowest: []PairLine{}, Turns: []TurnLine{},
	}
	if r.Timed {
		d.First, d.Last = moment(r.First), moment(r.Last)
	}
	for _, m := range r.Measures() {
		if m.Of != Bytes {
			d.Times = append(d.Times, timesLine(m, r.series[m]))
		}
	}
	for _, f := range r.Flows() {
		d.Methods = append(d.Methods, r.methodLine(f))
	}
	for _, p := range r.Slowest {
		d.Slowest = append(d.Slowest, PairLine{p.Method, p.By, p.Session, p.Asked, p.Frame, ms(int64(p.Waited))})
	}
	for _, t := range r.Turns {
		d.Turns = append(d.Turns, t.line())
	}
	for _, v := range verdicts {
		d.Assertions = append(d.Assertions, v.line())
	}
	return d
}

func timesLine(m Measure, s *Series) TimesLine {
	l := TimesLine{m.String(), s.Count, ms(s.Sum), ms(s.Min), ms(s.Percentile(50)), ms(s.Percentile(90)), ms(s.Percentile(99)), ms(s.Max), 0}
	if s.Kept() < s.Count {
		l.Kept = s.Kept()
	}
	return l
}

func (r *Report) methodLine(f *Flow) MethodLine {
	l := MethodLine{Method: f.Method, Client: Side{f.Frames[acp.Client], f.Bytes[acp.Client]}, Agent: Side{f.Frames[acp.Agent], f.Bytes[acp.Agent]}}
	if s := r.series[Measure{Bytes, f.Method}]; s != nil {
		l.P50, l.P90, l.P99, l.Max = s.Percentile(50), s.Percentile(90), s.Percentile(99), s.Max
		if s.Kept() < s.Count {
			l.Kept = s.Kept()
		}
	}
	return l
}

func (t *OneTurn) line() TurnLine {
	l := TurnLine{Session: t.Session, Turn: t.Number, Prompt: t.Frame, End: t.End, AskedMs: ms(int64(t.Asked)), Tools: t.Tools, Stop: t.Stop}
	if t.Start.IsZero() {
		return l
	}
	l.Start = moment(t.Start)
	if t.End != 0 {
		l.TookMs = new(ms(int64(t.Took)))
	}
	if t.First >= 0 {
		l.FirstTokenMs = new(ms(int64(t.First)))
	}
	return l
}

func (v *Verdict) line() CheckLine {
	l := CheckLine{Assertion: v.Text, Holds: v.Holds}
	if !v.Measured {
		return l
	}
	switch {
	case v.Stat == "count":
		l.Value = new(float64(v.Value))
	case v.Measure.sized():
		l.Value, l.Unit = new(float64(v.Value)), "bytes"
	default:
		l.Value, l.Unit = new(ms(v.Value)), "ms"
	}
	return l
}

// moment is a time as JSON can tell it: years of four digits.
func moment(t time.Time) *time.Time {
	if y := t.Year(); y < 0 || y > 9999 {
		return nil
	}
	return &t
}

// ms is nanoseconds in milliseconds.
func ms(ns int64) float64 { return float64(ns) / 1e6 }
