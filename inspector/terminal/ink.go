package terminal

import (
	"os"

	"golang.org/x/term"

	"bobproxy/inspector/paint"
)

// Ink is what text that scrolls by is written with, where there is no screen.
type Ink struct {
	Theme *paint.Theme // nil: no colours
	ASCII bool
}

// InkFor is the ink for a file that may be a terminal: by the same wishes and the
// same environment as on a screen, but colours that nobody asked for only on a
// terminal.
func InkFor(file *os.File, o Options) Ink {
	env := environment{o.Env}
	ink := Ink{ASCII: !env.utf8()}
	if o.ASCII != nil {
		ink.ASCII = *o.ASCII
	}
	switch env.colours(o.Color) {
	case never:
		return ink
	case ifPossible:
		if !term.IsTerminal(int(file.Fd())) || env.get("TERM") == "dumb" {
			return ink
		}
	}
	ink.Theme = o.theme(o.Theme, env)
	return ink
}
