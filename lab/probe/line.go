package probe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// longest is how long a line may be, in bytes; a longer one ends the reading.
const longest = 64 << 20

// message is one line of the agent's as far as the probe has a use for it.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
	noise  bool            // is no message
	line   []byte          // as it came, without its end
}

// failure is an error reply.
type failure struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// listen hands on the lines of r until they end, then closes the channel.
func listen(r io.Reader, to chan<- message) {
	defer close(to)
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), longest)
	for lines.Scan() {
		var m message
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.Method == "" && m.ID == nil {
			m = message{noise: true}
		}
		m.line = bytes.Clone(lines.Bytes())
		to <- m
	}
	_, _ = io.Copy(io.Discard, r) // so that it can go
}

// ending keeps the end of what is written to it.
type ending struct{ text []byte }

// most is how much of stderr is kept, in bytes.
const most = 4 << 10

func (e *ending) Write(p []byte) (int, error) {
	e.text = append(e.text, p[max(0, len(p)-most):]...)
	e.text = e.text[max(0, len(e.text)-most):]
	return len(p), nil
}
