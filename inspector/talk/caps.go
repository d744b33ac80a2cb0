package talk

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"bobproxy/acp"
	"bobproxy/inspector/model"
)

// firstRows is how far from the start of a conversation initialize is looked
// for.
const firstRows = 64

// caps is what editor and agent said they can do.
type caps struct {
	known         bool
	client, agent []string
}

// capabilities reads them from initialize, while its frames are kept.
func capabilities(p *model.Proxy) (c caps) {
	for _, r := range p.Rows[:min(len(p.Rows), firstRows)] {
		if r.Method != acp.MethodInitialize || r.Cut || len(r.Body) == 0 {
			continue
		}
		switch r.Kind {
		case acp.Request:
			var f struct {
				Params struct {
					Client map[string]any `json:"clientCapabilities"`
					V2     map[string]any `json:"capabilities"`
				} `json:"params"`
			}
			c.known = json.Unmarshal(r.Body, &f) == nil || c.known
			c.client = append(flat(f.Params.Client), flat(f.Params.V2)...)
		case acp.Response:
			var f struct {
				Result struct {
					Agent map[string]any `json:"agentCapabilities"`
					V2    map[string]any `json:"capabilities"`
				} `json:"result"`
			}
			c.known = json.Unmarshal(r.Body, &f) == nil || c.known
			c.agent = append(flat(f.Result.Agent), flat(f.Result.V2)...)
		}
	}
	return c
}

// maxCaps is how many capabilities of one side are named.
const maxCaps = 40

// flat are the names of what is there, with dots for what is in something, in
// order. What is false or null is not there.
func flat(of map[string]any) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		short := head(strings.TrimSuffix(name, "Capabilities"), 64)
		switch v := of[name].(type) {
		case map[string]any:
			inner := flat(v)
			for _, n := range inner {
				names = append(names, short+"."+n)
			}
			if len(v) == 0 {
				names = append(names, short)
			}
		case bool:
			if v {
				names = append(names, short)
			}
		case nil:
		default:
			names = append(names, short)
		}
		if len(names) > maxCaps {
			return names[:maxCaps]
		}
	}
	return names
}

// short are those that people ask for first.
func (c caps) short() (words []string) {
	all := append(slices.Clone(c.client), c.agent...)
	fs := ""
	if slices.Contains(all, "fs.readTextFile") {
		fs += "r"
	}
	if slices.Contains(all, "fs.writeTextFile") {
		fs += "w"
	}
	if fs != "" {
		words = append(words, "fs "+fs)
	}
	for _, w := range [][2]string{{"terminal", "terminal"}, {"loadSession", "load"}, {"prompt.image", "image"}, {"prompt.audio", "audio"}} {
		if slices.Contains(all, w[0]) {
			words = append(words, w[1])
		}
	}
	return words
}
