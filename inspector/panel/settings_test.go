package panel

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/keys"
	"bobproxy/inspector/terminal"
)

// usualSettings are those of the panel, some of them set.
func usualSettings() []Setting {
	words := func(text string) []string { return strings.Split(text, "|") }
	return []Setting{
		{Name: "theme", Value: "auto", Words: words("auto|dark|light|mono"), Text: "what the panel looks like; auto goes by the terminal"},
		{Name: "color", Value: "auto", Words: words("auto|always|never"), Text: "whether there are colours; auto goes by NO_COLOR and CLICOLOR_FORCE"},
		{Name: "glyphs", Value: "auto", Words: words("auto|unicode|ascii"), Text: "what lines and marks are drawn with; auto goes by the locale"},
		{Name: "layout", Value: "auto", Words: words("auto|narrow|medium|wide"), Text: "how many panes there are; auto goes by the width"},
		{Name: "medium-from", Value: "80", Text: "columns from which on there are two panes"},
		{Name: "wide-from", Value: "130", Text: "columns from which on there are three panes"},
		{Name: "open-card", Value: "pending", Words: words("pending|idle|never"), Text: "when the card of a permission comes up by itself"},
		{Name: "arm", Value: "700ms", Source: "file /home/me/.config/bobproxy/config.toml:3", Text: "how long a card must be on the screen before keys that allow work"},
		{Name: "read-all", Value: "true", Words: words("true|false"), Text: "whether all that is asked for must have been on the screen"},
		{Name: "confirm-always", Value: "true", Source: "flag --confirm-always", Words: words("true|false"), Text: "whether an answer that allows more than this once is confirmed"},
		{Name: "hide-always", Value: "false", Words: words("true|false"), Text: "do not let the panel give answers that allow more than this once"},
		{Name: "mouse", Value: "true", Words: words("true|false"), Text: "whether the mouse scrolls and selects; it never answers"},
		{Name: "notify", Value: "auto", Source: "environment BOBPROXY_NOTIFY", Words: words("auto|bell|osc9|osc777|osc99|command|off"), Text: "how somebody is called who is looking elsewhere"},
		{Name: "notify-command", Text: "the program for command, and its arguments"},
	}
}

// setting is a panel with settings, as they are when nothing was decided.
func setting(w, h int) *show {
	s := newShow(w, h, waiting)
	s.options.Settings, s.options.ConfigFile = usualSettings(), "/home/me/.config/bobproxy/config.toml"
	s.theme = "auto"
	return s
}

// enter types a command, and gives what it does to the terminal.
func (s *show) enter(line string) (effects []terminal.Effect) {
	s.press(":").typing(line)
	effects = s.Input(terminal.Key{Key: "Enter"}, s.now)
	s.look()
	return effects
}

// value is what the panel says is in force.
func (s *show) value(t *testing.T, name string) string {
	t.Helper()
	one, err := s.settingNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return s.valueOf(one)
}

