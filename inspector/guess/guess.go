// Package guess finds what somebody could have meant by a word that is unknown.
package guess

import "strings"

// Nearest is the name that word is most like, if it is like one at all; else
// empty.
func Nearest(word string, names []string) (name string) {
	best := max(2, len(word)/3) + 1
	for _, n := range names {
		if d := Distance(strings.ToLower(word), n); d < best {
			name, best = n, d
		}
	}
	return name
}

// Distance is how many letters have to be put in, taken out or changed to make
// b of a. Its time grows with the product of their lengths.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
