package inspector

import (
	"strings"
	"testing"
)

const recording = `{"time":"2026-01-02T03:04:05.000000000Z","seq":1,"instance":"abcde","event":"start","command":["x"],"pid":1}
{"time":"2026-01-02T03:04:05.100000000Z","seq":2,"instance":"abcde","event":"frame","dir":"client","kind":"request","method":"session/prompt","id":1,"session":"s","bytes":40,"frame":{"id":1,"method":"session/prompt"}}
{"time":"2026-01-02T03:04:05.200000000Z","seq":3,"instance":"abcde","event":"frame","dir":"agent","kind":"request","method":"session/request_permission","id":1,"session":"s","bytes":50,"frame":{"id":1,"method":"session/request_permission"}}
{"time":"2026-01-02T03:04:05.250000000Z","seq":4,"instance":"abcde","event":"frame","dir":"agent","kind":"text","bytes":5,"raw":"hello"}
{"time":"2026-01-02T03:04:05.300000000Z","seq":5,"instance":"abcde","event":"frame","dir":"client","kind":"response","method":"session/request_permission","id":1,"session":"s","bytes":20,"frame":{"id":1,"result":{}}}
{"time":"2026-01-02T03:04:05.400000000Z","seq":6,"instance":"abcde","event":"gap","count":3,"bytes":99}
this line is damaged
{"time":"2026-01-02T03:04:05.500000000Z","seq":9,"instance":"abcde","event":"frame","dir":"agent","kind":"ambiguous","bytes":10,"reason":"duplicate member","raw":"{\"a\":1,,}"}
{"time":"2026-01-02T03:04:05.600000000Z","seq":10,"instance":"abcde","event":"exit","status":143}
`

func TestSummary(t *testing.T) {
	const want = `2 frames from the client (60 B), 3 from the agent (65 B); 1 permission request
slowest answers: session/request_permission 100ms
1 request without an answer
1 odd frame
3 records missing
1 line that cannot be read
the agent ended with 143
`
	if got := Summarise(strings.NewReader(recording)).String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestSummaryOfNothing(t *testing.T) {
	const want = "0 frames from the client (0 B), 0 from the agent (0 B); 0 permission requests\n"
	if got := Summarise(strings.NewReader("")).String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What did not pass is not open, and is no answer; what the proxy added is one.
func TestSummaryOfWhatDidNotPass(t *testing.T) {
	const guarded = `{"time":"2026-01-02T03:04:05.000000000Z","seq":1,"event":"frame","dir":"agent","kind":"request","method":"fs/read_text_file","id":1,"bytes":60,"action":"withheld","reason":"x","frame":{"id":1,"method":"fs/read_text_file"}}
{"time":"2026-01-02T03:04:06.000000000Z","seq":2,"event":"frame","dir":"agent","kind":"request","method":"fs/read_text_file","id":2,"bytes":60,"action":"refused","reason":"x","frame":{"id":2,"method":"fs/read_text_file"}}
{"time":"2026-01-02T03:04:06.250000000Z","seq":3,"event":"frame","dir":"client","kind":"error","method":"fs/read_text_file","id":2,"bytes":60,"added":true,"frame":{"id":2,"error":{"code":-32602,"message":"no"}}}
{"time":"2026-01-02T03:04:07.000000000Z","seq":4,"event":"frame","dir":"agent","kind":"request","method":"session/request_permission","id":3,"session":"s","bytes":50,"frame":{"id":3,"method":"session/request_permission"}}
{"time":"2026-01-02T03:04:08.000000000Z","seq":5,"event":"frame","dir":"client","kind":"response","method":"session/request_permission","id":3,"bytes":50,"added":true,"frame":{"id":3,"result":{}}}
{"time":"2026-01-02T03:04:09.000000000Z","seq":6,"event":"frame","dir":"agent","kind":"request","method":"session/request_permission","id":3,"session":"s","bytes":50,"frame":{"id":3,"method":"session/request_permission"}}
{"time":"2026-01-02T03:04:19.000000000Z","seq":7,"event":"frame","dir":"client","kind":"response","method":"session/request_permission","id":3,"bytes":50,"action":"swallowed","reason":"x","frame":{"id":3,"result":{}}}
`
	const want = `3 frames from the client (160 B), 4 from the agent (220 B); 2 permission requests
slowest answers: session/request_permission 1s, fs/read_text_file 250ms
1 request without an answer
1 answer that came too late
2 frames stopped by the proxy
`
	if got := Summarise(strings.NewReader(guarded)).String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// An editor that was told to close a dialog owes a reply, which is no answer.
func TestSummaryOfDialogsThatWereClosed(t *testing.T) {
	const swallowed = `{"time":"2026-01-02T03:04:05.000000000Z","seq":1,"event":"frame","dir":"client","kind":"error","id":1,"bytes":10,"action":"swallowed","reason":"settled before by panel","frame":{"id":1,"error":{"code":-32800,"message":""}}}
`
	decided := func(how string) string {
		return `{"time":"2026-01-02T03:04:05.000000000Z","seq":2,"event":"decision","id":1,"request":"a:1","by":"editor",` + how + `,"waitMs":43200,"late":true}` + "\n"
	}
	for _, tt := range []struct{ name, lines, want string }{
		{"an error", swallowed + decided(`"outcome":"error"`), "; 0 permission requests\n1 dialog closed by the editor, as asked\n"},
		{"cancelled", swallowed + decided(`"outcome":"cancelled"`), "; 0 permission requests\n1 dialog closed by the editor, as asked\n"},
		{"a choice", swallowed + decided(`"outcome":"selected","optionId":"y"`), "; 0 permission requests\n1 answer that came too late\n"},
		{"of each one", swallowed + decided(`"outcome":"error"`) + swallowed + decided(`"outcome":"selected","optionId":"y"`),
			"; 0 permission requests\n1 answer that came too late\n1 dialog closed by the editor, as asked\n"},
	} {
		if got := Summarise(strings.NewReader(tt.lines)).String(); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: got\n%s, want at its end\n%s", tt.name, got, tt.want)
		}
	}
}

// What is only late, or stray, is no odd frame.
func TestSummaryOfAnswersThatNobodyWaitsFor(t *testing.T) {
	const line = `{"time":"2026-01-02T03:04:05.000000000Z","seq":1,"event":"frame","dir":"client","kind":"response","id":1,"bytes":10,"reason":"answers no request","frame":{"id":1,"result":{}}}
`
	const want = "2 answers that nobody waited for\n"
	if got := Summarise(strings.NewReader(line + line)).String(); !strings.HasSuffix(got, want) || strings.Contains(got, "odd") {
		t.Errorf("got %q, want %q at its end", got, want)
	}
}
