package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/acp"
)

// warnings collects what the user is told.
type warnings struct {
	mu    sync.Mutex
	lines []string
}

func (w *warnings) add(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, s)
}

func (w *warnings) want(t *testing.T, n int) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.lines) != n {
		t.Errorf("%d warnings: %q", len(w.lines), w.lines)
	}
}

// tally counts the records of a recording, and those its gaps stand for; the
// numbers have to follow on one another.
func tally(t *testing.T, events []Event) (kept, missing uint64) {
	t.Helper()
	next := uint64(1)
	for _, e := range events {
		if e.Seq != next {
			t.Fatalf("record %d comes where %d should: %+v", e.Seq, next, e)
		}
		if e.Type == GapEvent {
			missing += e.Gap.Count
			next += e.Gap.Count
		} else {
			kept++
			next++
		}
	}
	return kept, missing
}

// pass moves the clock of the test's bubble on.
func pass(d time.Duration) { <-time.After(d) }

func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no device that is always full")
	}
	var told warnings
	j := begin(t, Options{Path: "/dev/full", Warn: told.add})
	var last uint64
	for range 1000 {
		last = j.Append(time.Now(), frames(acp.Agent, slices.Repeat([]string{update(200)}, 100)...))
		j.Kick()
	}
	err := j.Close(10 * time.Second)
	if last < 100_000 || !errors.Is(err, errMissing) {
		t.Errorf("after %d frames: %v", last, err)
	}
	told.want(t, 1)
}

func TestDiskFullForAWhile(t *testing.T) {
	for _, shared := range []bool{false, true} {
		t.Run(fmt.Sprintf("shared=%v", shared), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told warnings
				full := false
				m := &memory{shared: shared}
				m.fail = func(m *memory, size int) (int, error) {
					if full {
						return min(size, 96), syscall.ENOSPC
					}
					return size, nil
				}
				j := begin(t, Options{open: m.open, Warn: told.add})
				sent := uint64(0)
				send := func(n int, wait time.Duration) {
					for range n {
						sent = j.Append(time.Now(), frames(acp.Agent, update(400)))
						j.Kick()
						pass(wait)
					}
				}
				send(10, 10*time.Millisecond)
				synctest.Wait()
				m.mu.Lock()
				full = true
				m.mu.Unlock()
				send(500, 10*time.Millisecond)
				synctest.Wait()
				m.mu.Lock()
				full = false
				m.mu.Unlock()
				send(500, 30*time.Millisecond)
				closed(t, j)
				told.want(t, 1)
				text := m.text()
				if shared { // torn lines stay, but on their own
					var whole []string
					for line := range strings.Lines(text) {
						if strings.HasSuffix(line, "}\n") {
							whole = append(whole, line)
						}
					}
					if len(whole) == strings.Count(text, "\n") {
						t.Error("no torn line")
					}
					text = strings.Join(whole, "")
				}
				kept, missing := tally(t, readAll(t, text))
				if kept+missing < 1010 || missing < 500 || missing > 800 {
					t.Errorf("%d kept and %d missing of %d", kept, missing, sent)
				}
				if j.recorder.w.owed.Count != 0 {
					t.Error("something is owed still")
				}
			})
		})
	}
}

func TestWriteCutAtARecord(t *testing.T) {
	first := true
	m := &memory{}
	m.fail = func(m *memory, size int) (int, error) {
		if first {
			first = false
			return 3 * size / 4, syscall.ENOSPC
		}
		return size, nil
	}
	j := begin(t, Options{open: m.open})
	j.Append(time.Now(), frames(acp.Agent, slices.Repeat([]string{update(200)}, 60)...))
	closed(t, j)
	kept, missing := tally(t, readAll(t, m.text()))
	if missing < 10 || missing > 20 {
		t.Errorf("%d kept, %d missing", kept, missing)
	}
}

