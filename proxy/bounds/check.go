package bounds

import (
	"path/filepath"
	"strings"
)

// Check says whether path lies in s. It does I/O: a few system calls for each
// component of path.
//
// A path with ".." in it has two readings: the kernel goes up from where a link
// led to, while a program that cleans paths first never looks at the link. Both
// must be inside.
func (s *Set) Check(path string, access Access) Verdict {
	if code := malformed(path); code != Inside {
		return Verdict{Code: code}
	}
	if s == nil || len(s.roots) == 0 {
		return Verdict{Code: NoRoots}
	}
	clean := filepath.Clean(path)
	if magic(clean) {
		return Verdict{Code: MagicLink}
	}
	v := s.reading(path, clean, access)
	if hasDotDot(path) {
		v = strictest(v, s.reading(clean, clean, access))
	}
	return v
}

// strictest of two readings of one path: an escape before any other refusal,
// and a refusal before a permission.
func strictest(raw, clean Verdict) Verdict {
	switch {
	case raw.Code == Escape:
		return raw
	case clean.Code == Escape, raw.Inside() && !clean.Inside():
		return clean
	case raw.Later == "":
		raw.Later = clean.Later
	}
	return raw
}

// reading judges path as the kernel reads it. clean is the path that a target
// must differ from to be worth telling.
func (s *Set) reading(path, clean string, access Access) Verdict {
	w := walker{set: s, access: access}
	code := w.walk(path)
	v := s.locate(w.steps, access)
	switch {
	case v.Code == Escape:
		v.Code = s.lost(clean)
	case v.Code != RootChanged && code != Inside:
		v.Code = code
	}
	if v.Inside() {
		v.Later = w.later
	} else {
		v.Root = ""
	}
	if target := string(w.path); target != clean {
		v.Target = target
	}
	return v
}

// locate finds the deepest root above the last of steps that is good for
// access, going by what the directories are, never by their names.
func (s *Set) locate(steps []step, access Access) Verdict {
	v := Verdict{Code: Escape}
	for i := len(steps) - 1; i >= 0; i-- {
		for j := range s.roots {
			r := &s.roots[j]
			switch {
			case !r.id.same(steps[i].identity):
			case r.ReadOnly && access != Read:
				v.Code = max(v.Code, ReadOnly)
			case !r.unchanged():
				v.Code = RootChanged
			default:
				return Verdict{Code: Inside, Root: r.Path}
			}
		}
	}
	return v
}

// lost is the code of a path that lies in no root: when it would lie in one
// that is gone, the user should hear of that.
func (s *Set) lost(clean string) Code {
	for i := range s.roots {
		r := &s.roots[i]
		if (below(clean, filepath.Clean(r.Path)) || below(clean, r.real)) && !r.unchanged() {
			return RootChanged
		}
	}
	return Escape
}

// below compares by text: path is dir or lies in it.
func below(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, separator))
	return ok && (rest == "" || strings.HasPrefix(rest, separator))
}
