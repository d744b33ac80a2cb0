package proxy

import (
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	// A process under the race detector otherwise sleeps a second before it ends.
	os.Setenv("GORACE", strings.TrimSpace("atexit_sleep_ms=0 "+os.Getenv("GORACE")))
	os.Exit(m.Run())
}
