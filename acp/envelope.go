package acp

import "bytes"

// member is a name that means something on the envelope.
type member uint8

const (
	otherMember member = iota
	jsonrpcMember
	idMember
	methodMember
	paramsMember
	resultMember
	errorMember
)

// memberNames are the envelope's members (JSON-RPC 2.0 §4 and §5).
var memberNames = [...][]byte{
	jsonrpcMember: []byte("jsonrpc"),
	idMember:      []byte("id"),
	methodMember:  []byte("method"),
	paramsMember:  []byte("params"),
	resultMember:  []byte("result"),
	errorMember:   []byte("error"),
}

// exactMember is the member that is spelled name.
func exactMember(name []byte) member {
	switch string(name) {
	case "jsonrpc":
		return jsonrpcMember
	case "id":
		return idMember
	case "method":
		return methodMember
	case "params":
		return paramsMember
	case "result":
		return resultMember
	case "error":
		return errorMember
	}
	return otherMember
}

// foldedMember is the member that equals name under Unicode's simple folding.
// Decoders that match names without regard to case, as Go's encoding/json
// does, take it for the real one: METHOD, but also U+017F where an s belongs.
func foldedMember(name []byte) member {
	for m, known := range memberNames {
		if known != nil && bytes.EqualFold(name, known) {
			return member(m)
		}
	}
	return otherMember
}

// findMember is the member that some peer takes name for; exact tells whether
// every peer does.
func findMember(name []byte) (m member, exact bool) {
	if m = exactMember(name); m != otherMember {
		return m, true
	}
	return foldedMember(name), false
}

// envelope reads the object whose brace is at i into f. What is wrong with one
// member is noted and the walk goes on, so that the rest is validated as well
// and an id behind it is still found.
func (l *lexer) envelope(i int, f *Frame) (end int, ok bool) {
	var (
		seen          [len(memberNames)]bool
		asked, gotten inner
	)
	i, more, ok := l.open(i)
	for more && ok {
		var k key
		if k, i, ok = l.key(i); !ok {
			break
		}
		if l.garbled != 0 {
			return l.fail(l.garbled)
		}
		m, exact := l.member(k)
		if exact && seen[m] {
			l.note(DuplicateMember)
		}
		seen[m] = seen[m] || exact

		start := i
		switch m {
		case paramsMember:
			i, ok = l.carrier(i, &asked)
		case resultMember:
			i, ok = l.carrier(i, &gotten)
		default:
			i, ok = l.value(i, 1)
		}
		if !ok {
			break
		}
		if l.garbled != 0 {
			if m == jsonrpcMember || m == idMember || m == methodMember {
				return l.fail(l.garbled)
			}
			f.garbled(l.spoilt())
		}
		value := l.b[start:i:i]
		if m == methodMember {
			value = l.method(value)
		}
		f.set(m, exact, value)
		i, more, ok = l.next(i)
	}
	if f.Session = gotten.session; f.Method != nil {
		f.Session, f.Update = asked.session, asked.update
	}
	return i, ok
}

// garbled notes that below the envelope a string is. The first one counts.
func (f *Frame) garbled(r Reason) {
	if f.Reason == 0 {
		f.Reason = r
	}
}

// member says what k means on the envelope and notes whether it is spelled in
// a way that some peers read and others do not.
func (l *lexer) member(k key) (m member, exact bool) {
	m, exact = findMember(k.text())
	switch {
	case m == otherMember:
	case !exact:
		l.note(FoldedMember)
	case k.escaped:
		l.note(EscapedMember)
	}
	return m, exact
}

// method resolves the value of the method member; nil when it is no string.
// ACP's methods are printable ASCII. Peers that normalise, trim or stop at NUL
// see another method in anything else.
func (l *lexer) method(value []byte) []byte {
	if value[0] != '"' {
		l.note(MethodNotString)
		return nil
	}
	name := resolve(value[1 : len(value)-1 : len(value)-1])
	for _, c := range name {
		if c < ' ' || c > '~' {
			l.note(MethodCharacters)
			break
		}
	}
	return name
}

// set gives f the value of member m. An exact name wins over one that only
// folds to it.
func (f *Frame) set(m member, exact bool, value []byte) {
	var slot *[]byte
	switch m {
	case idMember:
		slot = &f.ID
	case methodMember:
		slot = &f.Method
	case paramsMember:
		slot = &f.Params
	case resultMember:
		slot = &f.Result
	case errorMember:
		slot = &f.Error
	default:
		return
	}
	if exact || *slot == nil {
		*slot = value
	}
}

// inner is what the envelope's reader gives of params or result: two strings
// without their quotes, nil when they are not there.
type inner struct {
	session []byte // sessionId
	update  []byte // sessionUpdate of update
}

// carrier reads the value of params or result at i. What else is in there is
// only validated: the readers of single methods look at it.
func (l *lexer) carrier(i int, in *inner) (end int, ok bool) {
	if l.at(i) != '{' {
		return l.value(i, 1)
	}
	i, more, ok := l.open(i)
	for more && ok {
		var k key
		if k, i, ok = l.key(i); !ok {
			break
		}
		switch string(k.text()) {
		case "update":
			i, ok = l.update(i, in)
		case "sessionId":
			in.session, i, ok = l.content(i, 2)
		default:
			i, ok = l.value(i, 2)
		}
		if !ok {
			break
		}
		i, more, ok = l.next(i)
	}
	return i, ok
}

// update reads the value of an update at i.
func (l *lexer) update(i int, in *inner) (end int, ok bool) {
	in.update = nil
	if l.at(i) != '{' {
		return l.value(i, 2)
	}
	i, more, ok := l.open(i)
	for more && ok {
		var k key
		if k, i, ok = l.key(i); !ok {
			break
		}
		if string(k.text()) == "sessionUpdate" {
			in.update, i, ok = l.content(i, 3)
		} else {
			i, ok = l.value(i, 3)
		}
		if !ok {
			break
		}
		i, more, ok = l.next(i)
	}
	return i, ok
}

// content reads the value at i and gives what is between its quotes; nil when
// it is no string, or a garbled one.
func (l *lexer) content(i, depth int) (content []byte, end int, ok bool) {
	before := l.spoilt()
	if end, ok = l.value(i, depth); !ok {
		return nil, end, false
	}
	if l.at(i) == '"' && l.garbled == 0 {
		content = l.b[i+1 : end-1 : end-1]
	}
	if before != 0 {
		l.garbled = before
	}
	return content, end, true
}
