package card

import (
	"encoding/json"
	"strings"
	"testing"

	"bobproxy/inspector/model"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/control"
)

func TestWhatStandsAsideOfACommand(t *testing.T) {
	for _, test := range []struct {
		name   string
		folder string // that the request says
		input  string
		lines  string
		where  string
	}{
		{"its folder is a fact", "", `{"cwd":"/home/me/src","command":"make"}`, "make", "~/src"},
		{"the same folder twice", "/home/me/src", `{"cwd":"/home/me/src","command":"make"}`, "make", "~/src"},
		{"another folder than the request says", "/home/me/src", `{"cwd":"/tmp","command":"make"}`, "make | { |   \"cwd\": \"/tmp\" | }", "~/src"},
		{"what it is for is no JSON", "", `{"command":"make","description":"Build it"}`, "make | Build it", ""},
		{"what it is for is known", "", `{"command":"make","description":"make"}`, "make", ""},
		{"other input stays", "", `{"command":"make","cwd":"/tmp","timeout":5}`, "make | { |   \"timeout\": 5 | }", "/tmp"},
		{"no text", "", `{"command":"make","cwd":7,"description":["x"]}`, "make | { |   \"cwd\": 7, |   \"description\": [ |     \"x\" |   ] | }", ""},
		{"no command", "", `{"cwd":"/tmp","description":"x"}`, "{ |   \"cwd\": \"/tmp\", |   \"description\": \"x\" | }", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &model.Permission{Card: &control.Pending{Cwd: test.folder, Input: json.RawMessage(test.input)}}
			c := &Card{p: p, told: p.Card, content: contentOf(p)}
			var lines []string
			for _, l := range c.content.lines {
				lines = append(lines, l.text.String())
			}
			if got := strings.Join(lines, " | "); got != test.lines {
				t.Errorf("the lines are %s\nwant %s", got, test.lines)
			}
			var where string
			for _, l := range c.where(80, pane.Context{Home: "/home/me"}) {
				where += strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l.String()), "in folder"))
			}
			if where != test.where {
				t.Errorf("it runs in %q, want %q", where, test.where)
			}
		})
	}
}
