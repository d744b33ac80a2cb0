package load

import (
	"math"
	"slices"
)

// Series holds figures by the middle they were measured on, one a round. The
// middles take turns within a round, so figures with the same index saw the
// same machine: comparing those first and taking the median of the comparisons
// cancels what drifts over the rounds.
type Series map[string][]float64

// Add adds one round's figure for the middle called name.
func (s Series) Add(name string, figure float64) { s[name] = append(s[name], figure) }

// Median is the middle figure of name, or NaN without figures.
func (s Series) Median(name string) float64 { return median(slices.Clone(s[name])) }

// Ratio is the median over the rounds of a divided by base.
func (s Series) Ratio(a, base string) float64 {
	return s.paired(a, base, func(a, base float64) float64 { return a / base })
}

// Difference is the median over the rounds of a less base.
func (s Series) Difference(a, base string) float64 {
	return s.paired(a, base, func(a, base float64) float64 { return a - base })
}

func (s Series) paired(a, base string, compare func(a, base float64) float64) float64 {
	var all []float64
	for i := range min(len(s[a]), len(s[base])) {
		all = append(all, compare(s[a][i], s[base][i]))
	}
	return median(all)
}

func median(figures []float64) float64 {
	n := len(figures)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(figures)
	return (figures[(n-1)/2] + figures[n/2]) / 2
}
