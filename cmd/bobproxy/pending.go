package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"time"

	"bobproxy/proxy/control"
)

const pendingUsage = `bobproxy pending [INSTANCE] [--wait[=TIME]] [--json]

Shows the permission requests that wait for an answer, of all proxies or of one
(bobproxy ps lists them), the oldest first, and the commands that answer them.

  --wait[=TIME]   until there is one; TIME is the longest to wait, such as 30s
  --json          for scripts: {"pending":[…]}, one line

  bobproxy pending z69pu --wait=10m --json | jq -r '.pending[0].request'

Exit codes: 0, also when none waits; 2 wrong usage; 3 no such proxy; 124 TIME
ran out; 125 our own failure.
`

// pendingDocument is what `pending --json` prints. Members are only ever added.
type pendingDocument struct {
	Pending  []control.Pending `json:"pending"`
	Troubles []trouble         `json:"problems,omitempty"`
}

// pending is `bobproxy pending`.
func (r *remote) pending(ctx context.Context, args []string) int {
	flags := flag.NewFlagSet("pending", flag.ContinueOnError)
	var patient patienceFlag
	flags.Var(&patient, "wait", "")
	rest, code, done := r.parse(flags, args, pendingUsage)
	switch {
	case done:
		return code
	case len(rest) > 0 && patient.set && isTime(rest[0]):
		return r.fail(misused("pending takes no %s", quotation(rest[0])).with("how long to wait stands behind =, as in --wait=30s"))
	case len(rest) > 1, len(rest) == 1 && !instance().MatchString(rest[0]):
		return r.fail(misused("pending takes no %s", quotation(rest[len(rest)-1])).with("see: bobproxy pending --help"))
	case len(rest) == 1:
		single := one{r.proxies, rest[0]}
		if list, _ := single.find(); len(list) == 0 {
			_, _, c := r.proxyOf(ctx, rest[0])
			return r.fail(c)
		}
		r.proxies = single
	}
	if patient.set {
		return r.waitPending(ctx, patient.limit)
	}
	return r.showPending(look(ctx, r.proxies))
}

func isTime(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil
}

// one is a single proxy among all.
type one struct {
	proxies
	instance string
}

func (o one) find() ([]endpoint, []trouble) {
	list, _ := o.proxies.find()
	return slices.DeleteFunc(list, func(e endpoint) bool { return e.instance != o.instance }), nil
}

func (r *remote) waitPending(ctx context.Context, limit time.Duration) int {
	if limit >= 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	s, found := wait(ctx, r.proxies)
	if !found {
		r.grumble(s.troubles)
		return r.fail(&complaint{exit: exitWaited, Code: "waited", Message: fmt.Sprintf("no permission request came within %s", limit)})
	}
	return r.showPending(s)
}

func (r *remote) showPending(s survey) int {
	r.grumble(s.troubles)
	d := pendingDocument{Pending: []control.Pending{}, Troubles: s.troubles}
	for _, o := range s.waiting() {
		o.Options = neverNull(o.Options)
		o.Verdict.Paths = neverNull(o.Verdict.Paths)
		d.Pending = append(d.Pending, o.Pending)
	}
	return r.show(d, r.pendingText(s))
}

func (r *remote) pendingText(s survey) string {
	p := page{width: r.width}
	list := s.waiting()
	switch {
	case len(list) == 0 && len(s.states) == 0:
		return nothingRuns(s.troubles)
	case len(list) == 0:
		return fmt.Sprintf("no permission request is waiting (at %s; to wait: bobproxy pending --wait)\n", numberOfProxies(len(s.states)))
	}
	fmt.Fprintf(&p, "%s waiting, oldest first; behind │ are the agent's own words\n", howMany(len(list), "permission request"))
	for _, o := range list {
		p.WriteByte('\n')
		p.request(o, r.now())
	}
	return p.String()
}

func numberOfProxies(n int) string {
	if n == 1 {
		return "1 proxy"
	}
	return fmt.Sprintf("%d proxies", n)
}
