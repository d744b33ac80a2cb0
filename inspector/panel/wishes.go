package panel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bobproxy/inspector/filter"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// fulfil does what panes wish for. It is nil when they wished for nothing.
func (p *Panel) fulfil(wishes []pane.Wish) (effects []terminal.Effect) {
	for _, w := range wishes {
		effects = append(effects, p.wish(w)...)
		if effects == nil {
			effects = []terminal.Effect{}
		}
	}
	return effects
}

func (p *Panel) wish(w pane.Wish) []terminal.Effect {
	switch w := w.(type) {
	case pane.Detail:
		p.openDetail(w)
	case pane.Step:
		p.step(w.By)
	case pane.Visit:
		p.visit(w)
	case pane.Look:
		p.look(w.Permission)
	case pane.Copied:
		return p.copy(w)
	case pane.Saved:
		return p.save(w)
	case pane.Narrow:
		p.narrowBy(w.Term)
	case pane.Say:
		p.tell(w.Text, p.now)
	case pane.Close:
		p.stepBack()
	case pane.Answer:
		return p.answer(w)
	case pane.DropProxy:
		p.model.Drop(w.Proxy)
	case pane.PlayDemo:
		return p.playDemo()
	case pane.Ask:
		p.prompt = newPrompt('/', w.Text, p.history)
		if w.Action == keys.Command {
			p.prompt = newPrompt(':', w.Text, p.history)
		}
	}
	return nil
}

// openDetail shows a frame; the wire goes there with it, so that the next one
// is the next one.
func (p *Panel) openDetail(w pane.Detail) {
	if w.Row == nil {
		p.detail.Show(nil)
		return
	}
	if w.Raw {
		p.detail.ShowRaw(w.Row)
	} else {
		p.detail.Show(w.Row)
	}
	p.wire.Select(w.Row.Seq)
	p.focus = atDetail
}

// step shows the frame that is next in the wire.
func (p *Panel) step(by int) {
	do := keys.Down
	if by < 0 {
		do = keys.Up
	}
	p.wire.Do(do, p.context(atMain, p.now))
	if r := p.wire.Selected(); r != nil {
		p.detail.Show(r)
	}
}

// visit goes to a session.
func (p *Panel) visit(w pane.Visit) {
	if from, ok := p.here(); ok {
		defer func() { p.jumped(from) }()
	}
	if w.Session != nil {
		p.choose(w.Session)
	}
	p.focus, p.behind = atMain, nil
	switch {
	case w.Tab != "":
		p.tab = w.Tab
	case w.Session != nil && w.Session.Proxy.Link == model.Gone:
		p.tab = keys.Gone
	}
	if w.Filter != "" {
		if err := p.setFilter(w.Filter); err != nil {
			p.tell(err.Error(), p.now)
		}
	}
	if w.Seq == 0 {
		return
	}
	if p.tab == keys.Wire {
		p.wire.Select(w.Seq)
	} else {
		p.timeline.Select(w.Seq)
	}
}

func (p *Panel) copy(w pane.Copied) []terminal.Effect {
	p.copied = w.Text
	p.tell(fmt.Sprintf("copied %s, %s", w.What, howMany(len(w.Text), "byte", "bytes")), p.now)
	return []terminal.Effect{terminal.Clipboard{Text: w.Text}}
}

// saved is what has become of a save.
type saved struct {
	path string
	size int
	err  error
}

func (p *Panel) save(w pane.Saved) []terminal.Effect {
	if p.options.Save == nil {
		p.tell("nothing can be saved here", p.now)
		return nil
	}
	return []terminal.Effect{terminal.Later{Do: func(context.Context) any {
		path, err := p.options.Save(w.Name, w.Data)
		return saved{path, len(w.Data), err}
	}}}
}

// narrowBy adds a term to the filter of the wire, and goes there.
func (p *Panel) narrowBy(term string) {
	before, err := filter.Parse(p.filter)
	more, wrong := filter.Parse(term)
	if err = errors.Join(err, wrong); err == nil {
		err = p.setFilter(before.With(more).String())
	}
	if err != nil {
		p.tell(err.Error(), p.now)
		return
	}
	p.tab = keys.Wire
	if p.focus == atDetail && p.plan_ != nil && p.plan_.class == narrow {
		p.focus = atMain
	}
	p.tell("filter: "+p.filter, p.now)
}

// ruled is what has become of an answer.
type ruled struct {
	of     *model.Permission
	ruling broker.Ruling
	err    error
}

// decideWithin is how long an answer may take until it is said to be lost.
const decideWithin = 10 * time.Second

// answer sends an answer: once for each request, until the proxy has ruled.
func (p *Panel) answer(w pane.Answer) []terminal.Effect {
	if p.sending[w.Permission] || p.options.Decide == nil || p.options.Card.Watch {
		return nil
	}
	p.sending[w.Permission] = true
	d := broker.Decision{Request: w.Permission.Request, Digest: w.Digest, Number: w.Number, Deny: w.Number == 0, Standing: w.Standing}
	instance, pid := w.Permission.Proxy.Instance, w.Permission.Proxy.State.PID
	return []terminal.Effect{terminal.Later{Do: func(ctx context.Context) any {
		ctx, cancel := context.WithTimeout(ctx, decideWithin)
		defer cancel()
		ruling, err := p.options.Decide(ctx, instance, pid, d)
		return ruled{w.Permission, ruling, err}
	}}}
}

// compared is what the disk has beside the diffs of a permission.
type compared struct {
	of    *model.Permission
	files []control.OnDisk
	err   error
}

// compareWithin is how long a proxy, which waits for its disk for some seconds,
// may take to say what is there.
const compareWithin = 5 * time.Second

// compare asks what the disk has, when the card wants to know.
func (p *Panel) compare(now time.Time) []terminal.Effect {
	of := p.card.Compare(now)
	if of == nil {
		return nil
	}
	instance, pid, request := of.Proxy.Instance, of.Proxy.State.PID, of.Request
	return []terminal.Effect{terminal.Later{Do: func(ctx context.Context) any {
		ctx, cancel := context.WithTimeout(ctx, compareWithin)
		defer cancel()
		files, err := p.options.Disk(ctx, instance, pid, request)
		return compared{of, files, err}
	}}}
}

// played is what has become of the demo.
type played struct {
	outcome string
	err     error
}

func (p *Panel) playDemo() []terminal.Effect {
	if p.options.Demo == nil {
		p.tell("no demo here; run: bobproxy demo", p.now)
		return nil
	}
	p.tell("starting the demo", p.now)
	return []terminal.Effect{terminal.Later{Do: func(ctx context.Context) any {
		outcome, err := p.options.Demo(ctx)
		return played{outcome, err}
	}}}
}

// showStderr goes to the frames of the wire that are the agent's stderr.
func (p *Panel) showStderr() []terminal.Effect {
	if p.shown == nil || len(p.shown.Proxy.Stderr) == 0 {
		p.tell("the agent has written nothing to stderr", p.now)
		return nil
	}
	p.visit(pane.Visit{Session: p.shown, Tab: keys.Wire, Filter: "kind:stderr"})
	return nil
}
