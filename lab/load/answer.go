package load

import "bytes"

const (
	initialize  = idHead + `0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}` + "\n"
	initialized = `,"result":{"protocolVersion":1,"agentCapabilities":{}}}` + "\n"
	opened      = `,"result":{"sessionId":"` + session + `"}}` + "\n"
)

// request reads the id and the method of a request that has the shape of this
// package's own: compact, id before method.
func request(line []byte) (id, method []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(idHead))
	if !ok {
		return nil, nil, false
	}
	id, rest, ok = bytes.Cut(rest, []byte(`,"method":"`))
	if !ok || len(id) == 0 || len(bytes.Trim(id, "0123456789")) > 0 {
		return nil, nil, false
	}
	method, _, ok = bytes.Cut(rest, []byte{'"'})
	return id, method, ok
}

// appendAnswer appends what an agent says to one line: to a request its
// response, which ends a turn and is as long as the line unless the method asks
// for another one; anything else comes back as it is.
func appendAnswer(dst, line []byte) []byte {
	id, method, ok := request(line)
	if !ok {
		return append(dst, line...)
	}
	switch string(method) {
	case "initialize":
		return append(append(append(dst, idHead...), id...), initialized...)
	case "session/new":
		return append(append(append(dst, idHead...), id...), opened...)
	}
	return appendResult(dst, id, len(line))
}
