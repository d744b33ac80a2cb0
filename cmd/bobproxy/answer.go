package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

var answerUsages = map[string]string{
	"approve": `bobproxy approve REQ [--digest DIGEST] [--json]

Allows what permission request REQ asks for, once. Only a request with a single
option of kind allow_once can be approved; for others see: bobproxy answer.
`,
	"deny": `bobproxy deny REQ [--json]

Rejects what permission request REQ asks for, once: with the agent's own option
for that, or else with the outcome cancelled.
`,
	"answer": `bobproxy answer REQ (--option ID | --number N)
                [--digest DIGEST] [--standing] [--json]

Answers permission request REQ with one of its options, by the agent's id for it
or by its place in the list.

  --standing   needed for answers that last, such as allow_always: bobproxy can
               neither see nor take back what the agent makes of them
`,
}

// answerUsage is the help of one of them.
func answerUsage(verb string) string {
	text := answerUsages[verb] + "\nREQ is <instance>:<number>, as bobproxy pending prints it.\n\n"
	if verb != "deny" {
		text += digestNote
	}
	return text + answerNotes
}

const digestNote = `  --digest DIGEST   only if the request is the one that had this digest; without
                    it, the one that is there when the command looks
`

const answerNotes = `  --json            for scripts: {"request","result","optionId","kind","digest"}

Exit codes: 0 the answer counts; 2 wrong usage; 3 no such proxy or request;
4 somebody else answered first; 5 timed out or withdrawn; 6 refused by policy;
125 our own failure.
`

// reply is one wish to answer.
type reply struct {
	verb     string // answer, approve, deny
	request  string
	instance string
	option   *string
	number   int
	digest   string
	standing bool
}

// answer is `bobproxy answer`, approve and deny.
func (r *remote) answer(ctx context.Context, verb string, args []string) int {
	a := reply{verb: verb}
	rest, code, done := r.parse(a.flags(), args, answerUsage(verb))
	if done {
		return code
	}
	if c := a.check(rest); c != nil {
		return r.fail(c)
	}
	if c := r.name(ctx, &a, rest[0]); c != nil {
		return r.fail(c)
	}
	e, s, c := r.proxyOf(ctx, a.instance)
	if c != nil {
		return r.fail(c)
	}
	return r.decide(ctx, a, e, s)
}

func (a *reply) flags() *flag.FlagSet {
	flags := flag.NewFlagSet(a.verb, flag.ContinueOnError)
	if a.verb != "deny" {
		flags.StringVar(&a.digest, "digest", "", "")
	}
	if a.verb == "answer" {
		flags.Func("option", "", func(id string) error { a.option = &id; return nil })
		flags.IntVar(&a.number, "number", 0, "")
		flags.BoolVar(&a.standing, "standing", false, "")
	}
	return flags
}

// check says what is wrong with the command line.
func (a *reply) check(rest []string) *complaint {
	seeHelp := fmt.Sprintf("see: bobproxy %s --help", a.verb)
	switch {
	case len(rest) == 0:
		return misused("which request? Its name follows %s", a.verb).with("bobproxy pending lists those that wait")
	case len(rest) > 1:
		return misused("%s takes one request, and %s is a second word", a.verb, quotation(rest[1])).with("%s", seeHelp)
	case a.digest != "" && !digestName().MatchString(a.digest):
		return misused("--digest %s is no digest", quotation(a.digest)).with("bobproxy pending prints it; its first 8 characters are enough")
	case a.verb != "answer":
		return nil
	case a.option == nil && a.number == 0:
		return misused("answer with what? --number N or --option ID says it").with("bobproxy pending lists the options")
	case a.option != nil && a.number != 0:
		return misused("--number and --option both say what to answer").with("leave one of them out")
	case a.number < 0:
		return misused("--number counts from 1").with("%s", seeHelp)
	}
	return nil
}

