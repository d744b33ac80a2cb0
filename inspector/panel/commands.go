package panel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bobproxy/inspector/filter"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/inspector/terminal"
)

// openFind opens the prompt that filters, or finds, in the pane with the focus.
func (p *Panel) openFind() {
	text := ""
	if p.filters() {
		text = p.filter
		p.toWire()
	} else if _, ok := p.pane(p.focus).(pane.Finder); !ok {
		p.tell("there is nothing to find here", p.now)
		return
	}
	p.prompt = newPrompt('/', text, p.history)
}

// filters says whether / is the filter of the wire here.
func (p *Panel) filters() bool { return p.focus == atMain && p.tab == keys.Wire }

func (p *Panel) toWire() { p.tab, p.focus = keys.Wire, atMain }

// promptKey takes a key while something is being typed.
func (p *Panel) promptKey(key keys.Key) []terminal.Effect {
	q := p.prompt
	switch key {
	case "Esc":
		return p.promptLeft()
	case "Enter":
		if q.accept(p.offers) {
			break
		}
		return p.promptDone()
	case "Tab":
		q.complete(false, p.offers)
	case "Shift-Tab":
		q.complete(true, p.offers)
	case "Backspace":
		if len(q.text) == 0 {
			return p.promptLeft()
		}
		q.edit(key)
	default:
		q.edit(key)
	}
	p.tried()
	return nil
}

// typed puts pasted text into the prompt.
func (p *Panel) typed(text string) []terminal.Effect {
	p.prompt.insert(text)
	p.tried()
	return nil
}

// tried applies what is being typed, as far as it can be.
func (p *Panel) tried() {
	q := p.prompt
	q.wrong = ""
	if q.sign != '/' {
		return
	}
	if !p.filters() {
		q.wrong = p.find(q.String())
		return
	}
	if err := p.setFilter(q.String()); err != nil && !unfinished(err, q.String()) {
		q.wrong, q.wrongAt = wrong(err, q.String())
	}
}

// unfinished says that all of text is right, and that more has to follow.
func unfinished(err error, text string) bool {
	at := new(filter.Error)
	return errors.As(err, &at) && at.At >= len(text)
}

// find searches in the pane with the focus, and says what is wrong.
func (p *Panel) find(text string) string {
	f, ok := p.pane(p.focus).(pane.Finder)
	if !ok {
		return ""
	}
	found := f.Find(text, p.context(p.focus, p.now))
	if text == "" {
		return ""
	}
	p.tell(found, p.now)
	if found == "not found" {
		return found
	}
	return ""
}

// wrong is what to say of an error, and in which column.
func wrong(err error, text string) (string, int) {
	if at := new(filter.Error); errors.As(err, &at) {
		return at.Want, paint.Width(text[:min(max(at.At, 0), len(text))])
	}
	return err.Error(), 0
}

// promptLeft closes the prompt and takes back what was being tried.
func (p *Panel) promptLeft() []terminal.Effect {
	sign := p.prompt.sign
	p.prompt = nil
	p.card.Disturbed("something was typed", p.now)
	if sign != '/' {
		return nil
	}
	if p.filters() {
		return nil
	}
	p.find("")
	return nil
}

func (p *Panel) promptDone() []terminal.Effect {
	q := p.prompt
	if q.sign == '/' && p.filters() {
		if err := p.setFilter(q.String()); err != nil {
			q.wrong, q.wrongAt = wrong(err, q.String())
			return nil // it stays open until it is right
		}
	}
	p.prompt = nil
	p.card.Disturbed("something was typed", p.now)
	effects := p.remember(q.sign, q.String())
	if q.sign == ':' {
		effects = append(effects, p.run(q.String())...)
	}
	return effects
}

// remember puts what was entered into the history, of this run and of later ones.
func (p *Panel) remember(sign rune, text string) []terminal.Effect {
	p.history = p.history.With(sign, text)
	if p.options.Remember == nil || strings.TrimSpace(text) == "" {
		return nil
	}
	return []terminal.Effect{terminal.Later{Do: func(context.Context) any {
		p.options.Remember(sign, text)
		return nil
	}}}
}

// command is a word behind the colon.
type command struct {
	name, argument, text string
	run                  func(p *Panel, argument string) ([]terminal.Effect, error)
}

