package feed

import (
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// The messages of a feed.
type (
	// Attached says that a proxy is followed from now on: what is so, and what
	// was before that, oldest first.
	Attached struct {
		Greeting control.Greeting
		State    control.State
		Events   []journal.Event
	}
	// Happened is what happened since, in order. It is at most mostDeltas.
	Happened struct {
		Instance string
		Deltas   []control.Delta
	}
	// Lost says that the connection was lost; it is being made again.
	Lost struct{ Instance, Why string }
	// Gone says that a proxy that was followed has ended.
	Gone struct{ Instance, Why string }
	// Refused is of a socket at which nobody can be talked to.
	Refused struct {
		Endpoint control.Endpoint
		Why      string
	}
	// Places says where proxies are looked for. It comes first, and when
	// something about it changes.
	Places struct {
		Dirs     []string // in order, be they there or not
		Problems []control.Problem
		Found    int // proxies, of which Left are not followed
		Left     int // since there are too many
	}
)

// Bounds.
const (
	mostProxies = 64      // followed at once
	mostQueued  = 2       // messages that wait to be read
	mostDeltas  = 1000    // of one message
	mostBytes   = 1 << 20 // of the bodies and texts of one message, and one more
)
