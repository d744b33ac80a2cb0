package broker

import (
	"strconv"
	"time"

	"bobproxy/acp"
)

const (
	// MaxOwed is how many replies the editor may owe to permission requests,
	// open ones included.
	MaxOwed = 1024
	// MaxRemembered is how many settled requests, and how many answered ids, are
	// remembered.
	MaxRemembered = 1024

	maxHeld = 64 << 20 // bytes in all entries
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
type Broker struct {
	options Options
	number  uint64 // of the latest request
	gone    bool   // an end of the conversation has left

	lines map[string]*line // what the editor owes, by the key of the id
	live  []*entry         // what the agent waits for, oldest first
	owed  int              // entries in lines
	held  int              // their bytes

	settled  memory[ending] // by request number
	answered memory[string] // by the key of the id: the request that was answered last
}

// New makes a broker.
func New(o Options) *Broker { return &Broker{options: o, lines: map[string]*line{}} }

// name gives the next request its number.
func (b *Broker) name() string {
	b.number++
	return b.options.Instance + ":" + strconv.FormatUint(b.number, 10)
}

// Pending are the open requests that others than the editor may see, oldest
// first. The caller changes nothing in their slices.
func (b *Broker) Pending() []Entry {
	var pending []Entry
	for _, e := range b.live {
		if e.stage == open {
			pending = append(pending, e.public())
		}
	}
	return pending
}

// Waiting is the request of that name, if it is among those.
func (b *Broker) Waiting(request string) (Entry, bool) {
	if e := b.find(request); e != nil && e.stage == open {
		return e.public(), true
	}
	return Entry{}, false
}

// Owns says whether a reply with this id is the broker's to judge: a permission
// of that id is open, a reply to a settled one is owed, or one was answered
// lately. A line that names a method is no reply, whatever else is in it.
func (b *Broker) Owns(id []byte) bool {
	if len(b.lines) == 0 && b.answered.empty() {
		return false
	}
	var room [64]byte // for most keys
	key, ordinary := acp.IDKey(room[:0], id)
	return ordinary && (b.lines[string(key)] != nil || b.answered.has(string(key)))
}
