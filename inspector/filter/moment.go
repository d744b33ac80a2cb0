package filter

import (
	"strings"
	"time"

	"bobproxy/inspector/model"
)

// moment is a term about when a row was: before a moment, or at and after it.
type moment struct {
	key   *key
	text  string
	ago   time.Duration // of a moment that is so long ago
	clock bool          // at is a time of day
	local bool          // at is where the person is
	at    time.Time
}

// moment reads the moment behind a key.
func (p *parser) moment(k *key) (node, *Error) {
	start := p.at
	for !p.end() && !breaks(p.peek()) && p.peek() != ',' {
		p.at++
	}
	n := &moment{key: k, text: p.text[start:p.at]}
	if !n.read() {
		return nil, wrong(start, "expected a time, as 12:04, -5m or 2026-09-30")
	}
	return n, p.apart()
}

// read takes n's text apart; false when it is no moment.
func (n *moment) read() bool {
	if ago, ok := strings.CutPrefix(n.text, "-"); ok {
		return n.readAgo(ago)
	}
	if n.readAs("15:04", "15:04:05") {
		n.clock = true
		return true
	}
	n.local = n.readAs("2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05")
	return n.local || n.readAs(time.RFC3339)
}

func (n *moment) readAgo(s string) bool {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		d, err := time.ParseDuration(days + "h")
		n.ago = 24 * d
		return err == nil && d >= 0 && d < 1e5*time.Hour && strings.Trim(days, "0123456789") == ""
	}
	d, err := time.ParseDuration(s)
	n.ago = d
	return err == nil && d >= 0 && s[0] != '-' && s[0] != '+'
}

func (n *moment) readAs(layouts ...string) bool {
	for _, layout := range layouts {
		if at, err := time.Parse(layout, n.text); err == nil {
			n.at = at
			return true
		}
	}
	return false
}

func (n *moment) match(r *model.Row, w *World) bool {
	at := n.when(w.Now)
	if n.clock && !w.From.IsZero() {
		at = n.during(w.From.In(w.Now.Location()), w.To.In(w.Now.Location()))
	}
	return r.Time.Before(at) == (n.key.name == "before")
}

// during is the time of day n in what lasted from from to to: the last one that
// was in it. Where none was, after is about the first day, and before about the
// last one.
func (n *moment) during(from, to time.Time) time.Time {
	for _, ago := range []int{0, 1} {
		if at := n.on(to, -ago); !at.Before(from) && !at.After(to) {
			return at
		}
	}
	if n.key.name == "after" {
		return n.on(from, 0)
	}
	return n.on(to, 0)
}

// on is the time of day n, so many days after day.
func (n *moment) on(day time.Time, days int) time.Time {
	year, month, d := day.Date()
	hour, minute, second := n.at.Clock()
	return time.Date(year, month, d+days, hour, minute, second, n.at.Nanosecond(), day.Location())
}

// when is the moment as of now. A time of day is the last one that has been.
func (n *moment) when(now time.Time) time.Time {
	year, month, day := n.at.Date()
	switch {
	case n.clock:
		year, month, day = now.Date()
	case n.local:
	case n.at.IsZero():
		return now.Add(-n.ago)
	default:
		return n.at
	}
	hour, minute, second := n.at.Clock()
	at := time.Date(year, month, day, hour, minute, second, n.at.Nanosecond(), now.Location())
	if n.clock && at.After(now) {
		at = time.Date(year, month, day-1, hour, minute, second, n.at.Nanosecond(), now.Location())
	}
	return at
}

func (n *moment) write(dst []byte) []byte {
	return append(append(append(dst, n.key.name...), ':'), n.text...)
}
