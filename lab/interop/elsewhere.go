package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// startElsewhere begins to answer, if the pair wants that, and returns what ends
// it again.
func (p pair) startElsewhere(ctx context.Context, folder string, proxied bool) (stop func() error) {
	if !proxied || p.gate == nil || p.gate.by != "command" {
		return func() error { return nil }
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- p.answerElsewhere(ctx, folder) }()
	return func() error {
		cancel()
		return <-ended
	}
}

// answerElsewhere answers what waits in the folder's proxy as a person in
// another terminal would, until ctx ends.
func (p pair) answerElsewhere(ctx context.Context, folder string) error {
	for {
		waits, err := p.waiting(ctx, folder)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		for _, w := range waits {
			if err := p.answer(ctx, folder, w); err != nil {
				return err
			}
		}
	}
}

// waiting is a permission request that somebody may answer.
type waiting struct{ Request, Digest, Instance string }

// waiting waits for requests. Those of proxies elsewhere on this machine are
// not ours.
func (p pair) waiting(ctx context.Context, folder string) (ours []waiting, err error) {
	cmd := exec.CommandContext(ctx, p.built("bobproxy"), "pending", "--wait", "--json")
	cmd.Env = p.environment(folder)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("pending: %w", err)
	}
	var list struct{ Pending []waiting }
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, fmt.Errorf("pending: %w", err)
	}
	for _, w := range list.Pending {
		if _, err := os.Stat(filepath.Join(folder, "runtime", "bobproxy", w.Instance+".sock")); err == nil {
			ours = append(ours, w)
		}
	}
	return ours, nil
}

func (p pair) answer(ctx context.Context, folder string, w waiting) error {
	argv := []string{"deny", w.Request}
	if p.gate.allow {
		argv = []string{"approve", w.Request, "--digest", w.Digest}
	}
	cmd := exec.CommandContext(ctx, p.built("bobproxy"), argv...)
	cmd.Env = p.environment(folder)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if !p.gate.script {
		t, err := openTerminal()
		if err != nil {
			return err
		}
		defer t.close()
		t.attach(cmd)
	}
	err := cmd.Run()
	if ctx.Err() != nil && errors.As(err, new(*exec.ExitError)) {
		return nil // the conversation has ended without it; what that means is compared
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, said.Bytes())
	}
	return nil
}
