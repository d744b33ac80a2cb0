package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bobproxy/inspector/guess"
	"bobproxy/proxy"
)

// policy is what the proxy is to enforce.
func (s *settings) policy() (proxy.Policy, error) {
	if s.workspaceRoot != "" && !isDirectory(string(s.workspaceRoot)) {
		return proxy.Policy{}, s.missing("workspace-root", string(s.workspaceRoot), "so no session could be opened")
	}
	for _, more := range []struct {
		name string
		dirs directories
	}{{"allow", s.allow}, {"allow-read", s.allowRead}} {
		for _, dir := range more.dirs {
			if !isDirectory(dir) {
				return proxy.Policy{}, s.missing(more.name, dir, "and what is made there later could lead anywhere; make it, or leave it out")
			}
		}
	}
	return proxy.Policy{
		Bounds:            proxy.Mode(s.bounds),
		Ceiling:           string(s.workspaceRoot),
		Allow:             s.allow,
		AllowRead:         s.allowRead,
		PermissionTimeout: orNever(s.permissionTimeout),
		RequestTimeout:    time.Duration(s.requestTimeout),
		PromptTimeout:     time.Duration(s.promptTimeout),
		MaxSessions:       int(s.maxSessions),
		KeepDialogs:       !s.withdraw,
		Answers:           proxy.Answers(s.answerCLI),
	}, nil
}

func (s *settings) missing(name, dir, consequence string) error {
	return usageError(fmt.Sprintf("%s (%s): there is no directory %s, %s", name, s.source[name], shown(dir), consequence))
}

func isDirectory(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// orNever says never as a policy does where zero means the default.
func orNever(s span) time.Duration {
	if s == 0 {
		return proxy.Never
	}
	return time.Duration(s)
}

// doubts are what the settings allow and may not be meant.
func (s *settings) doubts() (doubts []string) {
	doubt := func(name, dir, consequence string) {
		doubts = append(doubts, name+" "+shown(dir)+": "+consequence)
	}
	if isTop(string(s.workspaceRoot)) {
		doubt("workspace-root", string(s.workspaceRoot), "a session may be anywhere")
	}
	for _, dir := range s.allow {
		if isTop(dir) {
			doubt("allow", dir, "everything counts as workspace, so nothing is refused")
		}
	}
	for _, dir := range s.allowRead {
		if isTop(dir) {
			doubt("allow-read", dir, "every file may be read")
		}
	}
	return doubts
}

// strangers are variables that look like one of ours, and are none.
func strangers(env []string) (warnings []string) {
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		rest, like := strings.CutPrefix(name, "BOBPROXY_")
		if !like || len(name) > maxKeySize || slices.ContainsFunc(table, func(row setting) bool { return row.env == name }) {
			continue
		}
		if row, ok := findSetting(guess.Nearest(strings.ReplaceAll(rest, "_", "-"), settingNames())); ok {
			warnings = append(warnings, shown(name)+" in the environment is no setting; did you mean "+row.env+"?")
		}
	}
	slices.Sort(warnings)
	return warnings
}

// isTop says whether dir is the root of a file system's names.
func isTop(dir string) bool {
	clean := filepath.Clean(dir)
	return filepath.IsAbs(clean) && filepath.Dir(clean) == clean
}
