package broker

import (
	"encoding/json"
	"fmt"
)

// The makers of frames take raw JSON tokens as they were scanned and give one
// line of JSON with its LF.

// Selected is the answer to a permission request that selects an option.
func Selected(id, option []byte) []byte {
	const frame = `{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":%s}}}` + "\n"
	return fmt.Appendf(nil, frame, id, option)
}

// Cancelled is the answer to a permission request that selects none.
func Cancelled(id []byte) []byte {
	const frame = `{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"cancelled"}}}` + "\n"
	return fmt.Appendf(nil, frame, id)
}

// CancelRequest says that nobody waits for the answer to request id any more
// (agentclientprotocol.com/protocol/cancellation).
func CancelRequest(id []byte) []byte {
	const frame = `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%s}}` + "\n"
	return fmt.Appendf(nil, frame, id)
}

// SessionCancel ends the turn of session, a raw token.
func SessionCancel(session []byte) []byte {
	const frame = `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%s}}` + "\n"
	return fmt.Appendf(nil, frame, session)
}

// ErrorReply answers request id with an error. data is whatever encoding/json
// can write; nil leaves it out.
func ErrorReply(id []byte, code int, message string, data any) []byte {
	f := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s`, id, code, encode(message))
	if data != nil {
		f = fmt.Appendf(f, `,"data":%s`, encode(data))
	}
	return append(f, "}}\n"...)
}

func encode(value any) []byte {
	b, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("broker: data of an error reply is no JSON: %v", err))
	}
	return b
}
