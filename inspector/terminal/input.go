package terminal

import (
	"time"

	"github.com/gdamore/tcell/v2"
)

const (
	// swallowing is how long after the window got the keyboard a click is the
	// one that gave it the keyboard.
	swallowing = 300 * time.Millisecond
	// doubling is how long after a click another one makes it double.
	doubling = 400 * time.Millisecond
)

// The library names paste marks so, but forgets to replace these by paste events
// when an Esc came just before.
const (
	keyPasteBegin tcell.Key = 16384 + iota
	keyPasteEnd
)

// input makes inputs of the library's events.
type input struct {
	pasted func() (string, bool) // text that was taken out of what was typed

	split   split
	pasting bool
	paste   []byte // of the terminals that send marks as keys

	focused time.Time // when the window last got the keyboard; zero: a key came since
	pressed bool
	clicked Mouse
	at      time.Time // of that click
}

// of is what the event stands for, and false when it is nothing for the app.
func (in *input) of(event tcell.Event, now time.Time) (Input, bool) {
	switch e := event.(type) {
	case *tcell.EventKey:
		return in.key(e, now)
	case *tcell.EventPaste:
		return in.mark(e.Start())
	case *tcell.EventFocus:
		in.focused = time.Time{}
		if e.Focused {
			in.focused = now
		}
		return Focus{e.Focused}, true
	case *tcell.EventMouse:
		return in.mouse(e, now)
	}
	return nil, false
}

func (in *input) key(e *tcell.EventKey, now time.Time) (Input, bool) {
	switch k := e.Key(); {
	case k == keyPasteBegin || k == keyPasteEnd:
		return in.mark(k == keyPasteBegin)
	case in.pasting:
		in.collect(e)
		return nil, false
	}
	in.focused = time.Time{}
	if in.split.rest(e, now) {
		return nil, false
	}
	key, ok := keyOf(e)
	return Key{key}, ok
}

// mark is a paste mark. A paste within a paste is one.
func (in *input) mark(begin bool) (Input, bool) {
	if begin || !in.pasting {
		in.pasting = begin
		return nil, false
	}
	text := pasteText(in.paste)
	if taken, ok := in.taken(); ok {
		text = taken
	}
	in.pasting, in.paste = false, nil
	return Paste{text}, true
}

func (in *input) taken() (string, bool) {
	if in.pasted == nil {
		return "", false
	}
	return in.pasted()
}

// collect adds a key to the paste it is a character of.
func (in *input) collect(e *tcell.EventKey) {
	if len(in.paste) >= maxPaste {
		return
	}
	switch k := e.Key(); {
	case k == tcell.KeyRune:
		in.paste = append(in.paste, string(e.Rune())...)
	case k >= tcell.KeyCtrlSpace && k <= tcell.KeyCtrlUnderscore:
		in.paste = append(in.paste, byte(k-tcell.KeyCtrlSpace))
	case k < 0x80:
		in.paste = append(in.paste, byte(k))
	}
}

// mouse is a turn of the wheel, or a press of the left button.
func (in *input) mouse(e *tcell.EventMouse, now time.Time) (Input, bool) {
	x, y := e.Position()
	buttons := e.Buttons()
	switch {
	case buttons&tcell.WheelUp != 0:
		return Mouse{X: x, Y: y, Wheel: -1}, true
	case buttons&tcell.WheelDown != 0:
		return Mouse{X: x, Y: y, Wheel: 1}, true
	}
	before := in.pressed
	in.pressed = buttons&tcell.Button1 != 0
	if before || !in.pressed || in.swallowed(now) {
		return nil, false
	}
	return in.click(x, y, now), true
}

// swallowed says whether a click is the one that gave the window the keyboard.
func (in *input) swallowed(now time.Time) bool {
	gave := !in.focused.IsZero() && now.Sub(in.focused) < swallowing
	in.focused = time.Time{}
	return gave
}

func (in *input) click(x, y int, now time.Time) Mouse {
	m := Mouse{X: x, Y: y}
	m.Double = !in.clicked.Double && in.clicked == m && now.Sub(in.at) < doubling
	in.clicked, in.at = m, now
	return m
}

// forget is for when what is held down or half pasted may have ended unseen.
func (in *input) forget() {
	in.pasting, in.paste, in.pressed, in.focused, in.split = false, nil, false, time.Time{}, split{}
}
