package journal

import (
	"slices"
	"strings"
)

// key is the beginning of a spelling, at most keyLen bytes, by which it is
// found. What an agent makes known must not make the search slow: whatever the
// values have in common, a place in a text costs one search among sorted keys.
type key struct {
	text  string
	inner *key     // the longest other key that text begins with
	long  []string // spellings that begin with text and go on
}

// sortKeys puts keys under the last two bytes of their first secretMin.
func sortKeys(byText map[string]*key) map[uint16][]*key {
	sorted := make(map[uint16][]*key)
	for text, k := range byText {
		p := pair(text[secretMin-2], text[secretMin-1])
		sorted[p] = append(sorted[p], k)
	}
	for _, keys := range sorted {
		slices.SortFunc(keys, func(a, b *key) int { return strings.Compare(a.text, b.text) })
		for i, k := range keys[1:] {
			inner := keys[i] // the one before k
			for inner != nil && !strings.HasPrefix(k.text, inner.text) {
				inner = inner.inner
			}
			k.inner = inner
		}
		for _, k := range keys {
			slices.Sort(k.long)
		}
	}
	return sorted
}

// longest says how many bytes at the beginning of text are a known value, or
// the beginning of one that is longer than keyLen. The greatest key that is not
// greater than text, or one of the keys that key begins with, is the longest
// that text begins with.
func longest(keys []*key, text []byte) int {
	head := text[:min(len(text), keyLen)]
	after, _ := slices.BinarySearchFunc(keys, head, func(k *key, head []byte) int { return compare(k.text, head) })
	if after < len(keys) && keys[after].text == string(head) {
		after++
	}
	if after == 0 {
		return 0
	}
	k := keys[after-1]
	for k != nil && !begins(head, k.text) {
		k = k.inner
	}
	if k == nil {
		return 0
	}
	return max(len(k.text), k.common(text))
}

// common is how far text goes along with a spelling that is longer than the
// key: that is one of the two it would stand between.
func (k *key) common(text []byte) int {
	i, _ := slices.BinarySearchFunc(k.long, text, compare)
	n := 0
	for _, spelling := range k.long[max(i-1, 0):min(i+1, len(k.long))] {
		n = max(n, common(text, spelling))
	}
	return n
}

func compare(a string, b []byte) int {
	switch {
	case a < string(b):
		return -1
	case a > string(b):
		return 1
	}
	return 0
}

func begins(text []byte, with string) bool {
	return len(text) >= len(with) && string(text[:len(with)]) == with
}

// common is how many bytes at the beginning are the same.
func common(a []byte, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
