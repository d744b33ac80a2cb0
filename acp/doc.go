// Package acp knows what the frames of the Agent Client Protocol look like.
// Bytes go in, facts come out: it does no I/O, starts no goroutine and keeps
// nothing between calls, so everything in it may be used at once from many
// places.
//
// # Frames
//
// The stdio transport (agentclientprotocol.com, Transports) carries one
// JSON-RPC 2.0 object per line, in UTF-8. [Scan] reads one line's envelope: its
// kind, id and method, and the raw values of its other members. It validates
// the whole line against RFC 8259, to the last bracket of the deepest value,
// but gives of what is below the envelope only the sessionId of params and
// result and the kind of an update. It never changes, copies or keeps the line,
// takes time linear in its length, does not recurse, and allocates nothing for
// an ordinary frame.
//
// Scan sorts lines by what peers could make of them, not by whether they are
// good. A plain frame is one that every parser reads the same way. A frame can
// be odd: peers agree what it is, but handle it differently, as one with the id
// 1.0; it keeps its [Kind] and gets a [Reason]. A line is [Ambiguous] when two
// peers could read different messages from it: because its envelope names a
// member twice, or in another letter case, or with escapes; because there is
// something around the object, or an array around it; because it is not
// well-formed and some parser forgives that. And it is [Text] when no parser
// finds an object in it, since it has no brace.
//
// A string is garbled when something in it is no character, such as half of an
// emoji, or a byte that is not UTF-8. Programs that cut texts send such strings,
// and peers that do not refuse them put one thing or another in its place. A
// garbled name, id, method or version on the envelope makes a line Ambiguous.
// Whatever is garbled below makes a frame odd, since most of it only people see.
//
// Scan therefore never takes for plain what a strict parser refuses. It takes
// for a frame only what one accepts that is told not to mind garbled strings, and
// never reads an unambiguous envelope differently from one. What that is worth
// is tested against two independent parsers by fuzzing.
//
// # Params and results
//
// What somebody acts on below the envelope has a reader for each method, such as
// [ReadFile] and [ReadPermission], which takes the raw value that Scan gave. The
// readers make one pass, copy only the strings that they give, and never fail:
// what is not there, or not readable, is absent. Those by which something is
// allowed or refused are strict: they give the [Reason] why peers could read
// something else, at the levels and for the members that they read, in the
// shapes of both versions of the protocol. The rest down there is opaque, and
// nothing in it is odd. The others read as forgivingly as editors do. A garbled
// path, id or other word that is acted on is given by none of them (see
// [String]); a garbled title is given in characters.
//
// Of an Ambiguous line nothing below the envelope is given, since nobody knows
// what it says. [NamesEnforced] and [NamesSetup] tell whether it could be one of
// the methods that matter to some peer, however it is spelled and in whichever of
// the encodings of Unicode.
//
// What is only shown needs no reader: [Members], [Elements] and [Unquote] walk
// through a value. [Close] makes a value of the beginning of one, and [Mend] a
// frame of what a recording has of it.
//
// # What it does not do
//
// Scan does not look for duplicate members below the envelope. Neither it nor
// the readers check that a frame makes sense: that params are all the method
// wants, that a reply has a request, or that the sender may send it. For the
// last, see [Method.Allows]. And nothing here knows whether a path is allowed;
// [FilePath] only finds it in a URI.
//
// # Ids and methods
//
// An id is a token, not a value: 1 and 1.0 are the same to some peers only.
// [IDKey] says which tokens name the same request. The methods of ACP v1, of
// the v2 draft and of what both have in preparation are in one table.
package acp
