package panel

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bobproxy/inspector/guess"
	"bobproxy/inspector/terminal"
)

// Setting is a setting of the panel as it is at the start. It is for the person:
// what the panel obeys are its options.
type Setting struct {
	Name   string
	Value  string   // empty: none
	Source string   // where it is set, such as "flag --arm"; empty: nowhere
	Words  []string // what it can be; nil: not one of some words
	Text   string   // what it decides
	Key    string   // what the config file calls it; empty: as here
}

// knob is what :set does to a setting.
type knob struct {
	name  string
	now   func(p *Panel) string          // nil: what it was set to last
	check func(value string) error       // nil: it is one of the setting's words
	laxer func(p *Panel, to string) bool // a guard: whether to guards less than the start did; nil: it is none
	turn  func(p *Panel, value string) []terminal.Effect
}

var knobs = []knob{
	{name: "theme", now: func(p *Panel) string { return p.theme }, turn: (*Panel).turnTheme},
	{name: "color", turn: func(_ *Panel, v string) []terminal.Effect { return []terminal.Effect{terminal.SetColor{When: v}} }},
	{name: "glyphs", turn: func(_ *Panel, v string) []terminal.Effect { return []terminal.Effect{terminal.SetGlyphs{Name: v}} }},
	{name: "layout", now: func(p *Panel) string { return p.layout.name() }, turn: func(p *Panel, v string) []terminal.Effect {
		return p.relaid(func() { p.layout = classNamed(v) })
	}},
	{name: "medium-from", check: isColumns, turn: func(p *Panel, v string) []terminal.Effect {
		return p.relaid(func() { p.options.Widths.Medium, _ = strconv.Atoi(v) })
	}},
	{name: "wide-from", check: isColumns, turn: func(p *Panel, v string) []terminal.Effect {
		return p.relaid(func() { p.options.Widths.Wide, _ = strconv.Atoi(v) })
	}},
	{name: "open-card", laxer: (*Panel).opensSooner, turn: func(p *Panel, v string) []terminal.Effect { p.options.OpenCard = v; return nil }},
	{name: "arm", check: isArm, laxer: (*Panel).armsSooner, turn: func(p *Panel, v string) []terminal.Effect {
		p.options.Card.Arm, _ = time.ParseDuration(v)
		return p.recarded()
	}},
	{name: "read-all", laxer: func(p *Panel, to string) bool { return p.least.Card.ReadAll && to == "false" }, turn: func(p *Panel, v string) []terminal.Effect {
		p.options.Card.ReadAll = v == "true"
		return p.recarded()
	}},
	{name: "confirm-always", laxer: func(p *Panel, to string) bool { return p.least.Card.ConfirmAlways && to == "false" }, turn: func(p *Panel, v string) []terminal.Effect {
		p.options.Card.ConfirmAlways = v == "true"
		return p.recarded()
	}},
	{name: "hide-always", laxer: func(p *Panel, to string) bool { return p.least.Card.HideAlways && to == "false" }, turn: func(p *Panel, v string) []terminal.Effect {
		p.options.Card.HideAlways = v == "true"
		return p.recarded()
	}},
	{name: "mouse", now: func(p *Panel) string { return strconv.FormatBool(p.mouse) }, turn: func(p *Panel, v string) []terminal.Effect {
		p.mouse = v == "true"
		return []terminal.Effect{terminal.SetMouse{On: p.mouse}}
	}},
	{name: "notify", turn: func(p *Panel, v string) []terminal.Effect {
		p.attention.quiet = v == "off"
		return []terminal.Effect{terminal.SetNotify{Method: v}}
	}},
}

func knobNamed(name string) (knob, bool) {
	i := slices.IndexFunc(knobs, func(k knob) bool { return k.name == name })
	if i < 0 {
		return knob{}, false
	}
	return knobs[i], true
}

func (p *Panel) turnTheme(name string) []terminal.Effect {
	p.theme = name
	return []terminal.Effect{terminal.SetTheme{Name: name}}
}

// relaid changes where everything stands.
func (p *Panel) relaid(change func()) []terminal.Effect {
	change()
	p.options.Widths = p.options.Widths.orDefault()
	p.card.Disturbed("the layout changed", p.now)
	return nil
}

// recarded tells the card how careful it is from now on.
func (p *Panel) recarded() []terminal.Effect {
	p.card.Adjust(p.options.Card)
	return nil
}

func isColumns(value string) error {
	if n, err := strconv.Atoi(value); err != nil || n < 0 || n > maxColumns {
		return fmt.Errorf("%q is no number of columns such as 100", cutWord(value))
	}
	return nil
}

const maxColumns = 10000

