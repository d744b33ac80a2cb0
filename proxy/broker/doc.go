// Package broker keeps the permission requests that wait for an answer, and
// sees to it that each gets exactly one.
package broker
