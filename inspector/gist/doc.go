// Package gist puts into a row what something is about: the command or the
// file first, as it would be read from the session's folder, and behind that,
// where there is room, what the agent calls it. It says the same wherever a
// request or a tool call is named.
package gist
