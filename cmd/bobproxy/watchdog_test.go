//go:build linux

package main

import (
	"context"
	"io"
	"sync"
	"testing"
	"time"
)

// watchdog ends the processes of a test when the test waits for one of them and
// nothing has come from any for as long as patience lasts. A test that has much
// to transfer, or waits for something else, may take as long as the machine
// needs.
type watchdog struct {
	ctx   context.Context
	timer *time.Timer // runs while somebody waits

	mu      sync.Mutex
	waiting int
}

var watchdogs sync.Map // by test

// watched is the test's watchdog.
func watched(t testing.TB) *watchdog {
	if dog, ok := watchdogs.Load(t); ok {
		return dog.(*watchdog)
	}
	ctx, cancel := context.WithCancel(t.Context())
	dog := &watchdog{ctx: ctx, timer: time.AfterFunc(patience, cancel)}
	dog.timer.Stop()
	if _, had := watchdogs.LoadOrStore(t, dog); had { // two processes at once
		cancel()
		return watched(t)
	}
	t.Cleanup(func() {
		watchdogs.Delete(t)
		dog.timer.Stop()
		cancel()
	})
	return dog
}

// during runs what may wait for a process.
func (d *watchdog) during(wait func()) {
	d.count(1)
	defer d.count(-1)
	wait()
}

func (d *watchdog) count(by int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting += by; d.waiting > 0 {
		d.timer.Reset(patience)
	} else {
		d.timer.Stop()
	}
}

// signs reads what a process writes, which the watchdog watches.
type signs struct {
	io.Reader
	dog *watchdog
}

func (s signs) Read(b []byte) (n int, err error) {
	s.dog.during(func() { n, err = s.Reader.Read(b) })
	return n, err
}
