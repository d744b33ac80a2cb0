package model

import (
	"cmp"
	"time"

	"bobproxy/acp"
)

// Chosen is the option that settled o: its name, empty where that is not known,
// and its kind. Both are empty when none was selected. They are not clean.
func (o *Permission) Chosen() (name, kind string) {
	d := o.Decision
	if d == nil || !d.HasOption {
		return "", ""
	}
	kind = d.OptionKind
	for _, option := range o.options() {
		if option.ID.Value == d.OptionID {
			return option.Name, cmp.Or(kind, option.Kind)
		}
	}
	return "", kind
}

// options are those of the card, or of the request when the card is forgotten.
func (o *Permission) options() (all []acp.Option) {
	if o.Card != nil {
		for _, option := range o.Card.Options {
			all = append(all, acp.Option{ID: acp.String{Value: option.ID}, Name: option.Name, Kind: option.Kind})
		}
		return all
	}
	var f acp.Frame
	if o.Row == nil || o.Row.Cut {
		return nil
	}
	acp.Scan(o.Row.Body, &f)
	return acp.ReadPermission(f.Params).Options
}

// Waited is how long o waited for its answer; 0 when there was none, or none that
// says when it came. What the frames tell is finer than what the decision does.
func (o *Permission) Waited() time.Duration {
	switch {
	case o.Decision == nil:
		return 0
	case o.Row != nil && o.Row.Pair != nil && o.Row.Pair.Waited > 0:
		return o.Row.Pair.Waited
	}
	return o.Decision.Wait
}
