package journal

import (
	"bobproxy/acp"

	"github.com/go-json-experiment/json/jsontext"
)

// Replay gives the frame that e tells of as the conversation was shown it, so
// that a fold of a recording becomes what the fold of the wire was. It is false
// for what the conversation never knew: an event that is no frame, and a frame
// that was withheld or swallowed. One that was refused was asked all the same,
// and the error that the proxy added is its answer.
//
// Where the body is missing, or was cut, there is only what the record says
// beside it. The frame's slices are shared with e.
func (e *Event) Replay(f *acp.Frame) bool {
	if e.Type != FrameEvent || e.Action != "" && e.Action != "refused" {
		return false
	}
	if e.Form != NoBody {
		acp.Scan(e.Body, f)
		f.EOL = e.EOL
	}
	if e.Form == NoBody || f.Kind != e.Kind {
		*f = acp.Frame{Kind: e.Kind, EOL: e.EOL, ID: e.ID}
		if e.Kind == acp.Request || e.Kind == acp.Notification {
			f.Method = []byte(e.Method) // of a response it is its request's
		}
		if e.Session != "" {
			token, _ := jsontext.AppendQuote(nil, e.Session)
			f.Session = token[1 : len(token)-1]
		}
	}
	return true
}
