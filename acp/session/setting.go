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
		return
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
