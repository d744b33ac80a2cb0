package talk

import (
	"strings"

	"bobproxy/acp"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/lapse"
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
		w.beside(n)
		return
	}
	if !w.open["deeds"] && len(deeds) > foldedDeeds {
		w.more("deeds", "… "+count(len(deeds)-foldedDeeds)+" before these", "Enter shows all")
		deeds = deeds[len(deeds)-foldedDeeds:]
	}
	for _, d := range deeds {
		w.deed(d)
	}
	w.beside(n)
	if w.s.Talk.Dropped > 0 || w.s.Proxy != nil && w.s.Proxy.Dropped+w.s.Proxy.Missed > 0 {
		w.quiet("deeds older", "what came before is not here; the recording has it")
	}
}

// beside says how many questions the lines of the ledger do not count.
func (w *writing) beside(n tally) {
	if n.beside > 0 {
		w.quiet("deeds beside", "asked besides, for what is none of these: "+count(n.beside))
	}
}

// totals is the ledger in one line: it counts its lines, and says so.
func totals(n tally) paint.Line {
	if n.deeds == 0 {
		return nil
	}
	l := paint.L(paint.Plain, count(n.asked)+" of "+count(n.deeds)+" asked")
	if n.covered > 0 {
		l = l.With(paint.L(paint.Plain, ", "+count(n.covered)+" covered"))
	}
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
		w.add(fact{tell: func() row { return w.inOne(d) }, name: name, opens: opens, deed: d})
	} else {
		w.add(fact{tell: func() row { return row{left: w.did(d, w.width)} }, name: name, opens: opens, deed: d})
		w.add(fact{tell: func() row { _, words, took := w.judged(d, w.width-2); return row{words, took} }, name: name + " verdict", indent: 2, opens: opens, deed: d})
	}
	w.caused(d, name)
}

// inOne is a line of the ledger with its verdict beside it.
func (w *writing) inOne(d *model.Deed) row {
	_, words, took := w.judged(d, w.width*2/3)
	if len(took) > 0 {
		words = words.With(paint.L(paint.Plain, "  ")).With(took)
	}
	return row{w.did(d, w.width-words.Width()-2), words}
}

// did is what was done, in at most width cells.
func (w *writing) did(d *model.Deed, width int) paint.Line {
	sign, _, _ := w.judged(d, width)
	l := sign.With(paint.L(paint.Dim, " "+w.at(d.At)+"  "))
	l = l.With(pad(paint.Clean(paint.Plain, paint.Cut(head(d.What, 64), 9)), 9))
	var changes paint.Line
	if d.Entry != nil && d.Entry.Tool != nil {
		if changes = changed(d.Entry.Tool.Added, d.Entry.Tool.Removed); len(changes) > 0 {
			changes = paint.L(paint.Plain, "  ").With(changes)
		}
	}
	about := w.place().Line(d.Subject(), max(width-l.Width()-changes.Width(), 8))
	if len(about) == 0 {
		about = paint.L(paint.Dim, "no title")
	}
	return l.With(about).With(changes)
}

// judged is the verdict: its sign, its words, and how long an answer took, in at
// most width cells if it can be said in so few.
func (w *writing) judged(d *model.Deed, width int) (sign, words, took paint.Line) {
	if warn := trespass(d); warn != "" {
		loud := paint.Style{Role: paint.Danger, Bold: true}
		return paint.Line{{Text: "!", Style: loud}}, paint.Line{{Text: strings.ToUpper(warn), Style: loud}}, nil
	}
	if !claimed(d) {
		return w.ruled(d, width)
	}
	claim := paint.L(paint.Warn, "called completed").With(paint.L(paint.Dim, " · "))
	_, words, took = w.ruled(d, width-claim.Width())
	return paint.L(paint.Warn, "!"), claim.With(words), took
}

