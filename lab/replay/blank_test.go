package replay

import (
	"fmt"
	"testing"

	"bobproxy/acp"
)

func TestUnblanked(t *testing.T) {
	for was, want := range map[string]string{
		`{"text":"xxx xx"}`:                                 `{"text":"xxx xx"}`,
		`{"text":"x"}`:                                      `{"text":"[masked]"}`,
		`{"text":"xx\nxxx\n"}`:                              `{"text":"[masked]"}`,
		`{"text":""}`:                                       `{"text":""}`,
		`{"xx":["xx",{"xx":"a"}]}`:                          `{"xx":["[masked]",{"xx":"a"}]}`,
		`{"command":"cat <<E\nxxx\nx"}`:                     `{"command":"cat <<E\n[masked]"}`,
		`{"command":"cat <<E\n"}`:                           `{"command":"cat <<E\n"}`,
		`{"id":1,"method":"xx","params":{"sessionId":"x"}}`: `{"id":1,"method":"xx","params":{"sessionId":"x"}}`,
	} {
		if got := string(unblanked([]byte(was))); got != want {
			t.Errorf("%s is %s, want %s", was, got, want)
		}
	}
}

func TestAlike(t *testing.T) {
	for _, test := range []struct {
		recorded, live string
		want           bool
	}{
		{"a", "a", true},
		{"a", "b", false},
		{"[masked]", "", true},
		{"a [masked] c", "a b c", true},
		{"a [masked] c", "a c", false},
		{"[removed 12]", "anything", true},
		{"a [removed 1] [masked]", "a b c", true},
		{"a [removed 1]", "b", false},
		{"[removed x]", "b", false},
	} {
		if got := alike(test.recorded, test.live); got != test.want {
			t.Errorf("%q and %q: got %v", test.recorded, test.live, got)
		}
	}
}

// What the live agent asks may be one of those that are not known whole, each of
// them once.
func TestGuess(t *testing.T) {
	ask := func(id int, message string) Frame {
		line := fmt.Appendf(nil, `{"id":%d,"method":"elicitation/create","params":{"sessionId":"s","message":%q}}`, id, message)
		return Frame{From: acp.Agent, Line: line, Blank: true}
	}
	s, err := newScript([]Frame{ask(1, "xxxx"), ask(2, "in full"), ask(3, "xx")})
	if err != nil {
		t.Fatal(err)
	}
	asks := newCounterparts(s)
	for n, want := range []int{1, 0, 2, none} {
		about := "in full"
		if n > 0 {
			about = fmt.Sprint("something", n)
		}
		if got, _ := asks.find("elicitation/create", "s", about, ""); got != want {
			t.Errorf("%q stands for %d, want %d", about, got, want)
		}
	}
}
