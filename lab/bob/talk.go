package bob

import (
	"slices"

	"bobproxy/lab/wire"
)

// plan is the script of Plan mode: three steps, none of them taken.
func (t *turn) plan() error {
	t.title("Plan the repair of RetryBudget")
	if err := t.think("I am to plan, so I run nothing and change nothing."); err != nil {
		return err
	}
	t.steps(-1)
	t.usage(2_100)
	return t.say("This is how I would go about it: let the check show what is broken, repair the two causes " +
		"in retrybudget.go, and let the check confirm it. Switch to Agent mode when I should begin.")
}

// explain is the script of Ask mode.
func (t *turn) explain() error {
	t.title("How RetryBudget works")
	if err := t.think("A question. I answer it and leave the project alone."); err != nil {
		return err
	}
	t.usage(1_800)
	return t.say("A RetryBudget says how often something may be tried again. `New` makes one, `Allow` spends a retry " +
		"and says whether there was one left, `Remaining` counts what is left, `Reset` gives it all back.\n\n" +
		"The contract is in README.md, and `./verify` checks an implementation against it.")
}

// decline answers the slash commands that have no script.
func (t *turn) decline(name string) error {
	if !slices.ContainsFunc(commands, func(c wire.Command) bool { return c.Name == name }) {
		return t.say("There is no command /%s.", name)
	}
	return t.say("I know the command /%s, but my script has no lines for it.", name)
}
