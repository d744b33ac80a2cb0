package model

import (
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxRead = 4 << 10 // bytes of a text in which a command is looked for
	maxLine = 1 << 10 // bytes of a command line by which it is found
)

// says says that what is known of the deed names this command line, or that
// nothing is known that it could be compared with.
func (d *Deed) says(words []string) bool {
	texts, known := d.texts()
	if !known && !strings.ContainsAny(strings.TrimSpace(d.Title), " ./") {
		return true
	}
	return slices.ContainsFunc(spellings(words), func(line string) bool {
		return slices.ContainsFunc(texts, func(text string) bool {
			return within(text, line) || within(text, quoted(line))
		})
	})
}

// texts are what a person could read of the deed; known says that more than its
// own title is among them.
func (d *Deed) texts() (texts []string, known bool) {
	texts = []string{d.Title}
	if d.Entry != nil {
		texts = append(texts, beginning(d.Entry.Tool.Input))
	}
	for _, o := range d.Asked {
		texts = append(texts, o.Title)
		if c := o.Card; c != nil {
			texts = append(texts, beginning(c.Input), clip(c.Clipped, maxRead), clip(c.Command, maxRead))
		}
	}
	return texts, slices.ContainsFunc(texts[1:], func(text string) bool { return text != "" && text != "null" })
}

func beginning(text []byte) string { return string(text[:min(len(text), maxRead)]) }

// spellings are the ways in which an agent may have written a command line: as
// it is, without the folder of the program, and without the shell around it.
func spellings(words []string) []string {
	if words[0] == "" {
		return nil
	}
	words = words[:min(len(words), maxPaths)]
	line := strings.Join(words, " ")
	short := path.Base(words[0]) + strings.TrimPrefix(line, words[0])
	if inside, ok := inShell(words); ok {
		return []string{line, short, inside}
	}
	return []string{line, short}
}

// within says that part is in text and neither begins nor ends within a word. Of
// a long one only the beginning is looked for.
func within(text, part string) bool {
	if len(part) > maxLine {
		return strings.Contains(text, part[:maxLine])
	}
	for at := 0; part != ""; at++ {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return false
		}
		if at += i; !wordAt(text, at-1) && !wordAt(text, at+len(part)) {
			return true
		}
	}
	return false
}

func wordAt(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// quoted is text as it stands in JSON.
func quoted(text string) string {
	token, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return ""
	}
	return string(token[1 : len(token)-1])
}