func isArm(value string) error {
	d, err := time.ParseDuration(value)
	switch {
	case err != nil:
		return fmt.Errorf("%q is no time such as 700ms or 2s", cutWord(value))
	case d < leastArm:
		return errors.New("arm is never less than 250ms")
	}
	return nil
}

const leastArm = 250 * time.Millisecond

func (p *Panel) armsSooner(to string) bool {
	d, err := time.ParseDuration(to)
	return err != nil || d < p.least.Card.Delay()
}

// opens says how readily a card comes up by itself.
var opens = map[string]int{"never": 0, "pending": 1, "": 1, "idle": 2}

func (p *Panel) opensSooner(to string) bool { return opens[to] > opens[p.least.OpenCard] }

// valueOf is what is in force of a setting.
func (p *Panel) valueOf(s Setting) string {
	if k, ok := knobNamed(s.Name); ok && k.now != nil {
		return cmp.Or(k.now(p), s.Value)
	}
	return cmp.Or(p.turned[s.Name], s.Value)
}

// wordsOf are the words that a setting may become now.
func (p *Panel) wordsOf(s Setting) (words []string) {
	k, ok := knobNamed(s.Name)
	for _, w := range s.Words {
		if ok && (k.laxer == nil || !k.laxer(p, w)) {
			words = append(words, w)
		}
	}
	return words
}

// settingNamed is the setting of that name, or an error that says what there is.
func (p *Panel) settingNamed(name string) (Setting, error) {
	var names []string
	for _, s := range p.options.Settings {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Setting{}, fmt.Errorf("there is no setting %q%s; :set lists them", cutWord(name), meant(name, names))
}

// change gives a setting another value, for as long as the panel runs.
func (p *Panel) change(s Setting, value string) ([]terminal.Effect, error) {
	k, ok := knobNamed(s.Name)
	if !ok {
		return nil, fmt.Errorf("%s cannot be changed while the panel runs; set it before", s.Name)
	}
	value = s.asWord(value)
	if err := p.fits(s, k, value); err != nil {
		return nil, err
	}
	if value == p.valueOf(s) {
		p.tell(s.Name+" is "+value+" already", p.now)
		return nil, nil
	}
	effects := k.turn(p, value)
	if p.turned == nil {
		p.turned = map[string]string{}
	}
	p.turned[s.Name] = value
	p.tell(fmt.Sprintf("%s is %s until you quit; to keep it, in the config file: %s", s.Name, value, s.line(value)), p.now)
	return effects, nil
}

// asWord is a value of a switch, as people also call it, as its word.
func (s Setting) asWord(value string) string {
	switch {
	case !slices.Contains(s.Words, "true"):
		return value
	case value == "on" || value == "yes":
		return "true"
	case value == "off" || value == "no":
		return "false"
	}
	return value
}

// fits says why a value cannot be given to a setting here.
func (p *Panel) fits(s Setting, k knob, value string) error {
	switch {
	case k.check != nil:
		if err := k.check(value); err != nil {
			return err
		}
	case !slices.Contains(s.Words, value):
		return fmt.Errorf("%s is never %q%s; it is %s", s.Name, cutWord(value), meant(value, s.Words), oneOf(s.Words))
	case s.Name == "notify" && value == "command" && !p.hasCommand():
		return errors.New("there is no notify-command, and it can only be set before the panel starts")
	}
	if k.laxer != nil && k.laxer(p, value) {
		return fmt.Errorf("%s only gets stricter here: it is %s, %s", s.Name, s.Value, p.from(s))
	}
	return nil
}

func (p *Panel) hasCommand() bool {
	s, err := p.settingNamed("notify-command")
	return err == nil && s.Value != ""
}

// from is where a setting was set, in words.
func (p *Panel) from(s Setting) string {
	if s.Source == "" {
		return "as nothing else was said at the start"
	}
	return "from " + p.tilde(s.Source)
}

// tilde is text with ~ for the person's folder.
func (p *Panel) tilde(text string) string {
	if len(p.options.Home) < 2 {
		return text
	}
	return strings.ReplaceAll(text, p.options.Home+"/", "~/")
}

// line is what the config file says for the setting to have a value.
func (s Setting) line(value string) string {
	if _, err := strconv.Atoi(value); err != nil && value != "true" && value != "false" {
		value = strconv.Quote(value)
	}
	return cmp.Or(s.Key, s.Name) + " = " + value
}

// meant is a guess at an unknown word, or empty.
func meant(word string, fit []string) string {
	if len(word) > maxGuessed {
		return ""
	}
	if near := guess.Nearest(word, fit); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// maxGuessed is how long a word may be to be worth a guess, in bytes.
const maxGuessed = 32

func cutWord(word string) string {
	if len(word) > maxGuessed {
		return strings.ToValidUTF8(word[:maxGuessed], "") + "…"
	}
	return word
}

// oneOf is words as a choice.
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
