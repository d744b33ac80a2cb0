//go:build race

package model

// racing: everything takes ten times as long, and memory says nothing.
const racing = true