// allCommands is a function because commands name each other in their help.
func allCommands() []command {
	return []command{
		{"filter", "EXPR | save NAME", "filter the wire, or keep the filter under a name", (*Panel).cmdFilter},
		{"session", "WORDS", "go to a session, by its id or title", (*Panel).cmdSession},
		{"goto", "TIME | #N", "go to a frame, by the clock or its number", (*Panel).cmdGoto},
		{"pending", "", "the permissions that wait", func(p *Panel, _ string) ([]terminal.Effect, error) { p.look(nil); return nil, nil }},
		{"timeline", "", "what is said and done", tabCommand(keys.Timeline)},
		{"wire", "", "the frames", tabCommand(keys.Wire)},
		{"info", "", "what is known of the session, who owes an answer, who was asked", tabCommand(keys.Info)},
		{"write", "FILE", "write the frames that are shown to a file", (*Panel).cmdWrite},
		{"set", "KEY VALUE", "the settings: what is in force, or another value until you quit", (*Panel).cmdSet},
		{"theme", "NAME", "dark, light or mono", (*Panel).cmdTheme},
		{"layout", "NAME", "auto, narrow, medium or wide", (*Panel).cmdLayout},
		{"mouse", "", "mouse on or off", func(p *Panel, _ string) ([]terminal.Effect, error) { return p.toggleMouse(), nil }},
		{"clip", "", "what was copied last", (*Panel).cmdClip},
		{"help", "", "this place's keys, and filters", func(p *Panel, _ string) ([]terminal.Effect, error) { p.openHelp(); return nil, nil }},
		{"keys", "", "the same", func(p *Panel, _ string) ([]terminal.Effect, error) { p.openHelp(); return nil, nil }},
		{"demo", "", "play the built-in demo", func(p *Panel, _ string) ([]terminal.Effect, error) { return p.playDemo(), nil }},
		{"quit", "", "leave; nothing is answered", func(*Panel, string) ([]terminal.Effect, error) { return []terminal.Effect{terminal.Quit{}}, nil }},
	}
}

func tabCommand(tab keys.Place) func(*Panel, string) ([]terminal.Effect, error) {
	return func(p *Panel, _ string) ([]terminal.Effect, error) {
		p.visit(pane.Visit{Tab: tab})
		p.trail = nil // as a tab that was chosen by its key
		return nil, nil
	}
}

// run does a command line. A word may be cut, where it stays clear.
func (p *Panel) run(line string) []terminal.Effect {
	p.hush()
	name, argument, _ := strings.Cut(strings.TrimSpace(line), " ")
	if name == "" {
		return nil
	}
	c, err := findCommand(name)
	if err == nil {
		var effects []terminal.Effect
		if effects, err = c.run(p, strings.TrimSpace(argument)); err == nil {
			return effects
		}
	}
	p.tell(err.Error(), p.now)
	return nil
}

func findCommand(name string) (command, error) {
	var fit []command
	for _, c := range allCommands() {
		if c.name == name {
			return c, nil
		}
		if strings.HasPrefix(c.name, name) {
			fit = append(fit, c)
		}
	}
	switch len(fit) {
	case 1:
		return fit[0], nil
	case 0:
		return command{}, fmt.Errorf("no command %q; Tab shows all", paint.Cut(name, 16))
	}
	return command{}, fmt.Errorf("%q may be %s or %s", name, fit[0].name, fit[1].name)
}

func (p *Panel) cmdFilter(argument string) ([]terminal.Effect, error) {
	if name, ok := strings.CutPrefix(argument, "save "); ok {
		name = strings.TrimSpace(name)
		if !filter.IsName(name) {
			return nil, errors.New("a name is one word of letters, digits, - and _")
		}
		if p.filter == "" {
			return nil, errors.New("there is no filter to save")
		}
		if p.options.Filters == nil {
			p.options.Filters = map[string]string{}
		}
		p.options.Filters[name] = p.filter
		p.tell("@"+name+" is this filter until you quit; in the config file: [filters] "+name+" = "+strconv.Quote(p.filter), p.now)
		return nil, nil
	}
	if err := p.setFilter(argument); err != nil {
		text, _ := wrong(err, argument)
		return nil, errors.New(text)
	}
	p.toWire()
	if argument != "" {
		p.tell("to keep it as @NAME: :filter save NAME", p.now)
	}
	return nil, nil
}