func TestSetChanges(t *testing.T) {
	for _, c := range []struct {
		line   string
		name   string
		want   string
		effect terminal.Effect // nil: none
		holds  func(p *Panel) bool
	}{
		{"set theme light", "theme", "light", terminal.SetTheme{Name: "light"}, func(p *Panel) bool { return p.theme == "light" }},
		{"set theme auto", "theme", "auto", nil, nil},
		{"set color never", "color", "never", terminal.SetColor{When: "never"}, nil},
		{"set glyphs ascii", "glyphs", "ascii", terminal.SetGlyphs{Name: "ascii"}, nil},
		{"set layout narrow", "layout", "narrow", nil, func(p *Panel) bool { return p.layout == narrow }},
		{"set medium-from 101", "medium-from", "101", nil, func(p *Panel) bool { return p.plan_.class == narrow }},
		{"set wide-from 90", "wide-from", "90", nil, func(p *Panel) bool { return p.plan_.class == wide }},
		{"set wide-from 0", "wide-from", "0", nil, func(p *Panel) bool { return p.options.Widths.Wide == 130 }},
		{"set open-card never", "open-card", "never", nil, func(p *Panel) bool { return p.options.OpenCard == "never" }},
		{"set arm 2s", "arm", "2s", nil, func(p *Panel) bool { return p.options.Card.Arm == 2*time.Second }},
		{"set hide-always true", "hide-always", "true", nil, func(p *Panel) bool { return p.options.Card.HideAlways }},
		{"set mouse off", "mouse", "false", terminal.SetMouse{On: false}, func(p *Panel) bool { return !p.mouse }},
		{"set notify off", "notify", "off", terminal.SetNotify{Method: "off"}, func(p *Panel) bool { return p.attention.quiet }},
		{`set theme = "mono"`, "theme", "mono", terminal.SetTheme{Name: "mono"}, nil},
		{"set theme=mono", "theme", "mono", terminal.SetTheme{Name: "mono"}, nil},
	} {
		t.Run(c.line, func(t *testing.T) {
			s := setting(100, 30)
			effects := s.enter(c.line)
			var want []terminal.Effect
			if c.effect != nil {
				want = append(want, c.effect)
			}
			if !slices.Equal(effects, want) {
				t.Errorf("effects %v, want %v", effects, want)
			}
			if got := s.value(t, c.name); got != c.want {
				t.Errorf("%s is %s, want %s", c.name, got, c.want)
			}
			if c.holds != nil && !c.holds(s.Panel) {
				t.Error("it has no effect")
			}
		})
	}
}

func TestSetSaysHowToKeepIt(t *testing.T) {
	for line, want := range map[string]string{
		"set theme light":     `theme is light until you quit; to keep it, in the config file: theme = "light"`,
		"set arm 2s":          `arm = "2s"`,
		"set wide-from 150":   "wide-from = 150",
		"set hide-always yes": "hide-always = true",
		"set theme auto":      "theme is auto already",
	} {
		s := setting(120, 30)
		s.enter(line)
		s.shows(t, want)
	}
	s := setting(120, 30)
	s.options.Settings[0].Key = "[theme] name"
	s.enter("set theme dark")
	s.shows(t, `[theme] name = "dark"`)
}

func TestSetRefuses(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"set them dark", `there is no setting "them"; did you mean theme?; :set lists them`},
		{"set xyzzyxyzzy 1", `there is no setting "xyzzyxyzzy"; :set lists them`},
		{"set theme drak", `theme is never "drak"; did you mean dark?; it is auto, dark, light or mono`},
		{"set mouse maybe", "it is true or false"},
		{"set wide-from many", `"many" is no number of columns such as 100`},
		{"set wide-from -1", "is no number"},
		{"set wide-from 99999999999999999999", "is no number"},
		{"set arm 1", `"1" is no time such as 700ms or 2s`},
		{"set arm 0s", "never less than 250ms"},
		{"set notify command", "there is no notify-command"},
		{"set notify-command rm", "notify-command cannot be changed while the panel runs"},
		{"set theme dark light", `theme is never "dark light"`},
	} {
		t.Run(c.line, func(t *testing.T) {
			s := setting(120, 30)
			if effects := s.enter(c.line); len(effects) > 0 {
				t.Errorf("effects %v", effects)
			}
			s.shows(t, c.want)
			if len(s.turned) > 0 {
				t.Errorf("it changed %v", s.turned)
			}
		})
	}
}

