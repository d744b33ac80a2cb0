package panel

import (
	"slices"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
)

// drawBar paints the notice and the bar: keys and what they do now, or the
// prompt.
func (p *Panel) drawBar(l *plan, now time.Time) {
	if p.prompt != nil && l.bar.H > 0 {
		p.prompt.draw(l.notice, l.bar)
		return
	}
	if p.said.text != "" && now.Before(p.said.until) {
		text := paint.L(paint.Plain, " ").With(paint.Clean(paint.Strong, p.said.text)).With(paint.L(paint.Plain, " "))
		l.notice.Sub(1, 0, l.notice.W-2, 1).Line(0, 0, text)
	}
	if l.bar.H == 0 {
		return
	}
	x := 1
	for _, h := range p.hints(now) {
		if x+hintWidth(h) > l.bar.W {
			break
		}
		x = l.bar.Put(x, 0, paint.Style{Role: paint.Key}, h.Key)
		x = l.bar.Put(x+1, 0, paint.Style{Role: paint.Plain}, h.Text) + hintGap
	}
}

// hints are the pane's own, then those that work everywhere, with help and quit
// always among them: the list is cut in front of them.
func (p *Panel) hints(now time.Time) []keys.Hint {
	at := p.pane(p.focus)
	own := p.keys.Hints(at.Place(), at.Hints(p.context(p.focus, now)))
	if extra, ok := at.(interface{ Keys() []keys.Hint }); ok {
		own = append(extra.Keys(), own...)
	}
	if t, ok := at.(interface{ Typing() bool }); ok && t.Typing() {
		return append(own, p.keys.Hints(at.Place(), []keys.Action{keys.Help})...)
	}
	rest := slices.DeleteFunc(p.keys.Hints(at.Place(), p.everywhere()), func(h keys.Hint) bool { return slices.Contains(own, h) })
	last := p.keys.Hints(at.Place(), []keys.Action{keys.Help, keys.Leave})
	if p.focus == atHelp && p.help.page == nil {
		last[0].Text = "close"
	}
	if p.zooms() || p.focus != atSessions && len(p.model.Proxies) > 0 {
		last[len(last)-1].Text = "back"
		own = slices.DeleteFunc(own, func(h keys.Hint) bool { return h.Text == "back" })
	}
	all := append(own, rest...)
	width := 1 - hintGap // there is none behind the last one
	for _, h := range last {
		width += hintWidth(h) + hintGap
	}
	for i, h := range all {
		if width += hintWidth(h) + hintGap; width > p.plan_.bar.W {
			all = all[:i]
			break
		}
	}
	return append(slices.Clip(all), last...)
}

// hintGap is how many cells are between two hints.
const hintGap = 2

func hintWidth(h keys.Hint) int { return paint.Width(h.Key) + 1 + paint.Width(h.Text) }

// everywhere are the actions that are worth a place in the bar now.
func (p *Panel) everywhere() []keys.Action {
	switch {
	case p.focus == atHelp:
		return nil
	case p.focus == atCard && !p.whole(p.plan_.class):
		return []keys.Action{keys.Zoom}
	case p.focus == atCard:
		return nil
	case len(p.model.Proxies) == 0:
		return nil
	}
	return []keys.Action{keys.Pending, keys.Find, keys.NextTab, keys.NextPane, keys.Command}
}
