// Package bounds says whether a path lies in a workspace, by asking the file
// system what the kernel would open.
package bounds
