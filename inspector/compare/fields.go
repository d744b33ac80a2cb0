package compare

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// masked is what stands for a value that nobody may read.
const masked = "[masked]"

// differences are the facts in which two items differ, by name. What only one of
// the recordings can say, as who answered, is none.
func (t *item) differences(other *item) []Field {
	values := map[string]*Field{}
	for _, f := range t.facts {
		values[f.name] = &Field{Name: f.name, A: f.value}
	}
	for _, f := range other.facts {
		if values[f.name] == nil {
			values[f.name] = &Field{Name: f.name}
		}
		values[f.name].B = f.value
	}
	var all []Field
	for _, f := range values {
		if f.differs() {
			all = append(all, *f)
		}
	}
	slices.SortFunc(all, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
	return gathered(all, values)
}

func (f *Field) differs() bool {
	switch {
	case f.A == f.B, strings.Contains(f.A, masked), strings.Contains(f.B, masked):
		return false
	case f.Name == "by":
		return f.A != "" && f.B != ""
	}
	return true
}

// gathered puts members together of which only one side has the object around
// them: it says what is in that instead.
func gathered(fields []Field, values map[string]*Field) (all []Field) {
	ofA := around(values, func(f *Field) bool { return f.A != "" })
	ofB := around(values, func(f *Field) bool { return f.B != "" })
	for _, f := range fields {
		path := f.Name
		switch {
		case f.A == "":
			path = outermost(path, ofA)
		case f.B == "":
			path = outermost(path, ofB)
		}
		switch n := len(all); {
		case path == f.Name:
			all = append(all, f)
		case n > 0 && all[n-1].Name == path:
			all[n-1].more(&f)
		default:
			all = append(all, f.within(path, alone(path, values)))
		}
	}
	return all
}

// within is what f tells of the object at path: the name of what is in it, or, if
// that is all, its value.
func (f *Field) within(path string, alone bool) Field {
	words := f.below(path)
	if value := cmp.Or(f.A, f.B); alone && value != "{}" {
		words = value
	}
	if f.A == "" {
		return Field{path, "", words}
	}
	return Field{path, words, ""}
}

// below is the first name in the path of f behind path.
func (f *Field) below(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(f.Name, path+"."), ".")
	return name
}

// more adds what another field tells of the same object.
func (f *Field) more(other *Field) {
	to := &f.A
	if other.A == "" {
		to = &f.B
	}
	name := other.below(f.Name)
	if last := (*to)[strings.LastIndexByte(*to, ',')+1:]; strings.TrimSpace(last) != name {
		*to = clip(*to+", "+name, maxValue)
	}
}

// around are the paths of all objects that a side has something in.
func around(values map[string]*Field, has func(*Field) bool) map[string]bool {
	paths := map[string]bool{}
	for name, f := range values {
		if !has(f) {
			continue
		}
		for i, c := range name {
			if c == '.' {
				paths[name[:i]] = true
			}
		}
		paths[name] = true
	}
	return paths
}

// outermost is the shortest beginning of a path that the other side has nothing
// in; the first name of one may be an object of its own.
func outermost(path string, other map[string]bool) string {
	for i, c := range path {
		if c == '.' && !other[path[:i]] {
			return path[:i]
		}
	}
	return path
}

// alone says that there is one member below path.
func alone(path string, values map[string]*Field) bool {
	n := 0
	for name := range maps.Keys(values) {
		if strings.HasPrefix(name, path+".") {
			n++
		}
	}
	return n == 1
}
