// Package setup knows how editors are told to start an agent through bobproxy:
// which file, and which lines in it.
//
// An [Editor] makes the lines ([Editor.Snippet], [Editor.Text]). Where they
// belong into JSON, [Editor.Put] puts them into the text of a file and leaves
// every other byte as it is, and [Editor.Entries] reads which agents a file has.
// [Replace] is how a changed file gets onto the disk. Files in Lua and Lisp are
// programs, which only their owner can change; of a [Program] no more than the
// words can be read.
package setup
