package panel

import (
	"slices"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/terminal"
)

// Input takes what the person did.
func (p *Panel) Input(in terminal.Input, now time.Time) []terminal.Effect {
	p.now = now
	p.settle()
	switch in := in.(type) {
	case terminal.Key:
		return p.key(in.Key, now)
	case terminal.Paste:
		p.card.Disturbed("text was pasted", now)
		if p.prompt != nil {
			return p.typed(in.Text)
		}
		p.tell("pasted text does nothing here", now)
	case terminal.Focus:
		p.attention.focused, p.attention.knows = in.In, true
		if in.In {
			p.card.Disturbed("the window got the keyboard", now)
		}
	case terminal.Mouse:
		return p.click(in, now)
	case terminal.Resized:
		p.card.Disturbed("the window changed its size", now)
	case terminal.Resumed:
		p.card.Disturbed("the panel was stopped", now)
	}
	return nil
}

// key takes one key, to where the keys go.
func (p *Panel) key(key keys.Key, now time.Time) []terminal.Effect {
	p.heard(now)
	p.pressed = now
	defer func() { p.stay(p.focus) }()
	if do, _ := p.keys.Find(keys.Everywhere, key); do == keys.Quit && key == "Ctrl-C" {
		return []terminal.Effect{terminal.Quit{}}
	}
	if p.prompt != nil {
		return p.promptKey(key)
	}
	if p.focus == atCard {
		wishes, used := p.card.Key(key, now, p.context(atCard, now))
		if effects := p.fulfil(wishes); used || effects != nil {
			return effects
		}
	}
	do, ok := p.keys.Find(p.pane(p.focus).Place(), key)
	if !ok {
		return nil
	}
	return p.do(do)
}

// stay makes the session that is shown the chosen one, when somebody uses its
// panes: it is not exchanged for another one while it is read.
func (p *Panel) stay(s spot) {
	if (s == atMain || s == atDetail) && slices.Contains(p.model.Sessions(), p.shown) {
		p.sessions.Select(p.shown)
	}
}

// do does what a key stands for.
func (p *Panel) do(do keys.Action) []terminal.Effect {
	switch do {
	case keys.Quit:
		return []terminal.Effect{terminal.Quit{}}
	case keys.Leave:
		return p.leave()
	case keys.Back:
		return p.back()
	case keys.Help:
		p.toggleHelp()
	case keys.Command:
		p.prompt = newPrompt(':', "", p.history)
	case keys.Find:
		p.openFind()
	case keys.Pending:
		p.look(nil)
	case keys.NextPane, keys.PrevPane:
		p.nextPane(do == keys.PrevPane)
	case keys.NextTab, keys.PrevTab:
		p.nextTab(do == keys.PrevTab)
	case keys.Layout:
		p.layout = p.layout.next()
		p.tell("layout: "+p.layout.String(), p.now)
		p.card.Disturbed("the layout changed", p.now)
	case keys.Zoom:
		p.zoom()
	case keys.HideBar:
		p.barHidden = !p.barHidden
		p.card.Disturbed("the layout changed", p.now)
	case keys.Mouse:
		return p.toggleMouse()
	case keys.Redraw:
		return []terminal.Effect{terminal.Repaint{}}
	case keys.Suspend:
		return []terminal.Effect{terminal.Suspend{}}
	case keys.Demo:
		return p.playDemo()
	case keys.Stderr:
		if p.focus != atMain || p.tab != keys.Info { // that has it itself
			return p.showStderr()
		}
		fallthrough
	default:
		return p.fulfil(p.pane(p.focus).Do(do, p.context(p.focus, p.now)))
	}
	return nil
}

func (p *Panel) toggleMouse() []terminal.Effect {
	p.mouse = !p.mouse
	text := "mouse on: the wheel scrolls, a click selects, nothing is answered by it"
	if !p.mouse {
		text = "mouse off: the terminal selects text"
	}
	p.tell(text, p.now)
	return []terminal.Effect{terminal.SetMouse{On: p.mouse}}
}

// back is Esc: the pane may have something to take back first; then we leave it.
func (p *Panel) back() []terminal.Effect {
	if p.focus == atCard && p.zooms() {
		p.zoom()
		return nil
	}
	if wishes := p.pane(p.focus).Do(keys.Back, p.context(p.focus, p.now)); wishes != nil {
		return p.fulfil(wishes)
	}
	jump, ok := p.arrived()
	switch {
	case ok && p.filter == jump.filtered && p.goBack():
	case p.focus == atMain && p.tab == keys.Wire && p.filter != "":
		_ = p.setFilter("") // an empty filter is never wrong
		p.tell("filter taken off", p.now)
	case p.zooms():
		p.zoomed = false
	default:
		p.stepBack()
	}
	return nil
}

