package bob

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// reply is what a client said to a request that was written past jsonrpc2.
type reply struct {
	id      jsonrpc2.ID
	result  json.RawMessage
	refusal *jsonrpc2.Error // nil for a result
}

// mail hands on replies that jsonrpc2 knows no request for, as many as come.
type mail struct {
	mu    sync.Mutex
	boxes map[jsonrpc2.ID]chan<- reply
	lost  chan<- reply // for replies with an id that names nothing
}

// expect has replies to id put into box, and no longer into an earlier one.
// What comes when the box is full is dropped: the goroutine that brings it is
// also the one that hears of a cancel.
func (m *mail) expect(id jsonrpc2.ID, box chan<- reply) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.boxes == nil {
		m.boxes = map[jsonrpc2.ID]chan<- reply{}
	}
	m.boxes[id] = box
}

// expectLost has replies that name no request put into box.
func (m *mail) expectLost(box chan<- reply) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lost = box
}

// take sees everything that jsonrpc2 receives.
func (m *mail) take(req *jsonrpc2.Request, resp *jsonrpc2.Response) {
	if req != nil || resp == nil {
		return
	}
	r := reply{id: resp.ID, refusal: resp.Error}
	if resp.Result != nil {
		r.result = *resp.Result
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	put(m.boxes[r.id], r)
}

// takeLost sees the responses that jsonrpc2 does not get to see.
func (m *mail) takeLost(line []byte) {
	var r struct {
		Error *jsonrpc2.Error `json:"error"`
	}
	if json.Unmarshal(line, &r) != nil || r.Error == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	put(m.lost, reply{refusal: r.Error})
}

func put(box chan<- reply, r reply) {
	select {
	case box <- r:
	default:
	}
}

// await takes the next reply out of box. It returns errCancelled when ctx ends
// first.
func await(ctx context.Context, box <-chan reply) (reply, error) {
	select {
	case r := <-box:
		return r, nil
	case <-ctx.Done():
		return reply{}, errCancelled
	}
}

// words say what an error reply says.
func words(refusal *jsonrpc2.Error) string {
	return fmt.Sprintf("error %d: %s", refusal.Code, clipped(refusal.Message, 300))
}

// clipped is text of at most so many characters.
func clipped(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}
