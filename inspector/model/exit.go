package model

import (
	"fmt"

	"bobproxy/proxy/journal"
)

// HowEnded is how a program ended, in words that can stand behind its name: by
// SIGTERM, exit 1.
func HowEnded(x *journal.Exit) string {
	if x.Signal != "" {
		return "by " + SignalName(x.Signal)
	}
	return fmt.Sprintf("exit %d", x.Status)
}

// SignalName is a signal by the name that people know it by, whatever a system
// calls it in an exit event. It is not clean.
func SignalName(told string) string {
	if name := signalNames[told]; name != "" {
		return name
	}
	return clip(told, shortText)
}

// signalNames are the names of signals by what systems call them.
var signalNames = map[string]string{
	"hangup": "SIGHUP", "interrupt": "SIGINT", "quit": "SIGQUIT", "killed": "SIGKILL", "terminated": "SIGTERM",
	"aborted": "SIGABRT", "abort trap": "SIGABRT", "segmentation fault": "SIGSEGV", "bus error": "SIGBUS",
	"illegal instruction": "SIGILL", "floating point exception": "SIGFPE", "bad system call": "SIGSYS", "broken pipe": "SIGPIPE",
	"alarm clock": "SIGALRM", "user defined signal 1": "SIGUSR1", "user defined signal 2": "SIGUSR2",
	"trace/breakpoint trap": "SIGTRAP", "trace/BPT trap": "SIGTRAP",
	"CPU time limit exceeded": "SIGXCPU", "cputime limit exceeded": "SIGXCPU",
	"file size limit exceeded": "SIGXFSZ", "filesize limit exceeded": "SIGXFSZ",
}
