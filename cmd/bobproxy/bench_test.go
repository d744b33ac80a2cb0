package main_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/lab/load"
)

// BenchmarkWire measures what the proxy costs on the wire, as ratios against
// other middles in the same run, and prints a table of targets. It only
// reports: a missed target is a word in the table. What is an error is a middle
// that does not deliver what the peers sent.
//
// The binary, which is also every peer, is built from this tree as make build
// does, or named by BOBPROXY_BENCH_BIN.
func BenchmarkWire(b *testing.B) {
	w := &wire{binary: binary(b), dir: b.TempDir(), failed: map[string]error{}}
	b.Run("startup", w.startUp)
	for _, l := range []struct {
		name        string
		size        int // bytes
		pings, warm int
		frames      int
	}{
		{"200B", 200, 2000, 500, 1_000_000},
		{"10KB", 10_000, 1000, 200, 30_000},
		{"1MB", 1_000_000, 30, 5, 300},
	} {
		b.Run("roundtrip/"+l.name, func(b *testing.B) { w.roundTrip(b, l.name, l.size, l.warm, l.pings) })
		b.Run("throughput/"+l.name, func(b *testing.B) { w.throughput(b, l.name, l.size, l.frames) })
	}
	b.Run("pieces/64MB", w.pieces)
	b.Run("memory/1GB", w.memory)
	fmt.Print(w.table())
}

// binary is the path of the proxy's binary.
func binary(b *testing.B) string {
	if path := os.Getenv("BOBPROXY_BENCH_BIN"); path != "" {
		return path
	}
	if _, err := exec.LookPath("go"); err != nil {
		b.Skipf("not measured: bobproxy cannot be built here: %v", err)
	}
	path := filepath.Join(b.TempDir(), "bobproxy")
	c := exec.Command("go", "build", "-o", path, ".")
	c.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is built for people
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("building bobproxy: %v\n%s", err, out)
	}
	return path
}

const (
	rounds   = 5           // of throughput, at least
	pingings = 9           // of round trips, at least: p99 needs more
	patience = time.Minute // for one run of one middle
)

// wire is one run of the benchmark.
type wire struct {
	binary string
	dir    string
	failed map[string]error // by middle; it is not tried again
	silent bool             // the proxy left a run unrecorded: nothing counts as met
	rows   []row
}

func (w *wire) middles() []load.Middle {
	return []load.Middle{load.Direct(), load.Cat(), load.Tee(), load.Copy(w.binary), load.Bobproxy(w.binary)}
}

// each calls round for rounds of the benchmark, at least n times, each time for
// every middle that works, beginning with another one.
func (w *wire) each(b *testing.B, n int, middles []load.Middle, round func(load.Middle) error) {
	if !slices.ContainsFunc(middles, func(m load.Middle) bool { return w.failed[m.Name] == nil }) {
		return
	}
	done := 0
	once := func() {
		for i := range middles {
			m := middles[(i+done)%len(middles)]
			if w.failed[m.Name] != nil {
				continue
			}
			if err := round(m); err != nil {
				w.failed[m.Name] = fmt.Errorf("%s: %w", b.Name(), err)
				b.Errorf("%s: %v", m.Name, err)
			}
		}
		done++
	}
	for b.Loop() {
		once()
	}
	for done < n {
		once()
	}
	b.ReportMetric(0, "ns/op") // a round is no operation
}

// run lets do use a link through m to the agent mode, and returns how many
// bytes of recordings the middle left.
func (w *wire) run(m load.Middle, mode string, do func(context.Context, *load.Link) error) (int64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	dir, err := os.MkdirTemp(w.dir, "run")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	agent := append([]string{w.binary, "lab", "load"}, strings.Fields(mode)...)
	l, err := load.Start(ctx, m, agent, dir)
	if err != nil {
		return 0, err
	}
	err = do(ctx, l)
	if err != nil {
		cancel()
	}
	if err = errors.Join(err, l.Close()); err != nil {
		return 0, err
	}
	kept := recorded(dir)
	if m.Name == "bobproxy" && kept == 0 {
		w.silent = true
	}
	return kept, nil
}

