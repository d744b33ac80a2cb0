package check

import (
	_ "embed"
	"strings"
	"sync"
)

// The shapes of all methods stand in a text for each version of the protocol.
// A line that begins with a blank goes on with the one before. Words are
//
//	method NAME SENDER request|notification PARAMS [RESULT]
//	type NAME is EXPRESSION
//	type NAME enum WORD…
//	type NAME MEMBER… [by MEMBER VARIANT…] [any-of EXPRESSION…]
//
// with, wherever it stands in front of one, a * for what is only in the draft of
// that version. A member is name:EXPRESSION; name? may be left out, and of a
// name~ peers forgive a wrong value: they act as if it was not there. Every
// object may have a _meta besides. A variant is WORD>TYPE, for what the named
// member says; else>TYPE is for when it says nothing else, …>TYPE for words that
// nobody knows yet. Both may list members in parentheses instead of a type, or
// nothing. An enum that ends in … is open too. An expression is the name of a type
// or string, bool, int, number, object, null or any, [E] an array of E, {E} an
// object with any names and values E, and A|B one or the other. A + behind it
// says that it must not be empty, a ~ that wrong items are passed over, and a ^
// that null is taken for nothing.
var (
	//go:embed v1.txt
	textV1 string
	//go:embed v2.txt
	textV2 string

	shapesV1 = sync.OnceValue(func() *shapes { return parseShapes(textV1) })
	shapesV2 = sync.OnceValue(func() *shapes { return parseShapes(textV2) })
)

// shapes is what one version of the protocol says.
type shapes struct {
	methods map[string]method // by name, a blank, and request or notification
	types   map[string]*typ
}

// method is one method as a frame of one kind.
type method struct {
	params, result *typ // result is nil of a notification
	draft          bool
}

// typ is a named type.
type typ struct {
	name    string
	draft   bool
	is      *expr // another name for that
	words   []string
	enum    bool
	open    bool
	members []member
	by      string // the member that says which variant
	cases   []variant
	anyOf   []*expr
}

type member struct {
	name     string
	optional bool
	forgiven bool
	draft    bool
	is       *expr
}

// variant is one of a union; word is empty of the one that is for all else, and …
// of the one for words that nobody knows.
type variant struct {
	word  string
	draft bool
	is    *typ // nil: nothing besides
}

// kind is what a value is to JSON, closer for numbers.
type kind uint8

const (
	anyKind kind = iota
	nullKind
	boolKind
	stringKind
	numberKind
	intKind
	natural // an integer that is not negative
	objectKind
	arrayKind
	mapKind
	namedKind
)

// expr is what a value must be.
type expr struct {
	kind    kind
	or      []*expr // the alternatives; kind is that of the first
	item    *expr   // of an array or map
	typ     *typ
	full    bool // not empty
	skips   bool // wrong items are passed over
	nothing bool // null counts as left out
}

// word is what is said of a value of this kind.
func (e *expr) word() string {
	switch e.kind {
	case nullKind:
		return "null"
	case boolKind:
		return "true or false"
	case stringKind:
		return "a string"
	case numberKind:
		return "a number"
	case intKind:
		return "an integer"
	case natural:
		return "an integer from 0"
	case objectKind, mapKind:
		return "an object"
	case arrayKind:
		return "an array"
	case namedKind:
		return e.typ.word()
	}
	return "anything"
}

func (t *typ) word() string {
	switch {
	case t.is != nil:
		return t.is.word()
	case t.numeric():
		return "an integer"
	case t.enum:
		return "a string"
	case len(t.members) == 0 && t.by == "" && len(t.anyOf) > 0:
		var words []string
		for _, e := range t.anyOf {
			words = append(words, e.word())
		}
		return strings.Join(words, " or ")
	}
	return "an object"
}

// numeric says that t is an enum of integers.
func (t *typ) numeric() bool { return t.enum && len(t.words) > 0 && number([]byte(t.words[0])) }

