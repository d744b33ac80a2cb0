package panel

// class is that of the screen as it was drawn last.
func (p *Panel) class() class {
	if p.plan_ == nil {
		return auto
	}
	return p.plan_.class
}

// whole says that the pane with the focus has the whole screen in a layout,
// whether or not anybody asked for that.
func (p *Panel) whole(c class) bool {
	return c <= narrow || p.focus == atHelp || c == medium && p.focus == atCard || len(p.model.Proxies) == 0
}

// zooms says that the pane with the focus has the whole screen because it was
// asked to.
func (p *Panel) zooms() bool { return p.zoomed && p.focus == p.zoomedAt && !p.whole(p.class()) }

// zoom gives the whole screen to the pane with the focus, or gives it back.
func (p *Panel) zoom() {
	if p.whole(p.class()) {
		p.tell("this has the whole screen already", p.now)
		return
	}
	p.zoomed, p.zoomedAt = !p.zooms(), p.focus
	p.card.Disturbed("the layout changed", p.now)
}

// unzoom gives the screen back when the pane that has it was left: not for what
// was opened over it, or from it.
func (p *Panel) unzoom() {
	at := p.focus
	if at == atHelp {
		at = p.under
	}
	if at == atCard && p.zoomedAt != atCard {
		at = p.before
	}
	if at != p.zoomedAt && !(at == atDetail && p.zoomedAt == atMain) {
		p.zoomed = false
	}
}
