//go:build !unix

package terminal

import (
	"fmt"
	"time"

	"github.com/gdamore/tcell/v2"
)

// tty is nothing where the terminal library alone knows the terminal: all of
// its methods do nothing.
type tty struct{}

// take takes the console of the process.
func (s *Screen) take() (err error) {
	if s.screen, err = tcell.NewScreen(); err == nil {
		err = s.screen.Init()
	}
	if err != nil {
		return fmt.Errorf("there is no terminal to show the panel in (%w); start it from a terminal window", err)
	}
	return nil
}

func (*tty) send(string)               {}
func (*tty) hurry()                    {}
func (*tty) force()                    {}
func (*tty) end()                      {}
func (*tty) vanish()                   {}
func (*tty) quiesce(time.Duration)     {}
func (*tty) pasted() (string, bool)    { return "", false }
func (*tty) vanished() <-chan struct{} { return nil }
