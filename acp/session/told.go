package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"

	"bobproxy/acp"
)

// Call is a tool call as all frames so far tell it, later ones winning.
type Call struct {
	Session, ID         string // at most 1 KiB of them
	Title, Kind, Status string
	Locations           []string // paths
	Diffs               []Change
	Files               []string // file: URIs, and absolute paths in the place of some, of the blocks in content
	More                bool     // there were more locations or diffs than are kept, or some that peers read differently, so they cannot be judged
	MoreFiles           bool     // the same of Files
	RawInput            []byte   // at most MaxRawInput of it
	RawInputSize        int      // its true size
	Content             []byte   // at most MaxRawInput of it, a JSON array
	ContentSize         int      // its true size
	Digest              [16]byte // over everything above, and all of content, as the agent wrote it, whole
}

// Change is a file that a diff changes.
type Change struct{ Path, OldPath, Operation string }

// sum is the digest of one member's value as it was written; zero when there
// was none.
type sum [sha256.Size]byte

// told is what the frames so far say of a tool call. Its slices are replaced,
// never written to, so that copies share them.
type told struct {
	title, kind, status string
	locations           []string
	diffs               []Change
	files               []string
	moreLocations       bool
	moreDiffs           bool
	moreFiles           bool
	rawInput            []byte
	rawSize             int
	content             []byte
	contentSize         int

	sums [6]sum
}

// The members that sums are of.
const (
	ofTitle = iota
	ofKind
	ofStatus
	ofLocations
	ofContent
	ofRawInput
)

// update merges an update that is no tool_call.
func (t *told) update(kind string, said *acp.ToolCall, v2 bool) {
	if kind == "tool_call_content_chunk" {
		t.chunk(said)
		return
	}
	t.merge(said, v2)
}

// merge takes what is said and keeps the rest. A null keeps in version 1 and
// takes back in version 2
// (agentclientprotocol.com/protocol/tool-calls#updating).
func (t *told) merge(said *acp.ToolCall, v2 bool) {
	t.word(ofTitle, &t.title, said.Title, maxTitle, v2)
	t.word(ofKind, &t.kind, said.Kind, maxWord, v2)
	t.word(ofStatus, &t.status, said.Status, maxWord, v2)
	if said.HasLocations {
		t.locate(said.Locations)
	}
	switch {
	case said.HasContent:
		t.diffs, t.moreDiffs = changes(nil, said.Diffs)
		t.files, t.moreFiles = files(nil, said.URIs)
		t.show(said.Content)
	case v2 && isNull(said.Content):
		t.diffs, t.moreDiffs, t.sums[ofContent] = nil, false, sum{}
		t.files, t.moreFiles = nil, false
		t.content, t.contentSize = nil, 0
	}
	switch {
	case given(said.RawInput):
		t.input(said.RawInput)
	case v2 && isNull(said.RawInput):
		t.rawInput, t.rawSize, t.sums[ofRawInput] = nil, 0, sum{}
	}
}

// given says whether a raw value is there and not null.
func given(raw []byte) bool { return raw != nil && !isNull(raw) }

func (t *told) word(of int, to *string, said acp.String, limit int, v2 bool) {
	switch {
	case said.OK:
		*to, t.sums[of] = clip(said.Value, limit), digest('w', said.Raw)
	case v2 && isNull(said.Raw):
		*to, t.sums[of] = "", sum{}
	}
}

func (t *told) locate(said []acp.String) {
	h := sha256.New()
	h.Write([]byte{'l'})
	t.locations, t.moreLocations = nil, false
	size := 0
	for _, path := range said {
		part(h, path.Raw)
		if !path.OK {
			t.moreLocations = t.moreLocations || path.Odd
			continue
		}
		if size += len(path.Value); len(t.locations) >= maxShown || size > maxShow {
			t.moreLocations = true
			continue
		}
		t.locations = append(t.locations, path.Value)
	}
	h.Sum(t.sums[ofLocations][:0])
}

// changes adds what diffs change to those there are, and says whether it was
// too much.
func changes(all []Change, diffs []acp.Diff) (_ []Change, more bool) {
	size := 0
	for _, c := range all {
		size += c.size()
	}
	all = slices.Clip(all)
	for _, d := range diffs {
		if d.Path.Odd || d.OldPath.Odd {
			return all, true
		}
		c := Change{d.Path.Value, d.OldPath.Value, clip(d.Operation, maxWord)}
		if size += c.size(); len(all) >= maxShown || size > maxShow {
			return all, true
		}
		all = append(all, c)
	}
	return all, false
}

