package report

import (
	"math"
	"slices"
)

// Bounds of the values that are kept.
const (
	MaxValues    = 1_000_000 // of one measure
	MaxAllValues = 8_000_000 // of all
)

// Series is all values of one measure, nanoseconds or bytes.
type Series struct {
	Count    int
	Sum      int64 // at most math.MaxInt64
	Min, Max int64

	values []int64
	sorted bool
}

// add takes a value; one below 0, from a clock that was set back, counts as 0.
// keep says whether there is room for it.
func (s *Series) add(v int64, keep bool) (kept bool) {
	v = max(v, 0)
	if s.Count == 0 || v < s.Min {
		s.Min = v
	}
	s.Max = max(s.Max, v)
	s.Sum = plus(s.Sum, v)
	s.Count++
	if !keep || len(s.values) >= MaxValues {
		return false
	}
	s.values, s.sorted = append(s.values, v), false
	return true
}

// Kept is how many values percentiles are of: the first ones.
func (s *Series) Kept() int { return len(s.values) }

// Percentile is the value that percent of all are not above, by nearest rank; 0
// when there is none.
func (s *Series) Percentile(percent int) int64 {
	if len(s.values) == 0 {
		return 0
	}
	if !s.sorted {
		slices.Sort(s.values)
		s.sorted = true
	}
	rank := (len(s.values)*percent + 99) / 100
	return s.values[min(max(rank, 1), len(s.values))-1]
}

// plus adds without going round.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
