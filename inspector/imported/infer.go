package imported

import (
	"slices"

	"bobproxy/acp"
)

// inference tells who sent a frame that does not say so.
type inference struct {
	open [3]map[string][]string // by who asked and id: methods of requests that wait
	size int
}

const maxOpen = 16384

// who says who sent f, and whether the protocol says so or it is a guess.
func (n *inference) who(f *acp.Frame) (from acp.Direction, sure bool) {
	switch f.Kind {
	case acp.Request, acp.Notification:
		return n.asked(f)
	case acp.Response, acp.Error:
		return n.answered(f)
	}
	return n.otherwise()
}

// otherwise is a guess: most of what is sent the agent sends.
func (n *inference) otherwise() (acp.Direction, bool) { return acp.Agent, false }

func (n *inference) asked(f *acp.Frame) (acp.Direction, bool) {
	m, known := acp.FindMethod(f.Method)
	client, agent := known && m.Allows(acp.Client, f.Kind), known && m.Allows(acp.Agent, f.Kind)
	switch {
	case client && !agent:
		return acp.Client, true
	case agent && !client:
		return acp.Agent, true
	}
	return n.otherwise()
}

func (n *inference) answered(f *acp.Frame) (acp.Direction, bool) {
	id, _ := acp.IDKey(nil, f.ID)
	ofClient, ofAgent := n.open[acp.Client][string(id)], n.open[acp.Agent][string(id)]
	switch {
	case len(ofClient) > 0 && len(ofAgent) == 0:
		return acp.Agent, true
	case len(ofAgent) > 0 && len(ofClient) == 0:
		return acp.Client, true
	case len(ofAgent) == 0:
		return n.otherwise()
	}
	fitsAgent, fitsClient := fits(ofClient[0], f.Result), fits(ofAgent[0], f.Result)
	switch {
	case fitsAgent && !fitsClient:
		return acp.Agent, true
	case fitsClient && !fitsAgent:
		return acp.Client, true
	}
	return acp.Client, false // its answers come at once; those of the agent take long
}

// results are the members that a result has, by the method that it is of.
var results = map[string][]string{
	acp.MethodInitialize:          {"protocolVersion", "agentCapabilities"},
	acp.MethodSessionNew:          {"sessionId"},
	acp.MethodSessionFork:         {"sessionId"},
	acp.MethodSessionPrompt:       {"stopReason"},
	acp.MethodSessionList:         {"sessions"},
	acp.MethodRequestPermission:   {"outcome"},
	acp.MethodReadTextFile:        {"content"},
	acp.MethodTerminalCreate:      {"terminalId"},
	acp.MethodTerminalOutput:      {"output", "truncated"},
	acp.MethodTerminalWaitForExit: {"exitCode", "signal"},
	acp.MethodElicitationCreate:   {"action"},
}

// fits says that result is one that method has.
func fits(method string, result []byte) bool {
	for name := range acp.Members(result) {
		if slices.Contains(results[method], string(name)) {
			return true
		}
	}
	return false
}

// note remembers f, which from sent.
func (n *inference) note(from acp.Direction, f *acp.Frame) {
	id, _ := acp.IDKey(nil, f.ID)
	switch f.Kind {
	case acp.Request:
		if n.open[from] == nil {
			n.open[from] = map[string][]string{}
		}
		if n.size < maxOpen {
			n.open[from][string(id)] = append(n.open[from][string(id)], string(f.Method))
			n.size++
		}
	case acp.Response, acp.Error:
		asked := n.open[from.Peer()]
		switch waiting := asked[string(id)]; len(waiting) {
		case 0:
			return
		case 1:
			delete(asked, string(id))
		default:
			asked[string(id)] = waiting[1:]
		}
		n.size--
	}
}
