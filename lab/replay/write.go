package replay

import (
	"bytes"
	"encoding/json"

	"bobproxy/acp"
)

// quoted is s as a JSON string.
func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string has a JSON value
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// envelope writes a frame with an id of its own and the values of a recorded
// one, which were mapped. Its end is a line feed.
func envelope(id []byte, f *acp.Frame, mapped func([]byte) []byte) []byte {
	b := []byte(`{"jsonrpc":"2.0"`)
	if id != nil {
		b = append(append(b, `,"id":`...), id...)
	}
	if f.Method != nil {
		b = append(append(b, `,"method":`...), quoted(string(f.Method))...)
	}
	for _, part := range []struct {
		name  string
		value []byte
	}{{"params", f.Params}, {"result", f.Result}, {"error", f.Error}} {
		if part.value != nil {
			b = append(append(b, `,"`+part.name+`":`...), mapped(part.value)...)
		}
	}
	return append(b, "}\n"...)
}

// as is a value that needs no mapping.
func as(v []byte) []byte { return v }

// result answers the request id.
func result(id []byte, value string) []byte {
	return envelope(id, &acp.Frame{Result: []byte(value)}, as)
}

// failure answers the request id with an error.
func failure(id []byte, code int, message string) []byte {
	value := append([]byte(`{"code":`), []byte(jsonInt(code))...)
	value = append(append(value, `,"message":`...), quoted(message)...)
	return envelope(id, &acp.Frame{Error: append(value, '}')}, as)
}

func jsonInt(n int) string { b, _ := json.Marshal(n); return string(b) }

// withdrawal is $/cancel_request for the request id.
func withdrawal(id []byte) []byte {
	return envelope(nil, &acp.Frame{
		Method: []byte(acp.MethodCancelRequest),
		Params: append(append([]byte(`{"requestId":`), id...), '}'),
	}, as)
}