// What keeps a person from approving by accident is never less than at the start.
func TestGuardsOnlyGetStricter(t *testing.T) {
	for _, c := range []struct {
		name  string
		start func(o *Options)
		line  string
		ok    bool
		says  string
	}{
		{"arm, longer", nil, "arm 701ms", true, ""},
		{"arm, as it is", nil, "arm 700ms", true, "already"},
		{"arm, shorter", nil, "arm 699ms", false, "it is 700ms, from file ~/.config/bobproxy/config.toml:3"},
		{"arm, shorter than the least", func(o *Options) { o.Card.Arm = time.Millisecond }, "arm 249ms", false, "never less"},
		{"arm, the least", func(o *Options) { o.Card.Arm = time.Millisecond }, "arm 250ms", true, ""},
		{"arm, shorter than a long one", func(o *Options) { o.Card.Arm = 5 * time.Second }, "arm 700ms", false, "only gets stricter"},
		{"read-all off", nil, "read-all false", false, "it is true, as nothing else was said at the start"},
		{"read-all on", func(o *Options) { o.Card.ReadAll = false }, "read-all true", true, ""},
		{"confirm-always off", nil, "confirm-always no", false, "it is true, from flag --confirm-always"},
		{"confirm-always on", func(o *Options) { o.Card.ConfirmAlways = false }, "confirm-always true", true, ""},
		{"hide-always on", nil, "hide-always true", true, ""},
		{"hide-always off", func(o *Options) { o.Card.HideAlways = true }, "hide-always false", false, "only gets stricter"},
		{"a card that comes up", nil, "open-card idle", false, "open-card only gets stricter"},
		{"a card that comes up less", func(o *Options) { o.OpenCard = "idle" }, "open-card pending", true, ""},
		{"never and then sometimes", func(o *Options) { o.OpenCard = "never" }, "open-card pending", false, "only gets stricter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newShow(120, 30, nil).options
			o.Settings = usualSettings()
			if c.start != nil {
				c.start(&o)
				for i := range o.Settings { // as it was at the start, whatever that was
					o.Settings[i].Value = map[string]string{"read-all": fmt.Sprint(o.Card.ReadAll), "confirm-always": fmt.Sprint(o.Card.ConfirmAlways),
						"hide-always": fmt.Sprint(o.Card.HideAlways), "open-card": o.OpenCard, "arm": o.Card.Arm.String()}[o.Settings[i].Name]
				}
			}
			s := newShow(120, 30, nil)
			s.Panel = New(o)
			waiting(s.Panel)
			before := s.options
			s.look().enter("set " + c.line)
			changed := s.options.Card != before.Card || s.options.OpenCard != before.OpenCard
			if changed != (c.ok && c.says == "") {
				t.Errorf("changed is %v: %+v", changed, s.options.Card)
			}
			s.shows(t, c.says)
		})
	}
}

// A guard that was made stricter can go back to what it was, and no further.
func TestStricterAndBack(t *testing.T) {
	s := setting(120, 30)
	for _, step := range []struct{ value, want string }{{"5s", "5s"}, {"800ms", "800ms"}, {"300ms", "800ms"}, {"700ms", "700ms"}} {
		s.enter("set arm " + step.value)
		if got := s.value(t, "arm"); got != step.want {
			t.Errorf("after %s it is %s, want %s", step.value, got, step.want)
		}
	}
}

// A card obeys what was made stricter at once: it waits anew, and longer.
func TestTheCardObeys(t *testing.T) {
	s, out := answering(100, 40, waiting)
	s.options.Settings = usualSettings()
	s.act("p").wait(time.Second).act("G").wait(time.Second)
	s.enter("set arm 3s")
	if s.wait(2 * time.Second).act("1"); len(out.all) > 0 {
		t.Fatalf("answered too early: %+v", out.all)
	}
	s.enter("set hide-always true")
	s.wait(4*time.Second).act("2", "a", "l", "w", "a", "y", "s", "Enter")
	if len(out.all) > 0 {
		t.Fatalf("an answer that lasts was given: %+v", out.all)
	}
	if s.wait(4 * time.Second).act("1"); len(out.all) != 1 || out.all[0].Number != 1 {
		t.Errorf("sent %+v", out.all)
	}
}

// Pasted text can be no command: it has no Enter.
func TestPastedTextSetsNothing(t *testing.T) {
	s := setting(100, 30)
	s.Input(terminal.Paste{Text: ":set theme mono\r\n"}, s.now)
	s.press(":")
	s.Input(terminal.Paste{Text: "set theme mono\n:set mouse off\n"}, s.now)
	if s.look(); s.prompt == nil || len(s.turned) > 0 {
		t.Errorf("pasted text set %v", s.turned)
	}
}

