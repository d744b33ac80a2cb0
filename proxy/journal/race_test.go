//go:build race

package journal

// racing: pools forget things at random then, so allocations say nothing.
const racing = true
