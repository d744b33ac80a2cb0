package main

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/card"
	"bobproxy/inspector/filter"
	"bobproxy/inspector/keys"
)

// panelSettings are those of the panel.
type panelSettings struct {
	theme, color, glyphs string
	layout               string
	mediumFrom, wideFrom number
	openCard             string
	arm                  span
	readAll              bool
	confirmAlways        bool
	hideAlways           bool
	mouse                bool
	notify               string
	notifyCommand        commaList

	filters map[string]string // saved ones, by name
	keys    keys.Table        // nil: as they come
}

// take sets what stands in a table of the config file: a saved filter, or a key.
func (s *panelSettings) take(e entry) error {
	text, ok := e.value.(string)
	if !ok {
		return fmt.Errorf("%s is written %s = \"…\"", e.key, e.key[strings.LastIndexByte(e.key, '.')+1:])
	}
	path := strings.Split(e.key, ".")
	if path[0] == "filters" {
		return s.takeFilter(path[1], text)
	}
	if s.keys == nil {
		s.keys = keys.Default()
	}
	return s.keys.Rebind(keys.Place(path[1]), keys.Action(path[2]), text)
}

func (s *panelSettings) takeFilter(name, text string) error {
	if !filter.IsName(name) {
		return fmt.Errorf("%q is no name for a filter; letters, digits, - and _ are", name)
	}
	if _, err := filter.Parse(text); err != nil {
		return fmt.Errorf("filter %s: %w", name, err)
	}
	if s.filters == nil {
		s.filters = map[string]string{}
	}
	s.filters[name] = text
	return nil
}

// card is how careful the permission card is.
func (s *panelSettings) card(watch bool) card.Options {
	return card.Options{
		Arm: time.Duration(s.arm), ReadAll: s.readAll, ConfirmAlways: s.confirmAlways, HideAlways: s.hideAlways, Watch: watch,
	}
}
