package editor

import (
	"encoding/json"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/lab/wire"
)

// answer is one reply to a permission request.
type answer struct {
	name    string // for people
	result  any
	err     *jsonrpc2.Error
	permits bool
}

func (a answer) count(r *Result) {
	if a.permits {
		r.Permitted++
	} else {
		r.Refused++
	}
}

var cancelled = answer{name: "cancelled", result: wire.PermissionResult{Outcome: wire.Outcome{Outcome: wire.Cancelled}}}

func selects(o wire.PermissionOption) answer {
	return answer{
		name:    or(o.Name, "an option without a name"),
		result:  wire.PermissionResult{Outcome: wire.Outcome{Outcome: wire.Selected, OptionID: o.OptionID}},
		permits: o.Allows(),
	}
}

// answers are what is sent when an option has been found, or none: one that
// says so, unless the editor is to misbehave.
func (ds *dialogs) answers(d *dialog, option wire.PermissionOption, found bool) []answer {
	honest := cancelled
	if found {
		honest = selects(option)
	}
	switch o := ds.c.opts; {
	case o.does(AnswerError):
		return []answer{{name: "an error", err: wire.Errorf(jsonrpc2.CodeMethodNotFound, "method not found: session/request_permission")}}
	case o.does(WrongOption):
		wrong := selects(wire.PermissionOption{OptionID: "never-offered", Name: "an option that was not offered"})
		return []answer{wrong}
	case o.does(Garbage):
		return []answer{ds.garbage()}
	case o.does(AnswerTwice):
		return []answer{honest, honest}
	case o.does(Contradict):
		return []answer{honest, opposite(honest, d.ask.Options)}
	}
	return []answer{honest}
}

// opposite is a rejection for what permits and a permission for what does not,
// as far as the options have one.
func opposite(a answer, options []wire.PermissionOption) answer {
	for _, option := range options {
		if option.Allows() != a.permits {
			return selects(option)
		}
	}
	return cancelled
}

// shapes are results that look like answers to somebody.
var shapes = []string{
	`{"approved":true}`,
	`null`,
	`{"outcome":"selected"}`,
	`{"outcome":{"outcome":"approved"}}`,
	`{"outcome":{"outcome":"selected"}}`,
	`{"optionId":"allow_once"}`,
	`true`,
	`[]`,
}

func (ds *dialogs) garbage() answer {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	shape := shapes[ds.shaped%len(shapes)]
	ds.shaped++
	return answer{name: shape, result: json.RawMessage(shape)}
}

// give prints answers and sends them, one after the other.
func (ds *dialogs) give(d *dialog, answers []answer, why string) {
	for _, a := range answers {
		ds.c.screen.decision(a.name, why)
	}
	ds.c.replies.Go(func() {
		for _, a := range answers {
			ds.c.reply(d.id, a.result, a.err)
		}
	})
}

// answerLate answers what somebody else has settled, as if it had not heard,
// after the pause of a rule.
func (ds *dialogs) answerLate(d *dialog) {
	timer := time.NewTimer(ds.c.opts.Pace)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ds.c.life.Done():
		return
	}
	option, ok := choose(ds.c.opts.Allow, d.ask.Options)
	ds.mu.Lock()
	ds.result.Late++
	ds.mu.Unlock()
	ds.give(d, ds.answers(d, option, ok), "all the same, too late")
}
