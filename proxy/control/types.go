package control

import (
	"context"
	"encoding/json"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// Host is the running proxy behind a server. Its methods may be called from any
// goroutine and do not wait for the wire, nor, but for Disk, for anything else.
type Host interface {
	// State is what is so now.
	State() State
	// Pending is the request of that name, when it still waits.
	Pending(request string) (Pending, bool)
	// Watch gives the state, the newest events and a watcher for what comes
	// after them: no gap and no event twice.
	Watch(buffer int) (State, []journal.Event, *journal.Watcher)
	// Body is what the tail still has of a frame's body or an event's text; false
	// when it has nothing.
	Body(seq uint64) ([]byte, bool)
	// Decide takes an answer. The caller has checked who asks.
	Decide(broker.Decision) broker.Ruling
	// Disk compares the diffs of a request that still waits with the disk; false
	// when there is none of that name. It may take seconds, and returns soon after
	// ctx is done.
	Disk(ctx context.Context, request string) ([]OnDisk, bool)
}

// State is what a proxy says of itself.
type State struct {
	Instance    string    `json:"instance"`
	PID         int       `json:"pid"`
	Version     string    `json:"version"`
	Command     []string  `json:"command"`
	Cwd         string    `json:"cwd"`
	Started     time.Time `json:"started"`
	Client      Program   `json:"client"`
	Agent       Program   `json:"agent"`
	Protocol    int       `json:"protocol"` // negotiated version; 0 before
	Sessions    []Session `json:"sessions"`
	Pending     []Pending `json:"pending"` // oldest first
	Recording   string    `json:"recording"`
	Bounds      string    `json:"bounds"`
	Timeout     string    `json:"timeout"` // of permissions, as 2m0s; "0" for never
	AutoApprove string    `json:"autoApprove,omitempty"`
	Watchers    int       `json:"watchers"`
}

// Program is how a peer names itself.
type Program struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version,omitempty"`
}

// Session is one session.
type Session struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Cwd   string   `json:"cwd"`
	Roots []string `json:"roots"` // further ones
	Mode  string   `json:"mode,omitempty"`
	State string   `json:"state"` // idle, working, waiting (for a permission)

	AutoApprove string `json:"autoApprove,omitempty"` // what of its mode and options, by their names, makes the agent ask for nothing
}

// Pending is a permission request that waits for an answer.
type Pending struct {
	Request  string          `json:"request"` // <instance>:<number>
	Digest   string          `json:"digest"`
	Instance string          `json:"instance"`
	Session  string          `json:"session"`
	ID       json.RawMessage `json:"id"` // as the agent spelled it
	Title    string          `json:"title"`
	Kind     string          `json:"kind"`
	Verdict  broker.Verdict  `json:"verdict"`
	Input    json.RawMessage `json:"input"`             // rawInput; null when there is none or it is too long
	Clipped  string          `json:"clipped,omitempty"` // the beginning of an input that is too long
	Opened   time.Time       `json:"opened"`

	// Content is what the tool call shows: diffs, texts, …; absent when there is
	// nothing or too much, of which ContentClipped is the beginning.
	Content        json.RawMessage `json:"content,omitempty"`
	ContentClipped string          `json:"contentClipped,omitempty"`
	Description    string          `json:"description,omitempty"` // of version 2, as the two below
	Command        string          `json:"command,omitempty"`     // what would be run
	Cwd            string          `json:"cwd,omitempty"`         // and where

	Deadline *time.Time `json:"deadline"` // null: never
	Options  []Option   `json:"options"`

	SessionUnknown bool   `json:"sessionUnknown,omitempty"` // neither the client nor the agent has told of it
	Unanswerable   string `json:"unanswerable,omitempty"`   // why only the editor can answer
	Unattributable string `json:"unattributable,omitempty"` // why an allow of the editor's is not released
}

// Option is one way to answer.
type Option struct {
	Number int    `json:"number"` // from 1
	ID     string `json:"optionId"`
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Odd    bool   `json:"odd,omitempty"` // as of acp.Option: never to be chosen for anybody
}
