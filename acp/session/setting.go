package session

import (
	"fmt"
	"strconv"
	"strings"

	"bobproxy/acp"
)

// Bounds of what comes with a session besides the talk itself.
const (
	maxChoices  = 256
	maxOptions  = 64
	maxCommands = 1024
	maxPlans    = 32
	maxSteps    = 512
)

// furnish takes what the result that opens a session says of it.
func (s *Story) furnish(c *scene, result []byte) {
	t := c.talk
	if modes := get(result, "modes"); given(modes) {
		t.Modes = choices(get(modes, "availableModes"), "id")
		s.setMode(c, str(modes, maxWord, "currentModeId"), false)
	}
	s.setOptions(c, get(result, "configOptions"), false)
	s.models(c, get(result, "models"))
	if commands := get(result, "availableCommands"); given(commands) {
		t.Commands = commandsOf(commands)
	}
	if title := str(result, maxTitle, "title"); title != "" {
		t.Title = title
	}
	s.measure(t)
}

// models takes those that older agents give instead of an option.
func (s *Story) models(c *scene, models []byte) {
	t := c.talk
	if !given(models) || t.option("model") != nil || len(t.Options) >= maxOptions {
		return
	}
	o := Option{ID: "model", Name: "Model", Category: "model", Values: choices(get(models, "availableModels"), "modelId")}
	current := str(models, maxWord, "currentModelId")
	o.Current = nameOf(o.Values, current)
	t.Options = append(t.Options, o)
}

func (s *Story) setModel(c *scene, id string) {
	o := c.talk.option("model")
	if o == nil || id == "" {
		return
	}
	if name := nameOf(o.Values, id); name != o.Current {
		o.Current = name
		s.changed(c, o.Name, name)
	}
}

// setting takes an update of what the session is like.
func (s *Story) setting(c *scene, variant string, update []byte) {
	t := c.talk
	switch variant {
	case "available_commands_update":
		t.Commands = commandsOf(get(update, "availableCommands"))
		c.told.First, c.told.Run = many(counted(update, "availableCommands"), "command"), variant
	case "current_mode_update":
		s.setMode(c, either(update, maxWord, "currentModeId", "modeId"), true)
		c.told.First = t.Mode
	case "config_option_update":
		options := get(update, "configOptions")
		s.setOptions(c, options, true)
		c.told.First, c.told.Run = optionWords(optionsOf(options)), variant
	case "session_info_update":
		s.info(c, update)
		c.told.First, c.told.Run = str(update, MaxFirst, "title"), variant
	case "usage_update":
		t.Usage.take(update)
		c.told.First, c.told.Run = t.Usage.words(), variant
	}
	s.measure(t)
}

// changed tells that something is set to something else now.
func (s *Story) changed(c *scene, name, text string) {
	if c.replay || c.talk.Loading {
		return
	}
	e := s.add(c, Setting, "")
	e.Name, e.Over = name, true
	e.replace(text)
	s.resize(e)
}

// setMode takes the mode that the session is in, and tells when it is another.
func (s *Story) setMode(c *scene, id string, tell bool) {
	t := c.talk
	if id == "" {
		return
	}
	name, option := "", t.modeOption()
	if name = nameOf(t.Modes, id); name == id && option != nil {
		name = nameOf(option.Values, id)
	}
	if option != nil {
		option.Current = name
	}
	another := t.mode != id
	t.mode, t.Mode = id, name
	if another && tell {
		s.changed(c, "mode", name)
	}
}

// setOptions takes all config options, and tells which are set to something
// else.
func (s *Story) setOptions(c *scene, raw []byte, tell bool) {
	if !given(raw) {
		return
	}
	t := c.talk
	before, now := t.Options, optionsOf(raw)
	t.Options = make([]Option, len(now))
	for i := range now {
		t.Options[i] = now[i].Option
	}
	mode := t.modeOption()
	tell = tell && before != nil
	for i := range now {
		o := &t.Options[i]
		if o == mode {
			s.setMode(c, now[i].value, tell)
			continue
		}
		for _, old := range before {
			if old.ID == o.ID && old.Current != o.Current && tell {
				s.changed(c, o.Name, o.Current)
			}
		}
	}
}

// option finds a config option by its id or category.
func (t *talk) option(name string) *Option {
	for i := range t.Options {
		if o := &t.Options[i]; o.Category == name {
			return o
		}
	}
	for i := range t.Options {
		if o := &t.Options[i]; o.ID == name {
			return o
		}
	}
	return nil
}

func (t *talk) modeOption() *Option { return t.option("mode") }

// optioned is an option and the value that it has.
type optioned struct {
	Option
	value string
}

func optionsOf(raw []byte) (all []optioned) {
	for o := range acp.Elements(raw) {
		if len(all) >= maxOptions {
			break
		}
		if read := optionOf(o); read.ID != "" {
			all = append(all, read)
		}
	}
	return all
}

func optionOf(o []byte) optioned {
	r := optioned{Option: Option{ID: either(o, maxWord, "id", "configId"), Name: str(o, maxWord, "name"), Category: str(o, maxWord, "category")}}
	if r.Name == "" {
		r.Name = r.ID
	}
	switch current := get(o, "currentValue"); string(current) {
	case "true":
		r.Current = "on"
	case "false":
		r.Current = "off"
	default:
		r.value = clip(plainText(current), maxWord)
		r.Values = choices(get(o, "options"), "value")
		r.Current = nameOf(r.Values, r.value)
	}
	return r
}

