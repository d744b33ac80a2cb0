// Package home is where a person arrives: the list of sessions over all proxies,
// what is left of a proxy that has gone, and what there is to see while no proxy
// runs.
package home
