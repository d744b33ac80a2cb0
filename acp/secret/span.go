package secret

import (
	"cmp"
	"slices"
)

// Span is a secret: text[Start:End].
type Span struct{ Start, End int }

func shifted(spans []Span, by int) []Span {
	for i := range spans {
		spans[i].Start += by
		spans[i].End += by
	}
	return spans
}

// union is a and b in order; what overlaps becomes one.
func union(a, b []Span) []Span {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...)
	}
	all := append(a, b...)
	slices.SortFunc(all, func(x, y Span) int { return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End)) })
	out := all[:1]
	for _, s := range all[1:] {
		if s.Start >= out[len(out)-1].End {
			out = append(out, s)
		} else {
			out[len(out)-1].End = max(out[len(out)-1].End, s.End)
		}
	}
	return out
}
