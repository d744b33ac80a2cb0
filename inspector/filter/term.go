package filter

import "strings"

// key reads a key if one comes next: what stands before : or a comparison.
func (p *parser) key() (key string, ok bool) {
	i := p.at
	for i < len(p.text) {
		switch c := p.text[i]; {
		case c == ':' || isCompare(c):
			key, p.at = p.text[p.at:i], i
			return key, true
		case c == '"' && i > p.at && p.text[i-1] == '.':
			end := quoteEnd(p.text, i)
			if end < 0 {
				return "", false
			}
			i = end
		case breaks(c) || c == ',':
			return "", false
		default:
			i++
		}
	}
	return "", false
}

func isCompare(c byte) bool { return c == '>' || c == '<' || c == '=' }

// term reads what follows a key.
func (p *parser) term(key string) (node, *Error) {
	start := p.at - len(key)
	if key == "" {
		return nil, wrong(start, "expected a key before %c, or quotes around text", p.peek())
	}
	if path, ok, err := readPath(key, start); ok || err != nil {
		if err != nil {
			return nil, err
		}
		if p.peek() != ':' {
			return p.compare(key, nil, path)
		}
		p.at++
		values, err := p.values()
		if err != nil {
			return nil, err
		}
		return &place{path, values}, nil
	}
	k := findKey(key)
	if k == nil {
		return nil, unknownKey(start, key)
	}
	return p.known(k)
}

func (p *parser) known(k *key) (node, *Error) {
	switch colon := p.peek() == ':'; {
	case k.number != nil:
		return p.compare(k.name, k, nil)
	case !colon:
		return nil, wrong(p.at, "expected : after %s", k.name)
	}
	p.at++
	switch {
	case k.moment:
		return p.moment(k)
	case k.words != nil:
		return p.words(k)
	}
	values, err := p.values()
	if err != nil {
		return nil, err
	}
	return &field{k, values}, nil
}

// values reads one value or more, with commas between them.
func (p *parser) values() ([]value, *Error) {
	var values []value
	for {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
		if p.peek() != ',' {
			break
		}
		p.at++
	}
	return values, p.apart()
}

// apart wants a term to end here.
func (p *parser) apart() *Error {
	if c := p.peek(); !p.end() && !isBlank(c) && c != ')' {
		return wrong(p.at, "expected a blank or a comma")
	}
	return nil
}

func (p *parser) value() (value, *Error) {
	switch p.peek() {
	case '"':
		start := p.at
		text, err := p.quoted()
		switch {
		case err != nil:
			return value{}, err
		case text == "":
			return value{}, wrong(start, "expected a value")
		}
		return literal(text), nil
	case '/':
		if v, ok, err := p.regex(); ok || err != nil {
			return v, err
		}
	}
	start := p.at
	for !p.end() && !breaks(p.peek()) && p.peek() != ',' {
		p.at++
	}
	if start == p.at {
		return value{}, wrong(start, "expected a value")
	}
	return wordValue(p.text[start:p.at]), nil
}

// wordValue is a word as it was typed, in which * stands for anything.
func wordValue(word string) value {
	if strings.Contains(word, "*") {
		return glob(word)
	}
	return literal(word)
}

// raw reads what is looked for in the whole line.
func (p *parser) raw() (node, *Error) {
	switch p.peek() {
	case '"':
		start := p.at
		text, err := p.quoted()
		if err != nil {
			return nil, err
		}
		if text == "" {
			return nil, wrong(start, "expected a word in the quotes")
		}
		return inLine(literal(text)), nil
	case '/':
		if v, ok, err := p.regex(); err != nil {
			return nil, err
		} else if ok {
			return inLine(v), nil
		}
	}
	start := p.at
	for !p.end() && !breaks(p.peek()) {
		p.at++
	}
	return inLine(wordValue(p.text[start:p.at])), nil
}

// words reads values that are of a few known ones.
func (p *parser) words(k *key) (node, *Error) {
	t := &choice{key: k}
	for {
		start := p.at
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		word, ok := k.word(v)
		if !ok {
			return nil, wrong(start, "expected one of %s", strings.Join(k.words, " "))
		}
		t.words = append(t.words, word)
		if p.peek() != ',' {
			return t, p.apart()
		}
		p.at++
	}
}

// quoted reads what stands in quotes.
func (p *parser) quoted() (string, *Error) {
	end := quoteEnd(p.text, p.at)
	if end < 0 {
		return "", wrong(len(p.text), `expected " for the " at %d`, p.at+1)
	}
	text := unquote(p.text[p.at+1 : end-1])
	p.at = end
	return text, nil
}

// quoteEnd is where the quoted text that starts at i ends; -1: nowhere.
func quoteEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// regex reads a regular expression, if what comes next is one.
func (p *parser) regex() (v value, ok bool, err *Error) {
	end := p.at + 1
	for end < len(p.text) && p.text[end] != '/' {
		if p.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(p.text) || end == p.at+1 {
		return value{}, false, nil
	}
	next := end + 1
	fold := next < len(p.text) && p.text[next] == 'i'
	if fold {
		next++
	}
	if next < len(p.text) && !breaks(p.text[next]) && p.text[next] != ',' {
		return value{}, false, nil
	}
	v, why := regex(strings.ReplaceAll(p.text[p.at+1:end], `\/`, "/"), fold)
	if why != "" {
		return value{}, false, wrong(p.at+1, "%s", why)
	}
	p.at = next
	return v, true, nil
}
