package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Assertion is what must hold of a report, such as p90(session/prompt) < 5s.
type Assertion struct {
	Text    string
	Stat    string // p50, p90, p99, max, min, count or sum
	Measure Measure
	Op      string
	Limit   float64 // nanoseconds, bytes or a number
}

// SyntaxError says where the text of an assertion is wrong, and what is expected
// there.
type SyntaxError struct {
	At   int // byte, from 1
	Want string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("at character %d: expected %s", e.At, e.Want)
}

// What an assertion is made of.
var (
	stats     = []string{"p50", "p90", "p99", "max", "min", "count", "sum"}
	operators = []string{"<=", ">=", "<", ">", "="}
	times     = map[string]float64{"ms": float64(time.Millisecond), "s": float64(time.Second), "m": float64(time.Minute)}
	sizes     = map[string]float64{"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20}
)

// ParseAssertion reads STAT(MEASURE) OPERATOR VALUE. A value is a length of time
// in ms, s or m, or a size in b, k or m, or, of count, a number. An error is a
// *SyntaxError. What nobody can have meant for a measure, such as a method that is
// misspelt, is one: it would be measured never, and pass.
func ParseAssertion(text string) (Assertion, error) {
	p := assertionParser{text: text}
	a := Assertion{Text: strings.TrimSpace(text)}
	a.Stat = p.oneOf(stats)
	p.expect(p.take("("), "( and what is measured")
	a.Measure = p.measure()
	p.only(&a)
	p.expect(p.take(")"), ")")
	a.Op = p.oneOf(operators)
	a.Limit = p.value(&a)
	p.blanks()
	p.expect(p.at == len(text), "nothing more")
	if p.err != nil {
		return Assertion{}, p.err
	}
	return a, nil
}

// assertionParser reads on until there is an error.
type assertionParser struct {
	text string
	at   int
	err  error
}

func (p *assertionParser) expect(ok bool, want string) {
	if !ok && p.err == nil {
		p.err = &SyntaxError{p.at + 1, want}
	}
}

func (p *assertionParser) blanks() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

// take takes word, behind blanks, if it is there.
func (p *assertionParser) take(word string) bool {
	p.blanks()
	if !strings.HasPrefix(p.text[p.at:], word) {
		return false
	}
	p.at += len(word)
	return true
}

func (p *assertionParser) oneOf(words []string) string {
	for _, word := range words {
		if p.take(word) {
			return word
		}
	}
	p.expect(false, "one of "+strings.Join(words, " "))
	return ""
}

// span takes all characters of which is says so.
func (p *assertionParser) span(is func(byte) bool) string {
	p.blanks()
	from := p.at
	for p.at < len(p.text) && is(p.text[p.at]) {
		p.at++
	}
	return p.text[from:p.at]
}

func (p *assertionParser) measure() Measure {
	p.blanks()
	from := p.at
	text := strings.TrimSpace(p.span(func(c byte) bool { return c != ')' }))
	m, ok := ParseMeasure(text)
	if want := expected(text, m, ok); want != "" && p.err == nil && (!ok || p.at < len(p.text)) {
		p.at = from
		p.expect(false, want)
	}
	return m
}

// only expects count where nothing else is known.
func (p *assertionParser) only(a *Assertion) {
	if a.Measure.Of == Counted && a.Stat != "count" && p.err == nil {
		p.at = 0
		p.expect(false, "count, since "+a.Measure.Name+" are only counted")
	}
}

// value reads a number with its unit.
func (p *assertionParser) value(a *Assertion) float64 {
	digits := p.span(func(c byte) bool { return c >= '0' && c <= '9' || c == '.' })
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil && p.err == nil {
		p.at -= len(digits)
		p.expect(false, "a number")
	}
	from := p.at
	unit := strings.ToLower(p.span(func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }))
	units, want := times, "a unit: ms, s or m"
	switch {
	case a.Stat == "count":
		units, want = map[string]float64{"": 1}, "a number without a unit"
	case a.Measure.sized():
		units, want = sizes, "a unit: b, k or m"
	case n == 0 && unit == "":
		return 0
	}
	factor, ok := units[unit]
	if !ok && p.err == nil {
		p.at = from
		p.expect(false, want)
	}
	return n * factor
}

// Verdict is an assertion and whether it holds.
type Verdict struct {
	Assertion
	Measured bool // there is a value; without one it does not hold
	Value    int64
	Holds    bool
}

// Judge says whether a holds. What never happened has a count and a sum of 0, and
// no other value.
func (r *Report) Judge(a Assertion) Verdict {
	v := Verdict{Assertion: a}
	if v.Value, v.Measured = r.value(a); !v.Measured {
		return v
	}
	switch got := float64(v.Value); a.Op {
	case "<":
		v.Holds = got < a.Limit
	case "<=":
		v.Holds = got <= a.Limit
	case ">":
		v.Holds = got > a.Limit
	case ">=":
		v.Holds = got >= a.Limit
	case "=":
		v.Holds = got == a.Limit
	}
	return v
}

func (r *Report) value(a Assertion) (v int64, measured bool) {
	if a.Measure.Of == Counted {
		c, _ := findCount(a.Measure.Name)
		return int64(c.of(r)), true
	}
	s := r.series[a.Measure]
	if s == nil {
		return 0, a.Stat == "count" || a.Stat == "sum"
	}
	switch a.Stat {
	case "count":
		return int64(s.Count), true
	case "sum":
		return s.Sum, true
	case "min":
		return s.Min, true
	case "max":
		return s.Max, true
	}
	percent, _ := strconv.Atoi(a.Stat[1:])
	return s.Percentile(percent), s.Kept() > 0
}
