package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

const selftestUsage = `bobproxy selftest [--json]
bobproxy selftest [--json] -- CMD…

Checks on this machine what bobproxy promises, with small programs for agents:
that bytes arrive as they are, in their order, to the last one; that exit
status, signals and stderr are the agent's; that nothing waits for a recording
or a panel; that a permission is answered once, a path outside is refused, and
nothing survives.

With CMD, which is an agent, starts it in this folder, some times through
bobproxy and some times without, and checks that it says and does the same: the
bytes of its answers and its end, as far as they are the same each time without;
and that nothing of it survives when bobproxy is killed. No prompt is sent.

Takes some seconds. What it makes is in a folder of its own, and removed.

Exit codes: 0 all that was checked holds; 1 something does not, or the agent
opens no session (one that wants a login first is checked without); 2 wrong
usage; 125 our own failure.
`

// How long a check may take. Nothing is expected to take it.
const (
	trialTime = 30 * time.Second
	agentTime = 2 * time.Minute // with an agent of the user's, which may take long to start
)

// trial is one check.
type trial struct {
	name, promise string
	run           func(context.Context, *bench) error
}

// skipped is why a check was not made.
type skipped string

func (s skipped) Error() string { return string(s) }

// noted is what has to be said of a promise that is kept.
type noted string

func (n noted) Error() string { return string(n) }

// bench is what the checks share: a folder, and an environment in which a proxy
// has no settings of the user's and meets no other proxies.
type bench struct {
	self string
	dir  string
	env  []string
	argv []string // the user's agent
	runs          // what it did
}

// Results of a check.
const (
	kept   = "kept"
	unkept = "broken"
	notRun = "skipped"
)

// selftestDocument is what `selftest --json` prints. Members are only ever added.
type selftestDocument struct {
	Version string        `json:"version"`
	OK      bool          `json:"ok"`
	Checks  []trialResult `json:"checks"`
	TookMs  float64       `json:"tookMs"`
}

type trialResult struct {
	Name    string  `json:"name"`
	Promise string  `json:"promise"`
	Result  string  `json:"result"` // kept, broken, skipped
	Why     string  `json:"why,omitempty"`
	TookMs  float64 `json:"tookMs"`
}

// runSelftest is `bobproxy selftest`.
func runSelftest(s *settings, args []string, std streams) int {
	r := tellerFor(args, std)
	ours, argv := behindDashes(args)
	rest, code, done := r.parse(flag.NewFlagSet("selftest", flag.ContinueOnError), ours, selftestUsage)
	switch {
	case done:
		return code
	case len(rest) > 0:
		return r.fail(misused("selftest takes no %s", quotation(rest[0])).with("an agent's command stands behind --"))
	case argv != nil && (len(argv) == 0 || argv[0] == ""):
		return r.fail(misused("selftest: which agent? Its command follows --"))
	}
	trials := promises
	if argv != nil {
		file, code, err := find(argv[0], "give its whole path", s.lookup)
		if err != nil {
			return r.fail(&complaint{exit: code, Code: "not_found", Message: field(err.Error())})
		}
		argv = append([]string{file}, argv[1:]...)
		trials = likeWithout
	}
	b, err := newBench(argv)
	if err != nil {
		return r.fail(broken("preparing the selftest: %v", err))
	}
	defer os.RemoveAll(b.dir)
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	return r.try(ctx, b, trials)
}

func newBench(argv []string) (*bench, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bobself-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	b := &bench{self: self, dir: dir, argv: argv}
	for _, name := range []string{"rt", "work", "outside"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "BOBPROXY_") && !slices.Contains([]string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"}, name) {
			b.env = append(b.env, entry)
		}
	}
	b.env = append(b.env, "BOBPROXY_RUNTIME_DIR="+filepath.Join(dir, "rt"), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	if argv == nil { // an agent may need its own
		b.env = append(b.env, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	}
	return b, nil
}

// try makes the checks, one after the other, and shows each when it is made.
func (r *remote) try(ctx context.Context, b *bench, trials []trial) int {
	d := selftestDocument{Version: version}
	begin := time.Now()
	why := ""
	for _, t := range trials {
		result := t.make(ctx, b)
		if ctx.Err() != nil { // which may be all that broke it
			return r.fail(broken("the selftest was interrupted"))
		}
		d.Checks = append(d.Checks, result)
		if !r.json {
			io.WriteString(r.out, result.after(why).text(r.width))
		}
		why = result.Why
	}
	d.TookMs = roundedMs(time.Since(begin))
	d.OK = d.count(kept) > 0 && d.count(unkept) == 0
	if code := r.show(d, d.summary()); code != exitDone {
		return code
	}
	if !d.OK {
		return exitNo
	}
	return exitDone
}

// make makes one check.
func (t trial) make(ctx context.Context, b *bench) trialResult {
	limit := trialTime
	if b.argv != nil {
		limit = agentTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	begin := time.Now()
	err := error(skipped("its programs need a shell of Unix"))
	if b.argv != nil || runtime.GOOS != "windows" {
		err = t.run(ctx, b)
	}
	result := trialResult{Name: t.name, Promise: t.promise, Result: kept, TookMs: roundedMs(time.Since(begin))}
	if err != nil {
		result.Result, result.Why = unkept, field(err.Error())
		switch {
		case errors.As(err, new(skipped)):
			result.Result = notRun
		case errors.As(err, new(noted)):
			result.Result = kept
		}
	}
	return result
}

func roundedMs(d time.Duration) float64 {
	return float64(d.Round(100*time.Microsecond)) / float64(time.Millisecond)
}

// after leaves out why a check was not made when the same was said just before.
func (t trialResult) after(why string) trialResult {
	if t.Result == notRun && t.Why == why {
		t.Why = ""
	}
	return t
}

// text is a result for people.
func (t trialResult) text(width int) string {
	var b strings.Builder
	mark := map[string]string{kept: "✓", unkept: "×", notRun: "·"}[t.Result]
	line := fmt.Sprintf("%s %-12s %s", mark, t.Name, t.Promise)
	if gap := 70 - 15 - len(t.Promise); t.Result != notRun && gap > 0 {
		line += strings.Repeat(" ", gap) + fmt.Sprintf("%9s", inMs(t.TookMs))
	}
	b.WriteString(line + "\n")
	switch {
	case t.Why == "":
	case t.Result == kept:
		hang(&b, "               ", t.Why, width)
	default:
		hang(&b, "               ", t.Result+": "+t.Why, width)
	}
	return b.String()
}

// count is how many checks have a result.
func (d selftestDocument) count(result string) (n int) {
	for _, c := range d.Checks {
		if c.Result == result {
			n++
		}
	}
	return n
}

func (d selftestDocument) summary() string {
	text := fmt.Sprintf("\n%s kept, %d broken", howMany(d.count(kept), "promise"), d.count(unkept))
	if n := d.count(notRun); n > 0 {
		text += fmt.Sprintf(", %d not checked", n)
	}
	return text + fmt.Sprintf(", in %s\n", inMs(d.TookMs))
}
