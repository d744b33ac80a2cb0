// Package control is how other processes of the same user see a running proxy
// and answer its permissions: a unix socket that speaks JSON-RPC.
//
// [Listen] makes the socket, [Server.Serve] lets clients at a [Host]; [Find]
// and [Dial] are the other end.
//
// # Where
//
// A proxy's socket is <instance>.sock, mode 0600, in the first usable of
//
//	$XDG_RUNTIME_DIR/bobproxy
//	/run/user/UID/bobproxy
//	$TMPDIR/bobproxy-UID
//	/tmp/bobproxy-UID
//
// which has to be a folder of this user's, not a link, without rights for
// anybody else, in a folder where nobody else can put another in its place. What
// is not like that is not made to be so, but passed over with a reason, and so is
// a folder whose path is too long for a socket. Clients read all four. Where
// $BOBPROXY_RUNTIME_DIR is set, the folder it names is the only one, for both.
//
// Beside the socket is <instance>.lock, locked (flock) for as long as the proxy
// lives. Only who holds that lock removes the two files, and only a socket of
// ours that nobody listens at: whoever starts with the same name, and any proxy
// that starts later in the same folder.
//
// # Who
//
// Whoever connects must be the same user by the kernel's word; a client checks
// the same of the server. All such processes may watch, though one that
// may be below the agent is not told what is on the disk. To answer,
//
//   - the process must be known and still be the one that connected;
//   - it must not be below the agent's keeper, which on Linux adopts what the
//     agent's tree orphans. Where that cannot be told it may not answer either;
//   - a panel must have a controlling terminal;
//   - a command may do what [Options.Answers] says.
//
// What a client says of itself is written into recordings and can only take
// rights away. Since all of it is between processes of one user, it stops a
// co-operating agent from answering itself, not a hostile one: that can take over
// another process or have the editor start one for it.
//
// # What is said
//
// One JSON-RPC 2.0 message a line. A line to the proxy is at most 64 KiB long and
// one plain call: the members jsonrpc, id (a whole number), method and params (an
// object), each once, in this spelling and no others; params likewise. What is no
// such call ends the connection; a call that cannot be answered gets an error. Before the
// proxy ends a connection it says why in an error whose id is null, if the client
// still reads.
//
//	hello   {"as": "panel" | "command"}, the first call, within 10 s
//	        → {"instance", "pid", "answers": "all" | "deny-only" | "none", "why",
//	        "disk"}
//	state   {} → [State]
//	watch   {} → {"state": [State], "events": n}; then event messages without
//	        end, of which the first n, at most 2000, are from before
//	body    {"seq"} → {"found", "body": base64, at most 64 KiB}
//	decide  {"request", "option" | "number" | "deny": true, "digest", "standing"}
//	        → {"result": "applied" | "too late" | "expired" | "unknown" |
//	        "refused", "by", "option", "kind", "text"}
//	disk    {"request"} → {"found", "files": [{"entry", "path", "state", "times",
//	        "text"}]}: how each diff of a request that waits and the disk go
//	        together, see [OnDisk]. It is answered within some 2 s, and other calls
//	        meanwhile; where the greeting says "disk": true
//	event   from the proxy: {"event": …, "pending": …}; pending is what an event
//	        "opened" is about, while it waits
//
// In an event, body is base64; time, seq and so on are as in a recording, but
// waitNs is in nanoseconds, form says how the body stands in a recording, and kind
// is left out for text. A string is cut at 64 KiB; what is not UTF-8 is
// {"base64": …} instead. In a pending request id and input are strings of JSON
// text, so that nothing an agent writes can upset a reader; 4 MiB of requests are
// given whole.
//
// # Nothing here holds up the wire
//
// A [Host] answers without waiting, save for the disk, for which a connection has
// a goroutine of its own. A watcher is behind by 4096 events and 2 MiB of bodies
// at most, and takes 64 KiB within 2 s; one that does not is cut loose: its
// connection is closed, and it may connect again and gets a new snapshot. There
// are at most 32 connections, of which 8 may be of processes that may not answer.
//
// # Goroutines
//
//	goroutine    started by     ends when                                awaited by
//	Serve        the caller     Close                                    Close
//	serve        Serve, one a   the client has gone, was cut loose, or   Close
//	             connection     Close
//	JSON-RPC's   serve          the connection is closed, by serve; it   serve (the reading one;
//	two                         has nothing to do afterwards             the other just returns)
//	wait         Close          all of the above have ended              Close
//	disk's two   a connection,  the host has compared, the client has gone   serve
//	             for one call   or Close
//	             at a time
//	JSON-RPC's   Dial           Client.Close, or the proxy has gone      Client.Close (likewise)
//	two
//
// Close waits for 250 ms, then closes what is open and waits for at most one second;
// only a Host that does not return can make it leave a goroutine behind.
package control
