// Package journal keeps what happens in one running proxy.
package journal
