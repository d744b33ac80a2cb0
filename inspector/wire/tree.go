package wire

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"bobproxy/inspector/paint"
)

// tree is a JSON text as it is written: members in their order, the same one
// twice when it is there twice, numbers as they are spelled.
type tree struct {
	nodes []node // in the order of the text; the first is the whole value
	body  string
	torn  bool // the text ends, or stops to be JSON, within the value
	rest  int  // where that is
}

// node is one value.
type node struct {
	key    string // of a member
	text   string // of a string: what it says; of a number or a word: its spelling
	kind   jsontext.Kind
	named  bool // has a key; else it is an entry, or the whole
	again  bool // a member of that name was there before
	torn   bool // the text ends within it
	fact   bool // it is none of the frame's, but ours
	parent int  // -1 of the first
	index  int  // among the values of its parent
	level  int  // how deep it is; an array of one entry does not count
	depth  int  // how deep it is
	n      int  // values in it
	keys   int  // cells that its widest name takes, or widestKey
	from   int  // where it is in the text
	to     int
	end    int // after the last node within it
}

func (n *node) container() bool { return n.kind == '{' || n.kind == '[' }

// grower makes a tree.
type grower struct {
	tree
	open  []int             // containers that are not closed yet
	names []map[string]bool // of their members so far
	key   string
	named bool // key is that of the value to come
}

// parse reads the tree of a text, as far as it is JSON.
func parse(body []byte) tree {
	g := grower{tree: tree{body: string(body)}}
	d := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		before := int(d.InputOffset())
		token, err := d.ReadToken()
		if err != nil {
			g.stop(before)
			break
		}
		end := int(d.InputOffset())
		g.token(token.Kind(), g.skip(before), end)
		if len(g.open) == 0 {
			g.torn = strings.Trim(g.body[end:], " \t\r\n") != ""
			g.rest = end
			break
		}
	}
	g.measure()
	return g.tree
}

// skip is the first byte from i on that is part of a value.
func (g *grower) skip(i int) int {
	for i < len(g.body) && strings.IndexByte(" \t\r\n,:", g.body[i]) >= 0 {
		i++
	}
	return i
}

func (g *grower) token(kind jsontext.Kind, from, to int) {
	switch {
	case kind == '}' || kind == ']':
		g.close(to)
	case kind == '"' && g.naming():
		g.key, g.named = unquote(g.body[from:to]), true
	default:
		g.value(kind, from, to)
	}
}

// naming says that the next string is the name of a member.
func (g *grower) naming() bool {
	return len(g.open) > 0 && !g.named && g.nodes[g.open[len(g.open)-1]].kind == '{'
}

func (g *grower) value(kind jsontext.Kind, from, to int) {
	n := node{kind: kind, parent: -1, depth: len(g.open), from: from, to: to, end: len(g.nodes) + 1, key: g.key, named: g.named}
	if last := len(g.open) - 1; last >= 0 {
		n.parent = g.open[last]
		n.index = g.nodes[n.parent].n
		g.nodes[n.parent].n++
		if g.named {
			n.again = g.names[last][g.key]
			g.names[last][g.key] = true
		}
	}
	g.key, g.named = "", false
	switch kind {
	case '{', '[':
		g.open = append(g.open, len(g.nodes))
		g.names = append(g.names, nil)
		if kind == '{' {
			g.names[len(g.names)-1] = map[string]bool{}
		}
	case '"':
		n.text = unquote(g.body[from:to])
	default:
		n.text = g.body[from:to]
	}
	g.nodes = append(g.nodes, n)
}

func (g *grower) close(to int) {
	last := len(g.open) - 1
	n := &g.nodes[g.open[last]]
	n.to, n.end = to, len(g.nodes)
	g.open, g.names = g.open[:last], g.names[:last]
}

// stop ends the tree where the text is no more JSON. The beginning of a string
// is kept.
func (g *grower) stop(at int) {
	g.torn, g.rest = true, at
	from := g.skip(at)
	if from < len(g.body) && g.body[from] == '"' && !g.naming() {
		g.value('"', from, len(g.body))
		g.nodes[len(g.nodes)-1].torn = true
		g.rest = len(g.body)
	}
	for len(g.open) > 0 {
		g.nodes[g.open[len(g.open)-1]].torn = true
		g.close(len(g.body))
	}
}

// measure sets what depends on how much is in a parent.
func (t *tree) measure() {
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.parent < 0 {
			continue
		}
		p := &t.nodes[n.parent]
		p.keys = max(p.keys, min(paint.Width(short(n.name())), widestKey))
		n.level = p.level + 1
		if p.kind == '[' && p.n == 1 {
			n.level = p.level
		}
	}
}

// path names the way to node i: members by name, entries by number.
func (t *tree) path(i int) []string {
	var path []string
	for ; i > 0; i = t.nodes[i].parent {
		path = append(path, t.nodes[i].name())
	}
	for a, b := 0, len(path)-1; a < b; a, b = a+1, b-1 {
		path[a], path[b] = path[b], path[a]
	}
	return path
}
