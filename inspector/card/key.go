package card

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/pane"
)

// Key takes every key while the card has the focus. What it does not use is
// looked up in the key table and comes to [Card.Do].
func (c *Card) Key(k keys.Key, now time.Time, ctx pane.Context) (wishes []pane.Wish, used bool) {
	c.sync(now)
	c.press(k, now)
	c.arming.key(now)
	c.note = ""
	switch s := c.stage(now); {
	case s == none:
		return nil, false
	case s == open && c.confirm != nil && k != c.options.Reject:
		return c.confirmKey(k, now)
	case s == open:
		return c.openKey(k, now)
	case s == lost && k == "Enter":
		return c.acknowledge(now, ctx), true
	case !c.answers(k):
		return nil, false
	case s == sending || s == silent:
		c.say("an answer is on its way already")
	case s != lost:
		c.say("this is over: nothing can be answered here")
	default:
		c.say("Enter closes this notice")
	}
	return nil, true
}

// answers says that a key would answer, or is pressed by people who mean to.
func (c *Card) answers(k keys.Key) bool {
	return isDigit(k) || k == c.options.Reject || isInert(k)
}

// isInert says that people press k elsewhere to say yes or no.
func isInert(k keys.Key) bool {
	return k == "Enter" || len(k) == 1 && strings.Contains("ynaAr", string(k))
}

// openKey takes a key while the request waits for an answer.
func (c *Card) openKey(k keys.Key, now time.Time) (wishes []pane.Wish, used bool) {
	switch {
	case k == c.options.Reject:
		return c.reject(now), true
	case isDigit(k):
		return c.choose(int(k[0]-'0'), now), true
	case k == "Enter" && c.selected > 0 && c.selected != c.shown.selected:
		c.say("not yet: the selection was not on the screen")
		return nil, true
	case k == "Enter" && c.selected > 0:
		return c.choose(c.selected, now), true
	case k == "Down" && len(c.choices) > 0:
		c.selectBy(1)
		return nil, true
	case k == "Up" && len(c.choices) > 0:
		c.selectBy(-1)
		return nil, true
	case isInert(k):
		c.say(c.usage())
		return nil, true
	}
	return nil, false
}

func (c *Card) say(text string) { c.note, c.noted = text, c.now }

// noteStays is how long a note about a key stays: what it says may not be so any
// more.
const noteStays = 5 * time.Second

// saying is the note that is still worth reading.
func (c *Card) saying(now time.Time) string {
	if now.Sub(c.noted) >= noteStays || c.note == notYet && c.arming.over(now) {
		return ""
	}
	return c.note
}

// notYet is the note about a key that allows, and came too soon.
const notYet = "not yet: keys that allow open when you stop typing"

// usage says which keys answer.
func (c *Card) usage() string {
	var words []string
	switch free := c.free(); len(free) {
	case 0:
	case 1:
		words = append(words, spans(free)+" answers")
	default:
		words = append(words, spans(free)+" answer")
	}
	if _, ok := refusal(c.choices); ok || len(c.choices) == 0 {
		words = append(words, string(c.options.Reject)+" rejects")
	}
	return strings.Join(words, ", ")
}

// free are the digits whose options are not locked, as the screen says.
func (c *Card) free() (numbers []int) {
	for _, ch := range c.choices[:min(len(c.choices), 9)] {
		if c.lockOf(ch) == "" {
			numbers = append(numbers, ch.Number)
		}
	}
	return numbers
}

// lockOf is why an option is locked, as it was painted last.
func (c *Card) lockOf(ch choice) string {
	for _, s := range []sight{c.painted, c.shown} {
		if lock, ok := s.options[ch.Number]; ok && s.version == c.version {
			return lock
		}
	}
	return c.locked(ch, window{sheet: c.sheet, flat: c.flat})
}

// spans is numbers that rise in few letters: 1-3 5.
func spans(numbers []int) string {
	var words []string
	for i := 0; i < len(numbers); {
		n := 1
		for i+n < len(numbers) && numbers[i+n] == numbers[i]+n {
			n++
		}
		word := fmt.Sprint(numbers[i])
		if n > 1 {
			word += fmt.Sprintf("-%d", numbers[i]+n-1)
		}
		words, i = append(words, word), i+n
	}
	return strings.Join(words, " ")
}

// press remembers a key and what was on the screen when it was pressed first: a
// key that is held down belongs to that.
func (c *Card) press(k keys.Key, now time.Time) {
	again := k == c.held.key && now.Sub(c.held.last) < repeatTime
	if !again {
		c.held = hold{key: k, version: c.version, since: now}
	}
	c.held.last = now
}