// What keys change is in force as well.
func TestSettingsFollowKeys(t *testing.T) {
	s := setting(100, 30).press("L", "m")
	if layout, mouse := s.value(t, "layout"), s.value(t, "mouse"); layout != "narrow" || mouse != "false" {
		t.Errorf("layout %s, mouse %s", layout, mouse)
	}
	s.enter("theme light")
	s.enter("set")
	s.shows(t, "light    changed; was auto", "narrow   changed; was auto", `theme = "light"`)
}

func TestSetCompletes(t *testing.T) {
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"set th", []string{"theme"}},
		{"set ", []string{"theme", "color", "glyphs", "layout", "medium-from", "wide-from", "open-card", "arm", "read-all", "confirm-always", "hide-always", "mouse", "notify", "notify-command"}},
		{"set theme ", []string{"auto", "dark", "light", "mono"}},
		{"set theme l", []string{"light"}},
		{"set read-all ", []string{"true"}}, // nothing that is refused
		{"set open-card ", []string{"pending", "never"}},
		{"set arm ", nil},
		{"set notify-command ", nil},
		{"set nothing ", nil},
	} {
		s := setting(100, 30).press(":").typing(c.typed)
		var got []string
		for _, o := range s.offers(c.typed, len(c.typed)) {
			got = append(got, o.word)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q goes on with %q, want %q", c.typed, got, c.want)
		}
	}
	s := setting(100, 30).press(":").typing("set th").press("Tab")
	s.shows(t, ":set theme", "auto  now  │  dark")
	if s.press("Tab", "Tab", "Enter"); s.theme != "dark" {
		t.Errorf("the theme is %s:\n%s", s.theme, s.text())
	}
}

func TestPagesOfSettings(t *testing.T) {
	for _, from := range []keys.Key{"", "Enter", "p", "?"} {
		s := setting(100, 30)
		if from != "" {
			s.press(from)
		}
		at := s.focus
		s.enter("set")
		s.shows(t, "SETTINGS", "IN FORCE", "Nothing was changed.")
		s.enter("set arm")
		s.shows(t, "SETTING  arm", "only gets stricter than 700ms")
		if s.press("Esc"); at != atHelp && s.focus != at {
			t.Errorf("from %q at %v it goes back to %v", from, at, s.focus)
		}
		if s.press("Esc"); s.focus == atCard || s.focus == atHelp {
			t.Errorf("from %q there is no way out of %v", from, s.focus)
		}
	}
	s := setting(100, 30)
	s.enter("set")
	s.press("?").shows(t, "HELP  sessions", "EVERYWHERE")
	s.enter("set theme")
	s.enter("set theme light")
	s.shows(t, "light, until you quit; it was auto, as nothing else was said at the start") // the page is told
}

// Nobody set anything, and nothing is known of settings.
func TestNoSettings(t *testing.T) {
	s := newShow(60, 20, nil)
	s.enter("set")
	s.enter("set theme dark")
	s.shows(t, `there is no setting "theme"`)
	for _, e := range s.act(":").typing("theme light").Input(terminal.Key{Key: "Enter"}, s.now) {
		if later, ok := e.(terminal.Later); ok {
			later.Do(context.Background())
		}
	}
	if s.theme != "light" {
		t.Errorf("the theme is %s", s.theme)
	}
}

// Whatever is typed, no guard is less than at the start, and the page of what is in
// force can be drawn.
func FuzzSet(f *testing.F) {
	for _, seed := range []string{"arm 1ms", "arm -1h", "arm 9999999h", "read-all false", "hide-always true", "open-card idle", "theme = \"dark\"", "=", "medium-from 0", "x\x00y \xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, argument string) {
		s := setting(60, 20)
		start := s.options
		_, err := s.cmdSet(argument)
		if err != nil && len(err.Error()) > 1000 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
		now := s.options
		if now.Card.Delay() < start.Card.Delay() || !now.Card.ReadAll || !now.Card.ConfirmAlways || now.OpenCard == "idle" {
			t.Errorf("%q made it %+v, %q", argument, now.Card, now.OpenCard)
		}
		s.cmdSet("")
		s.look()
	})
}
