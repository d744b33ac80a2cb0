package paint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bobproxy/inspector/guess"
)

// maxWord is how long a word may be to be worth a guess, in bytes.
const maxWord = 32

// colourWords are the names of the 16 colours, in the order of the constants.
var colourWords = []string{
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
}

// otherWords are what else can be written of a look.
var otherWords = []string{"on", "bold", "dim", "underline", "reverse", "plain"}

// RoleNamed is the role that a theme in a config file calls by that name. Its
// error says what there is.
func RoleNamed(name string) (Role, error) {
	names := RoleNames()
	if i := slices.Index(names, name); i >= 0 {
		return Role(i), nil
	}
	return 0, unknownWord("there is no role %q%s; there are %s", name, names, names)
}

// RoleNames are the names of all roles, each one word.
func RoleNames() []string {
	names := make([]string, Roles)
	for r := range names {
		names[r] = strings.ReplaceAll(Role(r).String(), " ", "-")
	}
	return names
}

// ParseLook reads words such as "bold red", "black on bright-yellow" or "plain".
// A look in which nothing could be read, its letters being in the colour of what
// is behind them, is an error.
func ParseLook(text string) (Look, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Look{}, errors.New("has no words; plain takes everything away")
	}
	var r lookReader
	for _, word := range words {
		if err := r.take(word); err != nil {
			return Look{}, err
		}
	}
	return r.done(len(words))
}

// lookReader is a look while its words are read.
type lookReader struct {
	Look
	on, plain bool // on was the word before; plain was among them
}

func (r *lookReader) take(word string) error {
	if i := slices.Index(colourWords, word); i >= 0 {
		return r.colour(Black + Color(i))
	}
	if r.on {
		return fmt.Errorf("expected a colour behind on, not %q", cutWord(word))
	}
	switch word {
	case "on":
		r.on = true
	case "bold":
		r.Bold = true
	case "dim":
		r.Dim = true
	case "underline":
		r.Under = true
	case "reverse":
		r.Reverse = true
	case "plain":
		r.plain = true
	default:
		return unknownWord("%q is no word for a look%s; there are %s", word, slices.Concat(colourWords, otherWords),
			slices.Concat(otherWords[1:], []string{"on COLOUR"}, colourWords))
	}
	return nil
}

func (r *lookReader) colour(c Color) error {
	to, what := &r.FG, "letters"
	if r.on {
		to, what = &r.BG, "what is behind them"
	}
	if *to != Default {
		return fmt.Errorf("has two colours for %s, %s and %s", what, *to, c)
	}
	*to, r.on = c, false
	return nil
}

// done refuses what says nothing clear, and what could not be read.
func (r *lookReader) done(words int) (Look, error) {
	switch {
	case r.on:
		return Look{}, errors.New("ends behind on; a colour is missing")
	case r.plain && words > 1:
		return Look{}, errors.New("plain stands alone")
	case r.BG != Default && r.FG == Default:
		return Look{}, fmt.Errorf("says nothing of the letters, which may have the same colour; write COLOUR on %s", r.BG)
	case r.BG != Default && r.FG.hue() == r.BG.hue():
		return Look{}, fmt.Errorf("cannot be read: %s on %s", r.FG, r.BG)
	}
	return r.Look, nil
}

// hue is a colour without its brightness, which some terminals do not show.
func (c Color) hue() Color {
	if c >= BrightBlack {
		return c - BrightBlack + Black
	}
	return c
}

// String is the colour's name in a config file.
func (c Color) String() string {
	if c == Default || int(c) > len(colourWords) {
		return "default"
	}
	return colourWords[c-Black]
}

// unknownWord is an error about a word that is none of those that fit.
func unknownWord(format, word string, fit, shown []string) error {
	hint := ""
	if near := nearWord(word, fit); near != "" {
		hint = "; did you mean " + near + "?"
	}
	return fmt.Errorf(format, cutWord(word), hint, strings.Join(shown, ", "))
}

func nearWord(word string, fit []string) string {
	if len(word) > maxWord {
		return ""
	}
	return guess.Nearest(word, fit)
}

func cutWord(word string) string {
	if len(word) > maxWord {
		return strings.ToValidUTF8(word[:maxWord], "") + "…"
	}
	return word
}
