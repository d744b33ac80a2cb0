//go:build linux

package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"bobproxy/inspector/terminal/vttest"
)

// traffic is how many updates of a kilobyte pass by a panel that is stopped.
const (
	traffic      = 100_000
	lessTraffic  = 20_000
	untoldEvents = "were not told"
)

// A panel that is stopped holds nothing up: all that the agent says arrives as
// it was. When it goes on it shows the newest, and how much it has missed.
func TestStoppedPanelHoldsNothingUp(t *testing.T) {
	t.Parallel()
	count := traffic
	if testing.Short() || raced {
		count = lessTraffic
	}
	p := newPlace(t)
	s := p.obedient()
	panel := p.panel(100, 30)
	s.send("say " + titled("Before") + "\n")
	s.line()
	panel.sees("Before")
	panel.Send("]")
	panel.sees("[Wire]")
	panel.Signal(syscall.SIGSTOP)
	s.send(fmt.Sprintf("flood %d\n", count))
	var want []byte
	for i := range count {
		got, err := s.out.ReadSlice('\n')
		if want = floodLine(want[:0], i); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("line %d is %q: %v", i, clip(string(got)), err)
		}
	}
	s.send("say " + titled("Afterwards") + "\n")
	s.line()
	panel.Signal(syscall.SIGCONT)
	panel.sees("Afterwards")
	panel.Send("G")
	v := panel.Until("the newest row", func(v vttest.View) bool { return has(v, untoldEvents, "FOLLOW ●") && newest.MatchString(v.Screen) })
	if told := toldOf.FindAllStringSubmatch(v.Screen, -1); sum(told) != count {
		t.Errorf("%d rows are shown or said to be missing, want %d:\n%s", sum(told), count, v.Screen)
	}
	panel.quits()
	s.ends()
}

var (
	newest = regexp.MustCompile(`(?m)►\S+ ← NTF ·info +140B`)
	toldOf = regexp.MustCompile(`·message ×(\d+)|(\d+) events were not told`)
)

func sum(matches [][]string) (n int) {
	for _, m := range matches {
		one, _ := strconv.Atoi(m[1] + m[2])
		n += one
	}
	return n
}

// titled is an update that gives the session a title.
func titled(title string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"session_info_update","title":"` + title + `"}}}`
}
