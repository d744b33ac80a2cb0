package talk

import (
	"strings"

	"bobproxy/acp"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/journal"
)

// What is shown of the ledger until it is opened, and of the requests below one
// line of it.
const (
	foldedDeeds   = 12
	shownRequests = 3
)

// oneRow is from which width on a line of the ledger has its verdict beside it.
const oneRow = 118

// ledger is what was done, line by line, and whether anybody was asked.
func (w *writing) ledger() {
	n := tallyOf(w.s)
	w.heading("ASKED OR NOT", totals(n))
	deeds := w.s.Deeds
	if len(deeds) == 0 {
		w.quiet("deeds", "nothing was edited, deleted, moved or executed")
		return
	}
	if !w.open["deeds"] && len(deeds) > foldedDeeds {
		w.more("deeds", "… "+count(len(deeds)-foldedDeeds)+" before these", "Enter shows all")
		deeds = deeds[len(deeds)-foldedDeeds:]
	}
	for _, d := range deeds {
		w.deed(d)
	}
	if w.s.Talk.Dropped > 0 || w.s.Proxy != nil && w.s.Proxy.Dropped+w.s.Proxy.Missed > 0 {
		w.quiet("deeds older", "what came before is not here; the recording has it")
	}
}

// totals is the ledger in one line.
func totals(n tally) paint.Line {
	if n.deeds == 0 {
		return nil
	}
	l := paint.L(paint.Plain, count(n.asked)+" asked")
	if n.unasked == 0 && n.despite == 0 {
		return l.With(paint.L(paint.Good, ", none unasked"))
	}
	if n.unasked > 0 {
		l = l.With(paint.L(paint.Plain, ", ")).With(paint.L(paint.Danger, count(n.unasked)+" ran without asking"))
	}
	if n.despite > 0 {
		l = l.With(paint.L(paint.Plain, ", ")).With(paint.L(paint.Danger, count(n.despite)+" although refused"))
	}
	return l
}

// deed is one line of the ledger: a sign, when, what was done, and what became
// of the question; below it what it made the agent ask the editor for. There may
// be many, so each is only put into words when it is on the screen.
func (w *writing) deed(d *model.Deed) {
	name := "deed " + count(int(d.Seq)) + " " + d.What
	opens := w.visit(keys.Timeline, d.Seq, "")
	if w.width >= oneRow {
		w.add(fact{tell: func() row { return row{w.did(d), w.verdict(d)} }, name: name, opens: opens, copies: d.Title})
	} else {
		w.add(fact{tell: func() row { return row{left: w.did(d)} }, name: name, opens: opens, copies: d.Title})
		w.add(fact{tell: func() row { _, words, took := w.judged(d); return row{words, took} }, name: name + " verdict", indent: 2, opens: opens, copies: d.Title})
	}
	w.caused(d, name)
}

func (w *writing) did(d *model.Deed) paint.Line {
	sign, _, _ := w.judged(d)
	l := sign.With(paint.L(paint.Dim, " "+w.at(d.At)+"  "))
	return l.With(pad(paint.Clean(paint.Plain, paint.Cut(head(d.What, 64), 9)), 9)).With(w.deedTitle(d))
}

// verdict is what became of the question, in one line.
func (w *writing) verdict(d *model.Deed) paint.Line {
	_, words, took := w.judged(d)
	if len(took) > 0 {
		words = words.With(paint.L(paint.Plain, "  ")).With(took)
	}
	return words
}

func (w *writing) deedTitle(d *model.Deed) paint.Line {
	title := head(d.Title, 1024)
	if d.Entry != nil && d.Entry.Tool != nil && ofFiles(d.Entry.Tool.Kind) && len(d.Entry.Tool.Paths) > 0 {
		title = near(d.Entry.Tool.Paths[0], w.s, w.c.Home)
	} else if d.What == "write" {
		title = near(d.Title, w.s, w.c.Home)
	}
	l := paint.Clean(paint.Plain, title)
	if title == "" {
		l = paint.L(paint.Dim, "no title")
	}
	if d.Entry != nil && d.Entry.Tool != nil {
		if more := changed(d.Entry.Tool.Added, d.Entry.Tool.Removed); len(more) > 0 {
			l = l.With(paint.L(paint.Plain, "  ")).With(more)
		}
	}
	return l
}

