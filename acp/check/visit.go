package check

import (
	"bytes"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"bobproxy/acp"
)

// masked stands in a recording for what must not be known.
var masked = []byte("[masked]")

// visit compares one value with its shape.
type visit struct {
	report  func(rule string, severity Severity, text string)
	method  string
	path    []step // where it is
	lenient int    // above 0: peers forgive what is wrong here
	left    int    // how much more is said
}

// step is a member, or an entry of an array when it has no name.
type step struct {
	name  string
	index int
}

func (v *visit) where() string {
	var b strings.Builder
	for _, s := range v.path {
		switch {
		case s.name == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case b.Len() > 0:
			b.WriteString("." + plainName(s.name))
		default:
			b.WriteString(plainName(s.name))
		}
	}
	return b.String()
}

// subject is where, or what to call the whole.
func (v *visit) subject() string {
	if w := v.where(); w != "" {
		return w
	}
	return "what it has to say"
}

// plainName is a name of the table as it stands, and another one quoted.
func plainName(name string) string {
	for _, r := range name {
		if r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') {
			return quoted(name)
		}
	}
	return name[:min(len(name), 60)]
}

func (v *visit) say(rule string, severity Severity, text string) {
	if v.left--; v.left < 0 {
		return
	}
	if v.lenient > 0 && severity == Error {
		severity = Warning
	}
	v.report(rule, severity, v.method+": "+text)
}

// enter goes to a value that is one step below. It is false when nothing more is
// to be said.
func (v *visit) enter(s step, forgiven bool) bool {
	if v.left <= 0 {
		return false
	}
	v.path = append(v.path, s)
	if forgiven {
		v.lenient++
	}
	return true
}

func (v *visit) leave(forgiven bool) {
	v.path = v.path[:len(v.path)-1]
	if forgiven {
		v.lenient--
	}
}

// expr compares raw with e.
func (v *visit) expr(raw []byte, e *expr) {
	if e.nothing && null(raw) {
		return
	}
	if e.fits(raw) {
		v.single(raw, e, e.skips)
		return
	}
	for _, other := range e.or {
		if other.fits(raw) {
			v.single(raw, other, e.skips)
			return
		}
	}
	if !bytes.Equal(raw, maskedToken) {
		v.say("shape/type", Error, v.subject()+" is "+shown(raw)+" and should be "+wanted(e))
	}
}

var maskedToken = []byte(`"[masked]"`)

func wanted(e *expr) string {
	words := []string{e.word()}
	for _, other := range e.or {
		words = append(words, other.word())
	}
	return strings.Join(words, " or ")
}

func null(raw []byte) bool { return len(raw) > 0 && raw[0] == 'n' }

// fits says that raw is of e's kind, whatever is in it.
func (e *expr) fits(raw []byte) bool {
	if len(raw) == 0 {
		return false
	}
	switch e.kind {
	case anyKind:
		return true
	case namedKind:
		return e.typ.fits(raw)
	case nullKind:
		return raw[0] == 'n'
	case boolKind:
		return raw[0] == 't' || raw[0] == 'f'
	case stringKind:
		return raw[0] == '"'
	case objectKind, mapKind:
		return raw[0] == '{'
	case arrayKind:
		return raw[0] == '['
	}
	return number(raw) && (e.kind == numberKind || !bytes.ContainsAny(raw, ".eE") && (e.kind == intKind || raw[0] != '-'))
}

