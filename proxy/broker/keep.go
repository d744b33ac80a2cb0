package broker

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"bobproxy/acp"
)

const (
	maxWords    = 4 << 10 // bytes of a title, name, kind, path, …
	maxInput    = 64 << 10
	maxOptions  = 512
	maxOptionID = 64 << 10
	maxPaths    = 256

	unlike = "of several kinds" // no kind equals it
)

// kept is what is kept of a: copies of bounded size, without the options. The
// frame that a was read from may be large, and its memory is used again.
func (a Ask) kept() Ask {
	a.ID = bytes.Clone(a.ID)
	a.Clipped = a.Clipped || len(a.Input) > maxInput
	a.Input = bytes.Clone(a.Input[:min(len(a.Input), maxInput)])
	a.ContentClipped = a.ContentClipped || len(a.Content) > maxInput
	a.Content = bytes.Clone(a.Content[:min(len(a.Content), maxInput)])
	a.Permission = keptPermission(a.Permission)
	a.Verdict.Paths = keptPaths(a.Verdict.Paths)
	a.Verdict.Text = clip(a.Verdict.Text, maxWords)
	for _, s := range []*string{&a.Session, &a.Title, &a.Kind, &a.Digest} {
		*s = clip(*s, maxWords)
	}
	return a
}

func keptPermission(p acp.Permission) acp.Permission {
	return acp.Permission{
		Session:     word(p.Session, maxWords),
		Title:       clip(p.Title, maxWords),
		Description: clip(p.Description, maxWords),
		Subject:     clip(p.Subject, maxWords),
		Command:     clip(p.Command, maxInput),
		Cwd:         clip(p.Cwd, maxWords),
		Call: acp.ToolCall{
			ID:     word(p.Call.ID, maxWords),
			Title:  word(p.Call.Title, maxWords),
			Kind:   word(p.Call.Kind, maxWords),
			Status: word(p.Call.Status, maxWords),
		},
		NoOptions: p.NoOptions,
		Reason:    p.Reason,
	}
}

// word keeps of s its value. Of the token there is left that there was one.
func word(s acp.String, limit int) acp.String {
	s.Value = clip(s.Value, limit)
	if !s.Missing() {
		s.Raw = []byte{}
	}
	return s
}

// keptPaths keeps the paths that are outside before the others, since these are
// what people are to see.
func keptPaths(paths []Path) []Path {
	paths = slices.Clone(paths)
	if len(paths) > maxPaths {
		slices.SortStableFunc(paths, func(a, b Path) int { return rank(a) - rank(b) })
		paths = slices.Clone(paths[:maxPaths])
	}
	for i, p := range paths {
		paths[i] = Path{clip(p.Path, maxWords), p.Inside, clip(p.Reason, maxWords), clip(p.Target, maxWords)}
	}
	return paths
}

func rank(p Path) int {
	if p.Inside {
		return 1
	}
	return 0
}

// keepOptions keeps the first options, in their order. Of the rest there is
// left that an option with one of their ids is not to be chosen for anybody if
// they mean something else.
func (e *entry) keepOptions(options []acp.Option) {
	rest := map[string]string{} // kinds by id
	for i, o := range options {
		if i < maxOptions {
			e.Options = append(e.Options, keptOption(o))
		}
		if i < maxOptions && len(o.ID.Raw) <= maxOptionID || !o.ID.OK {
			continue
		}
		e.more = true
		if kind, ok := rest[o.ID.Value]; ok && kind != o.Kind {
			o.Kind = unlike
		}
		rest[o.ID.Value] = o.Kind
	}
	for i, o := range e.Options {
		if kind, ok := rest[o.ID.Value]; ok && kind != o.Kind {
			e.Options[i].Odd = true
		}
	}
}

func keptOption(o acp.Option) acp.Option {
	o.Name, o.Kind = clip(o.Name, maxWords), clip(o.Kind, maxWords)
	if len(o.ID.Raw) > maxOptionID {
		return acp.Option{Name: o.Name, Kind: o.Kind, Odd: true} // its id counts as one of the rest
	}
	o.ID.Raw = bytes.Clone(o.ID.Raw)
	o.Odd = o.Odd || !o.ID.OK || len(o.ID.Raw) == 0
	return o
}

// clip cuts s between characters.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.Clone(s[:limit])
}
