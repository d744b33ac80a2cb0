// Package filter is the language in which rows of the wire are chosen.
//
//	expr  = and { "or" and }
//	and   = not { ["and"] not }
//	not   = ["-" | "not "] atom
//	atom  = "(" expr ")" | term
//	term  = key ":" value { "," value }     one of the values
//	      | key cmp number [unit]           cmp: > >= < <= =
//	      | "/" regex "/" ["i"]             over the line as it was on the wire
//	      | word | "quoted words"           anywhere in that line, ignoring case
//	      | "@" name                        a saved filter
//	value = word | "quoted" | glob with * | "/" regex "/" ["i"]
//
// Of what is no frame, the line is its text and what is shown of the permission
// that it is about.
//
// A word ends at a blank, a parenthesis, a quote or, as a value, at a comma.
// Within quotes \" \\ \n \r and \t are what they are in JSON. What begins with a
// slash is a regular expression when the next slash ends it, else a word, so
// that file:/home/me needs no quotes.
//
//	method m    method; of a response its request's; a part of it
//	update u    variant of session/update, whole or as the panel shortens it
//	dir         out, editor, → (to the agent); in, agent, ← (from it)
//	kind k      req rsp ntf err bad; of what is no frame: stderr, decision (and
//	            that one is asked for), gap, note (all else)
//	id          of a request and its response, exactly
//	session s   beginning of the id, or a part of the title
//	call        tool call id        tool    its kind        status   its status
//	file        a part of any path in the frame; a response has its request's
//	text        a part of what people read: prompts and messages
//	by          who made a frame: editor, agent, or of those that were added
//	            panel, command, timeout, bounds, cancel, proxy
//	perm        open, here (panel or command), editor, timeout, bounds, withdrawn
//	params.a.b  what stands there in the frame; result.a.b and error.a.b likewise
//	is          slow error open marked chunk added hidden flagged refused
//	            withheld swallowed bad
//	slow        how long a response took, or a request has waited: ms, s, m; ms
//	            when no unit is given
//	size        of the line: b, k, m (of 1024)
//	after       12:04, 12:04:27, -5m, 2026-09-30, 2026-09-30T12:14:27Z;
//	before      likewise; a time of day is that of the recording's days, or of
//	            what runs the last one that has been
//
// What of a frame is not kept is not known: a term that would need it, with - or
// not before it or without, does not match there, and [Expr.Unsure] tells.
//
// All but ids and regular expressions ignore case. A row that has no such thing
// never matches a key. In a path a name that stands before an array means each
// of its entries, a number the one entry, * any member or entry; strings match
// by a part, other values as a whole, and numbers can be compared.
//
// [Parse] reads it, [Expr.Match] applies it, [Expr.String] writes it, and what
// is written reads the same. [Complete] helps typing. Texts are at most MaxText
// long and MaxDepth deep; work is linear in a row's body for each term. Nothing
// here keeps state, so all of it may be used from many goroutines.
package filter
