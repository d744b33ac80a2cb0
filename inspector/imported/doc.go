// Package imported reads what other programs recorded of the Agent Client
// Protocol and puts it into a journal, so that it becomes a recording like any
// other: masked, paired, with its permissions opened and decided.
//
// It reads
//
//   - a session that acp-devtools exported: one JSON document with a list of
//     messages, each with its direction, timestamp and raw line;
//   - any other JSON list, or document with one, of such messages or of frames;
//   - a file with one message a line: an object that has the frame in it, or is
//     it, or a frame behind words or arrows that say where it went.
//
// Where nothing says who sent a frame, the methods of the protocol do, and for a
// response the request that waits for it. What remains is guessed, and counted.
//
// One message is in memory at a time.
package imported
