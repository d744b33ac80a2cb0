package talk

import (
	"os"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// printing tells a recording in pieces, each after so many events, to its end.
func printing(t *testing.T, recording string, every int, extent Extent) string {
	t.Helper()
	file, err := os.Open(recording)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m := model.New()
	reading := m.Begin("a recording")
	printers := map[*model.Session]*Printer{}
	var text strings.Builder
	n := 0
	var now time.Time
	tell := func(e Extent) {
		for _, s := range m.Sessions() {
			if s.Talk.Session == "" {
				continue
			}
			if printers[s] == nil {
				printers[s] = NewPrinter(s, 80)
			}
			for _, told := range printers[s].Tell(e, pane.Context{Now: now.UTC(), Model: m}) {
				text.WriteString(paint.Text(told.Grid))
			}
		}
	}
	for e, err := range journal.Read(file) {
		reading.Take(&e, err)
		now = e.Time
		if n++; n%every == 0 {
			tell(extent)
		}
	}
	reading.End()
	tell(AllThereIs)
	return text.String()
}

const demo = "../model/testdata/demo.jsonl"

// However often it is told, each thing is told once, when it is over, and in its
// order.
func TestPrintedOnce(t *testing.T) {
	whole := printing(t, demo, 1<<30, WhatIsOver)
	if n := strings.Count(whole, "\n"); n < 20 || !strings.Contains(whole, "end of turn") {
		t.Fatalf("got %d lines:\n%s", n, whole)
	}
	for _, every := range []int{1, 2, 7, 50} {
		if got := printing(t, demo, every, WhatIsOver); got != whole {
			t.Errorf("told every %d events:\n%s\nwant\n%s", every, got, whole)
		}
	}
	for line := range strings.Lines(whole) {
		if n := paint.Width(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d cells: %s", n, line)
		}
	}
}

// What goes on is told while it does, and once more when it is over.
func TestPrintedWhileItGoesOn(t *testing.T) {
	got := printing(t, demo, 1, WhatGoesOn)
	first, last := strings.Index(got, "execute  ./verify"), strings.LastIndex(got, "✓ execute  ./verify")
	if first < 0 || last < first || !strings.Contains(got, "ASK execute  ./verify") {
		t.Errorf("got\n%s", got)
	}
	if n := strings.Count(got, "end of turn"); n != 1 {
		t.Errorf("the turn ends %d times", n)
	}
}