// repeatTime is the longest time between the repeats of a key that is held.
const repeatTime = 600 * time.Millisecond

// hold is a key that is held down, as far as that can be told.
type hold struct {
	key         keys.Key
	version     int
	since, last time.Time
}

// selectBy moves the selection, which begins outside of the list.
func (c *Card) selectBy(by int) {
	n := len(c.choices)
	switch {
	case c.selected == 0 && by > 0:
		c.selected = 1
	case c.selected == 0:
		c.selected = n
	default:
		c.selected = min(max(c.selected+by, 1), n)
	}
	c.follow = true
}

// choose answers with an option, opens the step before that, or says why not.
func (c *Card) choose(number int, now time.Time) []pane.Wish {
	ch, ok := numbered(c.choices, number)
	if !ok {
		c.say(fmt.Sprintf("there is no option %d: %s", number, c.usage()))
		return nil
	}
	if why := c.objection(ch, now); why != "" {
		c.say(why)
		return nil
	}
	if f := c.confirmation(ch); f != nil {
		c.dossier.disk.due = time.Time{}
		c.confirm, c.selected = f, 0
		return nil
	}
	return c.send(ch, ch.Number, now)
}

// objection says why an option is not taken now; empty when it is.
func (c *Card) objection(ch choice, now time.Time) string {
	if why := c.notThis(); why != "" {
		return why
	}
	if why := c.locked(ch, window{sheet: c.sheet, flat: c.flat}); why != "" {
		return fmt.Sprintf("%d: %s", ch.Number, why)
	}
	lock, inView := c.shown.options[ch.Number]
	switch {
	case !inView && !ch.means.rejects():
		return fmt.Sprintf("option %d is not on the screen: select it with the arrows", ch.Number)
	case lock != "":
		return fmt.Sprintf("%d: %s", ch.Number, lock)
	}
	if ch.means.rejects() {
		if c.held.version != c.version {
			return "that key was held down: press it again"
		}
		return ""
	}
	if !c.arming.open {
		return notYet
	}
	return ""
}

// notThis says why no answer can be meant for what is shown: it is not what is
// on the screen.
func (c *Card) notThis() string {
	if c.shown.version == c.version && c.shown.stage == open {
		return ""
	}
	c.disarm("this changed")
	return "this changed after it was drawn: nothing was sent"
}

// reject answers with the option that rejects once. Where there is none, the
// key has to be pressed twice: the agent is told cancelled then.
func (c *Card) reject(now time.Time) []pane.Wish {
	c.confirm = nil
	why := c.notThis()
	if why == "" {
		why = c.barred()
	}
	if why == "" && c.held.version != c.version {
		why = "that key was held down: press it again"
	}
	if why != "" {
		c.say(why)
		return nil
	}
	if ch, ok := refusal(c.choices); ok {
		return c.send(ch, 0, now)
	}
	if c.offered != c.version || c.held.since != now {
		c.offered = c.version
		c.say(fmt.Sprintf("no option rejects once: %s again answers that it is cancelled", c.options.Reject))
		return nil
	}
	return c.send(choice{means: rejectsOnce}, 0, now)
}

// send answers. What is wished for is number, which is 0 for the key that
// rejects; what is remembered is the option that this stands for.
func (c *Card) send(ch choice, number int, now time.Time) []pane.Wish {
	c.confirm, c.selected, c.offered = nil, 0, 0
	c.dossier.doubt = nil
	c.dossier.sent = &sent{number: ch.Number, option: ch.ID, name: ch.Name, deny: number == 0, means: ch.means, at: now}
	return []pane.Wish{pane.Answer{Permission: c.p, Number: number, Digest: c.digest, Standing: number > 0 && ch.means.lasts()}}
}

// acknowledge closes the notice that an answer did not count. It is not closed
// by a key that was meant for something else.
func (c *Card) acknowledge(now time.Time, ctx pane.Context) []pane.Wish {
	if c.shown.stage != lost || c.shown.version != c.version || !c.arming.open {
		c.say("Enter closes this notice, when you have stopped typing")
		return nil
	}
	return c.onward(ctx)
}

// onward wishes for the next card, or that there is none.
func (c *Card) onward(ctx pane.Context) []pane.Wish {
	if p := c.next(ctx.Model); p != nil {
		return []pane.Wish{pane.Look{Permission: p}}
	}
	return []pane.Wish{pane.Close{}}
}
