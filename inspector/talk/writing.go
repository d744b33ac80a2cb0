package talk

import (
	"strings"
	"time"

	"bobproxy/acp/session"
	"bobproxy/inspector/gist"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// How many of its things a section names.
const (
	mostOpen     = 20
	mostFiles    = 500
	mostCommands = 100
	mostWarnings = 50
	fewStderr    = 5
	mostStderr   = 2000
)

// writing is the rows of an info pane as they are made.
type writing struct {
	*Info
	s     *model.Session
	c     pane.Context
	over  bool // nothing goes on any more, and the clock stands
	width int
	part  string // the section that is being written
	rows  []fact
}

// all writes all sections: first what nobody else tells, then the plain facts.
func (w *writing) all() {
	w.alarm()
	w.ledger()
	w.debts()
	w.session()
	w.proxy()
	w.offers()
	w.files()
	w.warnings()
	w.stderr()
}

// place is where the session works.
func (w *writing) place() gist.Place { return gist.Of(w.s, w.c.Home) }

func (w *writing) add(f fact) { w.rows = append(w.rows, f) }

// heading begins a section, with what it comes to at the right.
func (w *writing) heading(name string, right paint.Line) {
	if len(w.rows) > 0 {
		w.add(fact{name: "above " + name})
	}
	w.part = name
	w.add(fact{row: row{paint.L(paint.Heading, name), right}, name: name})
}

func (w *writing) quiet(name, words string) {
	for i, l := range paint.Clean(paint.Dim, words).Wrap(max(w.width-1, 1)) {
		w.add(fact{row: row{left: l}, name: name + count(i), indent: 1})
	}
}

// more is a row that opens the rest of a section, or closes it.
func (w *writing) more(section, words, enter string) {
	open := w.Info.open
	key, does, _ := strings.Cut(enter, " ")
	w.add(fact{row: row{paint.L(paint.Dim, words), paint.L(paint.Key, key).With(paint.L(paint.Dim, " "+does))}, name: section + " more", indent: 1,
		opens: func() []pane.Wish { open[section] = !open[section]; return nil }})
}

// fact is a name and what it says, whole.
func (w *writing) fact(name string, value paint.Line) {
	if strings.TrimSpace(value.String()) == "" {
		return
	}
	const at = 10
	for i, l := range value.Wrap(max(w.width-1-at, 8)) {
		lead := paint.L(paint.Plain, strings.Repeat(" ", at))
		if i == 0 {
			lead = pad(paint.L(paint.Dim, name), at-1)
		}
		w.add(fact{row: row{left: lead.With(l)}, name: w.part + " " + name + " " + count(i), indent: 1, copies: value.String()})
	}
}

func (w *writing) say(name, value string) { w.fact(name, paint.Clean(paint.Plain, head(value, 4096))) }

func (w *writing) at(t time.Time) string { return t.In(w.c.Now.Location()).Format("15:04:05") }

// alarm is what makes the gate worthless, in plain words.
func (w *writing) alarm() {
	why := unguarded(w.s)
	if why == "" {
		return
	}
	loud := paint.Line{{Text: "! THE AGENT MAY ACT WITHOUT ASKING", Style: paint.Style{Role: paint.Danger, Bold: true}}}
	w.add(fact{row: row{left: loud}, name: "alarm"})
	for i, l := range paint.Clean(paint.Danger, why).Wrap(max(w.width-2, 1)) {
		w.add(fact{row: row{left: l}, name: "alarm " + count(i), indent: 2})
	}
	for i, l := range paint.L(paint.Plain, "bobproxy cannot guard what it is never asked about.").Wrap(max(w.width-2, 1)) {
		w.add(fact{row: row{left: l}, name: "alarm why " + count(i), indent: 2})
	}
}

// session is the session itself.
func (w *writing) session() {
	t := w.s.Talk
	w.heading("SESSION", nil)
	if t.Session == "" {
		w.quiet("session", "what belongs to no session")
	}
	w.say("title", t.Title)
	w.say("id", t.Session)
	w.say("folder", w.place().AtHome(w.s.Cwd))
	for _, r := range w.s.Roots[:min(len(w.s.Roots), 20)] {
		w.say("and", w.place().AtHome(r))
	}
	w.say("parent", w.s.Parent)
	w.turns(t)
	w.say("mode", modeName(t))
	for _, o := range t.Options[:min(len(t.Options), 30)] {
		if o.Category != "mode" || t.Mode == "" {
			w.say(paint.Cut(head(strings.ToLower(or(o.Name, o.ID)), 64), 9), o.Current)
		}
	}
	w.usage(t)
	if w.s.Closed {
		w.say("state", "closed")
	}
}

func (w *writing) turns(t *session.Talk) {
	switch {
	case t.Running && w.over:
		w.fact("turn", paint.L(paint.Warn, "unfinished").With(paint.L(paint.Plain, " after "+lapse.Clock(w.c.Now.Sub(t.Since))+", the "+nth(t.Turns))))
	case t.Running:
		w.fact("turn", paint.L(paint.Strong, lapse.Clock(w.c.Now.Sub(t.Since))).With(paint.L(paint.Plain, ", the "+nth(t.Turns))))
	case t.Turns > 0:
		w.fact("turns", paint.L(paint.Plain, count(t.Turns)+", the last one: ").With(paint.Clean(paint.Plain, head(t.Stop, 256))))
	}
}

// nth is a number as a rank: 1st, 2nd, 3rd, 11th.
func nth(n int) string {
	suffix := "th"
	if n/10%10 != 1 && n%10 >= 1 && n%10 <= 3 {
		suffix = [...]string{"st", "nd", "rd"}[n%10-1]
	}
	return count(n) + suffix
}

func (w *writing) usage(t *session.Talk) {
	if t.Usage.Size > 0 {
		words := "  " + tokens(t.Usage.Used) + " of " + tokens(t.Usage.Size)
		w.fact("context", bar(t.Usage.Used, t.Usage.Size, min(w.width-12-len(words), 24)).With(paint.L(paint.Plain, words)))
	}
	w.say("cost", t.Usage.Cost)
}

// proxy is who talks, through which proxy, and what they can do.
func (w *writing) proxy() {
	p := w.s.Proxy
	if p == nil {
		return
	}
	w.heading("EDITOR", nil)
	w.say("name", or(program(p.Client.Name, p.Client.Title, p.Client.Version), "has not said"))
	w.heading("AGENT", nil)
	w.say("name", or(program(p.Agent.Name, p.Agent.Title, p.Agent.Version), "has not said"))
	w.say("command", strings.Join(p.State.Command, " "))
	if p.Protocol > 0 {
		w.say("protocol", "ACP version "+count(p.Protocol))
	}
	if p.Exit != nil {
		w.fact("ended", paint.Clean(paint.Bad, exit(p)))
	}
	w.heading("PROXY", nil)
	w.say("name", strings.Join([]string{p.Instance, proxyLine(p, w.c)}, "  "))
	w.say("version", p.State.Version)
	w.say("folder", w.place().AtHome(p.State.Cwd))
	w.say("bounds", p.State.Bounds)
	w.say("time-out", timeout(p.State.Timeout))
	w.say("recording", w.place().AtHome(p.State.Recording))
	w.say("you", answers(p))
	w.say("link", p.LinkText)
	w.capabilities(capabilities(p))
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func exit(p *model.Proxy) string {
	return model.HowEnded(p.Exit)
}

func timeout(t string) string {
	switch t {
	case "":
		return ""
	case "0":
		return "never; a permission waits until it is answered"
	}
	if d, err := time.ParseDuration(t); err == nil {
		t = lapse.Clock(d)
	}
	return "a permission waits " + t + ", then it is refused"
}

// answers is what the person may do here.
func answers(p *model.Proxy) string {
	switch p.Greeting.Answers {
	case "deny-only":
		return "may refuse only" + with(": ", p.Greeting.Why)
	case "none":
		return "may watch only" + with(": ", p.Greeting.Why)
	}
	return ""
}

func (w *writing) capabilities(c caps) {
	if !c.known {
		return
	}
	w.heading("CAPABILITIES", nil)
	w.say("editor", or(strings.Join(c.client, ", "), "none"))
	w.say("agent", or(strings.Join(c.agent, ", "), "none"))
}

// offers are commands and modes.
func (w *writing) offers() {
	t := w.s.Talk
	if n := len(t.Commands); n > 0 {
		w.heading("COMMANDS", paint.L(paint.Dim, count(n)))
		for i, c := range t.Commands[:min(n, mostCommands)] {
			w.choice("command "+count(i), "/"+strings.TrimPrefix(c.Name, "/"), between(c.Hint, "‹"+head(c.Hint, 64)+"› ")+c.Description)
		}
	}
	if n := len(t.Modes); n > 0 {
		w.heading("MODES", paint.L(paint.Dim, count(n)))
		for i, m := range t.Modes[:min(n, mostCommands)] {
			w.mode("mode "+count(i), m, m.ID == t.Mode)
		}
	}
}

func (w *writing) choice(key, name, about string) {
	l := pad(paint.Clean(paint.Plain, head(name, 128)), 14)
	w.add(fact{row: row{left: l.With(paint.L(paint.Plain, " ")).With(paint.Clean(paint.Dim, head(firstLine(about), 512)))}, name: key, indent: 1, copies: name})
}

// mode is one of the modes: its name, what it means, and its id, where that is
// another word and there is room.
func (w *writing) mode(key string, m session.Choice, now bool) {
	name := or(m.Name, m.ID)
	if now {
		name = "● " + name
	}
	w.choice(key, name, m.Description)
	f := &w.rows[len(w.rows)-1]
	if id := paint.Clean(paint.Dim, head(m.ID, 128)); !strings.EqualFold(m.ID, or(m.Name, m.ID)) && f.left.Width()+2+id.Width() < w.width {
		f.right = id
	}
}

// files are those that the session had to do with.
func (w *writing) files() {
	files := w.s.Files
	if len(files) == 0 {
		return
	}
	w.heading("FILES", paint.L(paint.Dim, count(len(files))))
	for i, f := range files[:min(len(files), mostFiles)] {
		right := changed(f.Added, f.Removed)
		if len(right) > 0 {
			right = right.With(paint.L(paint.Plain, "  "))
		}
		right = right.With(pad(paint.Clean(paint.Dim, head(f.Did, 32)), 8))
		room := max(w.width-2-right.Width(), 8)
		w.add(fact{row: row{paint.Clean(paint.Plain, w.place().Path(f.Path, room)), right}, name: "file " + count(i), indent: 1, copies: f.Path})
	}
}

// warnings are the proxy's own words.
func (w *writing) warnings() {
	if w.s.Proxy == nil || len(w.s.Proxy.Warnings) == 0 {
		return
	}
	all := w.s.Proxy.Warnings
	w.heading("WARNINGS", paint.L(paint.Warn, count(len(all))))
	for _, m := range all[max(0, len(all)-mostWarnings):] {
		w.word(m, paint.Warn, true)
	}
}

// stderr is the agent's own words, the last ones until all are asked for.
func (w *writing) stderr() {
	if w.s.Proxy == nil {
		return
	}
	all := w.s.Proxy.Stderr
	if len(all) == 0 {
		return
	}
	w.heading("STDERR", paint.L(paint.Dim, kept(len(all))))
	shown := all[max(0, len(all)-mostStderr):]
	if !w.Info.open["stderr"] && len(all) > fewStderr {
		w.more("stderr", "… "+count(len(all)-fewStderr)+" before these", "E shows all")
		shown = all[len(all)-fewStderr:]
	}
	for _, m := range shown {
		w.word(m, paint.Dim, w.Info.open["stderr"])
	}
}

func (w *writing) word(m model.Words, role paint.Role, all bool) {
	time := paint.L(paint.Dim, w.at(m.At)+"  ")
	text := paint.Clean(role, head(m.Text, 4096))
	rows := []paint.Line{text}
	if all {
		rows = text.Wrap(max(w.width-11, 8))
	}
	for i, l := range rows {
		if i > 0 {
			time = paint.L(paint.Plain, "          ")
		}
		w.add(fact{row: row{left: time.With(l)}, name: "line " + count(int(m.Seq)) + " " + count(i), indent: 1, opens: w.visit(keys.Timeline, m.Seq, ""), copies: m.Text})
	}
}
