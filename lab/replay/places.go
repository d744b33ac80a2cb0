package replay

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"bobproxy/acp"
)

// places maps what has another name in the live conversation than in the
// recording: directories, sessions, terminals.
type places struct {
	roots []pair // longest recorded one first
	names []pair // ids of sessions and terminals
}

type pair struct{ recorded, live string }

func (p pair) swapped() pair { return pair{p.live, p.recorded} }

// opposite maps the other way.
func (p *places) opposite() *places {
	var o places
	for _, r := range p.roots {
		o.addRoot(r.swapped())
	}
	for _, n := range p.names {
		o.names = append(o.names, n.swapped())
	}
	return &o
}

// setup learns from what a session was given, then and now.
func (p *places) setup(recorded, live []byte) {
	was, is := acp.ReadSetup(recorded), acp.ReadSetup(live)
	p.root(was.Cwd.Value, is.Cwd.Value)
	for i := range min(len(was.Dirs), len(is.Dirs)) {
		p.root(was.Dirs[i].Value, is.Dirs[i].Value)
	}
}

// root maps a directory. The root of a file system would be everywhere, so it is
// not mapped.
func (p *places) root(recorded, live string) {
	recorded, live = strings.TrimRight(recorded, `/\`), strings.TrimRight(live, `/\`)
	if recorded == "" || live == "" {
		return
	}
	p.addRoot(pair{recorded, live})
	if u := escaped(recorded); u != recorded {
		p.addRoot(pair{u, escaped(live)})
	}
}

// maxRoots bounds the directories of a conversation: each is looked for at every
// byte of a text.
const maxRoots = 64

func (p *places) addRoot(new pair) {
	p.roots = slices.DeleteFunc(p.roots, func(r pair) bool { return r.recorded == new.recorded })
	if len(p.roots) == maxRoots {
		return
	}
	p.roots = append(p.roots, new)
	slices.SortStableFunc(p.roots, func(a, b pair) int { return len(b.recorded) - len(a.recorded) })
}

// escaped is a path as it stands in a URI.
func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// maxNames bounds the sessions and terminals of a conversation.
const maxNames = 4096

// name maps the id of a session or terminal.
func (p *places) name(recorded, live string) {
	if recorded == "" || live == "" {
		return
	}
	p.names = slices.DeleteFunc(p.names, func(n pair) bool { return n.recorded == recorded })
	if len(p.names) < maxNames {
		p.names = append(p.names, pair{recorded, live})
	}
}

// live is the name that a recorded session or terminal has now.
func (p *places) live(recorded string) (string, bool) {
	for _, n := range p.names {
		if n.recorded == recorded {
			return n.live, true
		}
	}
	return "", false
}

// value maps every string of a JSON value. What needs no change is given back as
// it is.
func (p *places) value(v []byte) []byte {
	if p.idle() {
		return v
	}
	return rewrite(v, func(name, value string) string {
		if named := strings.ToLower(name); strings.HasSuffix(named, "sessionid") || strings.HasSuffix(named, "terminalid") {
			if live, ok := p.live(value); ok {
				return live
			}
		}
		return p.text(value)
	})
}

// idle says that everything has the name it had.
func (p *places) idle() bool {
	same := func(x pair) bool { return x.recorded == x.live }
	return !slices.ContainsFunc(p.roots, func(r pair) bool { return !same(r) }) &&
		!slices.ContainsFunc(p.names, func(n pair) bool { return !same(n) })
}

// text maps the paths in a text.
func (p *places) text(s string) string {
	if !slices.ContainsFunc(p.roots, func(r pair) bool { return strings.Contains(s, r.recorded) }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if r, ok := p.rootAt(s, i); ok {
			b.WriteString(r.live)
			i += len(r.recorded)
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// rootAt is the directory whose path stands at s[i], whole.
func (p *places) rootAt(s string, i int) (pair, bool) {
	if i > 0 && joins(s[:i]) {
		return pair{}, false
	}
	for _, r := range p.roots {
		if strings.HasPrefix(s[i:], r.recorded) && ends(s[i+len(r.recorded):]) {
			return r, true
		}
	}
	return pair{}, false
}

// joins says whether what stands behind before goes on with a path in it.
func joins(before string) bool {
	last := before[len(before)-1]
	return letter(last) || last == '.' || last == '-' || last == '~' ||
		last == '/' && !strings.HasSuffix(before, "://") && !strings.HasSuffix(before, ":///")
}

// ends says whether the name of a directory ends in front of rest.
func ends(rest string) bool {
	if rest == "" {
		return true
	}
	if rest[0] == '.' { // a full stop, or the beginning of an extension
		return len(rest) == 1 || !letter(rest[1]) && rest[1] != '.'
	}
	return !letter(rest[0]) && rest[0] != '-'
}

func letter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// rewrite gives a JSON value in which every string is what change makes of it;
// name is the member it is the value of, or whose array it is in. Everything else
// stays as it is written.
func rewrite(v []byte, change func(name, value string) string) []byte {
	var out bytes.Buffer
	name, kept := "", 0 // up to where v is in out
	for i := 0; i < len(v); {
		if v[i] != '"' {
			i++
			continue
		}
		end := stringEnd(v, i)
		value, ok := acp.Unquote(v[i:end])
		if next := bytes.TrimLeft(v[end:], " \t\r\n"); len(next) > 0 && next[0] == ':' {
			name = value
		} else if is := change(name, value); ok && is != value {
			out.Write(v[kept:i])
			out.Write(quoted(is))
			kept = end
		}
		i = end
	}
	if kept == 0 {
		return v
	}
	out.Write(v[kept:])
	return out.Bytes()
}

// stringEnd is where the string that starts at v[i] ends.
func stringEnd(v []byte, i int) int {
	for i++; i < len(v); i++ {
		switch v[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(v)
}