// ruled is judged by what was decided alone.
func (w *writing) ruled(d *model.Deed, width int) (sign, words, took paint.Line) {
	asked := lastAsked(d)
	switch d.Verdict {
	case model.Asking:
		return paint.L(paint.Warn, "?"), paint.L(paint.Warn, "asked, and nobody has answered yet"), w.since(asked)
	case model.NotYet:
		return paint.L(paint.Dim, "·"), paint.L(paint.Dim, "has not run yet, nobody was asked yet"), nil
	case model.NotRun:
		return paint.L(paint.Dim, "−"), paint.L(paint.Dim, "never ran, nobody was asked"), nil
	case model.Unasked:
		return paint.L(paint.Warn, "✓"), paint.L(paint.Warn, "not asked").With(paint.L(paint.Dim, ", "+d.Who())), nil
	case model.Allowed:
		sign = paint.L(paint.Good, "✓")
	case model.Refused:
		sign = paint.L(paint.Bad, "×")
	default:
		sign = paint.L(paint.Warn, "!")
	}
	if asked != nil && asked.Ended {
		return sign, paint.L(paint.Warn, "asked, never answered").With(paint.L(paint.Dim, ": the proxy ended")), nil
	}
	if asked == nil || asked.Decision == nil {
		return sign, paint.L(paint.Dim, fallback(d.Verdict)), nil
	}
	words, took = answered(asked, asked.Decision, w.Self, width)
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
func answered(p *model.Permission, d *journal.Decision, self, width int) (words, took paint.Line) {
	took = paint.L(paint.Dim, lapse.Took(d.Wait))
	switch d.By {
	case "timeout":
		return fitting(width-took.Width()-2, chosen(p, d), paint.L(paint.Warn, "asked, nobody answered").With(sent(d)),
			paint.L(paint.Warn, "nobody answered").With(sent(d)), paint.L(paint.Warn, "timed out").With(sent(d))), took
	case "bounds":
		return paint.L(paint.Bad, "asked, refused").With(paint.L(paint.Dim, " by the workspace bounds")), nil
	case "cancel", "agent", "gone":
		return paint.L(paint.Warn, "asked, withdrawn").With(paint.L(paint.Dim, " before an answer")), took
	}
	verb, role := verb(d)
	var forms []paint.Line
	for _, lead := range []string{"asked, ", ""} {
		for _, place := range where(d, self, false) {
			forms = append(forms, paint.L(paint.Dim, lead).With(paint.L(role, verb)).With(paint.L(paint.Dim, " "+place)))
		}
	}
	return fitting(width-took.Width()-2, chosen(p, d), append(forms, paint.L(role, verb))...), took
}

// longName is how many cells what an option is called may have and is never cut.
const longName = 24

// leastNames are how many cells of a longer name stay: if possible so many, or
// else fewer.
var leastNames = [...]int{16, 10}

// fitting is the first of some forms behind which end fits. A long end, which is
// in the agent's words, is cut before the last form is taken: that one leaves out
// who answered.
func fitting(width int, end paint.Line, forms ...paint.Line) paint.Line {
	bare, long := len(forms)-1, end.Width() > longName
	for i, form := range forms {
		if form.Width()+end.Width() <= width && (i < bare || !long) {
			return form.With(end)
		}
	}
	for _, least := range leastNames {
		for _, form := range forms[:bare] {
			if room := width - form.Width(); long && room >= least {
				return form.With(end.Cut(room))
			}
		}
	}
	return forms[bare].With(end)
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
	return clockOf(p, w.c.Now)
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
		left := paint.L(paint.Dim, "← "+head(r.Method, 64)+"  ")
		left = left.With(paint.Clean(paint.Dim, w.named(r, w.width-2-left.Width())))
		w.add(fact{row: row{left: left}, name: name + " request " + count(i), indent: 2, opens: w.visit(keys.Wire, r.Seq, "")})
	}
	if len(rest) > 0 && shown == shownRequests {
		left := paint.L(paint.Dim, "… "+plural(len(rest), "request")+" more")
		w.add(fact{row: row{left: left}, name: name + " more", indent: 2, opens: w.visit(keys.Wire, rest[0].Seq, "")})
	}
}

// named is what a request is about: a file, or else its first words.
func (w *writing) named(r *model.Row, width int) string {
	if r.Method == acp.MethodWriteTextFile || r.Method == acp.MethodReadTextFile {
		return w.place().Path(r.First, width)
	}
	return head(r.First, 200)
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
