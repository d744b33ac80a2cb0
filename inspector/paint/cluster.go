package paint

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// next is the first grapheme cluster of clean text, which is not empty, how many
// cells it takes, and what comes after it. It is at least one cell, and at most
// six: a wide character with two wide marks.
func next(text string) (cluster string, width int, rest string) {
	if text[0] < 0x80 && (len(text) == 1 || text[1] < 0x80) {
		return text[:1], 1, text[1:]
	}
	cluster, rest, width, _ = uniseg.FirstGraphemeClusterInString(text, -1)
	return cluster, max(width, 1), rest
}

// cellful is as much of a cluster as fits into two cells, and the rest of it.
func cellful(cluster string) (head string, width int, rest string) {
	n := 0
	for i, r := range cluster {
		end := i + utf8.RuneLen(r)
		w := uniseg.StringWidth(cluster[:end])
		if w > 2 && n > 0 {
			break
		}
		n, width = end, w
	}
	return cluster[:n], min(max(width, 1), 2), cluster[n:]
}

// maxBytes is the most bytes of text a cell can take, a character with two marks.
const maxBytes = 3 * utf8.UTFMax

// head is more of text than fits into width cells, or all of it: there is no
// need to read further.
func head(text string, width int) string { return text[:min(len(text), maxBytes*(width+1))] }
