//go:build linux

package main

import (
	"context"
	"io"
	"sync"
	"testing"
	"time"
)

// watchdog ends the processes of a test from none of which anything has come
// for as long as patience lasts. A test that has much to transfer may take as
// long as the machine needs.
type watchdog struct {
	ctx   context.Context
	timer *time.Timer
}

var watchdogs sync.Map // by test

// watched is the test's watchdog, which has just been fed.
func watched(t testing.TB) *watchdog {
	if dog, ok := watchdogs.Load(t); ok {
		dog := dog.(*watchdog)
		dog.feed()
		return dog
	}
	ctx, cancel := context.WithCancel(t.Context())
	dog, had := watchdogs.LoadOrStore(t, &watchdog{ctx, time.AfterFunc(patience, cancel)})
	if had { // two processes at once
		cancel()
		return watched(t)
	}
	t.Cleanup(func() {
		watchdogs.Delete(t)
		dog.(*watchdog).timer.Stop()
		cancel()
	})
	return dog.(*watchdog)
}

func (d *watchdog) feed() { d.timer.Reset(patience) }

// signs reads what a process writes and feeds the watchdog with it.
type signs struct {
	io.Reader
	dog *watchdog
}

func (s signs) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if n > 0 {
		s.dog.feed()
	}
	return n, err
}
