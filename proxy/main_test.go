package proxy

import (
	"os"
	"strings"
	"testing"

	"bobproxy/proxy/keeper"
)

// TestMain lets the test binary, as /proc/self/exe, be the keeper of the agents
// that tests start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == keeper.Arg {
		os.Exit(keeper.Main(os.Args[2:]))
	}
	// A process under the race detector otherwise sleeps a second before it ends.
	os.Setenv("GORACE", strings.TrimSpace("atexit_sleep_ms=0 "+os.Getenv("GORACE")))
	os.Exit(m.Run())
}
