//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A FIFO in its place is not waited for.
func TestHistoryThatIsAFIFO(t *testing.T) {
	h := inState(t)
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(h.path, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.add(':', "theme dark")
		if got := h.read(); got != nil {
			t.Errorf("read %q", got)
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("it waited for a writer")
	}
}

// Two panels that enter something in the same moments lose nothing of each other's.
func TestPanelsShareAHistory(t *testing.T) {
	h := inState(t)
	const each = 40
	var panels sync.WaitGroup
	for i := range 4 {
		other := usualHistory()
		for n := range each {
			panels.Go(func() { other.add(':', fmt.Sprintf("goto #%d%02d", i, n)) })
		}
	}
	panels.Wait()
	if got := h.read(); len(got) != 4*each {
		t.Errorf("of %d entries %d are left", 4*each, len(got))
	}
}
