//go:build linux

package main

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"bobproxy/proxy/keeper"
)

// A keeper lives as long as its agent, so it must not pay for what only the
// proxy needs: none of that is initialised in it.
func TestKeeperInitialisesNothingElse(t *testing.T) {
	p := prepare(t, keeper.Arg) // with nothing to keep, so that it ends
	p.Env = append(p.Env, "GODEBUG=inittrace=1")
	out, err := p.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 125 {
		t.Fatalf("got %v, want exit 125; it wrote %q", err, out)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(line, "init "); ok {
			name, _, _ = strings.Cut(name, " ")
			seen[name] = true
		}
	}
	if !seen["os/signal"] {
		t.Errorf("os/signal is not initialised, and a keeper needs it; it wrote %q", out)
	}
	for name := range seen {
		if path, _, _ := strings.Cut(name, "/"); path == "bobproxy" || strings.Contains(path, ".") || name == "encoding/json" {
			t.Errorf("%s is initialised in a keeper, which does not need it", name)
		}
	}
}
