// Package session is the memory of a conversation: what the frames seen so far
// mean for the next one. It takes facts from package acp, does no I/O, starts
// no goroutine and keeps no reference to the frames it is shown.
//
// A [Fold] is fed every frame of both directions in the order in which they
// were seen, and says of each what only the conversation can tell: which
// request a response answers, and which session it belongs to. The same
// frames in the same order give the same facts, live or from a recording.
//
// Its memory is bounded: at most [MaxOpen] requests a direction are remembered
// as open. A request beyond that is forwarded like any other, and its response
// is simply not paired.
package session
