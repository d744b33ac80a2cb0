package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// live is a process of Linux. Its number may be another's one day, but not with
// the same start.
type live struct {
	pid, parent int
	name        string
	start       string // in ticks since the system was started; empty: it does not run
}

// liveAt is the process with that number. One that only has not been waited for
// does not run.
func liveAt(pid int) live {
	p := live{pid: pid}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if err != nil || open < 0 || end < open {
		return p
	}
	p.name = string(stat[open+1 : end])
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return p
	}
	p.parent, _ = strconv.Atoi(fields[1]) // which the kernel wrote
	p.start = fields[19]
	return p
}

func (p live) runs() bool { return p.start != "" && liveAt(p.pid).start == p.start }

// treeOf is a process and all that are below it.
func treeOf(root int) []live {
	var all []live
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, entry := range entries {
		if pid, err := strconv.Atoi(filepath.Base(entry)); err == nil {
			all = append(all, liveAt(pid))
		}
	}
	tree := []live{liveAt(root)}
	for i := 0; i < len(tree); i++ {
		for _, p := range all {
			if p.parent == tree[i].pid && p.start != "" && !slices.Contains(tree, p) {
				tree = append(tree, p)
			}
		}
	}
	return tree
}

// deathTime is how long processes may take to go when their proxy was killed.
const deathTime = 10 * time.Second

// goneAll waits for the end of processes; those that stay are killed, and are
// the error.
func goneAll(ctx context.Context, all []live) error {
	ctx, cancel := context.WithTimeout(ctx, deathTime)
	defer cancel()
	var stay []string
	for _, p := range all {
		for p.runs() && pauseFor(ctx, 5*time.Millisecond) == nil {
		}
		if p.runs() {
			stay = append(stay, fmt.Sprintf("%d (%s)", p.pid, field(p.name)))
			if process, err := os.FindProcess(p.pid); err == nil {
				_ = process.Kill() // it was ours to end
			}
		}
	}
	if len(stay) > 0 {
		return fmt.Errorf("%s still run after %s", strings.Join(stay, ", "), deathTime)
	}
	return nil
}
