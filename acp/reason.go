package acp

// Reason names what makes a line ambiguous or a frame odd; zero means nothing.
type Reason uint8

// These make a line Ambiguous. The readers of single methods give some of them
// too, for what is below the envelope.
const (
	BytesBefore      Reason = iota + 1 // BOM, banner, blanks that are not JSON's
	BytesAfter                         // a second object, garbage, NUL
	LineBreak                          // a CR that does not belong to the line's end; some readers split there
	OtherEncoding                      // UTF-16 or UTF-32
	ControlCharacter                   // raw, inside a string
	BrokenJSON                         // anything else RFC 8259 does not allow
	TooDeep                            // more than 128 brackets open at once
	Batch                              // an array that holds an object
	DuplicateMember                    // a member that is read is named twice
	FoldedMember                       // a name that equals such a member's but for its case
	EscapedMember                      // an envelope member whose name is written with escapes
	MethodNotString                    // null too
	MethodCharacters                   // control or non-ASCII characters in the method
	NoPurpose                          // neither method nor result nor error
)

// These are of a string in which something is no character: peers refuse it,
// drop it, or put this or that in its place. On the envelope they make a line
// Ambiguous. Below it a frame is merely odd, since most such strings are only
// shown; of those that are acted on, and of names of members, the readers tell.
const (
	InvalidUTF8   Reason = iota + 48 // overlong forms and encoded surrogates too
	LoneSurrogate                    // an escaped half of a surrogate pair
)

// Garbled says that r is about what is no character, and about nothing else.
func (r Reason) Garbled() bool { return r == InvalidUTF8 || r == LoneSurrogate }

// These are odd: peers treat such a frame differently, but agree on what it
// is. Its Kind stays.
const (
	OddID    Reason = iota + 64 // neither a string nor an int64 in plain digits
	NoID                        // a response that says to nobody what it answers
	Conflict                    // a result or error beside a method, or both without one; two parts of a permission that disagree
)

// This is found below the envelope only, by the readers.
const (
	TooMany Reason = iota + 128 // more entries in one array than are read
)

// String gives the words used in recordings; zero gives none.
func (r Reason) String() string {
	switch r {
	case BytesBefore:
		return "bytes before the object"
	case BytesAfter:
		return "bytes after the object"
	case LineBreak:
		return "line break inside the line"
	case OtherEncoding:
		return "not UTF-8 but another encoding"
	case InvalidUTF8:
		return "invalid UTF-8"
	case LoneSurrogate:
		return "lone surrogate"
	case ControlCharacter:
		return "control character in a string"
	case BrokenJSON:
		return "broken JSON"
	case TooDeep:
		return "too deep"
	case Batch:
		return "batch"
	case DuplicateMember:
		return "duplicate member"
	case FoldedMember:
		return "member name in other letter case"
	case EscapedMember:
		return "escaped member name"
	case MethodNotString:
		return "method is not a string"
	case MethodCharacters:
		return "odd characters in the method"
	case NoPurpose:
		return "no method, result or error"
	case OddID:
		return "odd id"
	case NoID:
		return "no id"
	case Conflict:
		return "conflicting members"
	case TooMany:
		return "too many entries"
	}
	return ""
}
