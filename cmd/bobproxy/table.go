package main

import (
	"flag"
	"slices"
)

// group is a heading in the help.
type group string

const (
	ofGate      group = "What the agent may do"
	ofRecording group = "Recording"
	ofStart     group = "Starting the agent"
	ofPanel     group = "The panel"
)

// setting is one row of the table that flags, environment, config file, help
// and the command config come from.
type setting struct {
	group     group
	name      string // the flag's without its dashes, the key in the file
	env       string
	arg       string // what the help calls the value; empty for a switch
	byDefault string // the value; empty: none
	unset     string // what holds without a value, said in the help
	text      string
	value     func(*settings) flag.Value
}

var table = []setting{
	{ofGate, "bounds", "BOBPROXY_BOUNDS", "enforce|warn|off", "enforce", "", "what leads out of the workspace is refused, or passes and is flagged, or is not looked at", func(s *settings) flag.Value { return choice{&s.bounds, []string{"enforce", "warn", "off"}} }},
	{ofGate, "workspace-root", "BOB_WORKSPACE_ROOT", "DIR", "", "anywhere", "sessions outside this directory are refused", func(s *settings) flag.Value { return &s.workspaceRoot }},
	{ofGate, "allow", "BOBPROXY_ALLOW", "DIR", "", "none", "one more directory that belongs to every workspace; may be repeated", func(s *settings) flag.Value { return &s.allow }},
	{ofGate, "allow-read", "BOBPROXY_ALLOW_READ", "DIR", "", "none", "the same, for reading only", func(s *settings) flag.Value { return &s.allowRead }},
	{ofGate, "permission-timeout", "BOBPROXY_PERMISSION_TIMEOUT", "TIME", "2m", "", "a permission that nobody answered for so long is refused; 0: never", func(s *settings) flag.Value { return &s.permissionTimeout }},
	{ofGate, "request-timeout", "BOBPROXY_REQUEST_TIMEOUT", "TIME", "0", "", "any other request that waited for so long gets an error; 0: never", func(s *settings) flag.Value { return &s.requestTimeout }},
	{ofGate, "prompt-timeout", "BOBPROXY_PROMPT_TIMEOUT", "TIME", "0", "", "a prompt turn that took so long is cancelled; 0: never", func(s *settings) flag.Value { return &s.promptTimeout }},
	{ofGate, "max-sessions", "BOBPROXY_MAX_SESSIONS", "N", "0", "", "most sessions that may be open at once, more are refused; 0: any number", func(s *settings) flag.Value { return &s.maxSessions }},
	{ofGate, "withdraw", "BOBPROXY_WITHDRAW", "", "true", "", "whether the editor is told to close the dialog of a permission that was settled elsewhere", func(s *settings) flag.Value { return (*toggle)(&s.withdraw) }},
	{ofGate, "answer-cli", "BOBPROXY_ANSWER_CLI", "all|deny-only|off", "", "all to who has a terminal, else deny-only", "what commands may answer a permission with", func(s *settings) flag.Value { return choice{&s.answerCLI, []string{"all", "deny-only", "off"}} }},
	{ofGate, "refuse-auto-approve", "BOBPROXY_REFUSE_AUTO_APPROVE", "", "false", "", "do not start an agent whose flags or environment make it approve by itself", func(s *settings) flag.Value { return (*toggle)(&s.refuseAutoApprove) }},

	{ofRecording, "record", "BOBPROXY_RECORD", "FILE|off", "", "a new file for each run", "record to this file, or not at all", func(s *settings) flag.Value { return (*path)(&s.record) }},
	{ofRecording, "record-dir", "BOBPROXY_RECORD_DIR", "DIR", "", "$XDG_STATE_HOME/bobproxy", "where the files for each run are made", func(s *settings) flag.Value { return (*path)(&s.recordDir) }},
	{ofRecording, "record-required", "BOBPROXY_RECORD_REQUIRED", "", "false", "", "no recording, no traffic: end the run when a record cannot be kept", func(s *settings) flag.Value { return (*toggle)(&s.recordRequired) }},
	{ofRecording, "record-max-size", "BOBPROXY_RECORD_MAX_SIZE", "SIZE", "1GiB", "", "most that the recordings in the directory take together", func(s *settings) flag.Value { return &s.recordMaxSize }},
	{ofRecording, "record-max-age", "BOBPROXY_RECORD_MAX_AGE", "AGE", "30d", "", "older recordings are removed", func(s *settings) flag.Value { return &s.recordMaxAge }},

	{ofStart, "bob", "BOB_PATH", "FILE", "", "bob, from PATH", "the bob that `acp` runs", func(s *settings) flag.Value { return (*path)(&s.bob) }},
	{ofStart, "arguments", "BOB_ARGUMENTS", "LIST", "", "acp", "all of bob's arguments, separated by commas, for when the editor gives none behind `acp`", func(s *settings) flag.Value { return &s.arguments }},
	{ofStart, "api-key", "BOB_API_KEY", "KEY", "", "none", "handed to bob as BOB_API_KEY and BOBSHELL_API_KEY, masked in recordings", func(s *settings) flag.Value { return &s.apiKey }},
	{ofStart, "pipe", "BOBPROXY_PIPE", "", "false", "", "stand between the streams even if stdin is a terminal", func(s *settings) flag.Value { return (*toggle)(&s.pipe) }},

	{ofPanel, "theme", "BOBPROXY_THEME", "auto|dark|light|mono", "auto", "", "what the panel looks like; auto goes by the terminal", func(s *settings) flag.Value { return choice{&s.panel.theme, []string{"auto", "dark", "light", "mono"}} }},
	{ofPanel, "color", "BOBPROXY_COLOR", "auto|always|never", "auto", "", "whether there are colours; auto goes by NO_COLOR and CLICOLOR_FORCE", func(s *settings) flag.Value { return choice{&s.panel.color, []string{"auto", "always", "never"}} }},
	{ofPanel, "glyphs", "BOBPROXY_GLYPHS", "auto|unicode|ascii", "auto", "", "what lines and marks are drawn with; auto goes by the locale", func(s *settings) flag.Value { return choice{&s.panel.glyphs, []string{"auto", "unicode", "ascii"}} }},
	{ofPanel, "layout", "BOBPROXY_LAYOUT", "auto|narrow|medium|wide", "auto", "", "how many panes there are; auto goes by the width", func(s *settings) flag.Value {
		return choice{&s.panel.layout, []string{"auto", "narrow", "medium", "wide"}}
	}},
	{ofPanel, "medium-from", "BOBPROXY_MEDIUM_FROM", "N", "80", "", "columns from which on there are two panes", func(s *settings) flag.Value { return &s.panel.mediumFrom }},
	{ofPanel, "wide-from", "BOBPROXY_WIDE_FROM", "N", "130", "", "columns from which on there are three panes", func(s *settings) flag.Value { return &s.panel.wideFrom }},
	{ofPanel, "open-card", "BOBPROXY_OPEN_CARD", "pending|idle|never", "pending", "", "when the card of a permission comes up by itself: only where permissions are shown already, also when no key was pressed for a while, or never", func(s *settings) flag.Value { return choice{&s.panel.openCard, []string{"pending", "idle", "never"}} }},
	{ofPanel, "arm", "BOBPROXY_ARM", "TIME", "700ms", "", "how long a card must be on the screen, and no key be pressed, before keys that allow work; never less than 250ms", func(s *settings) flag.Value { return &s.panel.arm }},
	{ofPanel, "read-all", "BOBPROXY_READ_ALL", "", "true", "", "whether all that is asked for must have been on the screen before keys that allow work", func(s *settings) flag.Value { return (*toggle)(&s.panel.readAll) }},
	{ofPanel, "confirm-always", "BOBPROXY_CONFIRM_ALWAYS", "", "true", "", "whether an answer that allows more than this once is confirmed with a word", func(s *settings) flag.Value { return (*toggle)(&s.panel.confirmAlways) }},
	{ofPanel, "hide-always", "BOBPROXY_HIDE_ALWAYS", "", "false", "", "do not let the panel give answers that allow more than this once", func(s *settings) flag.Value { return (*toggle)(&s.panel.hideAlways) }},
	{ofPanel, "mouse", "BOBPROXY_MOUSE", "", "true", "", "whether the mouse scrolls and selects; it never answers", func(s *settings) flag.Value { return (*toggle)(&s.panel.mouse) }},
	{ofPanel, "notify", "BOBPROXY_NOTIFY", "auto|bell|osc9|osc777|osc99|command|off", "auto", "", "how somebody is called who is looking elsewhere", func(s *settings) flag.Value {
		return choice{&s.panel.notify, []string{"auto", "bell", "osc9", "osc777", "osc99", "command", "off"}}
	}},
	{ofPanel, "notify-command", "BOBPROXY_NOTIFY_COMMAND", "LIST", "", "none", "the program for `command`, and its arguments, separated by commas; the text is in NOTIFY_TITLE and NOTIFY_BODY", func(s *settings) flag.Value { return &s.panel.notifyCommand }},
}

// serves says whether a command has any use for the setting.
func (row setting) serves(command string) bool {
	switch command {
	case "config":
		return true
	case "acp", "run":
		return row.group != ofPanel
	case "panel":
		return row.group == ofPanel
	case "recordings": // whatever reads them
		return row.name == "record-dir"
	case "log":
		return slices.Contains([]string{"record-dir", "theme", "color", "glyphs"}, row.name)
	}
	return false
}

// hasFlag is false for what does not belong on a command line.
func (row setting) hasFlag() bool {
	_, hidden := row.value(new(settings)).(*secret)
	return !hidden
}

// defaultText is what the help says about the default.
func (row setting) defaultText() string {
	if row.byDefault == "" {
		return row.unset
	}
	return row.byDefault
}

// findSetting is the row with that name.
func findSetting(name string) (setting, bool) {
	i := slices.IndexFunc(table, func(row setting) bool { return row.name == name })
	if i < 0 {
		return setting{}, false
	}
	return table[i], true
}
