package panel

import (
	"strings"
	"testing"

	"bobproxy/inspector/keys"
)

// typing presses the keys of a text.
func (s *show) typing(text string) *show {
	for _, c := range text {
		key := keys.Key(string(c))
		if c == ' ' {
			key = "Space"
		}
		s.press(key)
	}
	return s
}

// filtering is a panel at the filter of the wire.
func filtering() *show {
	s := newShow(100, 30, waiting)
	s.options.Filters = map[string]string{"noise": "-u:message"}
	return s.press("Enter", "]", "/")
}

func TestCompletion(t *testing.T) {
	tests := []struct {
		name  string
		typed string
		tabs  int
		want  string // the text
		shown string
	}{
		{"nothing typed shows the keys", "", 1, "", "method:  a part of the method"},
		{"and then goes through them", "", 2, "method:", "method:"},
		{"saved filters, too", "", -1, "@noise", "@noise  saved"},
		{"the only key, and its values", "met", 1, "method:", "session/update"},
		{"values right behind a key", "kind:", 1, "kind:", "ntf"},
		{"the first of them", "kind:", 2, "kind:ntf", "ntf"},
		{"a saved filter", "@n", 1, "@noise", "@noise"},
		{"all saved filters", "@", 1, "@noise", "@noise"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := filtering().typing(test.typed)
			for range test.tabs {
				s.press("Tab")
			}
			if test.tabs < 0 {
				s.press("Tab", "Shift-Tab")
			}
			if got := s.prompt.String(); got != test.want {
				t.Errorf("the text is %q, want %q", got, test.want)
			}
			s.look().shows(t, test.shown)
			if strings.Contains(s.text(), "^ ") {
				t.Errorf("it scolds:\n%s", s.text())
			}
		})
	}
}

// TestUnfinishedIsNotWrong types a key letter by letter: nothing is wrong with it
// until Enter is pressed.
func TestUnfinishedIsNotWrong(t *testing.T) {
	s := filtering().typing("method:")
	if s.look(); s.prompt.wrong != "" {
		t.Errorf("%s is told to be wrong: %s", s.prompt, s.prompt.wrong)
	}
	if s.press("Enter"); s.prompt == nil {
		t.Fatal("Enter took a filter that is not finished")
	}
	s.look().shows(t, "^ expected a value")
}

// TestEnterTakesAnOfferedKey chooses a key: Enter goes on with it.
func TestEnterTakesAnOfferedKey(t *testing.T) {
	s := filtering().press("Tab", "Tab", "Enter")
	if s.prompt == nil || s.prompt.wrong != "" {
		t.Fatalf("the prompt is %v", s.prompt)
	}
	s.look().shows(t, "session/update")
	s.press("Tab", "Enter")
	if s.prompt != nil || !strings.HasPrefix(s.filter, "method:") {
		t.Errorf("the prompt is %v, the filter %q", s.prompt, s.filter)
	}
}

func TestCommandsAreOfferedApart(t *testing.T) {
	s := newShow(100, 30, waiting).press(":", "Tab")
	s.look().shows(t, "filter  filter the wire, or keep the filter under a name  │  session  go to")
}

func TestTermsAreNotDoubled(t *testing.T) {
	tests := []struct {
		name, before, term, want string
	}{
		{"the first", "", "method:a", "method:a"},
		{"the same again", "method:a", "method:a", "method:a"},
		{"another one", "method:a", "kind:err", "method:a kind:err"},
		{"the opposite", "kind:err method:a dir:in", "-method:a", "kind:err -method:a dir:in"},
		{"and back", "-method:a", "method:a", "method:a"},
		{"beside alternatives", "method:a or method:b", "kind:err", "(method:a or method:b) kind:err"},
		{"in other words", "m:a", "method:a", "method:a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newShow(100, 30, waiting)
			if err := s.setFilter(test.before); err != nil {
				t.Fatal(err)
			}
			s.narrowBy(test.term)
			if s.filter != test.want {
				t.Errorf("the filter is %q, want %q", s.filter, test.want)
			}
		})
	}
}

func TestNothingOnStderr(t *testing.T) {
	s := newShow(100, 30, rebuilding().play)
	s.press("Enter", "E")
	if s.tab == keys.Wire || s.filter != "" {
		t.Errorf("it went to %s with the filter %q", s.tab, s.filter)
	}
	s.look().shows(t, "the agent has written nothing to stderr")
}
