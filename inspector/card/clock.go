package card

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/lapse"
	"bobproxy/inspector/paint"
)

// clock is how much time is left as a bar, and what happens then.
func (c *Card) clock(width int, now time.Time, level int) []paint.Line {
	beside := level >= brief || width >= clockWidth
	if c.told == nil || c.told.Deadline == nil {
		if level >= brief {
			return nil
		}
		return []paint.Line{paint.L(paint.Dim, " no time-out: it waits until somebody answers")}
	}
	left := c.told.Deadline.Sub(now)
	role := c.urgency(left)
	text := paint.L(role, "  "+clockText(left)+" left")
	if beside {
		text = text.With(paint.L(paint.Dim, ", then: "+c.atZero()))
	}
	bar := barOf(left, c.told.Deadline.Sub(c.told.Opened), width-2-text.Width(), role)
	line := paint.L(paint.Plain, " ").With(bar).With(text)
	if beside {
		return []paint.Line{line}
	}
	then := "at 0:00 we answer: " + c.atZero()
	if left <= 0 {
		then = "the time is up: the proxy answers " + c.atZero()
	}
	return []paint.Line{line, paint.L(paint.Dim, " "+then)}
}

// urgency is yellow in the last quarter, red in the last ten seconds.
func (c *Card) urgency(left time.Duration) paint.Role {
	switch all := c.told.Deadline.Sub(c.told.Opened); {
	case left < 10*time.Second:
		return paint.Danger
	case left < all/4:
		return paint.Warn
	}
	return paint.Plain
}

// barOf is a bar of so many cells, none when that is too few for one.
func barOf(left, all time.Duration, width int, role paint.Role) paint.Line {
	if width < 5 || all <= 0 {
		return nil
	}
	n := int(int64(width) * int64(max(min(left, all), 0)/time.Millisecond) / max(int64(all/time.Millisecond), 1))
	return paint.Line{paint.S(role, strings.Repeat("█", n)), paint.S(paint.Dim, strings.Repeat("░", width-n))}
}

// clockText is m:ss, with tenths in the last seconds.
func clockText(left time.Duration) string {
	left = max(left, 0)
	if left <= lastWhile {
		t := int((left + tenth - 1) / tenth)
		return fmt.Sprintf("0:%02d.%d", t/10, t%10)
	}
	return lapse.Left(left)
}

// atZero is what the proxy answers when nobody does.
func (c *Card) atZero() string {
	if ch, ok := refusal(c.choices); ok {
		return fmt.Sprintf("%d reject once", ch.Number)
	}
	return "cancelled"
}
