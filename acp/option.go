package acp

// Option is one permission option.
type Option struct {
	ID   String // the agent's own word, to be repeated as it is spelled
	Name string // as the agent words it; may be empty
	Kind string // allow_once, allow_always, reject_once, reject_always, or what a newer peer says
	Odd  bool   // no object, no string for an id, or with members that peers could read differently, as a garbled id is: never to be chosen for anybody
}

var optionNames = []string{"optionId", "name", "kind"}

// options reads the options; each stays at the position that people see.
func (w *walker) options(i int, p *Permission) (end int, ok bool) {
	p.Options, p.NoOptions = nil, w.at(i) != '['
	return w.entries(i, func(i int) (int, bool) {
		o, end, ok := w.option(i)
		if ok {
			p.Options = append(p.Options, o)
		}
		return end, ok
	})
}

// option reads one option. What is odd about it is its own affair and does not
// spoil the others.
func (w *walker) option(i int) (o Option, end int, ok bool) {
	odd := w.odd
	w.odd = 0
	end, ok = w.members(i, optionNames, func(name string, i int) (int, bool) {
		switch name {
		case "name":
			return w.words(i, &o.Name)
		case "kind":
			return w.word(i, &o.Kind)
		}
		return w.str(i, &o.ID)
	})
	o.Odd = w.odd != 0 || !o.ID.OK
	w.odd = odd
	return o, end, ok
}
