package model

import (
	"fmt"
	"slices"
	"strings"

	"bobproxy/acp"
)

// dump is all that a view could see of a model, as text: two models are equal
// when their dumps are. What a proxy's State says beside it is left out.
func dump(m *Model) string {
	var b strings.Builder
	for _, p := range m.Proxies {
		dumpProxy(&b, p)
	}
	return b.String()
}

func dumpProxy(b *strings.Builder, p *Proxy) {
	fmt.Fprintf(b, "proxy %s link %d %q client %v agent %v protocol %d auto-approve %q\n", p.Instance, p.Link, p.LinkText, p.Client, p.Agent, p.Protocol, p.AutoApprove)
	fmt.Fprintf(b, "  dropped %d missed %d damaged %d last %d frames %v bytes %v\n", p.Dropped, p.Missed, p.Damaged, p.LastSeq, p.Frames, p.Bytes)
	if p.Exit != nil {
		fmt.Fprintf(b, "  exit %+v at %s\n", *p.Exit, clock(p.ExitAt))
	}
	for _, s := range p.Sessions {
		dumpSession(b, s)
	}
	for _, o := range p.Pending {
		dumpPermission(b, "pending", o)
	}
	for _, o := range p.Closed {
		dumpPermission(b, "closed", o)
	}
	fmt.Fprintf(b, "  open %v\n", seqs(p.Open))
	for _, w := range p.Stderr {
		fmt.Fprintf(b, "  stderr %d %q\n", w.Seq, w.Text)
	}
	for _, w := range p.Warnings {
		fmt.Fprintf(b, "  warning %d %q\n", w.Seq, w.Text)
	}
	for _, r := range p.Rows {
		dumpRow(b, r)
	}
}

func dumpSession(b *strings.Builder, s *Session) {
	t := s.Talk
	phase, _ := s.State(s.Activity)
	fmt.Fprintf(b, "  session %q %q cwd %s roots %v parent %q closed %v %s rows %d activity %s\n", t.Session, s.Name(), s.Cwd, s.Roots, s.Parent, s.Closed, phase, s.Rows, clock(s.Activity))
	fmt.Fprintf(b, "    mode %s turns %d running %v stop %q entries %d auto-approve %q\n", t.Mode, t.Turns, t.Running, t.Stop, len(t.Entries), s.AutoApprove)
	for _, d := range s.Deeds {
		entry := uint64(0)
		if d.Entry != nil {
			entry = d.Entry.Seq
		}
		var asked []string
		for _, o := range d.Asked {
			asked = append(asked, o.Request)
		}
		fmt.Fprintf(b, "    deed %d %s %q %s (%s) entry %d asked %v requests %v\n", d.Seq, d.What, d.Title, d.Verdict, d.Who(), entry, asked, seqs(d.Requests))
	}
	for _, f := range s.Files {
		fmt.Fprintf(b, "    file %s %s +%d -%d\n", f.Path, f.Did, f.Added, f.Removed)
	}
}

func dumpPermission(b *strings.Builder, state string, o *Permission) {
	fmt.Fprintf(b, "  %s %s %q %s call %s opened %s seq %d frame %d: %s\n", state, o.Request, o.Title, o.Kind, o.Call, clock(o.Opened), o.Seq, o.Frame, o.Who())
	if o.Card != nil {
		fmt.Fprintf(b, "    card %q %s options %d input %d content %d\n", o.Card.Title, o.Card.Kind, len(o.Card.Options), len(o.Card.Input), len(o.Card.Content))
	}
	if o.Deed != nil {
		fmt.Fprintf(b, "    deed %d\n", o.Deed.Seq)
	}
	for _, late := range o.Late {
		fmt.Fprintf(b, "    late %s %s %s\n", late.By, late.Outcome, late.OptionKind)
	}
}

func dumpRow(b *strings.Builder, r *Row) {
	fmt.Fprintf(b, "  %d %s %s", r.Seq, clock(r.Time), r.Type)
	if r.From != 0 {
		arrow := map[acp.Direction]string{acp.Client: "→", acp.Agent: "←"}[r.From]
		fmt.Fprintf(b, " %s %s %s id %s %dB body %d", arrow, r.Kind, r.Method, r.ID, r.Size, len(r.Body))
	}
	if r.Session != nil {
		fmt.Fprintf(b, " session %q", r.Session.Talk.Session)
	}
	for _, field := range []struct{ name, value string }{
		{"by", r.By}, {"action", r.Action}, {"reason", r.Reason}, {"text", r.Text}, {"update", r.Update},
		{"call", r.Call}, {"tool", r.Tool}, {"status", r.Status}, {"run", r.Run}, {"first", r.First},
	} {
		if field.value != "" {
			fmt.Fprintf(b, " %s %q", field.name, field.value)
		}
	}
	if r.Pair != nil {
		fmt.Fprintf(b, " pair %d", r.Pair.Seq)
	}
	if r.Waited > 0 {
		fmt.Fprintf(b, " waited %s", r.Waited)
	}
	if r.About != nil {
		fmt.Fprintf(b, " about %d", r.About.Seq)
	}
	if r.Permission != nil {
		fmt.Fprintf(b, " permission %s", r.Permission.Request)
	}
	for _, is := range []struct {
		name string
		so   bool
	}{{"added", r.Added}, {"cut", r.Cut}, {"chunk", r.Chunk}, {"waiting", r.Waiting}} {
		if is.so {
			b.WriteString(" " + is.name)
		}
	}
	b.WriteByte('\n')
}

func seqs(rows []*Row) []uint64 {
	all := []uint64{}
	for _, r := range rows {
		all = append(all, r.Seq)
	}
	slices.Sort(all)
	return all
}
