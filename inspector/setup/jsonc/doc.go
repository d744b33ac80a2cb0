// Package jsonc changes one entry in a file of JSON with comments, as Zed and VS
// Code keep their settings, and leaves every other byte as it is.
//
// What is read is JSON that may have // and /* */ comments, a comma behind the
// last member or element, and a byte order mark; strict JSON is that, too. What
// cannot be read is not changed.
package jsonc
