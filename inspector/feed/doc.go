// Package feed follows all running proxies of this user and tells what they do,
// in one stream of messages, and passes answers on to them.
//
// [Start] looks for proxies, from then on again and again, and follows each it
// finds: it connects, takes what the proxy remembers, the first time what its
// recording has from before that, and then what happens. A connection that is
// lost is made again, with a growing delay, for as long as somebody listens at
// the socket.
//
// # Order
//
// Of one proxy there is Attached first, then Happened, without a hole and
// without an event twice. A Lost is followed by an Attached, whose events may
// overlap with what was told before or leave a hole, or by Gone, which comes
// once and last. A proxy that is followed under a name that had a Gone is
// another one. A Refused is of a socket, not of a proxy: it comes again only
// when there is another reason, and Attached may come after it.
//
// # Memory
//
// Who reads Messages may be slow, or stopped. Then the sockets are not read
// either, each proxy cuts its connection loose in time, and later there is an
// Attached anew. What waits until then is bounded: mostQueued messages, and of
// each proxy a batch and what its connection holds. Recordings are read by two
// at a time at most, the last 32 MiB of each.
//
// # Goroutines
//
//	goroutine    started by    ends when                                awaited by
//	look         Start         Close                                    Close
//	follow       look, one a   the proxy has gone, or Close             Close
//	             proxy
//	recall       follow        the recording is read, or Close          follow
//	JSON-RPC's   follow        the connection is lost, or Close         follow
//	two
//	JSON-RPC's   Decide, Body  the proxy has gone, or Close             Close, or follow
//	two          and Disk, one
//	             a proxy
//
// All stop on Close or when the context of Start is done, which Close has to
// follow. A disk that hangs while a recording is read holds Close up.
package feed
