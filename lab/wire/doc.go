// Package wire is what the lab's agent and editor have in common on the wire:
// frames, error codes and the shapes of the messages they send.
//
// [Stream] puts one JSON-RPC frame on a line and makes a jsonrpc2.Conn fit to
// talk to strangers: a line that is no message is answered and skipped, where
// the library's own stream would end the connection, and a response whose id
// no request of ours can have had goes to Stray or is dropped, where the library
// would read a null id as 0. Request ids may be strings and non-negative integers; the
// library cannot repeat any other id, so such requests are refused.
//
// The shapes hold the fields the lab uses, not all of the protocol. They are
// for making messages and for reading what a test or a person looks at. Reading
// them goes by encoding/json and its leniency with keys, which is no way to
// decide whether something is allowed.
package wire
