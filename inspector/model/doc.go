// Package model is what is known of all proxies: journal events, live or from a
// recording, folded into what a person sees. It is pure: events, states and
// times go in, and nothing is read, written or waited for.
//
// Everything is bounded, and what was dropped is counted. Only the goroutine
// that feeds a Model may touch it or what hangs from it.
//
// # Events
//
// A proxy's events are taken in the order of their numbers. What is known
// already is skipped, so that it makes no difference how often a panel is cut
// loose and attached again; what nobody could tell is a row of type gap. What a
// State says counts where events say nothing: a proxy takes its snapshot after
// the events that it gives with it, so it may know of some that are still to
// come.
//
// # The ledger
//
// A [Deed] is a tool call of kind edit, delete, move or execute, one that shows
// a diff or a terminal, or a request of the agent to write a file or to run a
// command that no such tool call can account for. Permissions are joined to it
// by tool call id, and where an agent asks under another id, by the same title
// or the same raw input within one turn; each counts for one tool call only. A
// request is joined by the terminal that a tool call shows, by the path, by the
// command line, or, when nothing else can be compared and nobody was asked, by
// the time. So what is said to have run without asking was never asked for, and
// what was allowed is not taken for leave to do something else. Tool calls of an
// old talk that is being loaded are none of it.
package model
