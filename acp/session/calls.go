package session

import (
	"container/list"
	"encoding/binary"
	"strings"

	"bobproxy/acp"
)

const (
	// MaxCalls is how many tool calls are remembered, the ones told of last.
	MaxCalls = 1024
	// MaxCallBytes is how much is kept of all of them.
	MaxCallBytes = 4 << 20
	// MaxRawInput is how much is kept of one's rawInput.
	MaxRawInput = 64 << 10

	maxTitle = 4 << 10  // bytes kept of a title
	maxWord  = 256      // of a kind, a status, an operation
	maxShown = 256      // locations, and diffs, and files, of one tool call
	maxShow  = 64 << 10 // bytes of their paths
)

// call is a remembered tool call.
//
// What updates announced and what a permission request says on top of it are
// kept apart: agents ask several times under one id, some under a constant
// one, and what one request said must not show in the next.
type call struct {
	key, session, id string
	announced        told
	asked            *told // announced, with the last permission request's words
	size             int
	place            *list.Element
}

// calls are the tool calls by key. In byUse the one that was told of longest
// ago comes first.
type calls struct {
	byKey map[string]*call
	byUse list.List
	size  int
	key   []byte
}

// callKey appends the key of the call whose own key is call in the session
// whose key is session.
func callKey(dst []byte, session string, call func([]byte) []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(session)))
	return call(append(dst, session...))
}

// take merges what an update of kind, or a permission request when kind is
// empty, says of a tool call.
func (c *calls) take(session, id acp.String, kind string, said *acp.ToolCall, v2 bool) {
	if !session.OK || !id.OK {
		return
	}
	it := c.touch(session, id)
	switch kind {
	case "tool_call":
		it.announced, it.asked = told{}, nil
		it.announced.merge(said, v2)
	case "":
		it.ask(said, v2)
	default:
		it.announced.update(kind, said, v2)
		if it.asked != nil {
			it.asked.update(kind, said, v2)
		}
	}
	c.resize(it)
}

// ask merges a permission request's words.
func (it *call) ask(said *acp.ToolCall, v2 bool) {
	if it.announced.another(said) {
		it.announced = told{}
	}
	asked := it.announced
	asked.merge(said, v2)
	it.asked = &asked
}

// another says that a permission request is about another call: it says itself
// what it is about, under the id of one that is over.
func (t *told) another(said *acp.ToolCall) bool {
	return t.over() && (said.Title.OK || given(said.RawInput))
}

// told is what is known by now.
func (it *call) told() *told {
	if it.asked != nil {
		return it.asked
	}
	return &it.announced
}

// touch finds or makes a call, now the one used last.
func (c *calls) touch(session, id acp.String) *call {
	name, _ := acp.IDKey(nil, session.Raw)
	c.key = callKey(c.key[:0], string(name), func(dst []byte) []byte {
		key, _ := acp.IDKey(dst, id.Raw)
		return key
	})
	if it := c.byKey[string(c.key)]; it != nil {
		c.byUse.MoveToBack(it.place)
		return it
	}
	if c.byKey == nil {
		c.byKey = map[string]*call{}
	}
	it := &call{key: string(c.key), session: clip(session.Value, maxName), id: clip(id.Value, maxName)}
	it.place = c.byUse.PushBack(it)
	c.byKey[it.key] = it
	return it
}

// resize counts what it holds, and makes room.
func (c *calls) resize(it *call) {
	const overhead = 1 << 10
	size := overhead + len(it.key) + len(it.session) + len(it.id) + it.announced.size()
	if it.asked != nil {
		size += it.asked.size()
	}
	c.size += size - it.size
	it.size = size
	for c.byUse.Len() > MaxCalls || c.size > MaxCallBytes {
		c.remove(c.byUse.Front().Value.(*call))
	}
}

func (c *calls) remove(it *call) {
	c.size -= it.size
	c.byUse.Remove(it.place)
	delete(c.byKey, it.key)
}

// forget removes the calls of the session whose key is session.
func (c *calls) forget(session string) {
	prefix := string(callKey(nil, session, func(dst []byte) []byte { return dst }))
	for key, it := range c.byKey {
		if strings.HasPrefix(key, prefix) {
			c.remove(it)
		}
	}
}

// Call gives the tool call that is remembered under id in session, both with
// their escapes resolved. Its slices are not to be written to.
func (f *Fold) Call(session, id string) (Call, bool) {
	it := f.remembered(session, id)
	if it == nil {
		return Call{}, false
	}
	return it.view(it.told()), true
}

// About gives the tool call that a permission request, which the fold has not
// been shown yet, is about: what was announced of it, and nothing that earlier
// requests under its id have said.
func (f *Fold) About(p *acp.Permission) (Call, bool) {
	if !p.Session.OK || !p.Call.ID.OK {
		return Call{}, false
	}
	it := f.remembered(p.Session.Value, p.Call.ID.Value)
	if it == nil || it.announced.another(&p.Call) {
		return Call{}, false
	}
	return it.view(&it.announced), true
}

func (f *Fold) remembered(session, id string) *call {
	f.name = appendKey(f.name[:0], session)
	f.calls.key = callKey(f.calls.key[:0], string(f.name), func(dst []byte) []byte { return appendKey(dst, id) })
	return f.calls.byKey[string(f.calls.key)]
}

func (it *call) view(t *told) Call {
	call := t.call()
	call.Session, call.ID = it.session, it.id
	call.Digest = t.digest(it.key)
	return call
}
