// Package probe asks an agent what it is: it starts one, greets it, opens a
// session in a folder, waits a moment for what the agent tells by itself, and
// sees it off. It never sends a prompt and offers the agent nothing, so the agent
// has nothing to do.
//
// One goroutine reads the agent's lines; it ends with the agent's stdout, which
// the probe waits for.
package probe
