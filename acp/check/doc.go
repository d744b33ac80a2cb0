// Package check says where a conversation breaks the Agent Client Protocol, and
// who broke it.
//
// A Checker is shown the frames of both sides in their order, as a session.Fold
// is, and gives findings: of a frame what is wrong with its shape, by the table
// of all methods and types of the version that was agreed on, and what is wrong
// with it at this place of the conversation. Rules are its table of rules, each
// with the page of the specification that it is from.
//
// # Guarantees
//
//   - It never blames without having seen. A frame that is cut is judged by what
//     is there alone, a value that a recording has masked by nothing, and after
//     Missed nothing counts as unknown that may have been said before. Where the
//     memory is full, the same holds for what had to be forgotten.
//   - What peers are free to do is no finding, nor are members that begin with
//     an underscore, and what stands in _meta. Members, words and methods that
//     are in no table are information, since peers may be newer than it.
//   - Memory is bounded, and the time for a frame is linear in its length.
//   - Never more than MaxFindings of one frame.
//
// It does no I/O, starts no goroutine and keeps no reference to what it is shown.
// A Checker is used by one goroutine at a time.
package check
