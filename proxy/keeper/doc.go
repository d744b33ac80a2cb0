// Package keeper starts the agent and sees to it that nothing of it stays
// behind when we end it.
//
// # On Linux
//
// The agent's parent is not the proxy but a keeper: this same executable, run
// again with [Arg] as its first argument. The keeper leads a session of its
// own, so a signal for the proxy's process group does not reach it; it is a
// child subreaper, so a process that the agent's tree orphans, even one that
// called setsid, becomes the keeper's own child; and it holds one end of a
// socket whose other end only the proxy has, so it learns of the proxy's death
// whatever the cause. The agent's stdin, stdout and stderr are inherited
// straight through it: the keeper never sees a byte of them. What to run comes
// over the socket and the environment is the agent's own, so neither argv nor
// environment tells the agent that the keeper is there.
//
// A process with that first argument becomes a keeper in this package's init and
// never comes to main. Go initialises packages as soon as what they import is,
// in the order of their paths; so this one imports little, no fmt and no
// encoding/json for example, and comes before nearly all others. What those set
// up would be most of a keeper's memory and of its start.
//
// The rules:
//
//   - The agent ends by itself: its raw wait status is reported, together with
//     the processes it left running. They are left alone, as they would be
//     without us.
//   - We end the agent (End, Kill, or the proxy is gone): the whole tree goes.
//     Processes get SIGTERM first and SIGKILL when the grace is over.
//   - TERM, INT and HUP sent to the keeper itself are ignored, since some
//     clients signal every descendant and the agent gets its own copy.
//   - The keeper is killed: the kernel kills the agent with it (parent death
//     signal), and [Adopt], called by the proxy, makes the rest of the tree the
//     proxy's children, which it then kills. Who kills both at once, with
//     SIGKILL, takes the agent with them but not the rest of its tree.
//   - The keeper is stopped: it is made to go on when the agent is to be ended,
//     and by the kernel when the proxy dies.
//
// The agent inherits what it would without us: open files under their numbers,
// limits, umask, priority, ignored signals. Three limits: of the signals that our
// parent ignores only HUP and INT stay ignored, and those we catch do not stay
// blocked, since the Go runtime forgets about the others; the far end of an
// open file that the agent closes learns of it only when we end, since we hold a
// copy; and of variables that the environment has twice only the first arrives.
//
// Only processes that are the keeper's own unreaped children are ever
// signalled, so a process id that has been used again is never hit.
//
// Its goroutines: readOrders, started by keep, ends with the process, which does
// not wait for it; in the proxy follow, started by [Start], ends when the keeper
// has ended, and [Agent.Gone] tells so.
//
// # Elsewhere
//
// On other Unix systems the agent leads a process group and the group is
// signalled; a process that left the group survives us, and SIGKILL of the
// proxy leaves the agent to notice the end of its stdin. On Windows only the
// agent's own process is ended.
package keeper
