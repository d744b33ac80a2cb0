// Package terminal is the panel's end of a real terminal: it opens a screen,
// turns keys, pastes, focus and resizing into inputs, copies the grid that was
// painted to the screen, does what the screen alone can do, and gives the
// terminal back as it was on every way out.
//
// [Screen.Run] is one loop that alone calls the [App] and writes to the terminal.
// It draws when something happened, at most 30 times a second, and sends only
// cells that changed. Besides it there are:
//
//	what                        ends                     waited for by
//	the terminal library's two  when the terminal is     Close, up to two seconds
//	(reading, understanding)    given back
//	the watcher of signals      with Run                 Run
//	one for each Later          when its context, Run's, Run, up to two seconds
//	                            is done
//
// The ways out are Quit, a context, SIGTERM, SIGHUP, SIGINT, SIGQUIT, a terminal
// that has gone, and a panic in any goroutine that deferred [Screen.Protect]. A
// terminal that takes nothing any more delays them by a few seconds; then its
// settings are restored, and what could not be written is not.
//
// Pasted text is taken out of what is typed before the terminal library sees it,
// so that nothing in it can be a key or an escape sequence. An escape sequence that
// comes in pieces is no keys either, and a control string that nobody ends ends
// when the typing pauses. Keys that were typed
// while the panel was being stopped are thrown away.
//
// A SIGTSTP from outside stops the program as it is, like SIGSTOP. Whatever
// stopped it, the terminal is taken anew when it goes on.
//
// NO_COLOR, when it is not empty, means the theme mono, which has no colour at
// all. Only where colours are asked for in spite of it, the variable is taken
// out of the process's environment until Close, or until they are not asked for
// any more, because the terminal library looks there by itself.
package terminal
