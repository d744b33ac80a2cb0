package control

import (
	"slices"
	"strings"
	"testing"

	"bobproxy/proxy/broker"
)

// Whatever is cut on its way is known to be.
func TestPartial(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(p *Pending, s string)
		size int
	}{
		"title":            {func(p *Pending, s string) { p.Title = s }, nameSize},
		"kind":             {func(p *Pending, s string) { p.Kind = s }, nameSize},
		"description":      {func(p *Pending, s string) { p.Description = s }, nameSize},
		"command":          {func(p *Pending, s string) { p.Command = s }, maxText},
		"folder":           {func(p *Pending, s string) { p.Cwd = s }, nameSize},
		"name of option 2": {func(p *Pending, s string) { p.Options[1].Name = s }, nameSize},
		"path":             {func(p *Pending, s string) { p.Verdict.Paths[0].Path = cut(s, nameSize) }, nameSize},
	} {
		for _, letter := range []string{"x", "é", "世", "😀"} {
			for _, more := range []int{-8, 0, 1, 5, 1000} {
				p := Pending{Options: []Option{{Number: 1}, {Number: 2}}, Verdict: broker.Verdict{Paths: []broker.Path{{}}}}
				c.set(&p, strings.Repeat("y", c.size%len(letter))+strings.Repeat(letter, (c.size+more)/len(letter)))
				sent := fromPending(p)
				got := sent.pending()
				if what := got.Partial(); slices.Contains(what, name) != (more >= 0) || len(what) > 1 {
					t.Errorf("a %s of %d bytes more than there is room for: %q may be partial", name, more, what)
				}
			}
		}
	}
	p := Pending{Verdict: broker.Verdict{Paths: make([]broker.Path, mostPaths)}}
	if what := p.Partial(); !slices.Equal(what, []string{"list of paths"}) {
		t.Errorf("of many paths %q may be partial", what)
	}
}
