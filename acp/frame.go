package acp

// Direction says who sent a frame.
type Direction uint8

const (
	Client Direction = iota + 1 // the editor
	Agent                       // the coding agent
)

// String gives the word used in recordings: "client" or "agent".
func (d Direction) String() string {
	switch d {
	case Client:
		return "client"
	case Agent:
		return "agent"
	}
	return ""
}

// Peer is the side that receives what d sends.
func (d Direction) Peer() Direction { return Client + Agent - d }

// Kind is what a line is to JSON-RPC.
type Kind uint8

const (
	Text         Kind = iota // no peer can read a message from it: banner, blank line, scalar
	Request                  // method and id
	Notification             // method, no id
	Response                 // result, no method
	Error                    // error, no method
	Ambiguous                // two peers could read it differently; Reason says why
)

var kindNames = [...]string{"text", "request", "notification", "response", "error", "ambiguous"}

// String gives the word used in recordings.
func (k Kind) String() string { return kindNames[k] }

// EOL is how a line ended.
type EOL uint8

const (
	NoEOL EOL = iota // the stream ended first
	LF
	CRLF
)

// Frame is what one line says on its envelope. Its slices lie in the scanned
// line, so it is valid as long as that memory is; only a Method that was
// written with escapes has memory of its own.
//
// Of an Ambiguous line only ID and Method are given, as far as they can be
// read with good will: enough to answer it with an error, never enough to act
// on. ID is a valid JSON value even then. Where members repeat, the last one
// counts, as it does to most parsers, and a name in other letter case counts
// only where the exact one is missing.
type Frame struct {
	Kind   Kind
	EOL    EOL
	Reason Reason // why Kind is Ambiguous, or what is odd about a frame that is not; zero when plain

	// Strict: the line without its EOL is one RFC 8259 object in valid UTF-8
	// with no blanks around it, no CR and no lone surrogate in it, so it can be
	// embedded in JSON as it is. An Ambiguous line can be Strict: one with a
	// duplicate member is.
	Strict bool

	Cut bool // only the beginning of the line is known, so values may be cut: see Mend

	ID      []byte // raw token, quotes included; nil when absent
	Method  []byte // without quotes, escapes resolved; nil when absent
	Params  []byte // raw value; nil when absent
	Result  []byte // raw value; nil when absent
	Error   []byte // raw value; nil when absent
	Session []byte // sessionId of params or result: the raw token without its quotes; nil when absent, not a string, or garbled
	Update  []byte // sessionUpdate of the update in params, in the same way; escapes in it are not resolved
}
