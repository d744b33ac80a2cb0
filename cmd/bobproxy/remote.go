package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"strings"
	"time"

	"golang.org/x/term"
)

// remote is one run of a command that looks at running proxies or answers them.
type remote struct {
	proxies  proxies
	now      func() time.Time
	out, err io.Writer
	width    int  // of text, in cells
	table    int  // of tables of what peers wrote; 0: any
	json     bool // what is printed is for scripts
}

// runRemote runs the command called name. Nothing catches signals: these
// commands end by them, as whoever waits for them expects.
func runRemote(name string, args []string, lookup func(string) (string, bool), std streams) int {
	r := &remote{proxies: running{lookup}, now: time.Now, out: std.out, err: std.err, width: 100}
	if width, _, err := term.GetSize(int(std.out.Fd())); err == nil && width > 0 {
		r.width, r.table = max(width, 40), max(width, 40)
	}
	return r.command(context.Background(), name, args)
}

// command runs one command line and gives the code to exit with.
func (r *remote) command(ctx context.Context, name string, args []string) int {
	r.json = asksForJSON(args)
	switch name {
	case "ps":
		return r.ps(ctx, args)
	case "pending":
		return r.pending(ctx, args)
	}
	return r.answer(ctx, name, args)
}

// parse reads a command's flags, --json among them, and gives the arguments
// that are none. done says that there is nothing left to do but to exit with
// code: the flags are wrong, or help was all that was wanted.
func (r *remote) parse(flags *flag.FlagSet, args []string, usage string) (rest []string, code int, done bool) {
	flags.BoolVar(&r.json, "json", r.json, "")
	rest, err := arguments(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, printHelp(r.out, r.err, usage), true
	case err != nil:
		c := misused("%s: %s", flags.Name(), field(flagWords(err, flags)))
		return nil, r.fail(c.with("see: bobproxy %s --help", flags.Name())), true
	}
	return rest, 0, false
}

// flagWords is [inOurWords], also for flags that may stand without a value.
func flagWords(err error, flags *flag.FlagSet) string {
	text := strings.NewReplacer("invalid boolean value", "invalid value", " for -", " for --").Replace(
		strings.ReplaceAll(inOurWords(err, flags), " for --", " for -"))
	return oneDash().ReplaceAllString(strings.TrimSuffix(text, ": parse error"), "$1-$2$3")
}

// oneDash is a flag of one letter with a dash too many.
var oneDash = pattern(`( for | behind )--([a-z])(:|$)`)