// stepBack goes to where we came from; false: there is nothing behind us.
func (p *Panel) stepBack() bool {
	switch p.focus {
	case atCard:
		p.focus = p.before
		p.uncover()
	case atHelp:
		p.focus = p.under
		p.card.Disturbed("the help was closed", p.now) // it was covered
	case atDetail:
		p.detail.Show(nil)
		p.focus = atMain
	case atMain:
		if !p.goBack() {
			p.focus = atSessions
		}
	default:
		return false
	}
	return true
}

// leave is q: one step back, and at the sessions out.
func (p *Panel) leave() []terminal.Effect {
	if p.zooms() {
		p.zoomed = false
		return nil
	}
	if len(p.model.Proxies) > 0 && p.stepBack() {
		return nil
	}
	return []terminal.Effect{terminal.Quit{}}
}

// look goes to the card of a permission; nil: of the one that waits longest.
func (p *Panel) look(w *model.Permission) {
	if w == nil {
		w = p.first()
	}
	if p.focus != atCard {
		p.before, p.behind = p.focus, p.shown
		if p.before == atHelp {
			p.before = atMain
		}
		p.focus = atCard
	}
	if w != nil && p.plan_ != nil && p.plan_.class == wide {
		p.choose(w.Session) // what stands beside the card is about the same
	}
	p.card.Show(w, p.now)
	p.card.Disturbed("the card has just been opened", p.now)
}

// uncover goes back to the session from which the card was opened.
func (p *Panel) uncover() {
	if slices.Contains(p.model.Sessions(), p.behind) {
		p.choose(p.behind)
	}
	p.behind = nil
	if p.focus == atDetail && !p.detailOpen() {
		p.focus = atMain
	}
}

// choose makes s the selected session, everywhere.
func (p *Panel) choose(s *model.Session) {
	p.sessions.Select(s)
	p.show(s)
}

// toggleHelp opens the help, or closes it.
func (p *Panel) toggleHelp() {
	if p.focus == atHelp && p.help.page == nil {
		p.stepBack()
		return
	}
	p.openHelp()
}

func (p *Panel) openHelp() {
	if p.focus == atHelp && p.help.page == nil {
		return
	}
	p.cover()
	p.help.show(p.pane(p.under).Place())
}

// cover puts the help over what has the focus, to which leaving it goes back.
func (p *Panel) cover() {
	if p.focus != atHelp {
		p.under, p.focus = p.focus, atHelp
	}
}

// nextPane goes to another pane, around.
func (p *Panel) nextPane(backwards bool) {
	order := []spot{atSessions, atMain}
	if p.detailOpen() {
		order = append(order, atDetail)
	}
	if p.plan_ != nil && p.plan_.class == wide || len(p.model.Waiting()) > 0 {
		order = append(order, atCard)
	}
	at, step := 0, 1
	for i, s := range order {
		if s == p.focus {
			at = i
		}
	}
	if backwards {
		step = len(order) - 1
	}
	switch next := order[(at+step)%len(order)]; next {
	case atCard:
		p.look(nil)
	default:
		p.focus, p.behind = next, nil
	}
}

func (p *Panel) nextTab(backwards bool) {
	tabs := p.allTabs()
	step := 1
	if backwards {
		step = len(tabs) - 1
	}
	for i, tab := range tabs {
		if tab == p.tab {
			p.tab, p.trail = tabs[(i+step)%len(tabs)], nil
			break
		}
	}
	if p.focus != atDetail {
		p.focus = atMain
	}
}

// click is the mouse: the wheel moves what it is over, a click selects and takes
// the focus with it, except to a card, which is only gone to by key.
func (p *Panel) click(m terminal.Mouse, now time.Time) []terminal.Effect {
	if p.plan_ == nil {
		return nil
	}
	s, x, y, ok := p.plan_.at(m.X, m.Y)
	if !ok {
		return nil
	}
	p.stay(s)
	if m.Wheel != 0 {
		do := keys.Down
		if m.Wheel < 0 {
			do = keys.Up
		}
		var effects []terminal.Effect
		for range 3 {
			effects = append(effects, p.fulfil(p.pane(s).Do(do, p.context(s, now)))...)
		}
		return effects
	}
	p.pressed = now
	if s == atCard {
		p.card.Disturbed("the mouse was clicked", now)
		if p.focus != atCard {
			p.tell("to answer, press "+p.keyOf(keys.Pending), now)
		}
		return nil
	}
	p.focus = s
	if c, ok := p.pane(s).(pane.Clicker); ok {
		return p.fulfil(c.Click(x, y, m.Double, p.context(s, now)))
	}
	return nil
}
