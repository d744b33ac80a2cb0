package feed

import (
	"strings"

	"bobproxy/proxy/control"
)

// In leaves out what is not below dir: folders that do not come from the
// environment may hold proxies of others.
func (o *Options) In(dir string) {
	o.find = func() (found []control.Endpoint, problems []control.Problem) {
		all, _ := control.Find(o.Lookup)
		for _, e := range all {
			if strings.HasPrefix(e.Path, dir+"/") {
				found = append(found, e)
			}
		}
		return found, nil
	}
}

// Finding makes o find just these.
func (o *Options) Finding(found []control.Endpoint) {
	o.find = func() ([]control.Endpoint, []control.Problem) { return found, nil }
}

// Before reads what is below first in a recording.
var Before = before

const (
	MostProxies = mostProxies
	MostDeltas  = mostDeltas
)
