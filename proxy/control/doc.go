// Package control is how other processes of the same user see a running proxy
// and answer its permissions: a unix socket that speaks JSON-RPC.
package control
