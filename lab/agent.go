package lab

import (
	"context"
	"flag"
	"io"

	"bobproxy/lab/bob"
)

// serveAgent serves "lab agent". It ends with stdin; signals end it the way
// they end any program.
func serveAgent(args []string, stdin io.Reader, stdout io.Writer) error {
	var opts bob.Options
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	flags.DurationVar(&opts.Pace, "pace", 0, "`pause` between streamed pieces, for example 20ms")
	flags.BoolVar(&opts.RandomIDs, "random-ids", false, "give sessions ids that nobody can guess")
	flags.BoolVar(&opts.Patient, "patient", false, "after session/cancel keep waiting for the open permission")
	if err := parse(flags, args, stdout, "agent [flags]"); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return misuse("agent takes no arguments, got %q", flags.Arg(0))
	}
	return bob.Serve(context.Background(), stdin, stdout, opts)
}
