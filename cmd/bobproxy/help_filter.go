package main

// filterHelp is `bobproxy help filter`: the language of -e, and of the panel.
const filterHelp = `A filter is terms side by side, all of which must match; "or" is between two,
- or "not" in front of one, and ( ) around several.

  word, "quoted words"   anywhere in the frame, whatever the case
  /regex/  /regex/i      over the frame as it was on the wire
  @name                  a filter that is saved in the config file

  method:  m:   the method, of a response its request's; * is any text
  update:  u:   kind of a session/update: u:tool_call,plan
  dir:          out (to the agent) or in (from it)
  kind:    k:   req rsp ntf err bad; stderr, decision, gap, note
  id:           a request and its response
  session: s:   beginning of the id, or a part of the title
  call:  tool:  status:   id, kind and status of a tool call
  file:         a part of any path in the frame
  text:         a part of what people read: prompts and messages
  by:           editor, agent; panel, command, timeout, bounds, cancel, proxy
  perm:         open, here, editor, timeout, bounds, withdrawn
  params.a.b:   what stands there in the frame; result.… and error.… likewise
  is:           slow error open chunk added flagged refused
                withheld swallowed bad
  slow>500ms    how long a response took        size>24k    of the line
  after:12:04   before:-5m   2026-03-02   2026-03-02T12:04:27Z; a time of day
                is one of the recording's days, of what runs the last one

Several values are separated by commas: kind:err,bad. Of old frames the size and
the method may be all that is kept: what a term, with - or without, cannot say of
such a frame does not match; the panel counts these as unknown. For instance:

  bobproxy log -e '-u:message,thought'       without the chatter
  bobproxy log -e 'm:fs/* dir:in'            what the agent asks of the editor
  bobproxy log -e 'id:5'                     a request and its answer
  bobproxy log -e 'perm:timeout'             what nobody answered in time
  bobproxy panel -e 'kind:err or slow>2s'    the same language in the panel
`
