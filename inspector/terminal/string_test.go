package terminal

import (
	"testing"
	"time"
)

// A control string that somebody began by accident ends when the typing pauses,
// and one of a terminal is left as it is.
func TestAControlStringByAccident(t *testing.T) {
	const fast, slow = time.Millisecond, stringPause + time.Millisecond
	type read struct {
		text  string
		after time.Duration
	}
	for name, c := range map[string]struct {
		reads []read
		want  string
	}{
		"Alt-] and a key":     {[]read{{"\x1b]", slow}, {"1", slow}, {"2", fast}}, "\x1b]\a12"},
		"Esc and ] at once":   {[]read{{"\x1b", fast}, {"]", fast}, {"\x03", slow}}, "\x1b]\a\x03"},
		"Esc, then ]":         {[]read{{"\x1b", fast}, {"]", slow}, {"1", slow}}, "\x1b]1"},
		"Alt-_":               {[]read{{"\x1b_", slow}, {"q", slow}}, "\x1b_\aq"},
		"a terminal's answer": {[]read{{"\x1b]11;rgb:1e1e", slow}, {"/1e1e/1e1e\x1b\\", fast}, {"1", slow}}, "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\1"},
		"with a bell":         {[]read{{"\x1b]11;rgb:1e1e\a", slow}, {"1", slow}}, "\x1b]11;rgb:1e1e\a1"},
		"Esc twice in it":     {[]read{{"\x1b]a\x1b\x1b\\", slow}, {"1", slow}}, "\x1b]a\x1b\x1b\\\a1"},
		"keys":                {[]read{{"]1\x1b[A", slow}, {"\x1bOP]", slow}, {"x", slow}}, "]1\x1b[A\x1bOP]x"},
	} {
		t.Run(name, func(t *testing.T) {
			var s controlString
			now := time.Unix(1000, 0)
			got := ""
			for _, r := range c.reads {
				now = now.Add(r.after)
				got += string(s.filter([]byte(r.text), now))
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
