package acp

// AllMethods is the table, for the tests of it.
var AllMethods = methods[:]
