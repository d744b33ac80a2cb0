//go:build unix

package lab_test

import (
	"flag"
	"io"
	"os"
	"os/signal"
	"testing"

	"bobproxy/lab"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// asEnv makes the test binary play a program of its own.
const asEnv = "LAB_TEST_AS"

func TestMain(m *testing.M) {
	switch os.Getenv(asEnv) {
	case "command":
		os.Exit(lab.Command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "deaf":
		// An agent that does not leave when its input ends.
		forever := make(chan os.Signal, 1)
		signal.Notify(forever, os.Interrupt)
		lab.Command([]string{"agent"}, os.Stdin, struct{ io.Writer }{os.Stdout}, os.Stderr)
		<-forever
	}
	os.Exit(m.Run())
}
