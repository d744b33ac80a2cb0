package filter

import "strings"

// Bounds of a text.
const (
	MaxText  = 4096 // bytes
	MaxDepth = 50   // parentheses and negations in each other
)

// Parse reads a filter; a blank text matches everything. The error is an *Error.
func Parse(text string) (Expr, error) {
	if len(text) > MaxText {
		return Expr{}, wrong(MaxText, "expected at most %d bytes", MaxText)
	}
	p := parser{text: text}
	if p.blanks(); p.end() {
		return Expr{}, nil
	}
	root, err := p.either()
	if err == nil && !p.end() {
		err = wrong(p.at, "expected no ) here")
	}
	if err != nil {
		return Expr{}, err
	}
	return Expr{root}, nil
}

// parser reads text from at on. Its methods leave at behind what they read. They
// give an *Error rather than an error, so that an untyped nil is one.
type parser struct {
	text  string
	at    int
	depth int
}

func (p *parser) either() (node, *Error) {
	var nodes either
	for {
		n, err := p.all()
		if err != nil {
			return nil, err
		}
		if inner, ok := n.(either); ok {
			nodes = append(nodes, inner...)
		} else {
			nodes = append(nodes, n)
		}
		if !p.keyword("or") {
			break
		}
	}
	if len(nodes) == 1 {
		return nodes[0], nil
	}
	return nodes, nil
}

func (p *parser) all() (node, *Error) {
	var nodes all
	for more := true; more; more = p.keyword("and") || !p.over() {
		n, err := p.not()
		if err != nil {
			return nil, err
		}
		if inner, ok := n.(all); ok {
			nodes = append(nodes, inner...)
		} else {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) == 1 {
		return nodes[0], nil
	}
	return nodes, nil
}

// over says that no term follows in this group, or none before an or.
func (p *parser) over() bool {
	p.blanks()
	ahead := *p
	return p.end() || p.peek() == ')' || ahead.keyword("or")
}

func (p *parser) not() (node, *Error) {
	p.blanks()
	start := p.at
	switch {
	case p.peek() == '-':
		p.at++
	case p.keyword("not"):
	default:
		return p.atom()
	}
	if p.depth++; p.depth > MaxDepth {
		return nil, wrong(start, "expected at most %d levels", MaxDepth)
	}
	n, err := p.not()
	p.depth--
	if err != nil {
		return nil, err
	}
	return neither{n}, nil
}

func (p *parser) atom() (node, *Error) {
	p.blanks()
	start := p.at
	if p.over() || p.keyword("and") {
		return nil, wrong(start, "expected a term")
	}
	switch p.peek() {
	case '(':
		return p.group()
	case '@':
		return p.saved()
	case '"', '/':
		return p.raw()
	}
	if key, ok := p.key(); ok {
		return p.term(key)
	}
	return p.raw()
}

func (p *parser) group() (node, *Error) {
	start := p.at
	if p.depth++; p.depth > MaxDepth {
		return nil, wrong(start, "expected at most %d levels", MaxDepth)
	}
	p.at++
	n, err := p.either()
	p.depth--
	if err != nil {
		return nil, err
	}
	if p.peek() != ')' {
		return nil, wrong(p.at, "expected ) for the ( at %d", start+1)
	}
	p.at++
	return n, nil
}

func (p *parser) saved() (node, *Error) {
	p.at++
	start := p.at
	for !p.end() && isName(p.peek()) {
		p.at++
	}
	if start == p.at {
		return nil, wrong(start, "expected the name of a saved filter")
	}
	if !p.end() && !breaks(p.peek()) {
		return nil, wrong(p.at, "expected a letter, a digit, - or _")
	}
	return saved(p.text[start:p.at]), nil
}

func isName(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// IsName says whether a filter can be saved under that name.
func IsName(s string) bool {
	for i := range len(s) {
		if !isName(s[i]) {
			return false
		}
	}
	return s != ""
}

func (p *parser) end() bool { return p.at >= len(p.text) }

// peek is the next byte; NUL at the end.
func (p *parser) peek() byte {
	if p.end() {
		return 0
	}
	return p.text[p.at]
}

func (p *parser) blanks() {
	for !p.end() && isBlank(p.peek()) {
		p.at++
	}
}

// keyword passes word, in whatever case, when it comes next.
func (p *parser) keyword(word string) bool {
	p.blanks()
	rest := p.text[p.at:]
	if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) {
		return false
	}
	if len(rest) > len(word) && !breaks(rest[len(word)]) {
		return false
	}
	p.at += len(word)
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// breaks says that c ends a word.
func breaks(c byte) bool { return isBlank(c) || c == '(' || c == ')' || c == '"' }