func TestReopenAfterAnError(t *testing.T) {
	broken, fine := &memory{}, &memory{}
	broken.fail = func(*memory, int) (int, error) { return 0, syscall.EIO }
	files := []*memory{broken, fine}
	j := begin(t, Options{open: func(bool) (file, error) {
		if len(files) == 0 {
			return nil, io.ErrUnexpectedEOF
		}
		f := files[0]
		files = files[1:]
		return f, nil
	}})
	j.Append(time.Now(), frames(acp.Agent, lines...))
	closed(t, j)
	if _, missing := tally(t, readAll(t, fine.text())); missing != uint64(len(lines)) {
		t.Errorf("%d missing", missing)
	}
}

func TestHungDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told warnings
		m := &memory{hang: make(chan struct{})}
		j := begin(t, Options{open: m.open, Warn: told.add})
		pool := NewPool()
		size := len(update(20_000))
		before, longest := time.Now(), time.Duration(0)
		sent := uint64(0)
		for range 5000 {
			c := pool.Get(size)
			fs := frames(acp.Agent, update(20_000))
			copy(c.Bytes(), fs[0].Line)
			fs[0].Line, fs[0].Chunk = c.Bytes()[:size], c
			acp.Scan(fs[0].Line, &fs[0].Scan)
			at := time.Now()
			sent = j.Append(at, fs)
			longest = max(longest, time.Since(at))
			j.Kick()
			c.Release()
		}
		synctest.Wait()
		if all := time.Since(before); longest > patience || all > 2*patience {
			t.Errorf("the wire was held for %v, all in all %v", longest, all)
		}
		told.want(t, 1)
		close(m.hang)
		synctest.Wait()
		j.Append(time.Now(), frames(acp.Agent, "again\n"))
		closed(t, j)
		kept, missing := tally(t, readAll(t, m.text()))
		if missing < sent/2 || kept+missing < sent+1 {
			t.Errorf("%d kept, %d missing of %d", kept, missing, sent)
		}
		if len(pool.standard) == 0 {
			t.Error("no chunk came back")
		}
	})
}

// What was dropped until the end is told by the last record.
func TestGapAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told warnings
		m := &memory{hang: make(chan struct{})}
		j := begin(t, Options{open: m.open, Warn: told.add})
		line := update(20_000)
		const sent = 1000
		for range sent {
			j.Append(time.Now(), frames(acp.Agent, line))
		}
		pass(time.Second) // now records are being dropped
		end := make(chan error, 1)
		go func() { end <- j.Close(10 * time.Second) }()
		synctest.Wait()
		close(m.hang)
		if err := <-end; err != nil {
			t.Errorf("close: %v", err)
		}
		told.want(t, 1)
		events := readAll(t, m.text())
		if last := events[len(events)-1]; last.Type != GapEvent {
			t.Errorf("the last record is %+v", last)
		}
		if kept, missing := tally(t, events); kept+missing != sent+1 || missing < sent/2 {
			t.Errorf("%d kept, %d missing of %d", kept, missing, sent+1)
		}
		bytes := uint64(0)
		for i := range events {
			_, n := weight(&events[i])
			bytes += n
		}
		if want := uint64(sent*(len(line)-1) + len(told.lines[0])); bytes != want {
			t.Errorf("%d bytes kept or missing, want %d", bytes, want)
		}
	})
}

func TestCloseLeavesAHungDisk(t *testing.T) {
	for _, required := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			m := &memory{hang: make(chan struct{})}
			j, err := New(Options{Instance: "test1", Required: required, open: m.open})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				j.Append(time.Now(), frames(acp.Agent, update(3<<20)))
			}
			waited := make(chan error, 1)
			go func() { waited <- j.Wait(2) }()
			before := time.Now()
			if err := j.Close(time.Second); err == nil || time.Since(before) != time.Second {
				t.Errorf("close: %v after %v", err, time.Since(before))
			}
			if err := <-waited; required != (err != nil) {
				t.Errorf("wait: %v", err)
			}
			close(m.hang) // lets the recorder goroutine end
		})
	}
}

