package load_test

import (
	"math"
	"testing"

	"bobproxy/lab/load"
)

func TestSeriesComparesWithinARound(t *testing.T) {
	s := load.Series{}
	for _, drift := range []float64{1, 10, 3, 100} {
		s.Add("base", drift)
		s.Add("twice", 2*drift)
		s.Add("more", 5+drift)
	}
	s.Add("base", 7) // a round that the others did not finish
	if got := s.Ratio("twice", "base"); got != 2 {
		t.Errorf("ratio: got %v, want 2", got)
	}
	if got := s.Difference("more", "base"); got != 5 {
		t.Errorf("difference: got %v, want 5", got)
	}
	if got := s.Median("base"); got != 7 {
		t.Errorf("median of an odd number: got %v, want 7", got)
	}
	if got := s.Median("twice"); got != 13 {
		t.Errorf("median of an even number: got %v, want 13", got)
	}
	if got := s.Ratio("base", "none"); !math.IsNaN(got) {
		t.Errorf("without figures: got %v, want NaN", got)
	}
}
