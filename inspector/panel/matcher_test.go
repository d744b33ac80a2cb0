package panel

import (
	"testing"
	"time"

	"bobproxy/inspector/filter"
	"bobproxy/inspector/model"
)

// In a recording a clock time is one of its days, and of this day where something
// is going on.
func TestClockTimesInFilters(t *testing.T) {
	day := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	expr, err := filter.Parse("after:12:04")
	if err != nil {
		t.Fatal(err)
	}
	m := matcher{expr, &Panel{now: day.AddDate(0, 0, 5).Add(13 * time.Hour)}}
	for _, tt := range []struct {
		link model.Link
		want []bool
	}{{model.Recorded, []bool{false, true}}, {model.Live, []bool{false, false}}} {
		p := &model.Proxy{Link: tt.link}
		for _, at := range []time.Duration{12 * time.Hour, 12*time.Hour + 5*time.Minute} {
			p.Rows = append(p.Rows, &model.Row{Proxy: p, Time: day.Add(at)})
		}
		for i, r := range p.Rows {
			if got := m.Match(r); got != tt.want[i] {
				t.Errorf("%v, row at %v: %t", tt.link, r.Time, got)
			}
		}
	}
}
