// Package export makes copies of a recording that can be given to others: as a
// recording again, as a transcript for people in Markdown, as one page of HTML,
// and as traces for OpenTelemetry.
//
// # What a copy leaves out
//
// A [Scrubber] goes over every event before it is written. It replaces homes by
// /home/me, the names of user and host, on demand the folders that sessions work in,
// and what looks like a generated key: a well-known prefix, a PEM block, the value of
// an Authorization, the password in an address, what stands behind a name like token;
// and, whatever it looks like, what stands behind such a name in an argument, in a
// line of settings or in quotes (package acp/secret). The same value becomes the same
// [removed 1] everywhere, and is then looked for everywhere, save what may be a word
// or a path, which becomes [removed] where it stands. Contents and texts are blanked
// on demand: every byte but line feeds becomes an x, so that sizes and lines stay, and
// the event says how many were.
//
// What it does is counted. What it cannot know is a secret that looks like an ordinary
// word and has no name, and one that a peer sent in pieces, over several frames, of
// which only the transcripts, which put them together, are searched again. What was
// masked in the recording stays masked.
//
// A frame stays a frame: only strings are changed, and numbers that are a secret;
// the methods, kinds and other words that the protocol is made of never are. Where
// the size of a body changes, the size that is told changes with it. The same
// recording always gives the same copy.
//
// # What a copy does to its reader
//
// Nothing. Text from a peer is data in every format: escaped, without a way to
// become markup, a link, a reference or a script; what is invisible is shown by a
// sign, as on the screen.
//
// # Bounds
//
// A recording and traces are written as they are read, one event in memory at a
// time, and traces with what is open. Transcripts are written from a model, with
// its bounds; what they leave out they say.
package export
