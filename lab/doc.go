// Package lab is a set of things to aim a proxy, a client or an agent at, with
// no model and no network behind them:
//
//   - package retrybudget, an exercise that a script can check;
//   - package bob, an agent that repairs it and asks before each step;
//   - package editor, a client that plays one prompt turn with any agent;
//   - package replay, either side of a recording, played to a live peer;
//   - package probe, a client that only asks an agent what it is;
//   - package load, peers that move bytes and an editor that measures a middle;
//   - package wire, package terminal and package child, which they share.
//
// Agent and editor behave unless they are told not to: each has a list of
// misbehaviours, which real peers have shown by mistake or out of malice, for
// testing a client, an agent or what stands between them.
//
// [Command] offers them on a command line. Agent and editor exit like any
// other program of their kind, so they can stand in for a real one.
package lab