// name takes the request's name apart. A shortened one is not guessed at: what
// it would mean can change before the command arrives.
func (r *remote) name(ctx context.Context, a *reply, request string) *complaint {
	if m := requestName().FindStringSubmatch(request); m != nil {
		a.request, a.instance = request, m[1]
		return nil
	}
	var names []string
	for _, o := range look(ctx, r.proxies).waiting() {
		names = append(names, field(o.Request))
	}
	c := misused("%s is not a request's full name, which is <instance>:<number>", quotation(request))
	if len(names) == 0 {
		return c.with("none is waiting now")
	}
	return c.with("waiting now: %s", several(names))
}

// several is the beginning of a list in words.
func several(names []string) string {
	const most = 10
	if n := len(names) - most; n > 0 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ")
}

// proxyOf finds a proxy and asks for its state.
func (r *remote) proxyOf(ctx context.Context, instance string) (endpoint, control.State, *complaint) {
	list, _ := r.proxies.find()
	var names []string
	for _, e := range list {
		if e.instance != instance {
			names = append(names, field(e.instance))
			continue
		}
		s, err := ask(ctx, r.proxies, e, decisionTime)
		switch {
		case errors.Is(err, errGone):
			continue
		case err != nil:
			return e, s, broken("%s", silence(e, err, decisionTime)).with("your answer was not given")
		}
		return e, s, nil
	}
	c := &complaint{exit: exitUnknown, Code: "no_such_proxy", Message: fmt.Sprintf("no proxy %s is running", field(instance))}
	if len(names) == 0 {
		return endpoint{}, control.State{}, c.with("nor is any other")
	}
	return endpoint{}, control.State{}, c.with("running: %s", several(names))
}

// decide makes the answer out of what the request is now, hands it in, and says
// what became of it.
func (r *remote) decide(ctx context.Context, a reply, e endpoint, s control.State) int {
	p, waits := waitingIn(s.Pending, a.request)
	d := a.unseen()
	if waits {
		var c *complaint
		if d, c = a.decision(p); c != nil {
			return r.fail(c)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, decisionTime)
	defer cancel()
	ruling, err := r.proxies.decide(ctx, e, d)
	switch {
	case errors.Is(err, errGone):
		return r.fail(a.expired(p, broker.Ruling{By: broker.ByGone}))
	case err != nil:
		return r.fail(broken("%s", silence(e, err, decisionTime)).with("whether your answer counts is not known; see: bobproxy pending"))
	case !waits && (ruling.Result == broker.Refused || ruling.Result == broker.Applied && !d.Deny):
		ruling.Result = broker.Unknown // it was refused because it was never seen
	}
	return r.outcome(a, p, d, ruling)
}

func waitingIn(list []control.Pending, request string) (control.Pending, bool) {
	for _, p := range list {
		if p.Request == request {
			return p, true
		}
	}
	return control.Pending{}, false
}

// unseen is a decision about a request that does not wait, handed in to learn
// what became of it. Nothing can be allowed by it.
func (a *reply) unseen() broker.Decision {
	d := broker.Decision{Request: a.request, By: broker.ByCommand}
	if a.verb == "deny" {
		d.Deny = true
		return d
	}
	d.Number, d.Digest = max(a.number, 1), "not seen"
	return d
}

// decision is the answer to p. It carries the digest of what was looked at, so
// that nothing else can be answered by it.
func (a *reply) decision(p control.Pending) (broker.Decision, *complaint) {
	d := broker.Decision{Request: a.request, Digest: p.Digest, By: broker.ByCommand, Standing: a.standing}
	if a.verb == "deny" {
		d.Deny = true
		return d, nil
	}
	if a.digest != "" && !strings.HasPrefix(p.Digest, a.digest) {
		return d, notTaken("%s has digest %s, not %s", a.request, field(p.Digest), a.digest).with("look at it again: bobproxy pending")
	}
	o, c := a.choose(p)
	d.Option, d.Number = o.ID, o.Number
	return d, c
}
