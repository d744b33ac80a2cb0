package bob

import (
	"fmt"
	"strings"

	"bobproxy/lab/retrybudget"
	"bobproxy/lab/wire"
)

// The tools that ask for permission.
const (
	toolShell = "shell"
	toolEdit  = "edit"
	toolTodo  = "todo"
)

// repair is the script of Agent mode.
func (t *turn) repair() error {
	t.title("Repair RetryBudget")
	if err := t.think("The project carries its own check. I should see it fail before I change anything, " +
		"and see it pass before I say that I am done."); err != nil {
		return err
	}
	if err := t.say("I will look at the source, let `%s` tell me what is broken, repair it, "+
		"and check again.", retrybudget.Verify); err != nil {
		return err
	}
	t.steps(0)
	source, err := t.look()
	if err != nil {
		return err
	}
	t.usage(4_200)

	report, code, err := t.verify("to see what is broken")
	if err != nil {
		return t.stopped(err, "Nothing has been run and nothing has been changed.")
	}
	if code == 0 {
		t.steps(3)
		return t.say("The contract holds already, so there is nothing to repair.")
	}
	if source != retrybudget.Broken() {
		return t.say("`%s` fails, but this is not the RetryBudget I know how to repair. I leave it as it is.", retrybudget.Verify)
	}
	t.steps(1)
	if err := t.say("%d clauses of the contract fail:\n\n%s\n\n"+
		"There are two causes. `Allow` compares with `>` where it needs `>=`, so it allows one retry too many, "+
		"and `New` takes any number.", strings.Count(report, "FAIL"), bullets(report)); err != nil {
		return err
	}
	t.usage(6_900)

	if err := t.patch(); err != nil {
		return t.stopped(err, "The source is as it was.")
	}
	if err := t.todo(); err != nil {
		return t.stopped(err, "The source is repaired, but not checked.")
	}
	t.steps(2)
	report, code, err = t.verify("to check the repair")
	if err != nil {
		return t.stopped(err, "The source is repaired, but not checked.")
	}
	t.usage(9_300)
	if code != 0 {
		return t.say("The repair does not hold:\n\n%s", bullets(report))
	}
	t.steps(3)
	return t.say("Done. `Allow` grants exactly as many retries as the budget holds, `New` refuses a negative budget, "+
		"and `%s` ends with: %s.", retrybudget.Verify, retrybudget.Verified)
}

// stopped says why the script ends early; nothing is said about a turn that
// was cancelled.
func (t *turn) stopped(err error, state string) error {
	if t.ctx.Err() != nil || err == errCancelled || err == errStuck {
		return err
	}
	_ = t.say("You refused that step, so I stop here. %s", state)
	return err
}

// stuck fails a call that went wrong for another reason than a refusal and
// says so.
func (t *turn) stuck(call wire.ToolCall, err error) error {
	if t.ctx.Err() != nil {
		t.progress(call, wire.Failed, wire.ToolText("Cancelled."))
		return errCancelled
	}
	t.progress(call, wire.Failed, wire.ToolText(err.Error()))
	_ = t.say("%s did not work: %v. I stop here.", call.Title, err)
	return errStuck
}

// steps shows the plan with the first done steps completed and the next one
// under way.
func (t *turn) steps(done int) {
	entries := []wire.PlanEntry{
		{Content: "Run ./verify and see what is broken", Priority: "high"},
		{Content: "Repair retrybudget.go", Priority: "high"},
		{Content: "Run ./verify again", Priority: "medium"},
	}
	for i := range entries {
		switch {
		case i < done:
			entries[i].Status = wire.Completed
		case i == done:
			entries[i].Status = wire.InProgress
		default:
			entries[i].Status = wire.Pending
		}
	}
	t.update(wire.Plan{Kind: wire.PlanUpdate, Entries: entries})
}

