package model

import "fmt"

// Call is What in the words of tool calls: edit, delete, move or execute.
func (d *Deed) Call() string {
	switch d.What {
	case "write":
		return "edit"
	case "terminal":
		return "execute"
	}
	return d.What
}

// stand is for when o was settled: what is allowed for always covers calls of its
// kind that run in its session from then on, until one is refused for always. The
// agent alone knows how much it takes for allowed by that.
func (o *Permission) stand() {
	if o.Decision == nil || o.Session == nil || o.Decision.Outcome != "selected" {
		return
	}
	kind := consequence(o.Kind)
	if o.Deed != nil {
		kind = o.Deed.Call()
	}
	b := &o.Session.book
	switch o.chosen() {
	case "allow_always":
		if b.always == nil {
			b.always = map[string]*Permission{}
		}
		if kind != "" {
			b.always[kind] = o
		}
	case "reject_always":
		delete(b.always, kind)
	}
}

// covers says what o covers a call with.
func (o *Permission) covers() string {
	at := o.Frame
	if at == 0 {
		at = o.Seq
	}
	return fmt.Sprintf("covered by allow_always of #%d", at)
}
