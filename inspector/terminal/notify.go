package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// notifying is how long the command for a notification may take.
const notifying = 10 * time.Second

// notify says how a notification is shown, when that was not said.
func (e environment) notify() string {
	program, term := e.get("TERM_PROGRAM"), e.get("TERM")
	switch {
	case e.has("KITTY_WINDOW_ID"), strings.HasPrefix(term, "xterm-kitty"):
		return "osc99"
	case program == "iTerm.app":
		return "osc9"
	case program == "Apple_Terminal", program == "vscode", e.has("WT_SESSION"),
		e.has("ALACRITTY_WINDOW_ID"), strings.HasPrefix(term, "alacritty"),
		term == "linux", strings.HasPrefix(term, "vt"):
		return "bell"
	}
	return "osc777"
}

func (e environment) tmux() bool { return e.has("TMUX") }

// notify shows a notification. In tmux it rings as well, since tmux may pass
// nothing on.
func (s *Screen) notify(n Notify) {
	method := s.options.Notify
	if method == "" || method == "auto" {
		method = s.env.notify()
	}
	sequence := notification(method, n.Title, n.Body)
	switch {
	case method == "command":
		s.run(s.command(n))
	case method == "bell":
		s.tty.send(bell)
	case sequence != "" && s.env.tmux():
		s.tty.send(through(sequence) + bell)
	default:
		s.tty.send(sequence)
	}
}

// command runs the person's command for a notification. The text is in its
// environment and nowhere else, since it may be a shell's command.
func (s *Screen) command(n Notify) Later {
	argv := s.options.NotifyCommand
	return Later{Do: func(ctx context.Context) any {
		if len(argv) == 0 {
			return Failed{"notification", errors.New("no command is set")}
		}
		ctx, cancel := context.WithTimeout(ctx, notifying)
		defer cancel()
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Env = append(os.Environ(), "NOTIFY_TITLE="+short(n.Title, maxNote), "NOTIFY_BODY="+short(n.Body, maxNote))
		cmd.WaitDelay = time.Second
		if err := cmd.Run(); err != nil {
			return Failed{"notification", fmt.Errorf("%s: %w", argv[0], err)}
		}
		return nil
	}}
}
