//go:build linux && !race

package main

// raced says that the tests run with the race detector, and slowly.
const raced = false
