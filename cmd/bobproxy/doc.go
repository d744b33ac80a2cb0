// Command bobproxy stands between an ACP editor and an ACP coding agent: it
// passes every frame on unchanged and records what passed.
//
// The package is the command line and nothing else: which words mean what
// (main), what may be set (table, values) and where settings come from (settings,
// configfile), what they mean for the proxy (policy), which program to run and how
// (agent, find), and the only code that touches what belongs to the whole
// process: signals, exit codes, the terminal, the collector. Nothing is written
// to stdout but what the user asked for, or the agent's frames; an error is one
// line on stderr that says what to do.
//
// ps, pending, answer, approve and deny talk to running proxies: who runs
// (proxies, running, wait, ps), what a person must see before answering (pending,
// card, content, input, page), what is answered and what became of it
// (answer, choose, ruling), and how that is told to people and scripts (report).
// What peers wrote reaches a terminal only through field in page, or through
// writeJSON in report. Their
// goroutines are those of look, one a proxy, which waits for them, and those of
// watch, one a proxy, which wait waits for.
//
// A process whose first argument is keeper.Arg is not the command but a keeper,
// and never comes to main; see package keeper.
package main
