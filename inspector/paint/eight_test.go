package paint

import (
	"slices"
	"testing"
)

// No look for one role hides a warning where there are 8 colours, although some
// would by then.
func TestLooksInEightColours(t *testing.T) {
	colours := append([]string{""}, colourWords...)
	hidden := 0
	for _, word := range slices.Concat(colourWords, otherWords[1:]) {
		for _, behind := range colours {
			text := word
			if behind != "" {
				text += " on " + behind
			}
			look, err := ParseLook(text)
			if err != nil {
				continue
			}
			for role := range Role(Roles) {
				for _, theme := range themes {
					looks, eight := Looks{role: look}, theme.InEight()
					if _, alike := looks.Over(theme).InEight().alike(); alike {
						hidden++
					}
					if alike, found := looks.InEight().Over(eight).alike(); found {
						t.Errorf("%s = %q in %s: %v", role, text, theme.Name, &alike)
					}
				}
			}
		}
	}
	if hidden == 0 {
		t.Error("none of these looks would hide anything")
	}
}

func TestInEight(t *testing.T) {
	for _, tt := range []struct {
		name      string
		look, has Look
	}{
		{"one of the eight", Look{FG: Red, BG: Blue, Dim: true}, Look{FG: Red, BG: Blue, Dim: true}},
		{"bright letters", Look{FG: BrightRed, Under: true}, Look{FG: Red, Bold: true, Under: true}},
		{"a bright colour behind", Look{FG: Black, BG: BrightYellow}, Look{FG: Black, BG: Yellow}},
		{"bright black behind", Look{FG: BrightWhite, BG: BrightBlack}, Look{Reverse: true}},
		{"none", Look{Bold: true}, Look{Bold: true}},
	} {
		if got := tt.look.inEight(); got != tt.has {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.has)
		}
	}
}
