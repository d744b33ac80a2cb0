// Package wire is two panes of the panel: the list of what crossed the wire of
// a proxy or one of its sessions, and one frame of it in detail.
//
// The list ([Wire]) keeps an index of what it shows, to which rows are added as
// they come, so that drawing costs the same for ten rows and for twenty
// thousand. The selection stays on its row, whatever comes, goes or is filtered.
//
// The detail ([Detail]) shows a frame as the tree that it is, with every member
// in its place and every number as it was written, or as the bytes that were
// read. What it builds for one frame is bounded, whatever the frame is.
package wire
