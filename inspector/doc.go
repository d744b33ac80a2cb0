// Package inspector shows a person what happened on the wire.
//
// It reads events, live or from a recording, and folds them with package
// acp/session; it never sees the wire itself and decides nothing. What it
// prints of a peer's words is cleaned first: see package clean.
//
// [Summarise] tells a recording in a few lines.
package inspector
