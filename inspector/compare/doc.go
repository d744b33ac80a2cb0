// Package compare tells what is different between two recorded conversations, by
// what they mean: the handshake, the sessions and their settings, turns, tool
// calls, permissions and who answered them, requests, errors, and why each turn
// ended.
//
// Ids, times, token counts, costs, and how messages were cut into chunks are no
// difference. What was masked equals everything. A path below the directory that
// the client gave to a session counts from there, so that two runs in two
// directories compare; see [Reader]. Texts count only where that is asked for.
//
// # How they are aligned
//
// A recording becomes a list of items for the connection and one for each
// session, in order of appearance; the first session of one is held against the
// first of the other. Two lists are aligned by the longest sequence that both
// have: first of items that are the same, then, between those, of items of one
// kind, which then differ in what they say. Lists of more than MaxAligned items
// are aligned greedily, each item with the next one like it nearby.
//
// # Bounds
//
// Of a recording MaxItems items are kept, with MaxText bytes; what comes later is
// left out, and [Result] says so. It does no I/O and is used by one goroutine.
// What is in a Result is not clean until it is printed by [Result.Text].
package compare
