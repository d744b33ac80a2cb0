// Package model is what is known of all proxies: journal events, live or from a
// recording, folded into what a person sees. It is pure: events, states and
// times go in, and nothing is read, written or waited for.
//
// Everything is bounded, and what was dropped is counted. Only the goroutine
// that feeds a Model may touch it or what hangs from it.
package model
