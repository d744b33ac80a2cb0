package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// nothingDiffers is what bobproxy replay says where the live side does what the
// recorded one did.
const nothingDiffers = "nothing differs"

// playReplays records the pair and plays the recording back: its agent to the
// client, then its client to the agent. Neither may do anything else than it did.
func (p pair) playReplays(ctx context.Context, folder string) string {
	recorded := p.run(ctx, folder+"-recorded", true)
	recording := filepath.Join(recorded.folder, "recording.jsonl")
	var problems []string
	bad := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if recorded.err != nil {
		bad("recording: %v", recorded.err)
	}

	asAgent := p
	asAgent.agent.argv = []string{p.built("bobproxy"), "replay", recording, "--as", "agent", "--speed", "4"} // at once, some clients print in another order
	asAgent.replayed = false
	back := asAgent.run(ctx, folder+"-agent", false)
	if back.err != nil {
		bad("replay as agent: %v", back.err)
	}
	if !p.client.abrupt && !p.client.killed && !bytes.Contains(back.stderr, []byte(nothingDiffers)) || bytes.Contains(back.stderr, []byte("replay: differs")) {
		bad("replay as agent: %s", back.stderr)
	}
	if diff := difference(sorted(recorded.normal(recorded.output)), sorted(back.normal(back.output))); diff != "" {
		bad("replay as agent: what the user saw differs:%s", diff)
	}

	said, err := p.replayClient(ctx, recording, folder+"-client")
	if err != nil || !bytes.Contains(said, []byte(nothingDiffers)) {
		bad("replay as client: %v: %s", err, said)
	}
	return p.verdict(problems, fmt.Sprintf("%d frames, replayed both ways", recorded.frames()))
}

// replayClient plays the recorded client to the agent.
func (p pair) replayClient(ctx context.Context, recording, folder string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, perRun)
	defer cancel()
	if err := p.prepare(ctx, folder, false); err != nil {
		return nil, err
	}
	argv := append([]string{"replay", recording, "--as", "client", "--files", "--cwd", filepath.Join(folder, "work"), "--"}, p.agent.argv...)
	cmd := exec.CommandContext(ctx, p.built("bobproxy"), argv...)
	cmd.Env = p.environment(folder)
	return cmd.CombinedOutput()
}
