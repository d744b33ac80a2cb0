package bob

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// defaultFlood is how many permissions flood asks for.
const defaultFlood = 100

func (o Options) flood() int {
	if o.Flood <= 0 {
		return defaultFlood
	}
	return o.Flood
}

// flood asks for many permissions at once and counts the answers by what they
// say.
func (t *turn) flood() error {
	n := t.opts.flood()
	if err := t.say("I ask for %d permissions at once.", n); err != nil {
		return err
	}
	var counts tally
	extra, err := t.askAtOnce(n, func(_ int, said string) { counts.add(said) })
	if err != nil {
		return err
	}
	return t.say("%d permissions asked for, and answered:\n\n%s%s", n, counts, tooMany(extra))
}

// askThree asks for three permissions at once and says who was answered what,
// in the order of the answers.
func (t *turn) askThree() error {
	if err := t.say("I ask for 3 permissions at once. Answer them in any order."); err != nil {
		return err
	}
	var heard []string
	extra, err := t.askAtOnce(3, func(i int, said string) { heard = append(heard, fmt.Sprintf("- step %d: %s", i+1, said)) })
	if err != nil {
		return err
	}
	return t.say("This is what I heard, in this order:\n\n%s%s", strings.Join(heard, "\n"), tooMany(extra))
}

// askAtOnce asks n questions with one write and reports the first answer to
// each as it comes. It returns how many more came meanwhile.
func (t *turn) askAtOnce(n int, heard func(i int, said string)) (extra int, err error) {
	box := make(chan reply, 2*n)
	questions := make([]question, n)
	open := map[jsonrpc2.ID]int{}
	for i := range questions {
		questions[i] = t.question(t.nextID(), fmt.Sprintf("Step %d of %d", i+1, n))
		open[questions[i].id] = i
	}
	if err := t.pose(box, questions...); err != nil {
		return 0, err
	}
	for len(open) > 0 {
		r, err := await(t.waiting(), box)
		if err != nil {
			return extra, err
		}
		i, ok := open[r.id]
		if !ok {
			extra++
			continue
		}
		delete(open, r.id)
		said, _ := t.hear(questions[i], r)
		heard(i, said)
	}
	return extra, nil
}

// reuseID asks as adapters do that count their requests anew in each turn, and
// then as one does that loses count.
func (t *turn) reuseID() error {
	zero := jsonrpc2.ID{}
	box := make(chan reply, 16)
	var heard []string
	for i := range 2 {
		q := t.question(zero, fmt.Sprintf("Step %d, asked under id 0", i+1))
		if err := t.pose(box, q); err != nil {
			return err
		}
		said, err := t.answered(q, box)
		if err != nil {
			return err
		}
		heard = append(heard, fmt.Sprintf("- step %d: %s", i+1, said))
	}
	both := []question{t.question(zero, "Step 3, asked under id 0"), t.question(zero, "Step 4, asked under id 0")}
	if err := t.pose(box, both...); err != nil {
		return err
	}
	for range both {
		r, err := await(t.waiting(), box)
		if err != nil {
			return err
		}
		heard = append(heard, "- "+t.hearOne(both, r))
	}
	return t.say("Four questions under the id 0, and this is what I heard:\n\n%s", strings.Join(heard, "\n"))
}

// hearOne hears a reply that may be to any of some questions. Their options
// have different ids, so that one that selects says which it is for.
func (t *turn) hearOne(questions []question, r reply) string {
	at := slices.IndexFunc(questions, func(q question) bool { return q.offers(r) })
	if at < 0 {
		said, _ := verdict(r, nil)
		return "one of steps 3 and 4: " + said
	}
	said, _ := t.hear(questions[at], r)
	return fmt.Sprintf("step %d: %s", 3+at, said)
}

// tally counts texts, in the order they first came.
type tally struct {
	texts  []string
	counts map[string]int
}

func (c *tally) add(text string) {
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	if c.counts[text] == 0 {
		c.texts = append(c.texts, text)
	}
	c.counts[text]++
}

func (c tally) String() string {
	var lines []string
	for _, text := range c.texts {
		lines = append(lines, fmt.Sprintf("- %d × %s", c.counts[text], text))
	}
	return strings.Join(lines, "\n")
}

func tooMany(extra int) string {
	if extra == 0 {
		return ""
	}
	return fmt.Sprintf("\n- and %d answers too many", extra)
}
