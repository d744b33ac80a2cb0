package card

import (
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/pane"
)

// confirm is an option that was chosen and needs a word. It belongs to what was
// on the screen when it was chosen.
type confirm struct {
	number  int
	version int
	word    string
	typed   string
	means   meaning
	lasting bool // an answer that lasts
	partial bool // of something that only the beginning of is here
	skipped int  // rows that were never on the screen
}

const mostTyped = 12 // letters

// confirmation is what an option needs; nil: nothing.
func (c *Card) confirmation(ch choice) *confirm {
	f := &confirm{number: ch.Number, version: c.version, means: ch.means, word: "unread"}
	f.lasting = ch.means == unclear || ch.means.lasts() && c.options.ConfirmAlways
	if !ch.means.rejects() {
		f.partial = c.content.clipped
		f.skipped = c.skipped()
	}
	if f.lasting {
		f.word = "always"
	}
	if !f.lasting && !f.partial && f.skipped == 0 {
		return nil
	}
	return f
}

// confirmKey takes a key while an option waits for its word.
func (c *Card) confirmKey(k keys.Key, now time.Time) (wishes []pane.Wish, used bool) {
	f := c.confirm
	switch {
	case k == "Esc":
		c.disarm("you went back")
		c.say("nothing was answered")
	case k == "Backspace":
		f.typed = f.typed[:max(len(f.typed)-1, 0)]
	case k == "Enter":
		return c.confirmed(now), true
	case isLetter(k):
		if len(f.typed) < mostTyped {
			f.typed += string(k)
		}
	case isDigit(k):
		c.say("type " + f.word + ", then Enter; Esc goes back")
	default:
		return nil, false
	}
	return nil, true
}

// confirmed answers when the word is right.
func (c *Card) confirmed(now time.Time) []pane.Wish {
	f := c.confirm
	ch, ok := numbered(c.choices, f.number)
	switch {
	case !ok || f.version != c.version || c.shown.confirm != f.number:
		c.confirm = nil
		c.say("this changed: nothing was sent")
	case f.typed != f.word:
		f.typed = ""
		c.say("the word is " + f.word + "; Esc goes back")
	default:
		if why := c.objection(ch, now); why != "" {
			c.confirm = nil
			c.say(why)
			return nil
		}
		return c.send(ch, ch.Number, now)
	}
	return nil
}

func isLetter(k keys.Key) bool {
	return len(k) == 1 && (k[0] >= 'a' && k[0] <= 'z' || k[0] >= 'A' && k[0] <= 'Z')
}

func isDigit(k keys.Key) bool { return len(k) == 1 && k[0] >= '0' && k[0] <= '9' }
