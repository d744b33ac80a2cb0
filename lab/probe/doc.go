// Package probe asks an agent what it is: it starts one in our folder, greets it,
// opens a session in another, waits a moment for what the agent tells by itself,
// and sees it off. It never sends a prompt and offers the agent nothing, so the agent
// has nothing to do.
//
// One goroutine reads the agent's lines, and a second one takes what it says
// while it is seen off; both end with the agent's stdout, which the probe waits
// for.
package probe
