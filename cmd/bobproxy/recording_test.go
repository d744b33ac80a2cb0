package main

import (
	"os"
	"testing"

	"bobproxy/proxy/journal"
)

// complete checks that no record is missing without being counted.
func complete(t *testing.T, all []journal.Event) {
	t.Helper()
	next := uint64(1)
	for _, e := range all {
		if e.Seq != next {
			t.Fatalf("record %d follows %d: %+v", e.Seq, next-1, e)
		}
		if next++; e.Gap != nil {
			next += e.Gap.Count - 1
		}
	}
}

func count(all []journal.Event, kind journal.Type) (n int) {
	for _, e := range all {
		if e.Type == kind {
			n++
		}
	}
	return n
}

// last is the last record.
func (p *process) last() journal.Event {
	p.t.Helper()
	all := p.events()
	if len(all) == 0 {
		p.t.Fatal("the recording is empty")
	}
	return all[len(all)-1]
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
