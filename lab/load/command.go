package load

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

const usage = `usage: lab load MODE

  echo                     answer every line
  stream N SIZE            write N updates of SIZE bytes, then wait for the end of stdin
  pieces SIZE PIECE        write one update of SIZE bytes, PIECE bytes at a time, then wait likewise
  turn stream N SIZE       the same for every prompt
  turn pieces SIZE PIECE
  sink                     read all, then say how much it was
  copy -- AGENT ARGS...    be a middle: start AGENT and copy both directions
`

// errUsage is a command line that names no mode.
var errUsage = errors.New("usage")

// Command is "lab load": it plays the mode that args name on the given streams
// and returns the exit status. It is 2 after a wrong command line, which is
// explained on stderr, and 125 when a stream failed; copy exits as its agent
// does.
func Command(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 2 && args[0] == "copy" && args[1] == "--" {
		return copyThrough(args[2:], stdin, stdout, stderr)
	}
	switch err := play(args, stdin, stdout); {
	case err == nil:
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprint(stderr, usage)
		return 2
	default:
		fmt.Fprintln(stderr, "load:", err)
		return 125
	}
}

func play(args []string, stdin io.Reader, stdout io.Writer) error {
	if len(args) == 1 && args[0] == "echo" {
		return Echo(stdin, stdout)
	}
	if len(args) == 1 && args[0] == "sink" {
		return report(stdin, stdout)
	}
	if len(args) > 0 && args[0] == "turn" {
		turn, err := writing(args[1:])
		if err != nil {
			return err
		}
		return Turns(stdin, stdout, turn)
	}
	write, err := writing(args)
	if err != nil {
		return err
	}
	if err := write(stdout); err != nil {
		return err
	}
	_, err = Sink(stdin)
	return err
}

// writing reads the modes that write by themselves.
func writing(args []string) (func(io.Writer) error, error) {
	if len(args) != 3 {
		return nil, errUsage
	}
	a, errA := strconv.Atoi(args[1])
	b, errB := strconv.Atoi(args[2])
	if errA != nil || errB != nil {
		return nil, errUsage
	}
	switch args[0] {
	case "stream":
		return func(w io.Writer) error { return Stream(w, a, b) }, nil
	case "pieces":
		return func(w io.Writer) error { return Pieces(w, a, b) }, nil
	}
	return nil, errUsage
}

// report is the sink: it says in one notification what it read.
func report(r io.Reader, w io.Writer) error {
	v, err := Sink(r)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, `{"jsonrpc":"2.0","method":"_load/sunk","params":{"frames":%d,"bytes":%d,"sum":%d}}`+"\n",
		v.Frames, v.Bytes, v.Sum)
	return err
}