func (c Change) size() int { return len(c.Path) + len(c.OldPath) + len(c.Operation) }

// files adds those of uris that name files to those there are, and says whether
// it was too much.
func files(all, uris []string) (_ []string, more bool) {
	size := 0
	for _, uri := range all {
		size += len(uri)
	}
	all = slices.Clip(all)
	for _, uri := range uris {
		if _, ok := acp.FilePath(uri); !ok {
			continue
		}
		if size += len(uri); len(all) >= maxShown || size > maxShow {
			return all, true
		}
		all = append(all, uri)
	}
	return all, false
}

// chunk appends to the content (v2).
func (t *told) chunk(said *acp.ToolCall) {
	if !given(said.Content) {
		return
	}
	var more bool
	t.diffs, more = changes(t.diffs, said.Diffs)
	t.moreDiffs = t.moreDiffs || more
	t.files, more = files(t.files, said.URIs)
	t.moreFiles = t.moreFiles || more
	before := t.sums[ofContent]
	t.sums[ofContent] = digest('+', before[:], said.Content)
	t.showMore(said.Content)
}

// show takes content as it was written.
func (t *told) show(raw []byte) {
	s := digest('c', raw)
	if s == t.sums[ofContent] {
		return
	}
	t.content = slices.Clone(raw[:min(len(raw), MaxRawInput)])
	t.contentSize, t.sums[ofContent] = len(raw), s
}

// showMore adds an entry to the content. Of what is cut nothing more is kept.
func (t *told) showMore(entry []byte) {
	body, whole := bytes.CutSuffix(t.content, []byte("]"))
	switch {
	case len(t.content) < t.contentSize, t.contentSize > 0 && !whole:
		t.contentSize += len(entry)
		return
	case t.contentSize == 0:
		body = []byte("[")
	case len(bytes.TrimSpace(body)) > 1:
		body = append(slices.Clip(body), ',')
	}
	all := append(append(slices.Clip(body), entry...), ']')
	t.content, t.contentSize = all[:min(len(all), MaxRawInput)], len(all)
}

func (t *told) input(raw []byte) {
	s := digest('i', raw)
	if s == t.sums[ofRawInput] {
		return
	}
	t.rawInput = slices.Clone(raw[:min(len(raw), MaxRawInput)])
	t.rawSize, t.sums[ofRawInput] = len(raw), s
}

// over says that the call has ended.
func (t *told) over() bool {
	return t.status == "completed" || t.status == "failed" || t.status == "cancelled"
}

func (t *told) size() int {
	n := len(t.title) + len(t.kind) + len(t.status) + len(t.rawInput) + len(t.content)
	for _, path := range t.locations {
		n += 16 + len(path)
	}
	for _, c := range t.diffs {
		n += 48 + c.size()
	}
	for _, uri := range t.files {
		n += 16 + len(uri)
	}
	return n
}

func (t *told) call() Call {
	return Call{
		Title: t.title, Kind: t.kind, Status: t.status,
		Locations: t.locations, Diffs: t.diffs, More: t.moreLocations || t.moreDiffs,
		Files: t.files, MoreFiles: t.moreFiles,
		RawInput: t.rawInput, RawInputSize: t.rawSize,
		Content: t.content, ContentSize: t.contentSize,
	}
}

// digest is of the call whose key is key.
func (t *told) digest(key string) (d [16]byte) {
	h := sha256.New()
	part(h, []byte(key))
	for i := range t.sums {
		part(h, t.sums[i][:])
	}
	copy(d[:], h.Sum(nil))
	return d
}

// digest is over parts, each with its length, of a value of some kind.
func digest(kind byte, parts ...[]byte) (s sum) {
	h := sha256.New()
	h.Write([]byte{kind})
	for _, p := range parts {
		part(h, p)
	}
	h.Sum(s[:0])
	return s
}

func part(h hash.Hash, p []byte) {
	var size [8]byte
	binary.BigEndian.PutUint64(size[:], uint64(len(p)))
	h.Write(size[:])
	h.Write(p)
}
