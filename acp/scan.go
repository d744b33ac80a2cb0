package acp

import "bytes"

// Scan reads the envelope of line, which may end in LF or CRLF, into f and
// forgets what f said before. It takes one pass over a sound line, two over
// one that is not, and allocates only to resolve escapes: in the method, and in
// names of members of the envelope, params, result and update.
//
// The method alone decides what a frame is (JSON-RPC 2.0 §4): with an id of
// whatever type it is a Request, without one a Notification, and a result or
// error beside it is merely odd. A missing or other jsonrpc member does not
// matter, since many peers neither send nor look at it.
func Scan(line []byte, f *Frame) {
	*f = Frame{}
	body := f.cutEOL(line)
	l := lexer{b: body}
	start := l.blank(0)
	if l.at(start) != '{' {
		f.outside(body, start)
		return
	}

	end, ok := l.envelope(start, f)
	if ok {
		if rest := l.blank(end); rest < len(body) {
			l.note(BytesAfter)
			end = 0
		}
		f.Strict = start == 0 && end == len(body) && !l.breaks && !f.Reason.Garbled()
	}
	switch {
	case !ok:
		f.ambiguous(l.reason)
		if wide(body) {
			f.Reason = OtherEncoding
		}
		f.salvage(body)
	case l.reason != 0:
		f.ambiguous(l.reason)
	default:
		f.classify()
	}
}

// cutEOL notes how the line ends and returns what is before. One CR before
// the LF belongs to the ending: every known peer strips it.
func (f *Frame) cutEOL(line []byte) []byte {
	body, ok := bytes.CutSuffix(line, []byte("\n"))
	if !ok {
		return line
	}
	f.EOL = LF
	if body, ok = bytes.CutSuffix(body, []byte("\r")); ok {
		f.EOL = CRLF
	}
	return body
}

// outside judges a line that does not start with an object at start, its
// first byte that is no blank. Without a brace nobody can find a message in
// it; with one, some readers look for it and others unpack arrays.
func (f *Frame) outside(body []byte, start int) {
	brace := bytes.IndexByte(body, '{')
	if brace < 0 {
		return
	}
	switch {
	case wide(body):
		f.ambiguous(OtherEncoding)
	case batch(body[start:]):
		f.ambiguous(Batch)
	default:
		f.ambiguous(BytesBefore)
	}
	f.salvage(body[brace:])
}

// wide reports whether b looks like UTF-16 or UTF-32: it starts with a byte
// order mark, or with a brace of more than one byte.
func wide(b []byte) bool {
	b = bytes.TrimLeft(b, "\x00")
	for _, start := range []string{"\xff\xfe", "\xfe\xff", "{\x00"} {
		if len(b) >= 2 && string(b[:2]) == start {
			return true
		}
	}
	return false
}

// batch reports whether b, which holds a brace, is an array of objects, or
// starts like one. A banner such as "[info] {" is not.
func batch(b []byte) bool {
	if len(b) == 0 || b[0] != '[' {
		return false
	}
	if inner := bytes.TrimLeft(b, "[ \t\r\n"); len(inner) > 0 && inner[0] == '{' {
		return true
	}
	l := lexer{b: b}
	_, ok := l.value(0, 0)
	return ok
}

// ambiguous keeps of f what an Ambiguous line may say.
func (f *Frame) ambiguous(r Reason) {
	*f = Frame{Kind: Ambiguous, EOL: f.EOL, Reason: r, Strict: f.Strict, ID: f.ID, Method: f.Method}
}

// classify sets the Kind of a frame whose envelope is sound, and notes what is
// odd about it; what is odd about the envelope goes before what is garbled below.
func (f *Frame) classify() {
	result, failed := f.Result != nil, f.Error != nil
	switch {
	case f.Method != nil && f.ID != nil:
		f.Kind = Request
	case f.Method != nil:
		f.Kind = Notification
	case failed:
		f.Kind = Error
	case result:
		f.Kind = Response
	default:
		f.ambiguous(NoPurpose)
		return
	}
	switch {
	case f.Method != nil && (result || failed), result && failed:
		f.Reason = Conflict
	case f.Kind == Notification:
	case f.ID == nil:
		f.Reason = NoID
	case f.Kind == Error && string(f.ID) == "null":
		// JSON-RPC 2.0 §5: null where the request's id could not be read.
	case !ordinary(f.ID):
		f.Reason = OddID
	}
}
