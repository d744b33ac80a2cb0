package bob

import (
	"bobproxy/acp"
	"bobproxy/lab/wire"
)

// lateFile is what run-late-allow writes into the session's directory.
const lateFile = "bob-was-late.txt"

// withdraw takes a question back before anybody can have read it.
func (t *turn) withdraw() error {
	q := t.question(t.nextID(), "A step that is withdrawn")
	box := make(chan reply, 1)
	t.mail.expect(q.id, box)
	if err := t.post(t.request(q), notification{"2.0", acp.MethodCancelRequest, wire.CancelParams{RequestID: wire.Raw(q.id)}}); err != nil {
		return err
	}
	said, err := t.answered(q, box)
	if err != nil {
		return err
	}
	return t.say("I asked and withdrew the question. The answer was: %s", said)
}

type notification struct {
	JSONRPC string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// ignoreAnswers asks and waits for the turn to be cancelled, whatever is
// answered.
func (t *turn) ignoreAnswers() error {
	if err := t.say("I ask, and take no notice of the answer."); err != nil {
		return err
	}
	q := t.question(t.nextID(), "A step that is never taken")
	if err := t.pose(make(chan reply), q); err != nil {
		return err
	}
	<-t.ctx.Done()
	t.progress(q.call, wire.Failed, wire.ToolText("Cancelled."))
	return errCancelled
}

// hang waits for the end of the connection.
func (t *turn) hang() error {
	_ = t.say("I do not end this turn.") // cancelled or not
	<-t.life.Done()
	return errCancelled
}

// askAfterCancel has a question open when the turn is cancelled, and then asks
// another.
func (t *turn) askAfterCancel() error {
	if err := t.say("I ask, and when you cancel the turn I ask again."); err != nil {
		return err
	}
	box := make(chan reply, 1)
	first := t.question(t.nextID(), "A step before the cancel")
	if err := t.pose(box, first); err != nil {
		return err
	}
	r, err := await(t.ctx, box)
	if err == nil {
		t.hear(first, r)
	}
	if !t.wasCancelled() {
		return t.say("You answered and did not cancel.")
	}
	t.ctx = t.life
	second := t.question(t.nextID(), "A step after the cancel")
	box = make(chan reply, 1)
	if err := t.pose(box, second); err != nil {
		return err
	}
	said, err := t.answered(second, box)
	if err != nil {
		return err
	}
	_ = t.say("You cancelled, and I asked again. The answer was: %s", said)
	return errCancelled
}

// runLateAllow obeys an allow even if it comes after session/cancel.
func (t *turn) runLateAllow() error {
	if err := t.say("I ask, and do what you allow, however late."); err != nil {
		return err
	}
	box := make(chan reply, 1)
	q := t.question(t.nextID(), "Write "+lateFile)
	if err := t.pose(box, q); err != nil {
		return err
	}
	r, err := await(t.life, box)
	if err != nil {
		return err
	}
	late := t.wasCancelled()
	t.ctx = t.life
	said, allowed := t.hear(q, r)
	if allowed {
		err = t.write(t.path(lateFile), "Bob was here.\n")
	}
	switch {
	case err != nil:
		_ = t.say("You allowed it, but it did not work: %v", err)
	case allowed && late:
		_ = t.say("You cancelled and allowed it afterwards, so I wrote %s all the same.", lateFile)
	case late:
		_ = t.say("You cancelled, and the answer was: %s. I wrote nothing.", said)
	default:
		return t.say("You did not cancel, and the answer was: %s", said)
	}
	if late {
		return errCancelled
	}
	return nil
}

// wasCancelled reports whether a session/cancel had come before what was read
// last.
func (t *turn) wasCancelled() bool {
	t.settle()
	return t.ctx.Err() != nil
}

// bypassMode is what some agents call the mode in which they ask nobody.
const bypassMode = "bypassPermissions"

// bypass asks for nothing from here on, as agents do that were started or
// switched that way.
func (t *turn) bypass() error {
	t.notify(t.s.id, wire.CurrentMode{Kind: wire.ModeUpdate, CurrentModeID: bypassMode})
	if err := t.say("I am in mode %s now and ask nobody.", bypassMode); err != nil {
		return err
	}
	for _, tool := range []string{toolShell, toolEdit, toolTodo} {
		t.allowAlways(tool)
	}
	return t.repair()
}
