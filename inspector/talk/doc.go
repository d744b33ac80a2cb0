// Package talk shows what was said and done in one session, for people: the
// [Timeline], which tells it in order, the [Info] pane, which tells what is so
// now, who owes whom an answer and what was done without asking, and [Summary],
// the short form of that for where space is left beside a pane or below a list.
//
// Nothing moves by itself under the person's eyes. A timeline that follows
// shows the end and has no selection; a selection is kept on its entry, and that
// entry on its row, whatever comes, grows or is forgotten around it. Entries
// change in place; text is wrapped only where it is on the screen.
package talk