func (p *Panel) cmdSession(argument string) ([]terminal.Effect, error) {
	for _, s := range p.model.Sessions() {
		if strings.HasPrefix(s.Talk.Session, argument) || strings.HasPrefix(s.Proxy.Instance, argument) ||
			strings.Contains(strings.ToLower(s.Name()), strings.ToLower(argument)) {
			p.visit(pane.Visit{Session: s})
			return nil, nil
		}
	}
	return nil, fmt.Errorf("there is no session %q", argument)
}

// cmdGoto goes to the first frame at or after a time of day, or with a number.
func (p *Panel) cmdGoto(argument string) ([]terminal.Effect, error) {
	if p.shown == nil {
		return nil, errors.New("there is no session yet")
	}
	after, err := p.place(argument)
	if err != nil {
		return nil, err
	}
	for _, r := range p.shown.Proxy.Rows {
		if after(r) {
			p.visit(pane.Visit{Tab: keys.Wire, Seq: r.Seq})
			return nil, nil
		}
	}
	return nil, errors.New("nothing happened after that")
}

func (p *Panel) place(argument string) (func(*model.Row) bool, error) {
	if text, ok := strings.CutPrefix(argument, "#"); ok {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", text)
		}
		return func(r *model.Row) bool { return r.Seq >= n }, nil
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if t, err := time.Parse(layout, argument); err == nil {
			y, m, d := p.now.Date()
			at := time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, p.now.Location())
			return func(r *model.Row) bool { return !r.Time.Before(at) }, nil
		}
	}
	return nil, errors.New("write a time (12:04:27) or a number (#184)")
}

func (p *Panel) cmdWrite(argument string) ([]terminal.Effect, error) {
	if argument == "" {
		return nil, errors.New("write which file?")
	}
	var effects []terminal.Effect
	for _, w := range p.wire.Do(keys.Save, p.context(atMain, p.now)) {
		if s, ok := w.(pane.Saved); ok {
			s.Name = argument
			w = s
		}
		effects = append(effects, p.wish(w)...)
	}
	return effects, nil
}

func (p *Panel) cmdTheme(argument string) ([]terminal.Effect, error) {
	if _, ok := paint.ThemeNamed(argument); !ok {
		return nil, errors.New("the themes are dark, light and mono")
	}
	return p.turnTheme(argument), nil
}

func (p *Panel) cmdLayout(argument string) ([]terminal.Effect, error) {
	if !slices.Contains([]string{"auto", "narrow", "medium", "wide"}, argument) {
		return nil, errors.New("the layouts are auto, narrow, medium and wide")
	}
	p.layout = classNamed(argument)
	p.card.Disturbed("the layout changed", p.now)
	return nil, nil
}

func (p *Panel) cmdClip(string) ([]terminal.Effect, error) {
	if p.copied == "" {
		return nil, errors.New("nothing was copied yet")
	}
	p.tell("copied last: "+p.copied, p.now)
	return []terminal.Effect{terminal.Clipboard{Text: p.copied}}, nil
}

// offers are the ways in which what is being typed can go on.
func (p *Panel) offers(text string, cursor int) (all []offer) {
	if p.prompt.sign == ':' {
		for _, c := range allCommands() {
			if strings.HasPrefix(c.name, text) {
				all = append(all, offer{c.name + " ", c.name, c.text})
			}
		}
		if rest, ok := strings.CutPrefix(text, "set "); ok {
			all = p.setOffers(rest)
		}
		if rest, ok := strings.CutPrefix(text, "filter "); ok {
			all = p.filterOffers("filter ", rest, len(rest))
			if rest == "" && p.filter != "" {
				all = append(all, offer{"filter save ", "save", "keep " + p.filter + " under a name"})
			}
		}
		return all
	}
	if p.filters() {
		return p.filterOffers("", text, cursor)
	}
	return nil
}

func (p *Panel) filterOffers(prefix, text string, cursor int) (all []offer) {
	var rows []*model.Row
	if p.shown != nil {
		rows = p.shown.Proxy.Rows
	}
	var names []string
	for name := range p.options.Filters {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, c := range filter.Complete(text, cursor, rows, names) {
		note := c.Note
		if c.Count > 0 {
			note = strconv.Itoa(c.Count)
		}
		with, _ := c.In(text)
		all = append(all, offer{prefix + with, c.Text, note})
	}
	return all
}