// required says that an object of this type must have a member.
func (t *typ) required() bool {
	if t == nil {
		return false
	}
	for _, m := range t.members {
		if !m.optional {
			return true
		}
	}
	return t.by != "" || len(t.anyOf) > 0
}

func parseShapes(text string) *shapes {
	s := &shapes{map[string]method{}, map[string]*typ{}}
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\n    ", " "), "\n") {
		switch words := strings.Fields(line); {
		case len(words) < 2 || words[0] == "#":
		case words[0] == "method":
			s.method(words[1:])
		case words[0] == "type":
			s.declare(words[1], words[2:])
		}
	}
	return s
}

func (s *shapes) method(words []string) {
	name, draft := strings.CutPrefix(words[0], "*")
	m := method{params: s.named(words[3]), draft: draft}
	if len(words) > 4 {
		m.result = s.named(words[4])
	}
	s.methods[name+" "+words[2]] = m
}

// named is the type of that name, which may be declared later.
func (s *shapes) named(name string) *typ {
	t := s.types[name]
	if t == nil {
		t = &typ{name: name}
		s.types[name] = t
	}
	return t
}

func (s *shapes) declare(name string, words []string) {
	name, draft := strings.CutPrefix(name, "*")
	t := s.named(name)
	t.draft = draft
	for len(words) > 0 && words[0] != "is" && words[0] != "enum" && words[0] != "by" && words[0] != "any-of" {
		t.members = append(t.members, s.member(words[0]))
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	switch rest := words[1:]; words[0] {
	case "is":
		t.is = s.expression(rest[0])
	case "enum":
		t.enum = true
		if t.words = rest; rest[len(rest)-1] == "…" {
			t.words, t.open = rest[:len(rest)-1], true
		}
	case "by":
		t.by = rest[0]
		for _, word := range rest[1:] {
			t.cases = append(t.cases, s.variant(word))
		}
	case "any-of":
		for _, word := range rest {
			t.anyOf = append(t.anyOf, s.expression(word))
		}
	}
}

func (s *shapes) member(word string) (m member) {
	word, m.draft = strings.CutPrefix(word, "*")
	name, is, _ := strings.Cut(word, ":")
	name, m.forgiven = strings.CutSuffix(name, "~")
	m.name, m.optional = strings.CutSuffix(name, "?")
	m.is = s.expression(is)
	return m
}

func (s *shapes) variant(word string) (v variant) {
	word, v.draft = strings.CutPrefix(word, "*")
	name, is, has := strings.Cut(word, ">")
	if v.word = name; name == "else" {
		v.word = ""
	}
	switch list, inside := strings.CutPrefix(is, "("); {
	case !has:
	case inside:
		v.is = &typ{}
		for m := range strings.SplitSeq(strings.TrimSuffix(list, ")"), ",") {
			v.is.members = append(v.is.members, s.member(m))
		}
	default:
		v.is = s.named(is)
	}
	return v
}

func (s *shapes) expression(word string) *expr {
	word, nothing := strings.CutSuffix(word, "^")
	word, skips := strings.CutSuffix(word, "~")
	alternatives := strings.Split(word, "|")
	e := s.single(alternatives[0])
	for _, other := range alternatives[1:] {
		e.or = append(e.or, s.single(other))
	}
	e.nothing, e.skips = nothing, e.skips || skips
	return e
}

func (s *shapes) single(word string) *expr {
	word, full := strings.CutSuffix(word, "+")
	e := &expr{full: full}
	switch {
	case word[0] == '[':
		e.kind, e.item = arrayKind, s.expression(word[1:len(word)-1])
	case word[0] == '{':
		e.kind, e.item = mapKind, s.expression(word[1:len(word)-1])
	case kinds[word] != 0 || word == "any":
		e.kind = kinds[word]
	default:
		e.kind, e.typ = namedKind, s.named(word)
	}
	return e
}

var kinds = map[string]kind{
	"null": nullKind, "bool": boolKind, "string": stringKind, "base64": stringKind, "number": numberKind, "object": objectKind,
	"int": intKind, "int32": intKind, "int64": intKind, "uint16": natural, "uint32": natural, "uint64": natural,
}
