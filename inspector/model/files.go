package model

import "bobproxy/acp/session"

// rank orders what was done to a file; what counts more stays.
func rank(did string) int {
	switch did {
	case "wrote":
		return 2
	case "proposed":
		return 1
	}
	return 0
}

// file takes what was done to a file. It is nil when there are too many.
func (s *Session) file(path, did string) *File {
	path = clip(path, MaxWords)
	i, known := s.book.files[path]
	if !known {
		if len(s.Files) >= MaxFiles || path == "" {
			return nil
		}
		if s.book.files == nil {
			s.book.files = map[string]int{}
		}
		i = len(s.Files)
		s.book.files[path] = i
		s.Files = append(s.Files, File{Path: path, Did: did})
	}
	f := &s.Files[i]
	if rank(did) > rank(f.Did) {
		f.Did = did
	}
	return f
}

// touch takes the files that a tool call names. d is its deed; nil: none.
func (s *Session) touch(e *session.Entry, d *Deed) {
	t, did := e.Tool, "read"
	if t.Kind != "execute" && what(t) != "" {
		if did = "proposed"; t.Status == "completed" {
			did = "wrote"
		}
	}
	var last *File
	for _, path := range t.Paths {
		last = s.file(path, did)
	}
	if d == nil || t.Diffs != 1 || last == nil {
		return
	}
	if d.credited.Path != last.Path {
		d.credited = File{Path: last.Path}
	}
	last.Added += t.Added - d.credited.Added
	last.Removed += t.Removed - d.credited.Removed
	d.credited.Added, d.credited.Removed = t.Added, t.Removed
}