// judged is the verdict: its sign, its words, and how long an answer took.
func (w *writing) judged(d *model.Deed) (sign, words, took paint.Line) {
	if warn := trespass(d); warn != "" {
		loud := paint.Style{Role: paint.Danger, Bold: true}
		return paint.Line{{Text: "!", Style: loud}}, paint.Line{{Text: strings.ToUpper(warn), Style: loud}}, nil
	}
	if sign, words, took = w.ruled(d); claimed(d) {
		return paint.L(paint.Warn, "!"), paint.L(paint.Warn, "called completed").With(paint.L(paint.Dim, " · ")).With(words), took
	}
	return sign, words, took
}

// ruled is judged by what was decided alone.
func (w *writing) ruled(d *model.Deed) (sign, words, took paint.Line) {
	asked := lastAsked(d)
	switch d.Verdict {
	case model.Asking:
		return paint.L(paint.Warn, "?"), paint.L(paint.Warn, "asked, and nobody has answered yet"), w.since(asked)
	case model.NotYet:
		return paint.L(paint.Dim, "·"), paint.L(paint.Dim, "has not run yet, nobody was asked yet"), nil
	case model.NotRun:
		return paint.L(paint.Dim, "−"), paint.L(paint.Dim, "never ran, nobody was asked"), nil
	case model.Allowed:
		sign = paint.L(paint.Good, "✓")
	case model.Refused:
		sign = paint.L(paint.Bad, "×")
	default:
		sign = paint.L(paint.Warn, "!")
	}
	if asked == nil || asked.Decision == nil {
		return sign, paint.L(paint.Dim, fallback(d.Verdict)), nil
	}
	words, took = answered(asked, asked.Decision, w.Self)
	return sign, words, took
}

func fallback(v model.Verdict) string {
	switch v {
	case model.Allowed:
		return "asked, allowed"
	case model.Refused:
		return "asked, refused"
	case model.TimedOut:
		return "asked, nobody answered"
	}
	return "asked, withdrawn before an answer"
}

// answered is an answer in the words of the ledger.
func answered(p *model.Permission, d *journal.Decision, self int) (words, took paint.Line) {
	took = paint.L(paint.Dim, seconds(d.Wait))
	switch d.By {
	case "timeout":
		return paint.L(paint.Warn, "asked, nobody answered").With(sent(p, d)), took
	case "bounds":
		return paint.L(paint.Bad, "asked, refused").With(paint.L(paint.Dim, " by the workspace bounds")), nil
	case "cancel", "agent", "gone":
		return paint.L(paint.Warn, "asked, withdrawn").With(paint.L(paint.Dim, " before an answer")), took
	}
	verb, role := verb(d)
	return paint.L(paint.Dim, "asked, ").With(paint.L(role, verb)).With(paint.L(paint.Dim, " "+where(d, self, false))).With(chosen(p, d)), took
}

func lastAsked(d *model.Deed) *model.Permission {
	if len(d.Asked) == 0 {
		return nil
	}
	return d.Asked[len(d.Asked)-1]
}

func (w *writing) since(p *model.Permission) paint.Line {
	if p == nil {
		return nil
	}
	return paint.L(paint.Warn, clock(w.c.Now.Sub(p.Opened)))
}

// caused are the requests that came of a deed; what only looks after a terminal
// is counted.
func (w *writing) caused(d *model.Deed, name string) {
	shown, rest := 0, []*model.Row(nil)
	for i, r := range d.Requests {
		if shown == shownRequests || looksAfter(r.Method) {
			rest = append(rest, r)
			continue
		}
		shown++
		left := paint.L(paint.Dim, "← "+head(r.Method, 64)+"  ").With(paint.Clean(paint.Dim, near(head(r.First, 200), w.s, w.c.Home)))
		w.add(fact{row: row{left: left}, name: name + " request " + count(i), indent: 2, opens: w.visit(keys.Wire, r.Seq, "")})
	}
	if len(rest) > 0 && shown == shownRequests {
		left := paint.L(paint.Dim, "… "+plural(len(rest), "request")+" more")
		w.add(fact{row: row{left: left}, name: name + " more", indent: 2, opens: w.visit(keys.Wire, rest[0].Seq, "")})
	}
}

// looksAfter says that a request only goes on with what another one began.
func looksAfter(method string) bool {
	switch method {
	case acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit, acp.MethodTerminalRelease:
		return true
	}
	return false
}

func pad(l paint.Line, width int) paint.Line {
	return l.With(paint.L(paint.Plain, strings.Repeat(" ", max(width-l.Width(), 0)+1)))
}

// visit is what Enter does on a row that belongs to a place in the journal.
func (w *writing) visit(tab keys.Place, seq uint64, filter string) func() []pane.Wish {
	s := w.s
	return func() []pane.Wish {
		return []pane.Wish{pane.Visit{Session: s, Tab: tab, Seq: seq, Filter: filter}}
	}
}
