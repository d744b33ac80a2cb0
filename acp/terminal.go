package acp

// Terminal is what terminal/create names (…/protocol/terminals).
type Terminal struct {
	Session, Command, Cwd String
	Args                  []string // those that are strings; of more than 65,536 only the first
	Reason                Reason   // as of File
}

var terminalNames = []string{"sessionId", "command", "args", "cwd"}

// ReadTerminal reads the params of terminal/create.
func ReadTerminal(params []byte) (t Terminal) {
	w := walker{strict: true}
	t.Reason = w.walk(params, terminalNames, func(name string, i int) (int, bool) {
		switch name {
		case "command":
			return w.str(i, &t.Command)
		case "args":
			return w.args(i, &t)
		case "cwd":
			return w.str(i, &t.Cwd)
		}
		return w.str(i, &t.Session)
	})
	return t
}

// args reads the arguments. Nothing is decided by them, so too many are no
// reason, and neither are garbled ones.
func (w *walker) args(i int, t *Terminal) (end int, ok bool) {
	t.Args = nil
	odd := w.odd
	end, ok = w.entries(i, func(i int) (int, bool) {
		var s String
		end, ok := w.shown(i, &s)
		if s.OK {
			t.Args = append(t.Args, s.Value)
		}
		return end, ok
	})
	w.odd = odd
	return end, ok
}
