package export

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"bobproxy/acp/secret"
)

const (
	home      = "/home/me"
	workspace = "/workspace"

	mostPlaces = 64
	mostNames  = 16
)

// place is a path and what stands in its place.
type place struct{ path, instead, what string }

// name is a word and what stands in its place.
type name struct{ word, instead, what string }

// homes finds homes of people. The name ends where a path goes on, or ends.
var homes = lazily(`(/home/|/Users/|\b[A-Za-z]:[\\/]{1,4}Users[\\/]{1,4})([^/\\\s"'` + "`" + `:;,<>|*?()\[\]{}]+)|/root\b`)

// everyday are names that are words too, or nobody's.
var everyday = []string{
	"admin", "agent", "bob", "client", "code", "dev", "editor", "guest", "host", "local", "localhost", "me", "node", "nobody",
	"root", "runner", "shared", "test", "ubuntu", "user", "users", "vagrant", "vscode", "work", "workspace",
}

// text scrubs a text. Names are replaced only where words says so, since the
// protocol is made of words too.
func (s *Scrubber) text(text string, words bool) string {
	text = s.unkeyed(text)
	if words {
		text = s.hide(text, secret.Text(text))
	}
	for _, p := range s.paths {
		text = s.replace(text, p.path, p.instead, p.what, pathEnds)
	}
	text = s.homeless(text)
	if words {
		for _, n := range s.names {
			text = s.replace(text, n.word, n.instead, n.what, wordEnds)
		}
	}
	return text
}

// unkeyed removes secrets: those that are known, then those that look like one.
func (s *Scrubber) unkeyed(text string) string {
	text, n := s.secrets.known(text)
	found := 0
	for i := range patterns {
		if p := &patterns[i]; p.hinted(text) {
			var more int
			text, more = s.secrets.remove(p, text)
			found += more
		}
	}
	if found > 0 { // it may stand in this text once more, where it does not look like one
		var more int
		text, more = s.secrets.known(text)
		found += more
	}
	s.tally.add(Secrets, n+found, 0)
	return text
}

func (s *Scrubber) homeless(text string) string {
	if !strings.Contains(text, "/home/") && !strings.Contains(text, "Users") && !strings.Contains(text, "/root") {
		return text
	}
	return homes().ReplaceAllStringFunc(text, func(found string) string {
		if found == home {
			return found
		}
		s.tally.add(Homes, 1, 0)
		return home
	})
}

// replace puts instead in the place of what in text where it ends, and counts
// that.
func (s *Scrubber) replace(text, what, instead, kind string, ends func(text string, from, to int) bool) string {
	if !strings.Contains(text, what) {
		return text
	}
	var b strings.Builder
	from, n := 0, 0
	for {
		i := strings.Index(text[from:], what)
		if i < 0 {
			break
		}
		i += from
		b.WriteString(text[from:i])
		if from = i + len(what); ends(text, i, from) {
			b.WriteString(instead)
			n++
		} else {
			b.WriteString(what)
		}
	}
	b.WriteString(text[from:])
	s.tally.add(kind, n, 0)
	return b.String()
}

// pathEnds says that the path text[from:to] is not the beginning of a longer
// name.
func pathEnds(text string, from, to int) bool {
	return to == len(text) || !wordByte(text[to]) && (text[to] != '-' && text[to] != '.' || to+1 == len(text) || !wordByte(text[to+1]))
}

// wordEnds says that text[from:to] is a word.
func wordEnds(text string, from, to int) bool {
	return (from == 0 || !wordByte(text[from-1])) && (to == len(text) || !wordByte(text[to]))
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// work takes a folder that is worked in.
func (s *Scrubber) work(cwd string) {
	if at := homes().FindStringSubmatch(cwd); at != nil {
		s.addName(at[2], "me", Users)
	}
	if s.o.Workspace {
		instead := workspace
		if n := s.workspaces(); n > 0 {
			instead += "-" + strconv.Itoa(n+1)
		}
		s.addPlace(strings.TrimRight(cwd, `/\`), instead, Workspaces)
	}
}

func (s *Scrubber) workspaces() (n int) {
	for _, p := range s.paths {
		if p.what == Workspaces {
			n++
		}
	}
	return n
}

// addPlace adds a path, unless it is so short that too much would be in it.
func (s *Scrubber) addPlace(at, instead, what string) {
	windows := len(at) > 3 && at[1] == ':'
	deep := windows || path.IsAbs(at) && strings.Count(at, "/") >= 1 && len(at) >= 3 && path.Clean(at) != "/home" && path.Clean(at) != "/Users"
	if !deep || len(s.paths) >= mostPlaces || slices.ContainsFunc(s.paths, func(p place) bool { return p.path == at }) {
		return
	}
	s.paths = append(s.paths, place{at, instead, what})
	slices.SortStableFunc(s.paths, func(a, b place) int { return cmp.Compare(len(b.path), len(a.path)) })
}

// addName adds a word, unless it is an everyday one.
func (s *Scrubber) addName(word, instead, what string) {
	known := slices.ContainsFunc(s.names, func(n name) bool { return n.word == word })
	if len(word) < 3 || known || len(s.names) >= mostNames || slices.Contains(everyday, strings.ToLower(word)) {
		return
	}
	s.names = append(s.names, name{word, instead, what})
}
