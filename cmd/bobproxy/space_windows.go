package main

// freeSpace is not known here.
func freeSpace(string) int64 { return -1 }

// unwritable is seen when something is written.
func unwritable(string) error { return nil }
