// Package doctor looks at a machine for what keeps bobproxy from seeing an agent,
// from keeping it in its workspace, or from recording it, and says how to mend
// it.
//
// The checks are pure: all they know is in a [View], which somebody else has
// filled, so they can be asked about any machine. [Quick] are those that need
// only files, for a screen that must not wait.
package doctor
