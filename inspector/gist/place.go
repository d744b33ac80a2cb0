package gist

import (
	"iter"
	"path"
	"strings"
	"unicode/utf8"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

// Place is from where paths are read.
type Place struct {
	Folder string // of the session; empty: not known
	Home   string // of the person
}

// Of is the place of a session; nil: none in particular.
func Of(s *model.Session, home string) Place {
	if s == nil {
		return Place{Home: home}
	}
	return Place{s.Cwd, home}
}

// Near is a path as people would write it there: from the folder on, or from the
// home folder.
func (p Place) Near(name string) string {
	if p.Folder != "" && p.Folder != "/" {
		if name == p.Folder {
			return "."
		}
		if rest, ok := below(name, p.Folder); ok {
			return rest
		}
	}
	return p.AtHome(name)
}

// AtHome is a path with ~ for the home folder.
func (p Place) AtHome(name string) string {
	home := strings.TrimSuffix(p.Home, "/")
	if home == "" {
		return name
	}
	if name == home {
		return "~"
	}
	if rest, ok := below(name, home); ok {
		return "~/" + rest
	}
	return name
}

// below is what of a path comes behind a folder, when nothing leads out of it.
func below(name, folder string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(name, strings.TrimSuffix(folder, "/")+"/")
	return rest, ok && rest == path.Clean(rest) && !strings.HasPrefix(rest, "../") && rest != ".." && rest != "."
}

// Path is Near in at most width cells.
func (p Place) Path(name string, width int) string { return Cut(p.Near(name), width) }

// perCell is how many bytes of a path are looked at, from its end on, for each
// cell that there is.
const perCell = 16

// Cut is a path in at most width cells. What is left out of a long one is its
// beginning, since its end names the file: folders as a whole, if that is enough.
func Cut(name string, width int) string {
	if fits(name, width) {
		return name
	}
	if most := perCell * max(width, 1); len(name) > most {
		name = strings.ToValidUTF8(name[len(name)-most:], "")
	}
	from, folders := len(name), len(name)
	for i := range backwards(name) {
		if paint.Width(name[i:]) >= width {
			break
		}
		if from = i; name[i] == '/' && i > 0 {
			folders = i
		}
	}
	if folders < len(name) {
		from = folders
	}
	return paint.Cut("…"+name[from:], width)
}

// fits says that a path takes no more than width cells, and no more bytes than
// are looked at.
func fits(name string, width int) bool {
	return width > 0 && len(name) <= perCell*width && paint.Width(name) <= width
}

// backwards are the places where the characters of a text begin, the last one
// first.
func backwards(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := len(text); i > 0; {
			_, n := utf8.DecodeLastRuneInString(text[:i])
			if i -= n; !yield(i) {
				return
			}
		}
	}
}
