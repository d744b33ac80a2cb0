package filter

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"bobproxy/inspector/model"
)

// unit is a unit of numbers.
type unit struct {
	name string
	of   float64 // of the smallest one
}

// Of each key the first one is meant when none is written.
var (
	durations = []unit{{"ms", 1}, {"s", 1000}, {"m", 60 * 1000}}
	sizes     = []unit{{"b", 1}, {"k", 1 << 10}, {"m", 1 << 20}}
)

// slowness is how many milliseconds a response took, or a request waits.
func slowness(r *model.Row, w *World) (float64, bool) {
	switch {
	case answers(r) && r.Waited > 0:
		return float64(r.Waited) / float64(time.Millisecond), true
	case r.Waiting:
		return float64(w.Now.Sub(r.Time)) / float64(time.Millisecond), true
	}
	return 0, false
}

func size(r *model.Row, _ *World) (float64, bool) { return float64(r.Size), true }

// comparison is a term about a number: of a key, or at a path.
type comparison struct {
	key    *key
	path   []step
	op     string
	number float64
	unit   unit
}

// compare reads a comparison and a number. A colon may stand before, as in
// size:>24k.
func (p *parser) compare(name string, k *key, path []step) (node, *Error) {
	colon := p.peek() == ':'
	if colon {
		p.at++
	}
	op := p.operator()
	if op == "" {
		return nil, wrong(p.at, "expected > or <, as in %s>100", name)
	}
	n := &comparison{key: k, path: path, op: op}
	return n, p.number(n)
}

func (p *parser) operator() string {
	rest := p.text[p.at:]
	for _, op := range []string{">=", "<=", ">", "<", "="} {
		if strings.HasPrefix(rest, op) {
			p.at += len(op)
			return op
		}
	}
	return ""
}

const longestNumber = 15 // bytes, all of which a float64 can tell

func (p *parser) number(n *comparison) *Error {
	start := p.at
	if n.key == nil && p.peek() == '-' {
		p.at++
	}
	for !p.end() && (isDigit(p.peek()) || p.peek() == '.') {
		p.at++
	}
	v, err := strconv.ParseFloat(p.text[start:p.at], 64)
	if err != nil || p.at-start > longestNumber {
		return wrong(start, "expected number")
	}
	n.number = v
	return p.unit(n)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (p *parser) unit(n *comparison) *Error {
	start := p.at
	for !p.end() && !breaks(p.peek()) {
		p.at++
	}
	name := strings.ToLower(p.text[start:p.at])
	switch {
	case n.key == nil && name != "":
		return wrong(start, "expected a number without a unit")
	case n.key == nil:
		return p.apart()
	case name == "":
		n.unit = n.key.units[0]
		return p.apart()
	}
	i := slices.IndexFunc(n.key.units, func(u unit) bool { return u.name == name })
	if i < 0 {
		return wrong(start, "expected %s, %s or %s", n.key.units[0].name, n.key.units[1].name, n.key.units[2].name)
	}
	n.unit = n.key.units[i]
	return p.apart()
}

func (n *comparison) match(r *model.Row, w *World) bool {
	if n.key != nil {
		v, ok := n.key.number(r, w)
		return ok && n.holds(v, n.number*n.unit.of)
	}
	found := false
	walk(r.Body, n.path, func(raw []byte) bool {
		if len(raw) <= 2*longestNumber {
			v, err := strconv.ParseFloat(string(raw), 64)
			found = err == nil && n.holds(v, n.number)
		}
		return !found
	})
	return found
}

func (n *comparison) holds(v, to float64) bool {
	switch n.op {
	case ">":
		return v > to
	case ">=":
		return v >= to
	case "<":
		return v < to
	case "<=":
		return v <= to
	}
	return v == to
}

func (n *comparison) write(dst []byte) []byte {
	if n.key != nil {
		dst = append(dst, n.key.name...)
	} else {
		dst = writePath(dst, n.path)
	}
	dst = append(dst, n.op...)
	dst = strconv.AppendFloat(dst, n.number, 'f', -1, 64)
	return append(dst, n.unit.name...)
}
