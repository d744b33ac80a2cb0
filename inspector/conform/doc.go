// Package conform reads what a recording has and says how well the two sides kept
// to the protocol: the findings of acp/check, put together by rule, and told apart
// from those that a baseline accepts.
//
// What the proxy itself added to a conversation is shown to the rules, so that
// they know how it went on, and blamed on nobody. What it kept back the other
// side never got, so it counts for nothing, except that an answer to what its
// sender had answered before is an answer too many.
//
// It does no I/O and is used by one goroutine. Memory is bounded: MaxFindings
// findings of all, of the rest only how many there are.
package conform