// recorded is the size of the recordings in dir, in bytes.
func recorded(dir string) int64 {
	var size int64
	names, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size
}

func (w *wire) startUp(b *testing.B) {
	ms := load.Series{}
	w.each(b, 20, w.middles(), func(m load.Middle) error {
		_, err := w.run(m, "echo", func(_ context.Context, l *load.Link) error {
			took, err := l.Open()
			if err == nil {
				ms.Add(m.Name, took.Seconds()*1e3)
			}
			return err
		})
		return err
	})
	for _, m := range w.middles() {
		report(b, ms.Median(m.Name), m.Name+"-ms")
	}
	added := ms.Difference("bobproxy", "direct")
	report(b, added, "added-ms")
	w.add(row{"start-up until the first byte is echoed, less direct", "< 10 ms",
		fmt.Sprintf("%.1f ms (cat %.1f, io.Copy %.1f)", added, ms.Difference("cat", "direct"), ms.Difference("io.Copy", "direct")),
		added, added < 10})
}

func (w *wire) roundTrip(b *testing.B, name string, size, warm, pings int) {
	p50, p99 := load.Series{}, load.Series{}
	w.each(b, pingings, w.middles(), func(m load.Middle) error {
		_, err := w.run(m, "echo", func(_ context.Context, l *load.Link) error {
			if _, err := l.Open(); err != nil {
				return err
			}
			took, err := l.RoundTrips(size, warm, pings)
			if err == nil {
				p50.Add(m.Name, took.P50.Seconds()*1e6)
				p99.Add(m.Name, took.P99.Seconds()*1e6)
			}
			return err
		})
		return err
	})
	for _, m := range w.middles() {
		report(b, p50.Median(m.Name), m.Name+"-p50-µs")
		report(b, p99.Median(m.Name), m.Name+"-p99-µs")
	}
	for _, of := range []struct {
		name   string
		target float64
		series load.Series
	}{{"p50", 1.25, p50}, {"p99", 1.5, p99}} {
		ratio := of.series.Ratio("bobproxy", "cat")
		report(b, ratio, "x-cat-"+of.name)
		r := row{"round trip " + name + " " + of.name, "",
			fmt.Sprintf("%.2f× cat (%.0f µs; cat %.0f, io.Copy %.0f, direct %.0f)", ratio, of.series.Median("bobproxy"),
				of.series.Median("cat"), of.series.Median("io.Copy"), of.series.Median("direct")),
			ratio, ratio <= of.target}
		if name == "200B" {
			r.target = fmt.Sprintf("≤ %.2f× cat", of.target)
		}
		w.add(r)
	}
}

func (w *wire) throughput(b *testing.B, name string, size, frames int) {
	want, err := load.Expect(func(w io.Writer) error { return load.Stream(w, frames, size) })
	if err != nil {
		b.Fatal(err)
	}
	rate, cpu, share := load.Series{}, load.Series{}, load.Series{}
	w.each(b, rounds, w.middles(), func(m load.Middle) error {
		kept, err := w.run(m, fmt.Sprintf("turn stream %d %d", frames, size), func(ctx context.Context, l *load.Link) error {
			t, err := turn(ctx, l, want, nil)
			if err == nil {
				rate.Add(m.Name, float64(frames)/t.took.Seconds())
			}
			if err == nil && t.after.Processes > 0 {
				cpu.Add(m.Name, t.after.CPU.Seconds()*1e3-t.before.CPU.Seconds()*1e3)
			}
			return err
		})
		if err == nil {
			share.Add(m.Name, float64(kept)/float64(want.Bytes))
		}
		return err
	})
	for _, m := range w.middles() {
		report(b, rate.Median(m.Name), m.Name+"-frames/s")
		report(b, rate.Median(m.Name)*float64(size)/1e6, m.Name+"-MB/s")
		report(b, cpu.Median(m.Name), m.Name+"-cpu-ms")
	}
	ratio := rate.Ratio("bobproxy", "tee")
	report(b, ratio, "x-tee-throughput")
	report(b, share.Median("bobproxy"), "recorded/sent")
	target := map[string]float64{"200B": 0.7, "1MB": 1}[name]
	r := row{"throughput " + name + " updates", "",
		fmt.Sprintf("%.2f× tee (%s; tee %s, io.Copy %s, direct %s)", ratio, perSecond(rate.Median("bobproxy"), size),
			perSecond(rate.Median("tee"), size), perSecond(rate.Median("io.Copy"), size), perSecond(rate.Median("direct"), size)),
		ratio, ratio >= target}
	if target > 0 {
		r.target = fmt.Sprintf("≥ %.1f× tee", target)
	}
	w.add(r.recorded(share.Median("bobproxy")))
}

