package wire

import (
	"strconv"
	"strings"

	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

// facts is what is known of a row that is no frame, as a tree of names and
// texts.
func facts(r *model.Row) tree {
	t := tree{nodes: []node{{kind: '{', parent: -1, fact: true}}}
	f := (*sheet)(&t)
	switch r.Type {
	case journal.OpenedEvent:
		f.opened(r.Permission)
	case journal.DecisionEvent:
		f.decision(r)
	case journal.ExitEvent:
		f.exit(r)
	case journal.FlaggedEvent:
		f.about(r.About)
	case journal.GapEvent:
		f.add("on the wire", size(r.Size))
	}
	f.add("text", strings.TrimRight(r.Text, "\r\n"))
	f.add("method", r.Method)
	f.add("id", r.ID)
	if r.Session != nil {
		f.add("session", r.Session.Talk.Session)
	}
	f.add("reason", r.Reason)
	t.nodes[0].end = len(t.nodes)
	t.measure()
	return t
}

// sheet is a tree of facts that is being written.
type sheet tree

func (f *sheet) add(name, text string) {
	if text == "" {
		return
	}
	f.nodes = append(f.nodes, node{
		key: name, named: true, kind: '"', text: text, fact: true,
		index: f.nodes[0].n, depth: 1, end: len(f.nodes) + 1,
	})
	f.nodes[0].n++
}

func (f *sheet) opened(p *model.Permission) {
	if p == nil {
		return
	}
	f.add("for", p.Title)
	f.add("kind", p.Kind)
	f.add("request", p.Request)
	if p.Card != nil {
		for _, o := range p.Card.Options {
			f.add("option "+strconv.Itoa(o.Number), o.Name+" ("+o.Kind+")")
		}
		if p.Card.Deadline != nil {
			f.add("until", p.Card.Deadline.In(p.Opened.Location()).Format("15:04:05"))
		}
	}
	f.add("digest", p.Digest)
}

func (f *sheet) decision(r *model.Row) {
	d := r.Decision
	if d == nil {
		return
	}
	switch {
	case d.Closes():
		f.add("answer", r.Permission.Closing())
	case d.By != "":
		f.add("answer", head(model.RulingOf(d).What))
	}
	f.add("by", d.By)
	if d.Peer != nil {
		f.add("process", strconv.Itoa(d.Peer.PID)+" "+d.Peer.Exe+" "+d.Peer.TTY)
	}
	f.add("after", lapse.Took(d.Wait))
	if d.Late && !d.Closes() {
		f.add("late", "it was settled before; this answer did not count")
	}
	if r.Permission != nil {
		f.add("for", r.Permission.Title)
	}
	f.add("option", d.OptionID)
	f.add("kind", d.OptionKind)
	f.add("outcome", d.Outcome)
	f.add("request", d.Request)
	f.add("digest", d.Digest)
}

// about names the frame that was flagged.
func (f *sheet) about(r *model.Row) {
	if r != nil {
		word, _ := kind(r)
		f.add("frame", join(arrow(r), word, method(r, false), r.ID))
	}
}

func (f *sheet) exit(r *model.Row) {
	var end *journal.Exit
	switch {
	case r.Event != nil:
		end = r.Event.Exit
	case r.Proxy != nil:
		end = r.Proxy.Exit
	}
	if end == nil {
		return
	}
	f.add("status", strconv.Itoa(end.Status))
	f.add("signal", end.Signal)
	for _, left := range end.Left {
		f.add("left running", strconv.Itoa(left.PID)+" "+left.Command)
	}
}
