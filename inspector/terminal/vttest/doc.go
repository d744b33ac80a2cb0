// Package vttest runs a program on a terminal of its own for tests: it sends
// keys, waits until the screen shows something, and looks at every byte that
// was sent to the terminal.
//
// The terminal understands just what a full-screen program of ours sends, so
// that anything else is found by [Foreign] instead of being obeyed. Nothing
// sleeps: whoever waits is woken by output, and fails after [Patience] with the
// screen in the message.
package vttest
