package main

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/card"
	"bobproxy/inspector/filter"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/panel"
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

	filters map[string]string  // saved ones, by name
	keys    keys.Table         // nil: as they come
	looks   paint.Looks        // of roles that do not look as the theme has it
	looksAt map[paint.Role]int // the lines of the file that say so
}

// take sets what stands in a table of the config file: a saved filter, a role's
// look, or a key.
func (s *panelSettings) take(e entry) error {
	text, ok := e.value.(string)
	if !ok {
		return fmt.Errorf("%s is written %s = \"…\"", e.key, e.key[strings.LastIndexByte(e.key, '.')+1:])
	}
	path := strings.Split(e.key, ".")
	switch path[0] {
	case "filters":
		return s.takeFilter(path[1], text)
	case "theme":
		return s.takeLook(path[1], text, e.line)
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

func (s *panelSettings) takeLook(name, text string, line int) error {
	role, err := paint.RoleNamed(name)
	if err != nil {
		return err
	}
	look, err := paint.ParseLook(text)
	if err != nil {
		return fmt.Errorf("%s = %q %w", name, text, err)
	}
	if s.looks == nil {
		s.looks, s.looksAt = paint.Looks{}, map[paint.Role]int{}
	}
	s.looks[role], s.looksAt[role] = look, line
	return nil
}

// checkLooks says on which line something was said because of which a warning
// would look like what is none.
func (s *panelSettings) checkLooks() (line int, err error) {
	alike := s.looks.Check()
	if alike == nil {
		return 0, nil
	}
	for _, role := range alike.Roles() {
		line = max(line, s.looksAt[role])
	}
	return line, alike
}

// ofPanel are the panel's settings for its :set.
func (s *settings) ofPanel() (all []panel.Setting) {
	for _, row := range table {
		if row.group != ofPanel {
			continue
		}
		one := panel.Setting{Name: row.name, Value: s.inForce(row), Source: s.source[row.name], Text: plain(row.text)}
		switch v := row.value(s).(type) {
		case choice:
			one.Words = v.words
		case *toggle:
			one.Words = []string{"true", "false"}
		}
		if row.name == "theme" && s.file.themeTable() {
			one.Key = "[theme] name"
		}
		all = append(all, one)
	}
	return all
}

// card is how careful the permission card is.
func (s *panelSettings) card(watch bool) card.Options {
	return card.Options{
		Arm: time.Duration(s.arm), ReadAll: s.readAll, ConfirmAlways: s.confirmAlways, HideAlways: s.hideAlways, Watch: watch,
	}
}
