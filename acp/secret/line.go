package secret

import "strings"

// deepest is how many command lines within command lines are looked into.
const deepest = 3

// Line gives the secrets in a command line, in order. Its words end at blanks
// that are not in quotes.
func Line(text string) []Span { return union(line(text, 1), Addresses(text)) }

func line(text string, depth int) (found []Span) {
	a := Args{shell: true, depth: depth}
	for i := 0; i < len(text); {
		if blank(text[i]) {
			i++
			continue
		}
		end := wordEnd(text, i)
		start, stop := i, end
		if quoted(text[start:stop]) {
			start, stop = start+1, stop-1
		}
		word := text[start:stop]
		if operator(word) {
			a.want = nothing
		} else {
			found = append(found, unquoted(text, shifted(a.Next(word), start))...)
		}
		i = end
	}
	return found
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// wordEnd is where the word that begins at i ends. Where a quote has no end, it
// is a character like any other.
func wordEnd(text string, i int) int {
	for ; i < len(text) && !blank(text[i]); i++ {
		c := text[i]
		if c != '"' && c != '\'' {
			continue
		}
		n := strings.IndexByte(text[i+1:min(len(text), i+1+longValue)], c)
		if n >= 0 {
			i += 1 + n
		}
	}
	return i
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

// operator says that word begins another command.
func operator(word string) bool { return word != "" && strings.Trim(word, "|&;<>()") == "" }
