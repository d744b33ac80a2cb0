package export

import (
	"path"
	"strings"

	"bobproxy/inspector/model"
)

// verdict is a line of the ledger: a deed, or one of several permissions that
// were asked for it. Nothing in it is clean.
type verdict struct {
	deed   *model.Deed
	asked  *model.Permission // nil: nobody was asked
	judged string            // in a word or two; empty: the deed's last line says it
	who    string
}

// verdicts are the lines of a deed: all permissions that were asked for it, of
// which the last one decided.
func verdicts(d *model.Deed) (all []verdict) {
	last := verdict{deed: d, judged: d.Verdict.String(), who: d.Who()}
	for i, o := range d.Asked {
		if i == len(d.Asked)-1 {
			last.asked = o
			break
		}
		all = append(all, verdict{deed: d, asked: o, who: o.Who()})
	}
	last.who = placed(last.who, last.asked)
	return append(all, last)
}

// option is the name of the option that was chosen, and its kind.
func (v verdict) option() string {
	if v.asked == nil {
		return ""
	}
	return chosen(v.asked)
}

func (v verdict) waited() string {
	if v.asked == nil {
		return ""
	}
	return waited(v.asked)
}

// settled is how a permission was settled, in a line.
func settled(o *model.Permission) string {
	text := placed(o.Who(), o)
	if option := chosen(o); option != "" {
		text += ": " + option
	}
	if wait := waited(o); wait != "" {
		text += ", after " + wait
	}
	return text
}

func chosen(o *model.Permission) string {
	name, kind := o.Chosen()
	switch {
	case kind == "":
		return name
	case name == "":
		return kind
	}
	return name + " (" + kind + ")"
}

// waited is how long a permission waited; empty: nobody knows.
func waited(o *model.Permission) string {
	if d := o.Waited(); d > 0 {
		return lasting(d)
	}
	return ""
}

// placed adds to who settled a permission by a command where that was.
func placed(who string, o *model.Permission) string {
	if o == nil || o.Decision == nil || o.Decision.By != "command" || o.Decision.Peer == nil {
		return who
	}
	var places []string
	if exe := o.Decision.Peer.Exe; exe != "" {
		places = append(places, path.Base(exe))
	}
	if tty := o.Decision.Peer.TTY; tty != "" {
		places = append(places, strings.TrimPrefix(tty, "/dev/"))
	}
	if len(places) == 0 {
		return who
	}
	return strings.Replace(who, "by a command", "by a command ("+strings.Join(places, ", ")+")", 1)
}
