package load_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"bobproxy/lab/load"
)

// start starts mode behind m; the link is closed with the test and must end
// well.
func start(t *testing.T, m load.Middle, mode string) *load.Link {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Minute, errors.New("the middle hangs"))
	t.Cleanup(cancel)
	l, err := load.Start(ctx, m, agent(t, mode), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Open(); err != nil {
		t.Fatal(errors.Join(err, context.Cause(ctx), l.Close()))
	}
	return l
}

func agent(t *testing.T, mode string) []string {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{binary, "lab", "load"}, strings.Fields(mode)...)
}

func middles(t *testing.T) []load.Middle {
	t.Helper()
	all := []load.Middle{load.Direct(), load.Copy(agent(t, "")[0])}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Log("without sh, cat and tee are not tested:", err)
		return all
	}
	return append(all, load.Cat(), load.Tee())
}

func TestRoundTrips(t *testing.T) {
	for _, m := range middles(t) {
		t.Run(m.Name, func(t *testing.T) {
			for _, size := range []int{load.MinSize, 10_000, 1 << 20} {
				l := start(t, m, "echo")
				got, err := l.RoundTrips(size, 1, 10)
				if err = errors.Join(err, l.Close()); err != nil {
					t.Fatal(err)
				}
				if got.P50 <= 0 || got.P50 > got.P99 {
					t.Errorf("got %+v", got)
				}
			}
		})
	}
}

func TestTurn(t *testing.T) {
	want, err := load.Expect(func(w io.Writer) error { return load.Stream(w, 1000, 200) })
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range middles(t) {
		t.Run(m.Name, func(t *testing.T) {
			l := start(t, m, "turn stream 1000 200")
			var eighths []int
			_, err := l.Turn(want, func(n int) { eighths = append(eighths, n) })
			if err = errors.Join(err, l.Close()); err != nil {
				t.Fatal(err)
			}
			if len(eighths) != 8 || eighths[7] != 8 {
				t.Errorf("got eighths %v", eighths)
			}
		})
	}
}

func TestTurnSeesWhatIsNotRight(t *testing.T) {
	want, err := load.Expect(func(w io.Writer) error { return load.Stream(w, 1000, 200) })
	if err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]string{
		"too few":   "turn stream 999 200",
		"too many":  "turn stream 1001 200",
		"different": "turn pieces 200000 1000",
	} {
		t.Run(name, func(t *testing.T) {
			l := start(t, load.Direct(), "once "+mode)
			_, err := l.Turn(want, nil)
			if err = errors.Join(err, l.Close()); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestCancelEndsTheMiddle(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	l, err := load.Start(ctx, load.Direct(), agent(t, "echo"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Open(); err != nil {
		t.Fatal(err)
	}
	want, err := load.Expect(func(w io.Writer) error { return load.Stream(w, 1000, 200) })
	if err != nil {
		t.Fatal(err)
	}
	context.AfterFunc(t.Context(), cancel)
	go cancel()
	if _, err := l.Turn(want, nil); err == nil {
		t.Error("Turn: no error")
	}
	if err := l.Close(); err == nil {
		t.Error("Close: no error")
	}
}

func TestUsage(t *testing.T) {
	want := map[string]int{"direct": 0, "io.Copy": 1, "cat": 3, "tee": 3}
	for _, m := range middles(t) {
		t.Run(m.Name, func(t *testing.T) {
			l := start(t, m, "echo")
			defer l.Close()
			before, err := l.Usage()
			if runtime.GOOS != "linux" {
				if !errors.Is(err, errors.ErrUnsupported) {
					t.Errorf("got %v, want unsupported", err)
				}
				return
			}
			if _, err := l.RoundTrips(1000, 0, 2000); err != nil {
				t.Fatal(err)
			}
			after, err := l.Settle(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if after.Processes != want[m.Name] {
				t.Errorf("got %+v, want %d processes", after, want[m.Name])
			}
			if after.Processes == 0 {
				return
			}
			if after.CPU <= before.CPU || after.Peak < after.Resident || after.Resident == 0 {
				t.Errorf("got %+v after %+v", after, before)
			}
		})
	}
}
