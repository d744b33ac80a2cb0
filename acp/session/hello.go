package session

import "bobproxy/acp"

// Peer is how one side named itself in initialize, at most 256 bytes of each.
type Peer struct{ Name, Title, Version string }

// hello is what initialize said. Some clients send it twice; what came last
// counts.
type hello struct {
	client, agent Peer
	version       int
}

func (f *Fold) askHello(frame *acp.Frame) {
	f.hello.client = peer(acp.ReadHello(frame.Params))
}

func (f *Fold) answerHello(frame *acp.Frame) {
	h := acp.ReadHello(frame.Result)
	f.hello.agent, f.hello.version = peer(h), h.Version
}

func peer(h acp.Hello) Peer {
	return Peer{clip(h.Name, maxWord), clip(h.Title, maxWord), clip(h.Release, maxWord)}
}

// Peers are the client and the agent.
func (f *Fold) Peers() (client, agent Peer) { return f.hello.client, f.hello.agent }

// Version is the protocol version that the agent agreed to; 0 before it is
// known.
func (f *Fold) Version() int { return f.hello.version }

// v2 says whether frames have the meaning of version 2.
func (f *Fold) v2() bool { return f.hello.version >= 2 }
