package broker

import (
	"time"

	"bobproxy/proxy/journal"
)

// Options say how a broker decides.
type Options struct {
	Instance string
	Timeout  time.Duration // of a permission; zero: never
	Withdraw bool          // settled dialogs are withdrawn from the editor
}

// Broker is the state of all permission requests of one proxy. It does no I/O,
// starts no goroutine and has no clock: every method is told the time. It is
// not safe for use from several goroutines at once; whoever holds the lock
// under which a method is called carries out its effects in their order.
type Broker struct{}

// New makes a broker.
func New(o Options) *Broker { return &Broker{} }

// Open takes a permission request from the agent. forward says whether it goes
// on to the editor; when it does not, it has been answered already.
func (b *Broker) Open(now time.Time, ask Ask) (forward bool, do []Effect) { return true, nil }

// Reply is the editor's answer to a permission request.
type Reply struct {
	ID         []byte // raw token
	Option     string // of the outcome selected
	Outcome    string // the outcome's word; empty when there is none
	Unreadable bool   // peers could read different things from it
	Code       int64  // of an error
	Failed     bool   // it is an error
}

// Owns says whether a reply with this id is the broker's to judge: a permission
// of that id is open or a reply to a settled one is owed.
func (b *Broker) Owns(id []byte) bool { return false }

// Reply takes the editor's reply to a request that b owns. forward says whether
// it passes on to the agent; otherwise it is swallowed.
func (b *Broker) Reply(now time.Time, r Reply) (forward bool, reason string, do []Effect) {
	return true, "", nil
}

// Withdrawn takes $/cancel_request from the agent. forward says whether it goes
// on to the editor.
func (b *Broker) Withdrawn(now time.Time, id []byte) (forward bool, do []Effect) { return true, nil }

// CancelSession takes session/cancel, close or delete from the editor: what is
// open in that session is being cancelled from now on.
func (b *Broker) CancelSession(now time.Time, session string) []Effect { return nil }

// SettleSession answers what is open in session with cancelled at once and
// withdraws it: its turn ran out of time.
func (b *Broker) SettleSession(now time.Time, session string) []Effect { return nil }

// Result is what became of a decision.
type Result string

const (
	Applied Result = "applied"
	TooLate Result = "too late" // somebody else answered first
	Expired Result = "expired"  // timed out, withdrawn, cancelled or gone
	Unknown Result = "unknown"  // there was no such request
	Refused Result = "refused"  // not with this option, not by this caller, not for this digest
)

// Decision is an answer from a panel or a command.
type Decision struct {
	Request  string
	Digest   string // empty: whatever it is
	Option   string // the optionId
	Number   int    // position from 1; zero: by Option alone
	Deny     bool   // no option: what a refusal is to this request
	By       By
	Standing bool // the caller knows that allow_always lasts
	DenyOnly bool // the caller may only reject
	Peer     *journal.Peer
}

// Ruling answers a decision.
type Ruling struct {
	Result Result
	By     By     // who settled it, when not this decision
	Option string // what it was settled with
	Kind   string // that option's kind
	Text   string // a sentence for the caller, with what to do
}

// Decide takes a decision.
func (b *Broker) Decide(now time.Time, d Decision) (Ruling, []Effect) { return Ruling{}, nil }

// Expire answers what has run out of time at now.
func (b *Broker) Expire(now time.Time) []Effect { return nil }

// Next is when Expire has something to do; zero: not as things are.
func (b *Broker) Next() time.Time { return time.Time{} }

// Gone closes everything: the agent or the editor has left.
func (b *Broker) Gone(now time.Time) []Effect { return nil }

// Pending are the open requests that others than the editor may see, oldest
// first.
func (b *Broker) Pending() []Entry { return nil }
