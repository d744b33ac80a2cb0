//go:build unix

package terminal_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"bobproxy/lab/terminal"
)

func start(t *testing.T, ctx context.Context, limit int, script string) *terminal.Terminal {
	t.Helper()
	term, err := terminal.Start(ctx, terminal.Command{Path: "sh", Args: []string{"-c", script}, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return term
}

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestExitAndOutput(t *testing.T) {
	ctx := deadline(t)
	term := start(t, ctx, 0, "echo out; echo err >&2; exit 3")
	exit, err := term.Wait(ctx)
	if err != nil || exit.Code != 3 || exit.Signal != "" {
		t.Errorf("got %+v, %v", exit, err)
	}
	if out, cut := term.Output(); out != "out\nerr\n" || cut {
		t.Errorf("got %q, truncated %v", out, cut)
	}
}

func TestOutputKeepsTheEndAtACharacter(t *testing.T) {
	ctx := deadline(t)
	term := start(t, ctx, 4, "printf 'aaaaaaaaaaaaäöü'")
	if _, err := term.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	if out, cut := term.Output(); out != "öü" || !cut {
		t.Errorf("got %q, truncated %v", out, cut)
	}
	term = start(t, ctx, 3, "printf 'aaäöü'")
	if _, err := term.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	if out, _ := term.Output(); out != "ü" {
		t.Errorf("got %q, want the last whole character", out)
	}
}

func TestKillTakesDescendants(t *testing.T) {
	ctx := deadline(t)
	term := start(t, ctx, 0, "sleep 600 & wait")
	term.Kill()
	exit, err := term.Wait(ctx)
	if err != nil || exit.Signal == "" {
		t.Errorf("got %+v, %v", exit, err)
	}
}

func TestContextEndsIt(t *testing.T) {
	ctx := deadline(t)
	life, end := context.WithCancel(ctx)
	term := start(t, life, 0, "sleep 600")
	end()
	if exit, err := term.Wait(ctx); err != nil || exit.Signal == "" {
		t.Errorf("got %+v, %v", exit, err)
	}
}

func TestManyBytes(t *testing.T) {
	ctx := deadline(t)
	term := start(t, ctx, 100, "yes abcdefg | head -c 1000000")
	if _, err := term.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	if out, cut := term.Output(); len(out) != 100 || !cut || !strings.HasSuffix(out, "abcdefg\n") {
		t.Errorf("%d bytes, truncated %v", len(out), cut)
	}
}
