package check

import (
	"bytes"

	"bobproxy/acp"
)

// line judges how a line was written, and says whether it is a message that all
// peers read in the same way.
func (c *Checker) line(line []byte) bool {
	f := c.now.frame
	if f.EOL == acp.CRLF {
		c.sayOnce("transport/crlf", Info, "lines end in CR LF, where LF alone is meant to")
	}
	switch {
	case f.Kind == acp.Text && len(bytes.TrimSpace(line)) == 0:
		if !f.Cut && line != nil {
			c.say("transport/blank-line", Warning, "the line is blank, and some peers answer it with an error")
		}
		return false
	case f.Kind == acp.Text:
		c.say("transport/not-a-message", Error, "the line "+quoted(bytes.TrimSpace(line))+" is no message, and only messages may be sent here")
		return false
	case f.Kind == acp.Ambiguous:
		c.unsound(f.Reason)
		return false
	}
	if f.Reason.Garbled() {
		c.garbled(f.Reason, "in a string")
	}
	c.jsonrpc(line)
	return true
}

// unsound tells of a line that peers read differently.
func (c *Checker) unsound(r acp.Reason) {
	switch r {
	case acp.Batch:
		c.say("transport/batch", Error, "the line is an array of messages, which peers refuse or cannot read")
	case acp.OtherEncoding, acp.InvalidUTF8, acp.LoneSurrogate:
		c.garbled(r, "where peers act on it")
	case acp.BytesBefore, acp.BytesAfter, acp.LineBreak:
		c.say("transport/framing", Error, "the line is not one object alone: "+r.String())
	case acp.DuplicateMember, acp.FoldedMember, acp.EscapedMember:
		c.say("json-rpc/envelope", Error, "peers read different messages from the line: "+r.String())
	case acp.MethodNotString, acp.MethodCharacters, acp.NoPurpose:
		c.say("json-rpc/invalid", Error, "the object is no valid message: "+r.String())
	case acp.TooDeep:
		c.say("transport/json", Warning, "more than 128 brackets are open at once, which some peers refuse")
	default:
		c.say("transport/json", Error, "the line is no valid JSON: "+r.String())
	}
}

func (c *Checker) garbled(r acp.Reason, where string) {
	severity := Error
	if r == acp.LoneSurrogate {
		severity = Warning
	}
	c.say("transport/encoding", severity, "there is what is no character "+where+": "+r.String())
}

var usual = []byte(`{"jsonrpc":"2.0",`)

// jsonrpc looks for the member jsonrpc.
func (c *Checker) jsonrpc(line []byte) {
	if bytes.HasPrefix(line, usual) || len(line) == 0 {
		return
	}
	for name, value := range acp.Members(line) {
		if string(name) == "jsonrpc" {
			if string(value) != `"2.0"` && !bytes.Equal(value, maskedToken) {
				c.sayOnce("json-rpc/version", Error, "jsonrpc is "+shown(value)+` and should be "2.0"`)
			}
			return
		}
	}
	if !c.now.frame.Cut {
		c.sayOnce("json-rpc/version", Error, `messages have no member jsonrpc, which should be "2.0"`)
	}
}

// envelope judges the id, and what stands beside it.
func (c *Checker) envelope() {
	f := c.now.frame
	switch {
	case f.Reason == acp.NoID:
		c.say("json-rpc/no-id", Error, "the answer does not say what it answers")
	case f.Reason == acp.Conflict && f.Method != nil:
		c.say("json-rpc/conflict", Error, "there is a result or an error beside a method")
	case f.Reason == acp.Conflict:
		c.say("json-rpc/conflict", Error, "there are a result and an error")
	case f.ID == nil || f.Kind == acp.Error && null(f.ID):
	case null(f.ID) && !c.v2():
		c.say("json-rpc/odd-id", Warning, "the id is null, and some peers take such a request for a notification")
	case !ordinary(f.ID):
		c.say("json-rpc/odd-id", Error, "the id is "+shown(f.ID)+", and should be an integer or a string")
	}
	if f.Params != nil && f.Params[0] != '{' && f.Params[0] != '[' && !null(f.Params) && !bytes.Equal(f.Params, maskedToken) {
		c.say("json-rpc/params", Error, "params is "+shown(f.Params)+" and should be an object")
	}
}

func ordinary(id []byte) bool {
	_, ok := acp.IDKey(nil, id)
	return ok
}
