package terminal

import (
	"github.com/gdamore/tcell/v2"

	"bobproxy/acp/clean"
	"bobproxy/inspector/keys"
)

// keyOf is the name of a key, and false for what the panel has no name for: a
// key with Alt, or with Ctrl where that makes another key of it, is none of the
// keys it resembles.
func keyOf(e *tcell.EventKey) (keys.Key, bool) {
	k, mod := e.Key(), e.Modifiers()
	if mod&(tcell.ModAlt|tcell.ModMeta|tcell.ModHyper) != 0 {
		return "", false
	}
	if k >= tcell.KeyCtrlA && k <= tcell.KeyCtrlZ {
		return keys.Key("Ctrl-" + string(rune('A'+k-tcell.KeyCtrlA))), mod&tcell.ModShift == 0
	}
	if mod&tcell.ModCtrl != 0 {
		return "", false
	}
	if k == tcell.KeyRune {
		return runeKey(e.Rune())
	}
	name, ok := named[k]
	return name, ok
}

func runeKey(r rune) (keys.Key, bool) {
	if r == ' ' {
		return "Space", true
	}
	return keys.Key(r), r > ' ' && clean.Is(string(r))
}

var named = map[tcell.Key]keys.Key{
	tcell.KeyEnter: "Enter", tcell.KeyEsc: "Esc", tcell.KeyTab: "Tab", tcell.KeyBacktab: "Shift-Tab",
	tcell.KeyUp: "Up", tcell.KeyDown: "Down", tcell.KeyLeft: "Left", tcell.KeyRight: "Right",
	tcell.KeyHome: "Home", tcell.KeyEnd: "End", tcell.KeyPgUp: "PgUp", tcell.KeyPgDn: "PgDn",
	tcell.KeyBackspace: "Backspace", tcell.KeyDelete: "Delete",
	tcell.KeyF1: "F1", tcell.KeyF2: "F2", tcell.KeyF3: "F3", tcell.KeyF4: "F4",
	tcell.KeyF5: "F5", tcell.KeyF6: "F6", tcell.KeyF7: "F7", tcell.KeyF8: "F8",
	tcell.KeyF9: "F9", tcell.KeyF10: "F10", tcell.KeyF11: "F11", tcell.KeyF12: "F12",
}
