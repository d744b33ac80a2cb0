package session

import "bobproxy/acp"

// Open gives the method of the oldest request of from that waits for its
// response under this id.
func (f *Fold) Open(from acp.Direction, id []byte) (method string, ok bool) {
	f.key, _ = acp.IDKey(f.key[:0], id)
	w, ok := f.open[from].byID[string(f.key)]
	return w.first.method, ok
}
