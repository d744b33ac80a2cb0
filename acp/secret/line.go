package secret

import "strings"

// deepest is how many command lines within command lines are looked into.
const deepest = 3

// Line gives the secrets in a command line, in order. Its words end at blanks and
// operators that are not in quotes, so that no command can hide behind a value.
func Line(text string) []Span { return union(line(text, 1), Addresses(text)) }

func line(text string, depth int) (found []Span) {
	a := Args{shell: true, depth: depth}
	for i := 0; i < len(text); {
		if c := text[i]; blank(c) || operator(c) {
			if operator(c) {
				a.want = nothing
			}
			i++
			continue
		}
		start, end := i, wordEnd(text, i)
		i = end
		if quoted(text[start:end]) {
			start, end = start+1, end-1
		}
		found = append(found, unquoted(text, shifted(a.Next(text[start:end]), start))...)
	}
	return found
}

// operator says that another command begins behind c.
func operator(c byte) bool { return c == ';' || c == '|' || c == '&' || c == '\n' }

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// wordEnd is where the word that begins at i ends. Where a quote has no end, it
// is a character like any other.
func wordEnd(text string, i int) int {
	for ; i < len(text) && !blank(text[i]) && !operator(text[i]); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) && !blank(text[i+1]) {
			i++
		}
		if c != '"' && c != '\'' {
			continue
		}
		n := strings.IndexByte(text[i+1:min(len(text), i+1+longValue)], c)
		if n >= 0 {
			i += 1 + n
		}
	}
	return min(i, len(text))
}

func quoted(word string) bool {
	return len(word) >= 2 && (word[0] == '"' || word[0] == '\'') && word[len(word)-1] == word[0] && strings.IndexByte(word[1:], word[0]) == len(word)-2
}

// unquoted takes off quotes around each value.
func unquoted(text string, found []Span) []Span {
	for i, s := range found {
		if quoted(text[s.Start:s.End]) {
			found[i] = Span{s.Start + 1, s.End - 1}
		}
	}
	return found
}