// choices are those of a list, in which they may be in groups.
func choices(raw []byte, id string) (all []Choice) {
	for v := range acp.Elements(raw) {
		if group := get(v, "options"); group != nil {
			for v := range acp.Elements(group) {
				all = addChoice(all, v, id)
			}
			continue
		}
		all = addChoice(all, v, id)
	}
	return all
}

func addChoice(all []Choice, v []byte, id string) []Choice {
	c := Choice{str(v, maxWord, id), str(v, maxWord, "name"), str(v, maxName, "description")}
	if len(all) >= maxChoices || c.ID == "" && c.Name == "" {
		return all
	}
	return append(all, c)
}

// nameOf is the name of a choice, its id when it has none.
func nameOf(all []Choice, id string) string {
	for _, c := range all {
		if c.ID == id && c.Name != "" {
			return c.Name
		}
	}
	return id
}

func commandsOf(raw []byte) (all []Command) {
	for v := range acp.Elements(raw) {
		c := Command{str(v, maxWord, "name"), str(v, maxName, "description"), str(v, maxName, "input", "hint")}
		if c.Name != "" && len(all) < maxCommands {
			all = append(all, c)
		}
	}
	return all
}

// info takes a title; null clears it.
func (s *Story) info(c *scene, update []byte) {
	raw := get(update, "title")
	title, ok := acp.Unquote(raw)
	if title = clip(title, maxTitle); !ok && !isNull(raw) || title == c.talk.Title {
		return
	}
	c.talk.Title = title
	s.changed(c, "title", title)
}

// take takes what is told of the usage; a cost of null is none.
func (u *Usage) take(update []byte) {
	if n, ok := whole(update, "used"); ok && n >= 0 {
		u.Used = n
	}
	if n, ok := whole(update, "size"); ok && n >= 0 {
		u.Size = n
	}
	switch cost := get(update, "cost"); {
	case isNull(cost):
		u.Cost = ""
	case cost != nil:
		if amount, err := strconv.ParseFloat(string(get(cost, "amount")), 64); err == nil {
			figure := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(amount, 'f', 4, 64), "0"), ".")
			u.Cost = strings.TrimSpace(figure + " " + str(cost, 16, "currency"))
		}
	}
}

func (u *Usage) words() string {
	words := strconv.FormatInt(u.Used, 10)
	if u.Size > 0 {
		words = fmt.Sprintf("%d of %d tokens, %d %%", u.Used, u.Size, u.Used*100/u.Size)
	}
	return joined(words, u.Cost)
}

// plan takes a plan: the one of version 1, or one of several.
func (s *Story) plan(c *scene, variant string, update []byte) {
	t := c.talk
	body := update
	if variant == "plan_update" {
		body = get(update, "plan")
	}
	id := either(body, maxName, "planId", "id")
	if variant == "plan_removed" {
		t.removePlan(id)
		c.told.First = short(id) + " removed"
		s.measure(t)
		return
	}
	p := planOf(id, body)
	t.setPlan(p)
	c.told.First, c.told.Run = p.words(), variant
	s.measure(t)
}

func (t *talk) removePlan(id string) {
	kept := t.Plans[:0:0]
	for _, p := range t.Plans {
		if p.ID != id {
			kept = append(kept, p)
		}
	}
	t.Plans = kept
}

// setPlan puts a plan in the place of the one with the same id. When there are
// too many the oldest goes.
func (t *talk) setPlan(p Plan) {
	for i := range t.Plans {
		if t.Plans[i].ID == p.ID {
			t.Plans[i] = p
			return
		}
	}
	if len(t.Plans) >= maxPlans {
		t.Plans = append(t.Plans[:0:0], t.Plans[1:]...)
	}
	t.Plans = append(t.Plans, p)
}

func planOf(id string, body []byte) Plan {
	p := Plan{ID: id, Kind: str(body, maxWord, "type"), Text: either(body, 4*maxTitle, "uri", "markdown", "content", "text")}
	if p.Kind == "" {
		p.Kind = "items"
	}
	for e := range acp.Elements(get(body, "entries")) {
		if step := stepOf(e); step.Text != "" && len(p.Steps) < maxSteps {
			p.Steps = append(p.Steps, step)
		}
	}
	return p
}

// stepOf reads a step, which may be its text alone.
func stepOf(e []byte) Step {
	if text, ok := acp.Unquote(e); ok {
		return Step{Text: clip(text, maxTitle)}
	}
	return Step{clip(blocks(get(e, "content")), maxTitle), str(e, maxWord, "status"), str(e, maxWord, "priority")}
}

func (p *Plan) words() string {
	if p.Kind != "items" {
		return joined(p.Kind, clip(p.Text, MaxFirst))
	}
	done, now := 0, ""
	for _, s := range p.Steps {
		switch {
		case s.Status == "completed":
			done++
		case s.Status == "in_progress" && now == "":
			now = clip(s.Text, MaxFirst)
		}
	}
	return joined(fmt.Sprintf("%d of %d steps done", done, len(p.Steps)), now)
}

// optionWords are options and their values in a row.
func optionWords(all []optioned) string {
	var words []string
	for _, o := range all {
		words = append(words, o.Name+" "+o.Current)
	}
	return strings.Join(words, " · ")
}
