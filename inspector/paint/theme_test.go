package paint

import (
	"strconv"
	"testing"
)

func TestThemes(t *testing.T) {
	for _, theme := range themes {
		for role, l := range theme.Looks {
			name := theme.Name + ", " + Role(role).String()
			filled := Role(role) == Bar || Role(role) == Alert || Role(role) == Tag
			if l.BG != Default && !filled {
				t.Errorf("%s has a background", name)
			}
			if l.FG == Blue || l.FG == BrightBlue {
				t.Errorf("%s is blue", name)
			}
			if theme.Name == "mono" && (l.FG != Default || l.BG != Default) {
				t.Errorf("%s has a colour", name)
			}
		}
	}
	if _, ok := ThemeNamed("pink"); ok {
		t.Error("there is a theme pink")
	}
}

// What must not be taken for something else looks different in every theme, also
// where it is selected.
func TestRolesThatMatterDiffer(t *testing.T) {
	for _, theme := range themes {
		if alike, found := theme.alike(); found {
			t.Errorf("%s: %v", theme.Name, &alike)
		}
		for _, pair := range [][2]Role{{Plain, Dim}, {Plain, Strong}, {Plain, Bar}, {Plain, Key}, {Plain, You}} {
			if theme.Look(Style{Role: pair[0]}) == theme.Look(Style{Role: pair[1]}) {
				t.Errorf("%s: %v looks like %v", theme.Name, pair[0], pair[1])
			}
		}
	}
}

func TestNoSuchRole(t *testing.T) {
	if l := dark.Look(Style{Role: Roles}); l != (Look{}) {
		t.Errorf("got %+v", l)
	}
	if got := Roles.String(); got != "no role" {
		t.Errorf("got %q", got)
	}
}

func TestRolesHaveLettersOfTheirOwn(t *testing.T) {
	seen := map[byte]Role{}
	for r, x := range roles {
		for _, l := range []byte{x.letter, x.selected} {
			if other, ok := seen[l]; ok || l == 0 || l >= '0' && l <= '9' {
				t.Errorf("%v has letter %q, so has %v", Role(r), l, other)
			}
			seen[l] = Role(r)
		}
	}
}

// Text in a picture can be read: a contrast of 4.5 to its background, of 3.5 where
// it is dim.
func TestPicturesHaveContrast(t *testing.T) {
	for _, theme := range themes {
		for r := range Roles {
			for _, selected := range []bool{false, true} {
				look := theme.Look(Style{Role: r, Selected: selected})
				fg, bg := inkOf(theme).colors(look)
				least := 4.5
				if look.Dim {
					least = 3.5
				}
				if c := contrast(t, fg, bg); c < least {
					t.Errorf("%s, %v: %s on %s has a contrast of %.1f", theme.Name, r, fg, bg, c)
				}
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, color string) (sum float64) {
	t.Helper()
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		sum += weight * c * c // near enough to the curve of sRGB
	}
	return sum
}
