package editor

import (
	"context"
	"errors"
	"fmt"

	"bobproxy/lab/child"
)

// ErrStart says that the agent could not be started.
var ErrStart = errors.New("starting agent")

// Run starts the agent of o.Command, converses with it and sees it off. An
// error means that there was no turn whose end could be reported.
func Run(ctx context.Context, o Options) (Result, error) {
	if len(o.Command) == 0 {
		return Result{}, fmt.Errorf("%w: no command", ErrStart)
	}
	dir, err := o.dir()
	if err != nil {
		return Result{}, err
	}
	agent, err := child.Start(child.Command{Argv: o.Command, Dir: dir, Env: o.Env, Stderr: o.Stderr})
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	result, err := Converse(ctx, agent.Stdout, agent.Stdin, o)
	result.Killed = agent.Leave(o.grace())
	if errors.Is(err, ErrGone) {
		err = fmt.Errorf("%w (%s)", err, agent.Ending())
	}
	return result, err
}
