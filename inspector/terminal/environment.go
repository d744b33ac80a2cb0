package terminal

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/gdamore/tcell/v2/terminfo"
)

// environment is what is known of the terminal and the person's wishes from
// environment variables.
type environment struct {
	lookup func(string) (string, bool) // nil: of the process
}

func (e environment) get(name string) string {
	if e.lookup == nil {
		return os.Getenv(name)
	}
	value, _ := e.lookup(name)
	return value
}

func (e environment) has(name string) bool { return e.get(name) != "" }

// when says whether colours are used.
type when uint8

const (
	ifPossible when = iota
	always
	never
)

// colours decides between what was asked for, NO_COLOR, CLICOLOR_FORCE and
// CLICOLOR, in this order.
func (e environment) colours(asked string) when {
	force := e.get("CLICOLOR_FORCE")
	switch {
	case asked == "always":
		return always
	case asked == "never", e.has("NO_COLOR"):
		return never
	case force != "" && force != "0":
		return always
	case e.get("CLICOLOR") == "0":
		return never
	}
	return ifPossible
}

// background is the theme for the terminal's background: light when COLORFGBG
// says so, else dark.
func (e environment) background() string {
	fields := strings.Split(e.get("COLORFGBG"), ";")
	switch fields[len(fields)-1] {
	case "7", "9", "10", "11", "12", "13", "14", "15":
		return "light"
	}
	return "dark"
}

// utf8 says whether the locale's characters are UTF-8. As elsewhere, a locale
// that does not say is.
func (e environment) utf8() bool {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = e.get(name); locale != "" {
			break
		}
	}
	if locale == "C" || locale == "POSIX" {
		return false
	}
	locale, _, _ = strings.Cut(locale, "@")
	_, charset, says := strings.Cut(locale, ".")
	charset = strings.ToLower(charset)
	return !says || charset == "utf-8" || charset == "utf8"
}

// terminfo is what the terminal can do.
func (e environment) terminfo() (*terminfo.Terminfo, error) {
	name := e.get("TERM")
	switch {
	case name == "":
		return nil, errors.New("TERM is not set, so nothing is known of the terminal; set TERM=xterm-256color")
	case name == "dumb":
		return nil, errors.New("this terminal cannot show a panel (TERM=dumb); start it in another one")
	}
	if !plain(name) {
		return nil, errors.New("TERM is no name of a terminal; set TERM=xterm-256color")
	}
	for _, n := range append([]string{name}, relatives(name)...) {
		if info, err := tcell.LookupTerminfo(n); err == nil {
			return able(info)
		}
	}
	return nil, fmt.Errorf("nothing is known of the terminal TERM=%s; if it is like most, set TERM=xterm-256color", name)
}

// able refuses what cannot place its cursor.
func able(info *terminfo.Terminfo) (*terminfo.Terminfo, error) {
	if info.SetCursor == "" || info.Clear == "" {
		return nil, fmt.Errorf("this terminal is too simple for a panel (TERM=%s); start it in another one", info.Name)
	}
	return info, nil
}

// plain says whether name can be the name of a terminal, which is looked up by
// a program that gets it as an argument.
func plain(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		if !letter && (i == 0 || !strings.Contains("+-._", string(c))) {
			return false
		}
	}
	return len(name) <= 64
}

// relatives are terminals to take for one of which nothing is known.
func relatives(name string) []string {
	for prefix, relative := range map[string]string{
		"tmux": "screen-256color", "screen": "screen-256color", "rxvt": "rxvt-256color",
	} {
		if strings.HasPrefix(name, prefix) {
			return []string{relative, "screen", "xterm-256color"}
		}
	}
	for _, prefix := range []string{"xterm", "alacritty", "contour", "foot", "ghostty", "kitty", "konsole", "mlterm", "st-", "vte", "wezterm"} {
		if strings.HasPrefix(name, prefix) {
			return []string{"xterm-256color"}
		}
	}
	if strings.HasSuffix(name, "-256color") || strings.HasSuffix(name, "-direct") {
		return []string{"xterm-256color"}
	}
	return nil
}
