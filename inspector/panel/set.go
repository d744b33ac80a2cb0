package panel

import (
	"cmp"
	"slices"
	"strings"

	"bobproxy/inspector/paint"
	"bobproxy/inspector/terminal"
)

// cmdSet is :set, which lists, shows or changes. A line may be written as in the
// config file as well.
func (p *Panel) cmdSet(argument string) ([]terminal.Effect, error) {
	name, value, _ := strings.Cut(strings.Replace(argument, "=", " ", 1), " ")
	value = strings.Trim(strings.TrimSpace(value), `"`)
	if name == "" {
		p.openPage("SETTINGS", p.settingsPage)
		return nil, nil
	}
	s, err := p.settingNamed(name)
	if err != nil {
		return nil, err
	}
	if value == "" {
		p.openPage("SETTING  "+s.Name, func() manual { return p.settingPage(s) })
		return nil, nil
	}
	return p.change(s, value)
}

// openPage shows a page of the panel's own where the help is.
func (p *Panel) openPage(title string, page func() manual) {
	p.help.showPage(title, page)
	p.cover()
}

// settingsPage are all settings as they are in force, and how what was changed is
// kept.
func (p *Panel) settingsPage() (m manual) {
	m = append(m, paragraph{heading: "IN FORCE"})
	var keep manual
	for _, s := range p.options.Settings {
		now, note := p.valueOf(s), p.tilde(s.Source)
		if now != s.Value {
			note = "changed; was " + s.Value
			keep = append(keep, paragraph{key: "  " + s.line(now), column: lineColumn, text: s.unless()})
		}
		m = append(m, paragraph{key: s.Name, column: nameColumn, text: strings.TrimSpace(padded(cmp.Or(now, "none"), valueColumn) + note)})
	}
	m = append(m, paragraph{heading: "CHANGING"}, paragraph{text: setHelp})
	m = append(m, paragraph{heading: "KEEPING"})
	if len(keep) == 0 {
		return append(m, paragraph{text: "Nothing was changed. What is changed here is never written to a file."})
	}
	m = append(m, paragraph{text: "Nothing of this is written to a file. To keep it, put into " + p.configFile() + ":"})
	return append(m, keep...)
}

const setHelp = ":set KEY shows one and what it can be, :set KEY VALUE changes it until you quit, Tab completes. What keeps you from approving by accident only gets stricter."

const (
	nameColumn  = 16
	valueColumn = 9
	labelColumn = 8
	lineColumn  = 26
)

// unless is what keeps a line in the config file from being enough.
func (s Setting) unless() string {
	switch kind, where, _ := strings.Cut(s.Source, " "); kind {
	case "":
		return ""
	case "file":
		return "instead of line " + where[strings.LastIndexByte(where, ':')+1:]
	}
	return "but " + s.Source + " counts more"
}

// settingPage is all there is to say of one setting.
func (p *Panel) settingPage(s Setting) manual {
	now := p.valueOf(s)
	k, free := knobNamed(s.Name)
	said := func(label, text string) paragraph { return paragraph{key: label, column: labelColumn, text: text} }
	m := manual{{heading: s.Name}, {text: strings.ToUpper(s.Text[:min(1, len(s.Text))]) + s.Text[min(1, len(s.Text)):] + "."}, {}}
	m = append(m, said("now", cmp.Or(now, "none")+p.since(s, now)))
	if len(s.Words) > 0 {
		m = append(m, said("can be", oneOf(s.Words)))
	}
	switch {
	case !free:
		m = append(m, said("here", "cannot be changed while the panel runs"))
	case k.laxer != nil:
		m = append(m, said("here", "only gets stricter than "+cmp.Or(s.Value, "none")+": it keeps you from approving by accident"))
	}
	if now != "" {
		m = append(m, said("keep", s.line(now)), said("", "in "+p.configFile()+"; nothing is written from here"))
	}
	if now != s.Value && s.unless() != "" {
		m = append(m, said("", s.unless()))
	}
	return m
}

// since is where a value is from.
func (p *Panel) since(s Setting, now string) string {
	switch {
	case now != s.Value:
		return ", until you quit; it was " + s.Value + ", " + p.from(s)
	case s.Source != "":
		return ", " + p.from(s)
	}
	return ", as usual"
}

func (p *Panel) configFile() string {
	return cmp.Or(p.tilde(p.options.ConfigFile), "the config file")
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(width-paint.Width(text), 1))
}

// setOffers are the settings, or what one may become here.
func (p *Panel) setOffers(rest string) (all []offer) {
	name, value, hasValue := strings.Cut(rest, " ")
	for _, s := range p.options.Settings {
		switch now := p.valueOf(s); {
		case !hasValue && strings.HasPrefix(s.Name, name):
			all = append(all, offer{"set " + s.Name + " ", s.Name, cmp.Or(now, "none")})
		case hasValue && s.Name == name:
			for _, w := range slices.DeleteFunc(p.wordsOf(s), func(w string) bool { return !strings.HasPrefix(w, value) }) {
				o := offer{"set " + s.Name + " " + w, w, ""}
				if w == now {
					o.note = "now"
				}
				all = append(all, o)
			}
		}
	}
	return all
}