// played is a turn and what the middle had used before and after it.
type played struct {
	took          time.Duration
	before, after load.Usage
}

// turn opens the session and plays one turn. Without a word about usage from
// the system, the usages are zero.
func turn(ctx context.Context, l *load.Link, want load.Volume, eighth func(int)) (t played, err error) {
	if _, err = l.Open(); err != nil {
		return t, err
	}
	if t.before, err = l.Usage(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return t, err
	}
	if t.took, err = l.Turn(want, eighth); err != nil {
		return t, err
	}
	if t.after, err = l.Settle(ctx); errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return t, err
}

// pieces sends one large frame in small and in large pieces.
func (w *wire) pieces(b *testing.B) {
	const size, small, large = 64 << 20, 1 << 10, 64 << 10
	want, err := load.Expect(func(w io.Writer) error { return load.Pieces(w, size, large) })
	if err != nil {
		b.Fatal(err)
	}
	cpu := map[int]load.Series{small: {}, large: {}}
	peak, share := load.Series{}, load.Series{}
	middles := []load.Middle{load.Copy(w.binary), load.Bobproxy(w.binary)}
	w.each(b, 3, middles, func(m load.Middle) error {
		for piece, cpu := range cpu {
			kept, err := w.run(m, fmt.Sprintf("turn pieces %d %d", size, piece), func(ctx context.Context, l *load.Link) error {
				t, err := turn(ctx, l, want, nil)
				if err == nil && t.after.Processes > 0 {
					cpu.Add(m.Name, t.after.CPU.Seconds()*1e3-t.before.CPU.Seconds()*1e3)
					peak.Add(m.Name, float64(t.after.Peak)/size)
				}
				return err
			})
			if err != nil {
				return err
			}
			share.Add(m.Name, float64(kept)/float64(want.Bytes))
		}
		return nil
	})
	ratio := map[string]float64{}
	for _, m := range middles {
		both := load.Series{"small": cpu[small][m.Name], "large": cpu[large][m.Name]}
		ratio[m.Name] = both.Ratio("small", "large")
		report(b, cpu[small].Median(m.Name), m.Name+"-1KB-cpu-ms")
		report(b, cpu[large].Median(m.Name), m.Name+"-64KB-cpu-ms")
		report(b, ratio[m.Name], m.Name+"-x-cpu")
		report(b, peak.Median(m.Name), m.Name+"-peak/frame")
	}
	kept, memory := share.Median("bobproxy"), peak.Median("bobproxy")
	w.add(row{"one 64 MB frame in 1 KB pieces, CPU", "≤ 3× of 64 KB pieces",
		fmt.Sprintf("%.2f× (%.0f ms; io.Copy %.2f×, %.0f ms)", ratio["bobproxy"], cpu[small].Median("bobproxy"),
			ratio["io.Copy"], cpu[small].Median("io.Copy")),
		ratio["bobproxy"], ratio["bobproxy"] <= 3}.recorded(kept))
	w.add(row{"one 64 MB frame, peak memory", "≤ 3× the frame", fmt.Sprintf("%.2f×", memory),
		memory, memory <= 3}.recorded(kept))
}

