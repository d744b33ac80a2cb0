package bounds

// Verdict is the judgement on one path.
type Verdict struct {
	Code   Code
	Root   string // the root, as given, that it lies in; empty when outside
	Target string // where path leads, links followed, when that is another path; for people, not for the agent
	Later  string // of a Write that is inside: who acts on the file later, outside the workspace ("git runs it"); else empty
}

// Inside says that the path may be used.
func (v Verdict) Inside() bool { return v.Code == Inside }

// Code is a verdict's reason. Its String is a word for recordings; its Text a
// sentence's end for people and models ("is outside of the workspace or leads out
// of it"). Neither tells what there is outside of the roots: whatever goes wrong
// out there is an Escape.
type Code uint8

const (
	Inside        Code = iota + 1
	Escape             // it lies, or leads, outside
	Empty              // it is the empty string
	NUL                // it has a NUL in it
	NotUTF8            // it is not UTF-8
	TooLong            // it, or a name in it, or what its links make of it, is longer than systems allow
	Relative           // it is not absolute; ~ and file: are not special
	Foreign            // it is a path of another kind of system, or ambiguous on this one
	MagicLink          // it leads through /proc or /dev/fd, which are others for each process
	Device             // it is a device, or something of the kernel that looks like a file
	Loop               // more than 40 links, or a circle
	MissingDotDot      // it goes up from a directory that is not there
	NotADirectory      // it goes on below what is no directory
	Unreadable         // permissions or an I/O error keep it from being judged
	ReadOnly           // it is wanted for writing and lies where only Read is allowed
	RootChanged        // the root it lies in is no longer the directory that was pinned
	NoRoots            // there is nothing it could lie in
)

var codes = [...]struct{ word, text string }{
	0:             {"unjudged", "was not judged"},
	Inside:        {"inside", "is in the workspace"},
	Escape:        {"escape", "is outside of the workspace or leads out of it"},
	Empty:         {"empty", "is empty"},
	NUL:           {"nul", "has a NUL character in it"},
	NotUTF8:       {"not_utf8", "is not valid UTF-8"},
	TooLong:       {"too_long", "is too long, or a name in it is"},
	Relative:      {"relative", "is not an absolute path"},
	Foreign:       {"foreign", "is not a plain path of the system that the proxy runs on"},
	MagicLink:     {"magiclink", "leads through /proc or /dev/fd, which are different for each process"},
	Device:        {"device", "is a device or a control file of the kernel"},
	Loop:          {"loop", "goes through too many links, or through links in a circle"},
	MissingDotDot: {"missing_dotdot", `goes up with ".." from a directory that does not exist`},
	NotADirectory: {"not_a_directory", "goes on below something that is not a directory"},
	Unreadable:    {"unreadable", "cannot be judged because the file system does not let it be looked at"},
	ReadOnly:      {"read_only", "is in a directory that may only be read"},
	RootChanged:   {"root_changed", "is in a workspace directory that was moved, removed or replaced since the session began"},
	NoRoots:       {"no_roots", "cannot be judged because no workspace directory is known"},
}

func (c Code) String() string { return codes[c.known()].word }

// Text goes on after the path, without a full stop.
func (c Code) Text() string { return codes[c.known()].text }

func (c Code) known() Code {
	if int(c) < len(codes) {
		return c
	}
	return 0
}
