package conform

import (
	"cmp"
	"maps"
	"slices"

	"bobproxy/acp"
	"bobproxy/acp/check"
)

// Report is what was found in a recording.
type Report struct {
	Frames   int
	Damaged  int       // lines that cannot be read
	Findings []Finding // in order, at most MaxFindings
	More     int       // that are not in Findings
	Accepted int       // those that the baseline accepts
	Counts   [check.Error + 1]int
	Groups   []*Group // of those that it does not accept, the worst first
}

// Group is what one side did against one rule.
type Group struct {
	Rule     string
	By       acp.Direction
	Severity check.Severity // the worst
	Count    int
	Spec     string  // the page that the rule is from
	Kinds    []*Kind // in order of appearance, a bounded number of them
	byShape  map[string]*Kind
}

// Kind is findings that differ in names and numbers only.
type Kind struct {
	Text  string // of the first
	Count int
	First []uint64 // frames, at most three
}

// Fails says whether there is something as bad as level that is not accepted.
func (r *Report) Fails(level check.Severity) bool {
	for s := level; s <= check.Error; s++ {
		if r.Counts[s] > 0 {
			return true
		}
	}
	return false
}

func (j *Judge) group(f *check.Finding) {
	k := groupKey{f.Rule, f.By}
	g := j.groups[k]
	if g == nil {
		if len(j.groups) >= maxGroups {
			return
		}
		g = &Group{Rule: f.Rule, By: f.By, Spec: f.Spec(), byShape: map[string]*Kind{}}
		j.groups[k] = g
	}
	g.Severity = max(g.Severity, f.Severity)
	g.Count++
	shape := f.Method + " " + f.Shape()
	kind := g.byShape[shape]
	if kind == nil {
		if len(g.Kinds) >= maxKinds {
			return
		}
		kind = &Kind{Text: f.Text}
		g.byShape[shape] = kind
		g.Kinds = append(g.Kinds, kind)
	}
	kind.Count++
	if len(kind.First) < maxFirst && !slices.Contains(kind.First, f.Seq) {
		kind.First = append(kind.First, f.Seq)
	}
}

// inOrder are the groups, the worst first.
func (j *Judge) inOrder() []*Group {
	return slices.SortedFunc(maps.Values(j.groups), func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.By, b.By))
	})
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
