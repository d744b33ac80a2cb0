package acp

// ToolCall is what a frame says of a tool call; what it does not say is
// absent. The slices lie in the frame. Of more than 65,536 locations, entries of
// content, changes of one entry or URIs, the rest is not read.
type ToolCall struct {
	ID                  String
	Title, Kind, Status String
	Locations           []String // the paths, one for each entry, whatever it is
	HasLocations        bool     // locations is there and not null
	Diffs               []Diff
	URIs                []string // of resource_link, resource and image blocks in content; what is odd about those is no Reason, and of duplicates all are here
	HasContent          bool     // content is there and not null
	Content             []byte   // raw value; nil when absent
	RawInput            []byte   // raw value; nil when absent
}

// Diff is a change of files that a tool call's content shows: one of v1's
// diffs, or one of the changes of a v2 diff. An entry that says it is a diff and
// names no file is one with no path.
type Diff struct {
	Path      String
	OldPath   String // v2 move and copy
	Operation string // v2: add, delete, modify, move, copy, …; empty in v1
}

// Of rawInput only that it is there once is looked at: people see it.
var (
	callNames     = []string{"toolCallId", "title", "kind", "status", "locations", "content", "rawInput"}
	locationNames = []string{"path"}
	contentNames  = []string{"type", "path", "oldText", "newText", "changes", "patch"}
	changeNames   = []string{"operation", "path", "oldPath"}
	blockNames    = []string{"uri", "resource"}
)

// toolCall reads a tool call, in the shape of both versions.
func (w *walker) toolCall(i int, c *ToolCall) (end int, ok bool) {
	*c = ToolCall{}
	return w.members(i, callNames, func(name string, i int) (int, bool) {
		return w.callMember(i, name, c)
	})
}

func (w *walker) callMember(i int, name string, c *ToolCall) (end int, ok bool) {
	switch name {
	case "toolCallId":
		return w.str(i, &c.ID)
	case "title":
		return w.shown(i, &c.Title)
	case "kind":
		return w.str(i, &c.Kind)
	case "status":
		return w.shown(i, &c.Status)
	case "locations":
		return w.locations(i, c)
	case "content":
		return w.callContent(i, c)
	case "rawInput":
		return w.raw(i, &c.RawInput)
	}
	return w.skip(i)
}

func (w *walker) locations(i int, c *ToolCall) (end int, ok bool) {
	c.Locations, c.HasLocations = nil, !w.isNull(i)
	return w.entries(i, func(i int) (int, bool) {
		path, end, ok := w.location(i)
		if ok {
			c.Locations = append(c.Locations, path)
		}
		return end, ok
	})
}

// location reads the path of one entry of locations. An entry that is no
// object is given as the value that it is, and as no string.
func (w *walker) location(i int) (path String, end int, ok bool) {
	if w.at(i) != '{' {
		end, ok = w.raw(i, &path.Raw)
		return path, end, ok
	}
	end, ok = w.members(i, locationNames, func(_ string, i int) (int, bool) {
		return w.str(i, &path)
	})
	return path, end, ok
}

// callContent reads a tool call's content: an array of entries, or the one entry
// of a tool_call_content_chunk.
func (w *walker) callContent(i int, c *ToolCall) (end int, ok bool) {
	c.Diffs, c.URIs, c.HasContent = nil, nil, !w.isNull(i)
	entry := func(i int) (int, bool) { return w.contentEntry(i, c) }
	if w.at(i) == '{' {
		end, ok = entry(i)
	} else {
		end, ok = w.entries(i, entry)
	}
	if ok {
		c.Content = w.b[i:end:end]
	}
	return end, ok
}

// contentEntry reads one entry of content. It is a diff when its type says so,
// or when it has no type but what only a diff has: a peer may guess.
func (w *walker) contentEntry(i int, c *ToolCall) (end int, ok bool) {
	var (
		kind, path     String
		texts, changes bool
		before         = len(c.Diffs)
	)
	end, ok = w.object(i, contentNames, func(name string, i int) (int, bool) {
		switch name {
		case "type":
			return w.str(i, &kind)
		case "path":
			return w.str(i, &path)
		case "oldText", "newText":
			texts = true
		case "changes":
			changes = true
			c.Diffs = c.Diffs[:before]
			return w.changes(i, c)
		}
		return w.skip(i)
	}, func(k key, i int) (int, bool) {
		if string(k.text()) == "content" {
			return w.block(i, c)
		}
		return w.skip(i)
	})
	switch guess := !kind.OK && (changes || path.Raw != nil && texts); {
	case kind.Value != "diff" && !guess:
		c.Diffs = c.Diffs[:before]
	case path.Raw != nil || !changes:
		w.diff(c, Diff{Path: path})
	}
	return end, ok
}

// block reads the URIs in a content block. It is what a tool shows, not what it
// asks for, so it is read as forgivingly as editors do, be the rest of the
// request read strictly.
func (w *walker) block(i int, c *ToolCall) (end int, ok bool) {
	strict := w.strict
	w.strict = false
	defer func() { w.strict = strict }()
	uri := func(i int) (int, bool) {
		var s String
		end, ok := w.shown(i, &s)
		if s.OK && len(c.URIs) < maxEntries {
			c.URIs = append(c.URIs, s.Value)
		}
		return end, ok
	}
	return w.members(i, blockNames, func(name string, i int) (int, bool) {
		if name == "uri" {
			return uri(i)
		}
		return w.members(i, blockNames[:1], func(_ string, i int) (int, bool) { return uri(i) })
	})
}

// changes reads the changes of a v2 diff.
func (w *walker) changes(i int, c *ToolCall) (end int, ok bool) {
	return w.entries(i, func(i int) (int, bool) {
		d, end, ok := w.change(i)
		if ok {
			w.diff(c, d)
		}
		return end, ok
	})
}

func (w *walker) change(i int) (d Diff, end int, ok bool) {
	if w.at(i) != '{' {
		end, ok = w.raw(i, &d.Path.Raw)
		return d, end, ok
	}
	end, ok = w.members(i, changeNames, func(name string, i int) (int, bool) {
		switch name {
		case "path":
			return w.str(i, &d.Path)
		case "oldPath":
			return w.str(i, &d.OldPath)
		}
		return w.word(i, &d.Operation)
	})
	return d, end, ok
}

// diff adds d to the call's, of which there are at most maxEntries.
func (w *walker) diff(c *ToolCall, d Diff) {
	if len(c.Diffs) == maxEntries {
		w.notice(TooMany)
		return
	}
	c.Diffs = append(c.Diffs, d)
}
