package main

import (
	"fmt"
	"slices"

	"bobproxy/proxy/control"
)

// choose picks the option.
func (a *reply) choose(p control.Pending) (o control.Option, c *complaint) {
	if p.Unanswerable != "" {
		return o, notTaken("no option of %s can be chosen from here: %s", a.request, field(p.Unanswerable))
	}
	if a.verb == "approve" {
		o, c = theOneToAllow(p)
	} else {
		o, c = a.named(p)
	}
	if c != nil {
		return o, c.with("%s. To choose: bobproxy answer %s --number N", optionList(p.Options), a.request)
	}
	if o.Odd {
		return o, notTaken("option %d of %s is malformed", o.Number, a.request).with("only the editor can choose it")
	}
	return o, nil
}

// named is the option that the command line names.
func (a *reply) named(p control.Pending) (control.Option, *complaint) {
	var found []control.Option
	for _, o := range p.Options {
		if a.option != nil && o.ID == *a.option || a.option == nil && o.Number == a.number {
			found = append(found, o)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return control.Option{}, notTaken("%d options of %s have the id %s", len(found), a.request, quotation(*a.option))
	case a.option != nil:
		return control.Option{}, notTaken("%s has no option with the id %s", a.request, quotation(*a.option))
	}
	return control.Option{}, notTaken("%s has no option %d", a.request, a.number)
}

func notTaken(format string, args ...any) *complaint {
	return &complaint{exit: exitRefused, Code: "refused", Message: fmt.Sprintf(format, args...)}
}

func optionList(options []control.Option) string {
	if len(options) == 0 {
		return "it has no options"
	}
	var list []string
	for _, o := range options {
		list = append(list, optionText(o))
	}
	return "its options: " + several(list)
}

// theOneToAllow is the option that approve takes: the only one of kind
// allow_once that says clearly what it is.
func theOneToAllow(p control.Pending) (control.Option, *complaint) {
	var found []control.Option
	for _, o := range p.Options {
		if o.Kind == allowOnce && !o.Odd {
			found = append(found, o)
		}
	}
	switch {
	case len(found) == 0:
		return control.Option{}, notTaken("%s has no option of kind allow_once", field(p.Request))
	case len(found) > 1:
		return control.Option{}, notTaken("%s has %d options of kind allow_once", field(p.Request), len(found))
	case sharesID(p.Options, found[0]):
		return control.Option{}, notTaken("another option of %s has the same id as the one of kind allow_once", field(p.Request))
	}
	return found[0], nil
}

func sharesID(options []control.Option, o control.Option) bool {
	return slices.ContainsFunc(options, func(other control.Option) bool {
		return other.ID == o.ID && other.Number != o.Number
	})
}
