package card

import (
	"time"

	"bobproxy/inspector/keys"
)

// Options say how careful a card is. Its zero value waits as long as usual, but
// neither wants everything read nor anything confirmed: [Careful] does.
type Options struct {
	Arm           time.Duration // quiet time before keys that allow work; 0: 700 ms, never less than 250 ms
	ReadAll       bool          // keys that allow work only when everything has been on the screen
	ConfirmAlways bool          // an answer that lasts is confirmed with a word
	HideAlways    bool          // an answer that lasts cannot be given here
	Watch         bool          // nothing can be answered here
	Disk          bool          // somebody asks what [Card.Compare] wants to know
	Reject        keys.Key      // the key that rejects once; empty: x
	Look          keys.Key      // the key that goes to the card; empty: p
}

// Careful is how a card is unless somebody decides otherwise.
func Careful() Options { return Options{ReadAll: true, ConfirmAlways: true} }

const (
	usualArm = 700 * time.Millisecond
	leastArm = 250 * time.Millisecond
)

func (o Options) orDefault() Options {
	if o.Arm == 0 {
		o.Arm = usualArm
	}
	o.Arm = max(o.Arm, leastArm)
	if o.Reject == "" {
		o.Reject = "x"
	}
	if o.Look == "" {
		o.Look = "p"
	}
	return o
}
