package terminal

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"bobproxy/acp/clean"
)

// What is written besides the cells. Text in it is clean, so that it cannot end
// what it is in.
const (
	bell         = "\a"
	terminator   = "\x1b\\"
	saveTitle    = "\x1b[22;2t"
	restoreTitle = "\x1b[23;2t"
)

// usual takes back all that the terminal library sets, for when it does not do so
// itself.
const usual = "\x1b[m\x1b[?7h\x1b[?1l\x1b>\x1b[?9001l\x1b[<u\x1b[>4;0m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l" +
	"\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?25h\x1b[?1049l"

const (
	maxTitle     = 120       // characters of a title
	maxNote      = 240       // characters of a notification's title or body
	maxClipboard = 100 << 10 // bytes for the clipboard; many terminals ignore more
)

// title sets the window's title.
func title(text string) string { return "\x1b]2;" + short(text, maxTitle) + terminator }

// clipboard puts text into the clipboard.
func clipboard(text string) string {
	return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + terminator
}

// notification shows a title and a body, by the method of that name.
func notification(method, title, body string) string {
	title, body = field(title), field(body)
	both := title
	if body != "" {
		both += ": " + body
	}
	switch method {
	case "osc9":
		return "\x1b]9;" + both + terminator
	case "osc777":
		return "\x1b]777;notify;" + title + ";" + body + terminator
	case "osc99":
		return "\x1b]99;i=bobproxy:d=0;" + title + terminator +
			"\x1b]99;i=bobproxy:d=1:p=body;" + body + terminator
	}
	return ""
}

// through wraps a sequence so that tmux passes it on to its terminal.
func through(sequence string) string {
	if sequence == "" {
		return ""
	}
	return "\x1bPtmux;" + strings.ReplaceAll(sequence, "\x1b", "\x1b\x1b") + terminator
}

// field is text without what separates fields.
func field(text string) string { return short(strings.ReplaceAll(text, ";", ","), maxNote) }

// short is clean text of at most n characters, as far as it is short itself.
func short(text string, n int) string {
	text = clean.Line(text[:min(len(text), n*utf8.UTFMax)])
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}
