package proxy

import (
	"testing"
	"time"
)

// An agent whose words wait for a slow reader is not silent, however long that
// takes, and the time counts anew when they have been taken.
func TestSlowReaderIsNotAnIdleAgent(t *testing.T) {
	r := &relay{Options: Options{limits: limits{idle: time.Nanosecond}}, ending: true}
	p := &r.toClient.pace
	p.took(1)
	if r.idle(true) == nil {
		t.Error("an agent is ended although what it says has not been taken")
	}
	p.carried()
	if p.silent(time.Time{}) > time.Since(began) {
		t.Error("the silence began before the program")
	}
	for r.idle(true) != nil { // until the clock has moved on by a nanosecond
	}
	r.limits.idle = time.Hour
	if r.idle(true) == nil {
		t.Error("an agent is ended although it has just spoken")
	}
}
