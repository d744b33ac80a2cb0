// Package clean makes text from a peer safe to show: what a terminal would obey,
// what is invisible, and what turns the direction of writing is shown by a sign
// instead of being obeyed, and nothing is left out.
//
// It is the one place where that is done: for every view, title, notification,
// command and export. What comes out is valid UTF-8 without control, format,
// private, unassigned and blank-looking characters, and without blanks but the
// ordinary one. [Line] leaves clean text as it is, so cleaning twice does no
// harm.
//
// The signs:
//
//	↵ →              line feed, tab
//	␀ … ␛ … ␟ ␡      other control characters of ASCII
//	‹ff›             a byte that is not UTF-8
//	‹RLO› ‹nbsp› …   what has a well-known name
//	‹tag x›          the invisible letter x of tags
//	‹U+E000›         everything else
//
// A character that goes on top of another (an accent, a skin colour) is shown
// as it is only where there is one to go on, and at most two of them: more could
// cover the lines around, and one at the start would land on our own text. The
// selector that makes an emoji of a sign stays where it does so. What joins
// emoji does not: a terminal that does not know the joined one draws them side
// by side, as many as there are, over whatever stands there.
//
// [Letters] tells which letters of a command may be taken for others. It judges
// nothing; nor does anything else here.
package clean
