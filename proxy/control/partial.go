package control

import (
	"fmt"
	"unicode/utf8"
)

const mostPaths = 256 // of a verdict

// Partial names what of p may be only the beginning: what is as long as it can
// be on its way, apart from Clipped and ContentClipped.
func (p *Pending) Partial() (what []string) {
	add := func(full bool, name string) {
		if full {
			what = append(what, name)
		}
	}
	add(full(p.Title, nameSize), "title")
	add(full(p.Kind, nameSize), "kind")
	add(full(p.Description, nameSize), "description")
	add(full(p.Command, maxText), "command")
	add(full(p.Cwd, nameSize), "folder")
	for _, o := range p.Options {
		add(full(o.Name, nameSize), fmt.Sprintf("name of option %d", o.Number))
	}
	add(len(p.Verdict.Paths) >= mostPaths, "list of paths")
	for _, path := range p.Verdict.Paths {
		if full(path.Path, nameSize) || full(path.Target, nameSize) {
			return append(what, "path")
		}
	}
	return what
}

// full says that s may have been cut between characters, to n bytes.
func full(s string, n int) bool { return len(s) > n-utf8.UTFMax }
