package acp

import "strconv"

// Hello is what the params or the result of initialize say.
type Hello struct {
	Version              int    // protocolVersion; 0 when it is no integer
	Name, Title, Release string // of clientInfo, agentInfo or info
}

var (
	helloNames = []string{"protocolVersion", "clientInfo", "agentInfo", "info"}
	infoNames  = []string{"name", "title", "version"}
)

// ReadHello reads the params or the result of initialize.
func ReadHello(value []byte) (h Hello) {
	var w walker
	w.walk(value, helloNames, func(name string, i int) (int, bool) {
		if name == "protocolVersion" {
			return w.version(i, &h)
		}
		return w.info(i, &h)
	})
	return h
}

func (w *walker) version(i int, h *Hello) (end int, ok bool) {
	var raw []byte
	end, ok = w.raw(i, &raw)
	h.Version = 0
	if plainInt64(raw) {
		h.Version, _ = strconv.Atoi(string(raw))
	}
	return end, ok
}

// info reads how a peer names itself. One that speaks both versions may do so
// under two names; the first that has the member counts.
func (w *walker) info(i int, h *Hello) (end int, ok bool) {
	return w.members(i, infoNames, func(name string, i int) (int, bool) {
		into := &h.Name
		switch name {
		case "title":
			into = &h.Title
		case "version":
			into = &h.Release
		}
		if *into != "" {
			return w.skip(i)
		}
		return w.words(i, into)
	})
}