func number(raw []byte) bool { return raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' }

func (t *typ) fits(raw []byte) bool {
	switch {
	case t.is != nil:
		return t.is.fits(raw)
	case t.enum:
		if t.numeric() {
			return number(raw) && !bytes.ContainsAny(raw, ".eE")
		}
		return raw[0] == '"'
	case t.composed():
		return slices.ContainsFunc(t.anyOf, func(e *expr) bool { return e.fits(raw) })
	}
	return raw[0] == '{'
}

// composed says that t is nothing but one of several others.
func (t *typ) composed() bool { return len(t.members) == 0 && t.by == "" && len(t.anyOf) > 0 }

// single compares raw, whose kind is right.
func (v *visit) single(raw []byte, e *expr, skips bool) {
	switch e.kind {
	case namedKind:
		v.typ(raw, e.typ)
	case stringKind:
		if e.full && len(raw) == 2 {
			v.say("shape/empty", Error, v.where()+" is empty")
		}
	case arrayKind:
		n := 0
		for item := range acp.Elements(raw) {
			if v.enter(step{index: n}, skips) {
				v.expr(item, e.item)
				v.leave(skips)
			}
			n++
		}
		if n == 0 && e.full {
			v.say("shape/empty", Error, v.where()+" is empty")
		}
	case mapKind:
		for name, value := range acp.Members(raw) {
			if v.enter(step{name: string(name)}, false) {
				v.expr(value, e.item)
				v.leave(false)
			}
		}
	}
}

func (v *visit) typ(raw []byte, t *typ) {
	switch {
	case t.is != nil:
		v.expr(raw, t.is)
	case t.enum:
		v.enum(raw, t)
	case t.composed():
		v.expr(raw, t.best(raw))
	default:
		v.object(raw, t)
	}
}

// best is the alternative that raw should be: the first whose required members
// are there, or else the first that fits.
func (t *typ) best(raw []byte) *expr {
	var first *expr
	for _, e := range t.anyOf {
		if !e.fits(raw) {
			continue
		}
		if first == nil {
			first = e
		}
		sample, inner := raw, e
		if e.kind == arrayKind {
			inner = e.item
			for sample = range acp.Elements(raw) {
				break
			}
		}
		if inner.kind != namedKind || inner.typ.complete(sample) {
			return e
		}
	}
	return first
}

// complete says that raw has the required members of t.
func (t *typ) complete(raw []byte) bool {
	missing := 0
	for _, m := range t.members {
		if !m.optional {
			missing++
		}
	}
	for name := range acp.Members(raw) {
		if m := find(t.members, name); m >= 0 && !t.members[m].optional {
			missing--
		}
	}
	return missing <= 0
}

func find(members []member, name []byte) int {
	for i := range members {
		if members[i].name == string(name) {
			return i
		}
	}
	return -1
}

func (v *visit) enum(raw []byte, t *typ) {
	word := string(raw)
	if raw[0] == '"' {
		word, _ = acp.Unquote(raw)
	}
	if slices.Contains(t.words, word) || strings.HasPrefix(word, "_") || strings.Contains(word, string(masked)) {
		return
	}
	if t.open {
		if !t.numeric() {
			v.say("shape/unknown-word", Info, v.where()+" is "+shown(raw)+", a word that the protocol does not have yet")
		}
		return
	}
	v.say("shape/word", Error, v.where()+" is "+shown(raw)+" and should be "+choice(t.words))
}

func choice(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// object compares an object that may consist of several parts: its own members,
// those of its variant, and those of one of several others.
func (v *visit) object(raw []byte, t *typ) {
	parts := [8]*typ{t}
	n, loose := 1, false
	add := func(p *typ) {
		if p != nil && n < len(parts) {
			parts[n] = p
			n++
		}
	}
	for i := 0; i < n; i++ {
		p := parts[i]
		if p.is != nil && p.is.kind == namedKind {
			add(p.is.typ)
		}
		if p.by != "" {
			chosen, known := v.variant(raw, p)
			loose = loose || !known
			add(chosen)
		}
		if len(p.anyOf) > 0 {
			if e := p.best(raw); e != nil && e.kind == namedKind {
				add(e.typ)
			}
		}
	}
	v.members(raw, parts[:n], loose)
}

// variant finds the part that the member p.by chooses; known is false when nobody
// can say which members it has.
func (v *visit) variant(raw []byte, p *typ) (chosen *typ, known bool) {
	var token []byte
	for name, value := range acp.Members(raw) {
		if string(name) == p.by {
			token = value
		}
	}
	word, isString := acp.Unquote(token)
	var other, rest *variant
	for i := range p.cases {
		switch c := &p.cases[i]; {
		case c.word == "…":
			other = c
		case c.word == "":
			rest = c
		case isString && c.word == word:
			if c.draft {
				v.say("shape/draft", Info, v.at(p.by)+" is "+quoted(word)+", which only the draft has")
			}
			return c.is, true
		}
	}
	private := isString && (strings.HasPrefix(word, "_") || strings.Contains(word, string(masked)))
	switch {
	case isString && other != nil:
		if !private {
			v.say("shape/unknown-word", Info, v.at(p.by)+" is "+quoted(word)+", a word that the protocol does not have yet")
		}
		return other.is, false
	case rest != nil:
		if isString && !private && other == nil {
			v.say("shape/unknown-word", Info, v.at(p.by)+" is "+quoted(word)+", a word that the protocol does not have")
		}
		return rest.is, !isString
	case token == nil:
		v.say("shape/missing", Error, v.at(p.by)+" is missing")
	case !isString:
		v.say("shape/type", Error, v.at(p.by)+" is "+shown(token)+" and should be a string")
	case !private:
		v.say("shape/word", Error, v.at(p.by)+" is "+quoted(word)+" and should be "+choice(p.known()))
	}
	return nil, false
}

// known are the words of the variants.
func (p *typ) known() (words []string) {
	for _, c := range p.cases {
		if c.word != "" && c.word != "…" && !c.draft {
			words = append(words, c.word)
		}
	}
	return words
}

// at is where a member of the value is.
func (v *visit) at(name string) string {
	if w := v.where(); w != "" {
		return w + "." + name
	}
	return name
}

// members compares the members of an object with those of its parts.
func (v *visit) members(raw []byte, parts []*typ, loose bool) {
	var seen [8]uint64
	hidden := false
	for name, value := range acp.Members(raw) {
		i, m := owner(parts, name)
		switch {
		case string(name) == "_meta":
			if !null(value) && value[0] != '{' && !bytes.Equal(value, maskedToken) {
				v.say("shape/type", Warning, v.at("_meta")+" is "+shown(value)+" and should be an object")
			}
		case m < 0:
			hidden = hidden || bytes.Contains(name, masked)
			if !loose {
				v.stranger(name, parts)
			}
		default:
			if seen[i]>>m&1 != 0 {
				v.say("shape/twice", Error, v.at(string(name))+" is there twice, and peers read different ones")
			}
			seen[i] |= 1 << m
			v.member(value, &parts[i].members[m])
		}
	}
	if hidden {
		return
	}
	for i, p := range parts {
		for m := range p.members {
			if !p.members[m].optional && seen[i]>>m&1 == 0 {
				v.missing(&p.members[m])
			}
		}
	}
}

func (v *visit) missing(m *member) {
	severity := Error
	if m.forgiven {
		severity = Warning
	}
	v.say("shape/missing", severity, v.at(m.name)+" is missing")
}

func (v *visit) member(value []byte, m *member) {
	if !v.enter(step{name: m.name}, m.forgiven) {
		return
	}
	if m.draft && !null(value) {
		v.say("shape/draft", Info, v.where()+" is there, which only the draft has")
	}
	v.expr(value, m.is)
	v.leave(m.forgiven)
}

// owner finds the member called name: the part, and the place in it.
func owner(parts []*typ, name []byte) (part, place int) {
	for i, p := range parts {
		if m := find(p.members, name); m >= 0 && m < bits.UintSize {
			return i, m
		}
	}
	return 0, -1
}

// greetings are members of initialize in one version or the other. Who speaks
// both sends both.
var greetings = []string{"clientCapabilities", "clientInfo", "agentCapabilities", "agentInfo", "capabilities", "info"}

// stranger is for a member that no part has.
func (v *visit) stranger(name []byte, parts []*typ) {
	if len(name) > 0 && name[0] == '_' || v.method == acp.MethodInitialize && slices.Contains(greetings, string(name)) {
		return
	}
	for _, p := range parts {
		if p.by == string(name) || p.is != nil && p.is.kind == anyKind {
			return
		}
	}
	v.say("shape/unknown-member", Info, v.at(plainName(string(name)))+" is in no list of the protocol")
}
