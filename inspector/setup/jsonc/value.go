package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Object is a value whose members keep their order.
type Object []Member

// Member is one of an object: a string, a list of strings or an object.
type Member struct {
	Name  string
	Value any
}

// Text is o as it stands in a file, in lines that begin with margin, the first
// one excepted; unit is one more step.
func (o Object) Text(margin, unit, newline string) string {
	return valueText(o, margin, unit, newline)
}

func valueText(value any, margin, unit, newline string) string {
	switch v := value.(type) {
	case string:
		return Quote(v)
	case []string:
		words := make([]string, len(v))
		for i, word := range v {
			words[i] = Quote(word)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case Object:
		return objectText(v, margin, unit, newline)
	}
	panic(fmt.Sprintf("jsonc: a value is a %T", value))
}

func objectText(o Object, margin, unit, newline string) string {
	if len(o) == 0 {
		return "{}"
	}
	lines := make([]string, len(o))
	for i, m := range o {
		lines[i] = margin + unit + Quote(m.Name) + ": " + valueText(m.Value, margin+unit, unit, newline)
	}
	return "{" + newline + strings.Join(lines, ","+newline) + newline + margin + "}"
}

// Quote is text as a string of JSON. Characters of HTML stay as they are.
func Quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // a string has always a text
	}
	return strings.TrimSuffix(b.String(), "\n")
}
