// Package report measures a recording: how long answers, turns, tool calls and
// permissions took, how fast chunks came, and how many bytes went over the wire.
//
// A [Tally] takes the events one by one and keeps numbers only, so that its
// memory does not depend on how long the recording is. Percentiles are those of
// the values themselves, by nearest rank. Of one measure the first MaxValues
// values are kept, of all MaxAllValues; when there were more, a [Series] says of
// how many its percentiles are, while count, sum, least and most are of all.
//
// # What is measured
//
//	METHOD           from a request to its answer, whoever asked
//	first-token      from a prompt to the first chunk of the agent's message or thought
//	turn             from a prompt to the end of its turn
//	tool[:KIND]      a tool call, from when it was begun or last put before a person
//	permission[:BY]  from a question to its answer, and who gave that
//	gap              between two chunks of one message
//	bytes:METHOD     of one frame, a response having the method of its request
//
// Other things are only counted; [CountWords] has their words.
//
// A talk that is loaded again is not measured as if it happened now.
//
// It does no I/O and is used by one goroutine. What is in it is not clean until
// it is printed by [Report.Text].
package report
