package model

import (
	"testing"
	"time"

	"bobproxy/acp/session"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

func TestTheClockStandsWhereNothingGoesOn(t *testing.T) {
	began := time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC)
	now, end := began.Add(time.Minute), began.Add(11*time.Second)
	tests := []struct {
		name string
		p    Proxy
		s    Session
		want time.Time
		over bool
	}{
		{"live", Proxy{Link: Live}, Session{}, now, false},
		{"cut loose", Proxy{Link: Lost}, Session{}, now, false},
		{"the agent has ended", Proxy{Link: Live, Exit: &journal.Exit{}, ExitAt: end}, Session{}, end, true},
		{"the proxy is gone", Proxy{Link: Gone, GoneAt: end}, Session{}, end, true},
		{"gone, and the agent before it", Proxy{Link: Gone, GoneAt: now, ExitAt: end, Exit: &journal.Exit{}}, Session{}, end, true},
		{"a recording", Proxy{Link: Recorded}, Session{Activity: end}, end, true},
		{"a session that was closed", Proxy{Link: Live}, Session{Closed: true, Activity: end}, end, true},
		{"an end that is still to come", Proxy{Link: Gone, GoneAt: now.Add(time.Second)}, Session{}, now, true},
		{"an end that is not known", Proxy{Link: Gone}, Session{}, now, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.s.Proxy, tt.s.Talk = &tt.p, &session.Talk{}
			if at, over := tt.s.Until(now); !at.Equal(tt.want) || over != tt.over {
				t.Errorf("got %v %v, want %v %v", at, over, tt.want, tt.over)
			}
		})
	}
}

func TestTheClockOfAPermissionSaysWhichWayItRuns(t *testing.T) {
	opened := time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC)
	within := func(d time.Duration) *control.Pending {
		deadline := opened.Add(d)
		return &control.Pending{Deadline: &deadline}
	}
	for _, tt := range []struct {
		name string
		card *control.Pending
		now  time.Duration
		want string
	}{
		{"without a time-out, at first", &control.Pending{}, 0, "for 0:00"},
		{"without a time-out", &control.Pending{}, 8 * time.Second, "for 0:08"},
		{"not told", nil, time.Hour + time.Second, "for 1:00:01"},
		{"with one, at first", within(time.Minute), 0, "1:00 left"},
		{"with one", within(time.Minute), 8 * time.Second, "0:52 left"},
		{"it reads 0:00 only when that is so", within(time.Minute), 59*time.Second + 999*time.Millisecond, "0:01 left"},
		{"past", within(time.Minute), 2 * time.Minute, "0:00 left"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := &Permission{Opened: opened, Card: tt.card}
			if got := o.Clock(opened.Add(tt.now)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHowAProgramEnded(t *testing.T) {
	for _, tt := range []struct {
		exit journal.Exit
		want string
	}{
		{journal.Exit{Status: 143, Signal: "terminated"}, "by SIGTERM"},
		{journal.Exit{Status: 129, Signal: "hangup"}, "by SIGHUP"},
		{journal.Exit{Status: 137, Signal: "killed"}, "by SIGKILL"},
		{journal.Exit{Signal: "SIGKILL"}, "by SIGKILL"},
		{journal.Exit{Signal: "signal 34"}, "by signal 34"},
		{journal.Exit{Status: 3}, "exit 3"},
		{journal.Exit{}, "exit 0"},
	} {
		if got := HowEnded(&tt.exit); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.exit, got, tt.want)
		}
	}
}
