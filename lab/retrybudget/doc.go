// Package retrybudget is an exercise for a coding agent: a Go project of one
// type, RetryBudget, whose contract stands in its README and whose
// implementation breaks it.
//
// [Materialise] writes the project into a directory. The script verify in it
// checks every clause of the contract, prints one line for each, and ends with
// [Verified] and exit status 0 only when all of them hold; otherwise it exits
// with 1. It needs Go and a POSIX shell, no network, no HOME and no
// dependencies. [Broken] is the source as written, [Fixed] the one that keeps
// the contract; both belong in [File].
//
// The project's files are kept under names that the go command does not
// compile, so the exercise is not part of the module that carries it.
package retrybudget
