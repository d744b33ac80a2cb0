package lab

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"bobproxy/lab/bob"
)

// serveAgent serves "lab agent". It ends with stdin; signals end it the way
// they end any program.
func serveAgent(args []string, stdin io.Reader, stdout io.Writer) error {
	var opts bob.Options
	var wrong string
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	flags.DurationVar(&opts.Pace, "pace", 0, "`pause` between streamed pieces, for example 20ms")
	flags.BoolVar(&opts.RandomIDs, "random-ids", false, "give sessions ids that nobody can guess")
	flags.BoolVar(&opts.Patient, "patient", false, "after session/cancel keep waiting for the open permission")
	flags.StringVar(&wrong, "misbehave", "", "what to do wrong in Agent mode, `name[,name…]`, in that order:\n"+misbehaviours())
	flags.IntVar(&opts.Flood, "flood", 100, "how many permissions flood asks for")
	flags.StringVar(&opts.Outside, "outside", "", "the `directory` that escape tries to read, run and make files in\n(default: one called outside beside the session's)")
	if err := parse(flags, args, stdout, "agent [flags]"); err != nil {
		return err
	}
	var err error
	if opts.Misbehave, err = bob.ParseMisbehaviours(wrong); err != nil {
		return misuse("--misbehave: %v; see bobproxy lab agent --help", err)
	}
	if flags.NArg() > 0 {
		return misuse("agent takes no arguments, got %q", flags.Arg(0))
	}
	if opts.Flood < 1 || opts.Flood > maxFlood {
		return misuse("--flood: a number from 1 to %d, got %d", maxFlood, opts.Flood)
	}
	return bob.Serve(context.Background(), stdin, stdout, opts)
}

// maxFlood keeps a mistyped number from filling the memory of a client.
const maxFlood = 100_000

// misbehaviours lists Bob's, one a line.
func misbehaviours() string {
	var list strings.Builder
	for _, m := range bob.Misbehaviours() {
		fmt.Fprintf(&list, "%-16s  %s\n", m.Name, m.Text)
	}
	return strings.TrimSuffix(list.String(), "\n")
}
