// Package session is the memory of a conversation: what the frames seen so far
// mean for the next one. It takes facts from package acp, does no I/O, starts
// no goroutine and keeps no reference to the frames it is shown.
//
// A [Fold] is fed every frame of both directions in the order in which they
// were seen, and says of each what only the conversation can tell: which
// request a response answers, which session it belongs to, and what a person
// should know about it. The same frames in the same order give the same facts,
// live or from a recording.
//
// # Grants
//
// What a session may touch comes from the client alone: from its session/new,
// load, resume and fork requests, once they are answered with a result
// ([Fold.Grants]). An answer counts only for the request that it is paired
// with, and an error gives nothing. The list of an accepted request replaces
// the one before, and of several requests the one that was made last decides,
// in whatever order they are answered. While a load is under way a path must
// lie in what the session has and in what it is about to have; while a new
// session has no name it must lie in what any of the requests under way would
// give.
//
// A session that is closed or deleted keeps what it has until that is answered
// with a result, and gets no children in the meantime. When its id is used
// again it has what the new request gives, and nothing of the old. So has a
// session/new that is answered with the id of a session that is open: that
// gives the agent nothing, for it has all that the client gave, in one session
// or another.
//
// A child session (subagent_update) has what its parent has at any time, and
// ends with it; the directories that it is announced with count for nothing. A
// session that the client opened cannot become a child.
//
// # Tool calls
//
// What updates and permission requests say of a tool call is merged under its
// session and id ([Fold.Call]): what is omitted stays, lists replace, null keeps
// in version 1 and takes back in version 2 (save locations, which it leaves),
// and a tool_call starts anew. What a permission request says lies on top of
// what was announced and is gone with the next request under the same id,
// because some agents use one id for all requests. For the same reason a
// request that brings its own title or rawInput, for a call that is completed,
// failed or cancelled, starts anew.
//
// Of an update that names files the fold hands over what it read ([Fact].Told),
// and says whether it may tell of long ago ([Fact].Replay), so that nobody reads
// it twice.
//
// # Stories
//
// A [Story] is what a person reads of all this: for each session what was said
// and done in it, in order, each thing an [Entry] that changes in place as more
// of it comes. It stands beside a Fold, is shown the same frames right behind it,
// and decides nothing, so it reads everything leniently: what has another shape
// than expected is nothing, and the rest still counts. Of a frame whose line was
// cut, as in a recording, acp.Mend gives what its beginning says; both are shown
// that.
//
// A story has bounds of its own ([MaxTalks], [MaxEntries], [MaxEntryText],
// [MaxStory]) and forgets what is oldest first. A piece of a message or of an
// output costs the same however much there is already.
//
// # Bounds
//
// Memory is bounded: [MaxOpen] requests a direction, [MaxSessions] sessions and
// [MaxChildren] children, [MaxGrants] bytes of paths, [MaxCalls] tool calls of
// [MaxCallBytes] together. A request beyond its bound is forwarded like any
// other, and its response is simply not paired; when it was to replace what a
// session has, the session is forgotten. What is forgotten is unknown, and to
// the unknown nothing is granted. Time is linear in the bytes of a frame.
// Updates that only show something, which most are, cost no more than to look
// up their names.
package session