func TestRequired(t *testing.T) {
	for _, failing := range []bool{false, true} {
		t.Run(fmt.Sprintf("failing=%v", failing), func(t *testing.T) {
			var told warnings
			m := &memory{}
			m.fail = func(m *memory, size int) (int, error) {
				if failing && m.writes > 1 {
					return 0, syscall.EIO
				}
				return size, nil
			}
			j := begin(t, Options{open: m.open, Required: true, Warn: told.add})
			if err := j.Wait(j.Append(time.Now(), frames(acp.Client, lines[0]))); err != nil || !strings.Contains(m.text(), lines[0][:20]) {
				t.Fatalf("%v; the file has %q", err, m.text())
			}
			seq := j.Note(Event{Type: DecisionEvent, Decision: &Decision{By: "panel"}})
			err := j.Wait(seq)
			if failing {
				if !errors.Is(err, syscall.EIO) {
					t.Errorf("got %v", err)
				}
				if err := j.Close(time.Minute); !errors.Is(err, syscall.EIO) {
					t.Errorf("close: %v", err)
				}
				told.want(t, 1)
				return
			}
			m.mu.Lock()
			synced := m.syncs
			m.mu.Unlock()
			if err != nil || synced != 1 {
				t.Errorf("got %v after %d syncs", err, synced)
			}
			closed(t, j)
			if err := j.Wait(j.Append(time.Now(), frames(acp.Client, lines[0]))); err != ErrClosed {
				t.Errorf("after close: %v", err)
			}
		})
	}
}

// How an agent began and ended can be told although a required recording hangs
// and everything is full of what the agent said: whoever tells it must be able
// to end.
func TestTheEndDoesNotWaitForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{hang: make(chan struct{})}
		j, err := New(Options{Instance: "test1", Required: true, open: m.open})
		if err != nil {
			t.Fatal(err)
		}
		full := make(chan struct{})
		go func() {
			defer close(full)
			for range 4 * (bufferBytes + queueBytes) >> 16 {
				j.Note(Event{Type: StderrEvent, Text: strings.Repeat("x", 1<<16)})
			}
		}()
		synctest.Wait()
		select {
		case <-full:
			t.Fatal("there is room for everything")
		default:
		}
		j.Note(Event{Type: WarningEvent, Text: "trouble"})
		j.Note(Event{Type: ExitEvent, Exit: &Exit{}})
		if err := j.Close(time.Second); err == nil {
			t.Error("a recording that hangs was closed without a word")
		}
		<-full
		close(m.hang)
	})
}

func TestRequiredButNoFile(t *testing.T) {
	j := begin(t, Options{Path: t.TempDir() + "/none/x", Required: true})
	if err := j.Wait(j.Append(time.Now(), frames(acp.Client, lines[0]))); !errors.Is(err, syscall.ENOENT) {
		t.Errorf("got %v", err)
	}
}

func TestWhenRecordsReachTheKernel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		j := begin(t, Options{open: m.open})
		synctest.Wait()
		for _, tt := range []struct {
			name string
			do   func()
			wait time.Duration
		}{
			{"append alone", func() { j.Append(time.Now(), frames(acp.Client, lines[0])) }, backstop},
			{"append and kick", func() { j.Append(time.Now(), frames(acp.Client, lines[0])); j.Kick() }, settle},
			{"much at once", func() { j.Append(time.Now(), frames(acp.Client, update(wakeBytes))); j.Kick() }, 0},
			{"note", func() { j.Note(Event{Type: WarningEvent, Text: "x"}) }, settle},
			{"decision", func() { j.Note(Event{Type: DecisionEvent, Decision: &Decision{}}) }, 0},
		} {
			before, syncs := m.text(), m.syncs
			tt.do()
			synctest.Wait()
			if early := m.text() != before; tt.wait > 0 && early {
				t.Errorf("%s: written at once", tt.name)
			}
			pass(tt.wait)
			synctest.Wait()
			if m.text() == before {
				t.Errorf("%s: not written after %v", tt.name, tt.wait)
			}
			if want := syncs + map[bool]int{true: 1}[tt.name == "decision"]; m.syncs != want {
				t.Errorf("%s: %d syncs, want %d", tt.name, m.syncs, want)
			}
			pass(time.Second)
		}
	})
}
