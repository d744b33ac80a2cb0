package acp_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"bobproxy/acp"
)

// wide writes text as UTF-16 or UTF-32 with the given width and order.
func wide(text string, width int, order binary.ByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		unit := make([]byte, width)
		if width == 2 {
			order.PutUint16(unit, u)
		} else {
			order.PutUint32(unit, uint32(u))
		}
		b = append(b, unit...)
	}
	return string(b)
}

// escapeAll writes each letter of text as an escape.
func escapeAll(text, prefix string, digits int) string {
	const hex = "0123456789aBcDeF"
	var b strings.Builder
	for _, c := range []byte(text) {
		b.WriteString(prefix + "0000"[:digits-2] + string([]byte{hex[c>>4], hex[c&15]}))
	}
	return b.String()
}

func TestNamesEnforced(t *testing.T) {
	enforced := []string{"fs/read_text_file", "fs/write_text_file", "terminal/create", "session/request_permission"}
	setups := []string{"session/new", "session/load", "session/resume", "session/fork"}
	spellings := map[string]func(name string) string{
		"plain":                       func(n string) string { return n },
		"in an object":                func(n string) string { return `{"id":7,"method":"` + n + `","params":{}` },
		"at the end":                  func(n string) string { return "x" + n },
		"after half of it":            func(n string) string { return n[:5] + n },
		"after most of it":            func(n string) string { return n[:len(n)-1] + " " + n },
		"with a slash that escapes":   func(n string) string { return strings.ReplaceAll(n, "/", `\/`) },
		"with \\u":                    func(n string) string { return escapeAll(n, `\u`, 4) },
		"with \\x":                    func(n string) string { return escapeAll(n, `\x`, 2) },
		"with one \\u":                func(n string) string { return strings.ReplaceAll(n, "/", `\u002F`) },
		"with escapes that are none":  func(n string) string { return strings.ReplaceAll(n, "s", `\s`) },
		"across a line that ends":     func(n string) string { return n[:4] + "\\\r" + n[4:] },
		"with NULs":                   func(n string) string { return n[:4] + "\x00" + n[4:] },
		"with escaped NULs":           func(n string) string { return n[:4] + `\u0000` + n[4:] },
		"with escaped line breaks":    func(n string) string { return n[:4] + `\n\r\t\b\f` + n[4:] },
		"with escapes of other text":  func(n string) string { return n[:4] + `\u202e\uD800\ufeff` + n[4:] },
		"with other text":             func(n string) string { return n[:4] + "\u202e\xff\x7f" + n[4:] },
		"behind a byte order mark":    func(n string) string { return "\xef\xbb\xbf" + n },
		"UTF-16LE":                    func(n string) string { return wide(`{"method":"`+n+`"}`, 2, binary.LittleEndian) },
		"UTF-16BE":                    func(n string) string { return "\xfe\xff" + wide(n, 2, binary.BigEndian) },
		"UTF-32LE":                    func(n string) string { return wide(n, 4, binary.LittleEndian) },
		"UTF-32BE":                    func(n string) string { return wide(n, 4, binary.BigEndian) },
		"UTF-16LE with escapes":       func(n string) string { return wide(escapeAll(n, `\u`, 4), 2, binary.LittleEndian) },
		"UTF-32BE with escapes":       func(n string) string { return wide(escapeAll(n, `\x`, 2), 4, binary.BigEndian) },
		"escapes with junk inside":    func(n string) string { return strings.ReplaceAll(n, "/", "\\\xffu\x0000\x802f") },
		"an escape that breaks first": func(n string) string { return `\u00` + n + `\u` },
	}
	for spelled, spell := range spellings {
		for _, name := range enforced {
			line := []byte(spell(name))
			if !acp.NamesEnforced(line) || acp.NamesSetup(line) {
				t.Errorf("%s: %q: got %v, setup %v", spelled, line, acp.NamesEnforced(line), acp.NamesSetup(line))
			}
		}
		for _, name := range setups {
			line := []byte(spell(name))
			if acp.NamesEnforced(line) || !acp.NamesSetup(line) {
				t.Errorf("%s: %q: got %v, setup %v", spelled, line, acp.NamesEnforced(line), acp.NamesSetup(line))
			}
		}
	}
}

// TestNamesEnforcedIsNotZealous has what no peer takes for such a method.
func TestNamesEnforcedIsNotZealous(t *testing.T) {
	for _, line := range []string{
		``, `{}`, `\`, `\u`, `\u00`, `\x`, `"fs/`,
		`{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"text":"read \ud800 and write"}}}}`,
		`fs/read_text_fil`, `s/read_text_file`, `fs/read_text_ file`, `fs/read_text_\u0020file`, `fs//read_text_file`, `fs\\/read_text_file`,
		`fs/read_fs/read_`, `fs/read_terminal/creat`, `terminal/createsession/newly`[:14],
		`FS/READ_TEXT_FILE`, `Fs/read_text_file`, `terminal/Create`, `session/request_Permission`,
		`fs%2fread_text_file`, `fs\\u002fread_text_file`, `fs\u02fread_text_file`, `fs\u002/read_text_file`, `fs\x2read_text_file`, `fs&#47;read_text_file`,
		`fs.read_text_file`, `fs\nread_text_file`, `\fs/read_text_file`, `\u0066\s\/\read_text_file`,
		`terminal/output`, `terminal/kill`, `session/prompt`, `session/cancel`,
	} {
		if acp.NamesEnforced([]byte(line)) {
			t.Errorf("%s: got true", line)
		}
		if acp.NamesSetup([]byte(line)) && !strings.Contains(line, "session/new") {
			t.Errorf("%s: got true for a setup", line)
		}
	}
}

// TestNamesEnforcedTakesNoMemory gives it lines that could make it look again
// and again, and counts what it keeps.
func TestNamesEnforcedTakesNoMemory(t *testing.T) {
	for _, unit := range []string{`\u`, `\`, "\\u0\x00", `fs/read_text_fil`, "\\\xff", `\x0`, "x"} {
		line := []byte(strings.Repeat(unit, 1<<14) + "fs/read_text_fil")
		if n := testing.AllocsPerRun(20, func() { acp.NamesEnforced(line) }); n != 0 {
			t.Errorf("%q: got %v allocations", unit, n)
		}
		if acp.NamesEnforced(line) {
			t.Errorf("%q: got true", unit)
		}
	}
}

func BenchmarkNamesEnforced(b *testing.B) {
	line := benchFrames()["1MBstring"]
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		acp.NamesEnforced(line)
	}
}