// memory lets a gigabyte of small frames pass.
func (w *wire) memory(b *testing.B) {
	const size, frames = 1000, 1_000_000
	const mib = 1 << 20
	want, err := load.Expect(func(w io.Writer) error { return load.Stream(w, frames, size) })
	if err != nil {
		b.Fatal(err)
	}
	peak, early, late, share := load.Series{}, load.Series{}, load.Series{}, load.Series{}
	w.each(b, 1, []load.Middle{load.Bobproxy(w.binary)}, func(m load.Middle) error {
		kept, err := w.run(m, fmt.Sprintf("turn stream %d %d", frames, size), func(ctx context.Context, l *load.Link) error {
			var at [9]load.Usage
			t, err := turn(ctx, l, want, func(n int) { at[n], _ = l.Usage() })
			if err == nil && t.after.Processes > 0 {
				peak.Add(m.Name, float64(t.after.Peak)/mib)
				early.Add(m.Name, float64(at[1].Resident)/mib)
				late.Add(m.Name, float64(at[8].Resident)/mib)
			}
			return err
		})
		if err == nil {
			share.Add(m.Name, float64(kept)/float64(want.Bytes))
		}
		return err
	})
	high, first, last := peak.Median("bobproxy"), early.Median("bobproxy"), late.Median("bobproxy")
	report(b, high, "peak-MiB")
	report(b, first, "rss-at-1/8-MiB")
	report(b, last, "rss-at-end-MiB")
	w.add(row{"memory over 1 GB of 1 KB updates, no panel", "< 32 MiB, flat (end ≤ 1.25× first eighth)",
		fmt.Sprintf("peak %.1f MiB, after an eighth %.1f, at the end %.1f", high, first, last),
		high, high < 32 && last <= 1.25*first}.recorded(share.Median("bobproxy")))
}

// row is a line of the table.
type row struct {
	what     string
	target   string // empty: for comparison only
	measured string
	figure   float64 // NaN: nothing was measured
	met      bool
}

// recorded is r when the recordings were share times as long as what was sent:
// frames that were not recorded make no target.
func (r row) recorded(share float64) row {
	if share < 1 {
		r.measured += fmt.Sprintf("; recordings hold %.0f %% at most", 100*share)
		r.met = false
	}
	return r
}

func (w *wire) add(r row) { w.rows = append(w.rows, r) }

// table is the run in Markdown.
func (w *wire) table() string {
	var t strings.Builder
	fmt.Fprintf(&t, "\n%s; medians of interleaved rounds\n\n", load.Machine())
	t.WriteString("| what | target | measured | |\n|---|---|---|---|\n")
	for _, r := range w.rows {
		verdict := "missed"
		if r.met && w.silent {
			verdict = "not recorded"
		} else if r.met {
			verdict = "met"
		}
		if r.target == "" {
			r.target, verdict = "–", ""
		}
		if math.IsNaN(r.figure) {
			r.measured, verdict = "not measured", ""
		}
		fmt.Fprintf(&t, "| %s | %s | %s | %s |\n", r.what, r.target, r.measured, verdict)
	}
	for name, err := range w.failed {
		fmt.Fprintf(&t, "\n%s did not work: %v\n", name, err)
	}
	return t.String() + "\n"
}

// report reports figure unless nothing was measured.
func report(b *testing.B, figure float64, unit string) {
	if !math.IsNaN(figure) {
		b.ReportMetric(figure, unit)
	}
}

// perSecond says a rate of frames of size bytes the way that suits the size.
func perSecond(frames float64, size int) string {
	if size < 1000 {
		return fmt.Sprintf("%.0f k/s", frames/1e3)
	}
	return fmt.Sprintf("%.0f MB/s", frames*float64(size)/1e6)
}
