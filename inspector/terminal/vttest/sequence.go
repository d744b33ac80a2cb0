package vttest

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// Kind is what a piece of output is.
type Kind uint8

const (
	Text    Kind = iota
	Control      // one C0 character other than ESC
	Escape       // ESC and one or two characters
	CSI          // ESC [
	String       // ESC ], ESC P, ESC X, ESC ^ or ESC _, with its end
)

// Sequence is one piece of output.
type Sequence struct {
	Kind  Kind
	Bytes string
}

// Sequences cuts output into text and what a terminal obeys. The last one may be
// unfinished.
func Sequences(raw []byte) []Sequence {
	var all []Sequence
	for len(raw) > 0 {
		kind, n, _ := next(raw)
		all = append(all, Sequence{kind, string(raw[:n])})
		raw = raw[n:]
	}
	return all
}

// next is the first piece of b, and whether it is complete. Text is complete
// when something follows it.
func next(b []byte) (kind Kind, n int, complete bool) {
	switch {
	case b[0] == 0x1b:
		return escape(b)
	case b[0] < ' ' || b[0] == 0x7f:
		return Control, 1, true
	}
	n = bytes.IndexFunc(b, func(r rune) bool { return r < ' ' || r == 0x7f })
	if n < 0 {
		return Text, len(b), false
	}
	return Text, n, true
}

func escape(b []byte) (kind Kind, n int, complete bool) {
	if len(b) == 1 {
		return Escape, 1, false
	}
	switch b[1] {
	case '[':
		return until(b, CSI, func(c byte) bool { return c >= 0x40 && c < 0x7f })
	case ']', 'P', 'X', '^', '_':
		return controlString(b)
	case '(', ')', '#', ' ':
		return Escape, min(3, len(b)), len(b) >= 3
	}
	return Escape, 2, true
}

func until(b []byte, kind Kind, last func(byte) bool) (Kind, int, bool) {
	for i := 2; i < len(b); i++ {
		if last(b[i]) {
			return kind, i + 1, true
		}
	}
	return kind, len(b), false
}

// controlString ends with BEL or ESC \. In one for tmux each ESC is doubled, so
// that only a single one ends it.
func controlString(b []byte) (Kind, int, bool) {
	tmux := bytes.HasPrefix(b, []byte("\x1bPtmux;"))
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == 7 && !tmux:
			return String, i + 1, true
		case b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\':
			return String, i + 2, true
		case b[i] == 0x1b && tmux:
			i++
		}
	}
	return String, len(b), false
}

// own are the sequences that the terminal library sends, and ours.
var own = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`\x1b\[\d*(?:;\d*)?H`, `\x1b\[[02]?J`, `\x1b\[[\d;]*m`, // place, erase, look
	`\x1b\[\?(?:1|7|12|25|1000|1002|1003|1004|1006|1049|2004|2026|9001)[hl]`, `\x1b\[34[hl]`,
	`\x1b\[2[23];[\d;]+t`, `\x1b\[>4;[02]m`, `\x1b\[>1u`, `\x1b\[<u`, `\x1b\[\d q`, `\x1b\[r`, `\x1b\[\?[01]c`,
	`\x1b[=>]`, `\x1b\([B0]`, `\x1b\)0`, `[\x07\x08\x0e\x0f\t\r\n]`,
	`\x1b\]8;;\x1b\\`,
	`\x1b\](?:2|9|777;notify|99);[^\x00-\x1f\x7f]*\x1b\\`,
	`\x1b\]52;c;[A-Za-z0-9+/=]*\x1b\\`,
	`\x1bPtmux;(?:\x1b\x1b\](?:9|777;notify|99|52;c);[^\x00-\x1f\x7f]*\x1b\x1b\\)+\x1b\\`,
}, "|") + `)$`)

// Foreign are the sequences in raw that neither the terminal library nor the
// panel sends, and control characters in text.
func Foreign(raw []byte) []string {
	var foreign []string
	for _, s := range Sequences(raw) {
		odd := !own.MatchString(s.Bytes)
		if s.Kind == Text {
			odd = !utf8.ValidString(s.Bytes) || strings.ContainsFunc(s.Bytes, func(r rune) bool { return r >= 0x80 && r < 0xa0 })
		}
		if odd || s.Kind == String && strings.ContainsFunc(s.Bytes, func(r rune) bool { return r >= 0x80 && r < 0xa0 }) {
			foreign = append(foreign, s.Bytes)
		}
	}
	return foreign
}

// Coloured are the sequences in raw that set a colour other than the default.
func Coloured(raw []byte) []string {
	var coloured []string
	for _, s := range Sequences(raw) {
		look, ok := strings.CutPrefix(s.Bytes, "\x1b[")
		look, m := strings.CutSuffix(look, "m")
		if s.Kind != CSI || !ok || !m || strings.HasPrefix(look, ">") {
			continue
		}
		for _, n := range strings.Split(look, ";") {
			if len(n) >= 2 && strings.Contains("349", n[:1]) && n != "39" && n != "49" || len(n) == 3 {
				coloured = append(coloured, s.Bytes)
			}
		}
	}
	return coloured
}

var mode = regexp.MustCompile(`\x1b\[\??(\d+)([hl])`)

// Left is what raw leaves a terminal in that it was not in before: modes,
// keyboard protocols, saved titles.
func Left(raw []byte) []string {
	modes := map[string]string{"7": "h", "25": "h"}
	usual := map[string]string{"7": "h", "25": "h", "34": "h"}
	for _, m := range mode.FindAllSubmatch(raw, -1) {
		modes[string(m[1])] = string(m[2])
	}
	var left []string
	for number, state := range modes {
		want := usual[number]
		if want == "" {
			want = "l"
		}
		if state != want {
			left = append(left, "mode "+number+state)
		}
	}
	for _, pair := range [][2]string{
		{"\x1b[22;2t", "\x1b[23;2t"}, {"\x1b[>1u", "\x1b[<u"}, {"\x1b[>4;2m", "\x1b[>4;0m"}, {"\x1b=", "\x1b>"},
	} {
		if on, off := bytes.Count(raw, []byte(pair[0])), bytes.Count(raw, []byte(pair[1])); on != off {
			left = append(left, fmt.Sprintf("%d × %q, %d × %q", on, pair[0], off, pair[1]))
		}
	}
	sort.Strings(left)
	return left
}
