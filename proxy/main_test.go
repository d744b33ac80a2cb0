package proxy

import (
	"os"
	"testing"

	"bobproxy/proxy/keeper"
)

// TestMain lets the test binary, as /proc/self/exe, be the keeper of the agents
// that tests start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == keeper.Arg {
		os.Exit(keeper.Main(os.Args[2:]))
	}
	os.Exit(m.Run())
}
