package acp

// String is a member whose value should be a string.
type String struct {
	Value string // escapes resolved, U+FFFD for what is no character; empty unless OK
	Raw   []byte // the token as it stands, quotes included; nil when the member is absent
	OK    bool   // the member is there and is a string that can be used
	Odd   bool   // the member is there and is a string, but not OK: it is one that is acted on, such as a path or an id, and it is garbled, so that peers read different ones
}

// Missing says that the member is absent or null, which most peers take for
// the same.
func (t String) Missing() bool { return absent(t.Raw) }

func absent(value []byte) bool { return value == nil || string(value) == "null" }

// stringOf is the String whose token is raw.
func stringOf(raw []byte) String {
	if raw[0] != '"' {
		return String{Raw: raw}
	}
	return String{Value: string(resolve(raw[1 : len(raw)-1])), Raw: raw, OK: true}
}

// legible puts U+FFFD in the place of each byte that belongs to no character.
func legible(s string) string { return string([]rune(s)) }

// The readers take the raw params, or result, of a frame, which may be nil, and
// never fail: what cannot be read is absent. Each makes one pass over the value
// and copies only the strings that it gives; the slices lie in the frame.
//
// A reader that gives a Reason is strict: it names what peers could read
// differently, the first that it finds. That is a member it reads that is there
// twice (DuplicateMember), or whose name is there in other letter case
// (FoldedMember), at every level it reads; a garbled name there, or a garbled
// string that is acted on (InvalidUTF8, LoneSurrogate); more entries in one array
// than it takes (TooMany); and what Scan would have refused (BrokenJSON). The
// levels and their members are the lists of names in these files; everything
// else, such as the insides of rawInput, rawOutput, _meta and text, is opaque.
// What is only shown, such as a title, may be garbled. Names written with
// escapes are simply resolved: no peer reads those differently.
//
// The others are lenient, as editors are: exact names only, and the last of
// duplicate members counts.

// maxEntries is how many entries of one array are read. Entries of a byte or
// two must not cost a hundred times their size in memory.
const maxEntries = 1 << 16
