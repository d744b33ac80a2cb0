package main

// freeSpace is not known here.
func freeSpace(string) int64 { return -1 }

// writeError is seen when something is written.
func writeError(string) error { return nil }
