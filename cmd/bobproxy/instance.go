package main

import "crypto/rand"

// newInstance names this run: five letters or digits that are hard to take for
// one another.
func newInstance() string {
	const letters = "23456789abcdefghjkmnpqrstuvwxyz"
	name := make([]byte, 5)
	rand.Read(name)
	for i, b := range name {
		name[i] = letters[int(b)%len(letters)]
	}
	return string(name)
}