// look reads the source, which needs no permission.
func (t *turn) look() (string, error) {
	path := t.path(retrybudget.File)
	call := t.announce(wire.ToolCall{
		Title: "Read " + retrybudget.File, Kind: "read",
		Locations: []wire.Location{{Path: path}},
		RawInput:  wire.Raw(map[string]string{"path": path}),
	})
	t.progress(call, wire.InProgress)
	source, err := t.read(path)
	if err != nil {
		return "", t.stuck(call, err)
	}
	lines := strings.Count(source, "\n")
	t.settled(call, wire.Completed, map[string]int{"lines": lines}, wire.ToolText(fmt.Sprintf("%d lines", lines)))
	return source, nil
}

// verify runs the project's check, with permission.
func (t *turn) verify(why string) (report string, code int, err error) {
	call := t.announce(wire.ToolCall{
		Title: retrybudget.Verify, Kind: "execute",
		Content:  []wire.ToolContent{wire.ToolText("Run " + retrybudget.Verify + " " + why)},
		RawInput: wire.Raw(map[string]string{"command": retrybudget.Verify, "cwd": t.cwd, "description": "Run the check " + why}),
	})
	if err := t.ask(call, toolShell, "Always allow commands in this session"); err != nil {
		return "", 0, err
	}
	report, code, err = t.run(retrybudget.Verify, func(shown ...wire.ToolContent) {
		t.progress(call, wire.InProgress, shown...)
	})
	if err != nil {
		return "", 0, t.stuck(call, err)
	}
	status := wire.Completed
	if code != 0 {
		status = wire.Failed
	}
	t.settled(call, status, map[string]any{"exitCode": code}, wire.ToolText(report))
	return report, code, nil
}

// patch replaces the source, with permission, unless somebody else changed it
// in the meantime.
func (t *turn) patch() error {
	path := t.path(retrybudget.File)
	before, after := retrybudget.Broken(), retrybudget.Fixed()
	call := t.announce(wire.ToolCall{
		Title: "Edit " + retrybudget.File, Kind: "edit",
		Content:   []wire.ToolContent{wire.ToolDiff(path, before, after)},
		Locations: []wire.Location{{Path: path, Line: 1 + strings.Count(before[:strings.Index(before, "func New")], "\n")}},
		RawInput:  wire.Raw(map[string]string{"path": path, "content": after}),
	})
	if err := t.ask(call, toolEdit, "Always allow edits in this session"); err != nil {
		return err
	}
	t.progress(call, wire.InProgress)
	now, err := t.read(path)
	if err == nil && now != before {
		err = fmt.Errorf("%s has changed since I read it", retrybudget.File)
	}
	if err == nil {
		err = t.write(path, after)
	}
	if err != nil {
		return t.stuck(call, err)
	}
	t.settled(call, wire.Completed, map[string]int{"bytes": len(after)}, wire.ToolDiff(path, before, after))
	return nil
}

// todo is a tool that touches nothing outside Bob; it asks all the same.
func (t *turn) todo() error {
	done := []string{"Run ./verify and see what is broken", "Repair retrybudget.go"}
	call := t.announce(wire.ToolCall{
		Title: "Update the to-do list", Kind: "other",
		Content:  []wire.ToolContent{wire.ToolText("Tick off: " + strings.Join(done, "; "))},
		RawInput: wire.Raw(map[string]any{"completed": done}),
	})
	if err := t.ask(call, toolTodo, "Always allow to-do updates in this session"); err != nil {
		return err
	}
	t.progress(call, wire.InProgress)
	t.settled(call, wire.Completed, map[string]int{"completed": len(done)}, wire.ToolText("2 of 3 done"))
	return nil
}

// bullets are the failures of a report.
func bullets(report string) string {
	var list []string
	for line := range strings.Lines(report) {
		if failure, ok := strings.CutPrefix(strings.TrimSpace(line), "FAIL"); ok {
			list = append(list, "- "+strings.TrimSpace(failure))
		}
	}
	return strings.Join(list, "\n")
}
