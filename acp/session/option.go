package session

import (
	"strings"

	"bobproxy/acp"
)

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

// optionWords are options and their values in a row.
func optionWords(all []optioned) string {
	var words []string
	for _, o := range all {
		words = append(words, o.Name+" "+o.Current)
	}
	return strings.Join(words, " · ")
}
