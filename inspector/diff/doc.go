// Package diff tells how one text becomes another, by lines and within lines.
//
// Time and memory are bounded whatever the texts are: what would take too long
// to compare counts as changed as a whole.
package diff
