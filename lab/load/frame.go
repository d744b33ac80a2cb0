package load

import (
	"bytes"
	"fmt"
	"strconv"
)

// session is the id of the only session.
const session = "load"

const (
	updateHead = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"` + session +
		`","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"`
	updateTail = `"}}}}` + "\n"
	digits     = 12 // of the number that an update's text begins with

	idHead     = `{"jsonrpc":"2.0","id":`
	promptHead = `,"method":"session/prompt","params":{"sessionId":"` + session + `","prompt":[{"type":"text","text":"`
	promptTail = `"}]}}` + "\n"
	resultHead = `,"result":{"stopReason":"end_turn","_meta":{"text":"`
	resultTail = `"}}}` + "\n"
)

// MinSize is the smallest size in bytes that every kind of frame can have.
const MinSize = len(updateHead) + digits + len(updateTail)

// prose is one line of the text that frames carry, as it stands in JSON.
const prose = `\tif err := budget.Take(n); err != nil {\n\t\treturn fmt.Errorf(\"retry %d: %w\", n, err)\n\t}\n`

// appendText appends n bytes that may stand in a JSON string.
func appendText(dst []byte, n int) []byte {
	for ; n >= len(prose); n -= len(prose) {
		dst = append(dst, prose...)
	}
	return append(dst, bytes.Repeat([]byte{'.'}, max(n, 0))...)
}

// update is a session/update notification of size bytes whose number is zero;
// number sets it.
func update(size int) ([]byte, error) {
	if size < MinSize {
		return nil, fmt.Errorf("a frame of %d bytes: the smallest has %d", size, MinSize)
	}
	frame := make([]byte, 0, size)
	frame = append(frame, updateHead...)
	frame = append(frame, bytes.Repeat([]byte{'0'}, digits)...)
	frame = appendText(frame, size-MinSize)
	return append(frame, updateTail...), nil
}

// number writes i into the update that frame begins with.
func number(frame []byte, i int) {
	field := frame[len(updateHead):][:digits]
	for at := digits - 1; at >= 0; at-- {
		field[at] = byte('0' + i%10)
		i /= 10
	}
}

// appendPrompt appends a session/prompt request of size bytes, or of the fewest
// possible.
func appendPrompt(dst []byte, id, size int) []byte {
	return appendPadded(dst, strconv.AppendInt(nil, int64(id), 10), promptHead, promptTail, size)
}

// appendResult appends the response that ends a turn, of size bytes or of the
// fewest possible; id is the request's raw token.
func appendResult(dst, id []byte, size int) []byte {
	return appendPadded(dst, id, resultHead, resultTail, size)
}

func appendPadded(dst, id []byte, head, tail string, size int) []byte {
	dst = append(dst, idHead...)
	dst = append(dst, id...)
	dst = append(dst, head...)
	dst = appendText(dst, size-len(idHead)-len(id)-len(head)-len(tail))
	return append(dst, tail...)
}
