package main

import "io/fs"

// hasModes says whether a file's mode tells who may read and write it.
const hasModes = false

// trusted leaves it to the folder, which on Windows is the user's own.
func trusted(fs.FileInfo) bool { return true }
