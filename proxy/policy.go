package proxy

import "time"

// Mode says what happens to what leads out of the workspace.
type Mode string

const (
	Enforce Mode = "enforce" // it is refused
	Warn    Mode = "warn"    // it passes, flagged
	Off     Mode = "off"     // nobody looks
)

// Answers says what commands may answer a permission with.
type Answers string

const (
	AnswersAuto Answers = ""          // All for a caller with a terminal, else DenyOnly
	AnswersAll  Answers = "all"       // any option
	DenyOnly    Answers = "deny-only" // only options that reject
	AnswersOff  Answers = "off"       // nothing
)

// Policy is what a proxy enforces. The zero value is the default: bounds are
// enforced and permissions time out after DefaultPermissionTimeout.
type Policy struct {
	Bounds    Mode     // empty: Enforce
	Ceiling   string   // directory that session roots must lie in; empty: anywhere
	Allow     []string // further roots
	AllowRead []string // the same, for reading only

	PermissionTimeout time.Duration // zero: DefaultPermissionTimeout; Never: never
	RequestTimeout    time.Duration // zero: never
	PromptTimeout     time.Duration // zero: never
	MaxSessions       int           // open at once; zero: any number

	KeepDialogs bool    // do not withdraw a dialog that was answered elsewhere from the editor
	Answers     Answers // by commands
	AutoApprove string  // what in the agent's start approves by itself; said in recording and snapshot; empty: nothing
}

// DefaultPermissionTimeout is how long a permission waits for an answer.
const DefaultPermissionTimeout = 2 * time.Minute

// Never is a time-out that never comes.
const Never time.Duration = -1

func (p *Policy) permissionTimeout() time.Duration {
	switch {
	case p.PermissionTimeout == 0:
		return DefaultPermissionTimeout
	case p.PermissionTimeout < 0:
		return 0 // for the broker: never
	}
	return p.PermissionTimeout
}

func (p *Policy) mode() Mode {
	if p.Bounds == "" {
		return Enforce
	}
	return p.Bounds
}
