package session

// Grant is what the client gave to one session.
type Grant struct {
	Cwd  string   // as the client wrote it; may be relative or empty
	Dirs []string // cwd, then additionalDirectories; those that are strings and not empty
	Pin  any      // what the caller of Fold.Setup keeps with it
}

// Grants are those that a path of session must lie in, in all of them at once:
// the session's own, and what a load or resume that is under way would give it.
// Of a session that nobody knows, they are those of the session/new and
// session/fork requests under way, since it may be any of these. There are none
// when nothing was given.
func (f *Fold) Grants(session string) (grants []Grant, known bool) { return nil, false }

// AllGrants are those of every session, open or under way: the strictest
// bounds, for a session that nobody has heard of.
func (f *Fold) AllGrants() []Grant { return nil }

// Call is a tool call as all frames so far tell it, later ones winning.
type Call struct {
	Session, ID         string
	Title, Kind, Status string
	Locations           []string // paths
	Diffs               []Change
	RawInput            []byte   // at most 64 KiB of it
	RawInputSize        int      // its true size
	Digest              [16]byte // over everything above as the agent wrote it, whole
}

// Change is a file that a diff changes.
type Change struct{ Path, OldPath, Operation string }

// Call gives the tool call that is remembered under id in session.
func (f *Fold) Call(session, id string) (Call, bool) { return Call{}, false }

// Session is what is known of one session.
type Session struct {
	ID    string
	Title string
	Grant Grant
	Mode  string
	Turn  bool // a prompt is being answered
}

// Sessions are those that are open, oldest first.
func (f *Fold) Sessions() []Session { return nil }

// Peer is how one side named itself in initialize.
type Peer struct{ Name, Title, Version string }

// Peers are the client and the agent.
func (f *Fold) Peers() (client, agent Peer) { return }

// Version is the negotiated protocol version; 0 before it is known.
func (f *Fold) Version() int { return 0 }
