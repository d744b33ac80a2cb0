package filter

import (
	"testing"
	"time"

	"bobproxy/inspector/model"
)

// A time of day is that of the days that a recording is of, and not of today.
func TestTimesOfDayOfARecording(t *testing.T) {
	at := func(text string) time.Time {
		m, err := time.Parse("2006-01-02 15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	now := at("2026-05-01 10:00")
	for _, test := range []struct {
		name, from, to, filter, row string
		want                        bool
	}{
		{"after, within", "2026-03-02 12:00", "2026-03-02 13:00", "after:12:30", "2026-03-02 12:31", true},
		{"after, before that", "2026-03-02 12:00", "2026-03-02 13:00", "after:12:30", "2026-03-02 12:29", false},
		{"after, earlier than all", "2026-03-02 12:00", "2026-03-02 13:00", "after:00:01", "2026-03-02 12:00", true},
		{"after, later than all", "2026-03-02 12:00", "2026-03-02 13:00", "after:14:00", "2026-03-02 13:00", false},
		{"before, later than all", "2026-03-02 12:00", "2026-03-02 13:00", "before:14:00", "2026-03-02 13:00", true},
		{"before, earlier than all", "2026-03-02 12:00", "2026-03-02 13:00", "before:11:00", "2026-03-02 12:00", false},
		{"over midnight, on the first day", "2026-03-02 23:00", "2026-03-03 02:00", "after:23:30", "2026-03-03 01:00", true},
		{"over midnight, on the second day", "2026-03-02 23:00", "2026-03-03 02:00", "after:00:30", "2026-03-02 23:59", false},
		{"over midnight, before", "2026-03-02 23:00", "2026-03-03 02:00", "before:00:30", "2026-03-02 23:59", true},
		{"over midnight, after noon", "2026-03-02 23:00", "2026-03-03 02:00", "after:12:00", "2026-03-02 23:00", true},
		{"over midnight, before noon", "2026-03-02 23:00", "2026-03-03 02:00", "before:12:00", "2026-03-03 02:00", true},
		{"a whole date is what it is", "2026-03-02 12:00", "2026-03-02 13:00", "after:2026-03-03", "2026-03-02 12:30", false},
		{"of now", "", "", "after:00:01", "2026-03-02 12:30", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, err := Parse(test.filter)
			if err != nil {
				t.Fatal(err)
			}
			w := World{Now: now}
			if test.from != "" {
				w.From, w.To = at(test.from), at(test.to)
			}
			if got := e.Match(&model.Row{Time: at(test.row)}, w); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
