package model

import (
	"slices"

	"bobproxy/acp"
	"bobproxy/acp/session"
)

// maxAlike is how many requests under one id are told apart.
const maxAlike = 64

// wait takes a request that has no answer yet.
func (p *Proxy) wait(r *Row, id []byte) {
	if len(id) == 0 || string(id) == "null" {
		return
	}
	r.key = string(p.key(r.From, id))
	if !p.queue(r) {
		return
	}
	r.Waiting = true
	if p.Open = append(p.Open, r); len(p.Open) > MaxOpen {
		p.Open = p.Open[1:]
	}
}

// queue puts r behind those that wait under its id.
func (p *Proxy) queue(r *Row) bool {
	last, n := p.mem.waiting[r.key], 1
	if last == nil {
		p.mem.waiting[r.key] = r
		return true
	}
	for ; last.behind != nil; n++ {
		last = last.behind
	}
	if n >= maxAlike {
		return false
	}
	last.behind = r
	return true
}

// key is under which the requests of asker with this id wait.
func (p *Proxy) key(asker acp.Direction, id []byte) []byte {
	p.mem.key, _ = acp.IDKey(append(p.mem.key[:0], byte(asker)), id)
	return p.mem.key
}

// answer joins a response to its request, as the fold has found it.
func (p *Proxy) answer(r *Row, id []byte, fact *session.Fact) {
	if !fact.Paired {
		return
	}
	r.Waited = fact.Waited
	asked := r.Time.Add(-fact.Waited)
	for q := p.mem.waiting[string(p.key(r.From.Peer(), id))]; q != nil; q = q.behind {
		if q.Time.Equal(asked) && q.Method == r.Method {
			p.unwait(q)
			r.Pair, q.Pair = q, r
			return
		}
	}
}

// unwait takes a request off those that wait.
func (p *Proxy) unwait(r *Row) {
	if r.key == "" {
		return
	}
	if first := p.mem.waiting[r.key]; first == r {
		p.mem.waiting[r.key] = r.behind
		if r.behind == nil {
			delete(p.mem.waiting, r.key)
		}
	} else {
		for ; first != nil && first.behind != r; first = first.behind {
		}
		if first != nil {
			first.behind = r.behind
		}
	}
	r.key, r.behind, r.Waiting = "", nil, false
	if i, ok := p.openAt(r); ok {
		p.Open = slices.Delete(p.Open, i, i+1)
	}
}

func (p *Proxy) openAt(r *Row) (int, bool) {
	i, ok := slices.BinarySearchFunc(p.Open, r.Seq, func(o *Row, seq uint64) int {
		return int(min(max(int64(o.Seq)-int64(seq), -1), 1))
	})
	return i, ok && p.Open[i] == r
}

// forgetOpen takes those off the list of requests without an answer that may
// have got one unseen. Should it still come, it is joined.
func (p *Proxy) forgetOpen(still func(*Row) bool) {
	p.Open = slices.DeleteFunc(p.Open, func(r *Row) bool {
		r.Waiting = still(r)
		return !r.Waiting
	})
}
