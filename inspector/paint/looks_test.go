package paint

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseLook(t *testing.T) {
	for text, want := range map[string]Look{
		"red":                            {FG: Red},
		"bold red":                       {FG: Red, Bold: true},
		"red bold":                       {FG: Red, Bold: true},
		"bright-black":                   {FG: BrightBlack},
		"black on bright-yellow":         {FG: Black, BG: BrightYellow},
		" bold\tdim  underline reverse ": {Bold: true, Dim: true, Under: true, Reverse: true},
		"on blue white":                  {FG: White, BG: Blue},
		"plain":                          {},
	} {
		if got, err := ParseLook(text); err != nil || got != want {
			t.Errorf("%q is %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestWrongLooks(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "has no words; plain takes everything away",
		"rde":                     `"rde" is no word for a look; did you mean red?`,
		"Red":                     `"Red" is no word for a look; did you mean red?`,
		"underlined red":          "did you mean underline?",
		"xyzzyxyzzy":              `"xyzzyxyzzy" is no word for a look; there are bold, dim, underline, reverse, plain, on COLOUR, black, red, `,
		"red blue":                "has two colours for letters, red and blue",
		"red on blue on green":    "has two colours for what is behind them, blue and green",
		"red on":                  "ends behind on",
		"red on bold":             `expected a colour behind on, not "bold"`,
		"plain red":               "plain stands alone",
		"on red":                  "says nothing of the letters",
		"black on black":          "cannot be read: black on black",
		"red on bright-red":       "cannot be read: red on bright-red",
		"reverse white on white":  "cannot be read",
		strings.Repeat("é", 5000): "…",
		"\x1b[31m":                `"\x1b[31m" is no word`,
	} {
		got, err := ParseLook(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q is %+v, %v; want an error with %q", text, got, err, want)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("%.40q: the error has %d bytes", text, len(err.Error()))
		}
	}
}

func TestRoleNamed(t *testing.T) {
	for i, name := range RoleNames() {
		if got, err := RoleNamed(name); err != nil || got != Role(i) || strings.ContainsAny(name, " _") {
			t.Errorf("%q is %v, %v; want %v", name, got, err, Role(i))
		}
	}
	_, err := RoleNamed("dangre")
	if err == nil || !strings.Contains(err.Error(), `"dangre"; did you mean danger?; there are plain, dim, `) {
		t.Errorf("got %v", err)
	}
}

func TestLooksOver(t *testing.T) {
	for _, c := range []struct {
		name  string
		theme *Theme
		role  Role
		look  Look
		want  Look
	}{
		{"a colour", &dark, Good, Look{FG: Cyan}, Look{FG: Cyan}},
		{"it takes all of the theme's look away", &dark, Danger, Look{FG: Magenta, Under: true}, Look{FG: Magenta, Under: true}},
		{"nothing", &dark, Dim, Look{}, Look{}},
		{"letters that nobody sees, dark", &dark, You, Look{FG: Black, Bold: true}, dark.Looks[You]},
		{"letters that nobody sees, light", &light, You, Look{FG: BrightWhite}, light.Looks[You]},
		{"black letters where it is light", &light, You, Look{FG: Black}, Look{FG: Black}},
		{"black letters on something", &dark, You, Look{FG: Black, BG: Cyan}, Look{FG: Black, BG: Cyan}},
		{"attributes hold without colours", &mono, Warn, Look{FG: Yellow, Under: true}, Look{Under: true}},
		{"a colour alone is nothing without colours", &mono, Danger, Look{FG: Red}, mono.Looks[Danger]},
		{"what was behind letters is reverse", &mono, Alert, Look{FG: Black, BG: Cyan, Bold: true}, Look{Bold: true, Reverse: true}},
		{"plain is plain without colours, too", &mono, Dim, Look{}, Look{}},
		{"a warning stays one without colours", &mono, Alert, Look{FG: Black, BG: Cyan}, mono.Looks[Alert]},
	} {
		before := *c.theme
		if got := (Looks{c.role: c.look}).Over(c.theme).Looks[c.role]; got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
		if *c.theme != before {
			t.Errorf("%s: the theme itself was changed", c.name)
		}
	}
	if (Looks{}).Over(&dark) != &dark {
		t.Error("without looks it is another theme")
	}
}

func TestLooksThatAreAlike(t *testing.T) {
	for _, c := range []struct {
		name  string
		looks Looks
		want  string // empty: nothing is wrong
	}{
		{"nothing", nil, ""},
		{"more colour", Looks{Good: {FG: Cyan}, Dim: {FG: BrightBlack}, Bar: {FG: White, BG: Blue}, Alert: {FG: Black, BG: BrightYellow}}, ""},
		{"swapped", Looks{Plain: {FG: Red}, Bad: {FG: Blue}}, ""},
		{"a warning that is plain", Looks{Warn: {}}, "in the theme dark warn would look like plain"},
		{"plain text like a warning", Looks{Plain: {FG: Red}}, "in the theme dark bad would look like plain"},
		{"a warning that is dim", Looks{Bad: {Dim: true}}, "bad would look like dim"},
		{"good and bad", Looks{Good: {FG: Red}}, "bad would look like good"},
		{"only in one theme", Looks{Good: {FG: Magenta}, Danger: {FG: Magenta}}, "danger would look like good"},
		{"the strip like the title", Looks{Alert: {FG: White, BG: Blue}, Bar: {FG: White, BG: Blue}}, "alert would look like bar"},
		{"lost in a selected row", Looks{Danger: {FG: Magenta}}, "in a selected row"},
		{"not lost in a selected row", Looks{Danger: {FG: Magenta, Bold: true}, Warn: {FG: Yellow}}, ""},
	} {
		got := ""
		if alike := c.looks.Check(); alike != nil {
			got = alike.Error()
		}
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Whatever is written in a config file, no theme has warnings that look like what
// is none, nor letters in the colour of what is behind them.
func TestNoLooksHideAWarning(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := append(append([]string{}, colourWords...), otherWords...)
	for range 3000 {
		looks := Looks{}
		for range 1 + random.IntN(8) {
			var text []string
			for range 1 + random.IntN(4) {
				text = append(text, words[random.IntN(len(words))])
			}
			if look, err := ParseLook(strings.Join(text, " ")); err == nil {
				looks[Role(random.IntN(int(Roles)))] = look
			}
		}
		before := maps.Clone(looks)
		for _, theme := range themes {
			over := looks.Over(theme)
			if alike, found := over.alike(); found {
				t.Fatalf("%v over %s: %v", looks, theme.Name, &alike)
			}
			for role, l := range over.Looks {
				if l.BG != Default && l.FG.hue() == l.BG.hue() && l != theme.Looks[role] {
					t.Fatalf("%v over %s: %v is %+v", looks, theme.Name, Role(role), l)
				}
				if theme == &mono && l != l.colourless() {
					t.Fatalf("%v over %s: %v has a colour", looks, theme.Name, Role(role))
				}
			}
		}
		if !maps.Equal(before, looks) {
			t.Fatalf("%v became %v", before, looks)
		}
	}
}

func FuzzParseLook(f *testing.F) {
	for _, seed := range []string{"bold red", "black on white", "on", "plain", "bright-", "\x1b[0m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		look, err := ParseLook(text)
		if err == nil && look.BG != Default && (look.FG == Default || look.FG.hue() == look.BG.hue()) {
			t.Errorf("%q cannot be read: %+v", text, look)
		}
	})
}
