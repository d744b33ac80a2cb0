package bob

import (
	"encoding/json"
	"fmt"
	"strings"

	"bobproxy/acp"
	"bobproxy/lab/wire"
)

// oddOffer is the options of a permission request as no client expects them.
type oddOffer struct {
	name    string
	options string // JSON; empty leaves the member out
}

func option(id, name, kind string) string {
	return string(wire.Raw(wire.PermissionOption{OptionID: id, Name: name, Kind: kind}))
}

func list(options ...string) string { return "[" + strings.Join(options, ",") + "]" }

// oddOffers are asked about one after another.
func oddOffers() []oddOffer {
	yes, no := option("y", "Yes", wire.AllowOnce), option("n", "No", wire.RejectOnce)
	many := make([]string, 500)
	for i := range many {
		many[i] = option(fmt.Sprintf("o-%d", i), fmt.Sprintf("Choice %d", i), wire.AllowOnce)
	}
	return []oddOffer{
		{"no options", list()},
		{"options null", "null"},
		{"options left out", ""},
		{"options an object", "{}"},
		{"500 options", list(many...)},
		{"two options with one id", list(option("same", "Yes", wire.AllowOnce), option("same", "No", wire.RejectOnce))},
		{"only options that allow", list(yes, option("a", "Always", wire.AllowAlways))},
		{"two that reject once", list(option("abort", "Abort everything", wire.RejectOnce), no, yes)},
		{"four that allow once", list(option("1", "Red", wire.AllowOnce), option("2", "Green", wire.AllowOnce), option("3", "Blue", wire.AllowOnce), option("4", "Blue", wire.AllowOnce))},
		{"kinds nobody knows", list(option("p", "For a day", "allow_persistent"), option("q", "Perhaps", "maybe"))},
		{"ids that lie", list(option("reject_once", "Yes", wire.AllowOnce), option("allow_once", "No", wire.RejectOnce))},
		{"an empty id", list(option("", "Yes", wire.AllowOnce), no)},
		{"ids with blanks, a line's end, an emoji", list(option(" y ", "Yes", wire.AllowOnce), option("a\nb", "Always", wire.AllowAlways), option("🙅", "No", wire.RejectOnce))},
		{"an id that turns text round", list(option("\u202ey", "Yes", wire.AllowOnce), no)},
		{"an id of 4 KB", list(option(strings.Repeat("y", 4<<10), "Yes", wire.AllowOnce), no)},
		{"an option without a kind", list(`{"optionId":"y","name":"Yes"}`, no)},
		{"an option without a name", list(`{"optionId":"y","kind":"allow_once"}`, no)},
		{"an option without an id", list(`{"name":"Yes","kind":"allow_once"}`, no)},
		{"an option that is null", list("null", yes, no)},
		{"an id that is a number", list(`{"optionId":7,"name":"Yes","kind":"allow_once"}`, no)},
	}
}

func (t *turn) oddOptions() error {
	offers := oddOffers()
	if err := t.say("I ask %d questions with odd options, one after another.", len(offers)); err != nil {
		return err
	}
	var heard []string
	for _, odd := range offers {
		said, err := t.askOddly(odd)
		if err != nil {
			return err
		}
		heard = append(heard, fmt.Sprintf("- %s: %s", odd.name, said))
	}
	return t.say("This is what I heard:\n\n%s", strings.Join(heard, "\n"))
}

func (t *turn) askOddly(odd oddOffer) (string, error) {
	q := t.question(t.nextID(), "Ask with "+odd.name)
	q.offered = nil
	_ = json.Unmarshal([]byte(odd.options), &q.offered) // what of them can be read
	call := q.call
	call.Update = ""
	params := map[string]any{"sessionId": t.s.id, "toolCall": call}
	if odd.options != "" {
		params["options"] = json.RawMessage(odd.options)
	}
	box := make(chan reply, 1)
	t.mail.expect(q.id, box)
	if err := t.post(request{"2.0", q.id, acp.MethodRequestPermission, params}); err != nil {
		return "", err
	}
	return t.answered(q, box)
}
