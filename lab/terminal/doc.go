// Package terminal runs a command the way the protocol's terminal methods
// describe it: output of both streams is kept in one bounded buffer, the exit
// status can be awaited by many, and killing it takes its descendants along.
//
// Each [Terminal] has one goroutine, which waits for the command and ends with
// it; Wait returns only after that.
//
// On Unix a command gets a process group of its own, so a signal typed at the
// keyboard does not reach it and [KillTree] does. What leaves the group
// escapes. Elsewhere only the command itself is killed.
package terminal
