package panel

import (
	"strings"
	"testing"

	"bobproxy/inspector/keys"
)

func TestTheHelpOfACard(t *testing.T) {
	s := newShow(90, 110, waiting).press("p", "?")
	s.shows(t, "HELP  permission", "ANSWERING", "1-9", "select an option", "answer with the option that you have selected, if any")
	for _, lie := range []string{"j Down", "open what is selected", "Enter, Esc, q"} {
		if strings.Contains(s.text(), lie) {
			t.Errorf("it says %q:\n%s", lie, s.text())
		}
	}
}

func TestTheHelpIsClosedByItsKey(t *testing.T) {
	for _, where := range [][]keys.Key{{}, {"Enter"}, {"p"}, {"Enter", "]", "G", "Enter"}} {
		s := newShow(100, 30, waiting).press(where...)
		at := s.focus
		s.press("?").shows(t, "? close")
		if s.press("?"); s.focus != at {
			t.Errorf("%v: the second ? leads to %d, want %d", where, s.focus, at)
		}
		s.press("?").run("help")
		if s.focus != atHelp {
			t.Errorf("%v: :help closes the help", where)
		}
	}
}

func TestTheHelpNamesItsPlace(t *testing.T) {
	for _, test := range []struct {
		scene func(*Panel)
		press []keys.Key
		want  string
	}{
		{nil, nil, "HELP  no proxies"},
		{waiting, nil, "HELP  sessions"},
		{waiting, []keys.Key{"Enter"}, "HELP  timeline"},
		{leaving().gone, []keys.Key{"Enter"}, "HELP  a proxy that has ended"},
	} {
		newShow(100, 40, test.scene).press(test.press...).press("?").shows(t, test.want)
	}
	newShow(90, 110, waiting).press("?").shows(t, "Who waits for an answer stands first")
}
