package session

import (
	"strings"
	"testing"
)

func TestWordsOfATerminal(t *testing.T) {
	long := "line one\nwhich is the first of many, and then there is more of it until it ends: " + strings.Repeat("x ", 80) + "exactly N retries\nok Remaining\n"
	for _, tt := range []struct{ name, result, want string }{
		{"short", `{"output":"ok\n","exitStatus":{"exitCode":0}}`, "exit 0 · ok"},
		{"running", `{"output":"ok\n"}`, "ok"},
		{"long", `{"output":` + spelled(long) + `,"exitStatus":{"exitCode":0}}`, "exit 0 · …x " + strings.Repeat("x ", 70)},
		{"one long word", `{"output":"` + strings.Repeat("y", 300) + `"}`, "…" + strings.Repeat("y", MaxFirst-20-3)},
		{"wide characters", `{"output":"` + strings.Repeat("語", 100) + `"}`, "…" + strings.Repeat("語", 59)},
	} {
		got := terminalWords([]byte(tt.result))
		if len(got) > MaxFirst || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %q, want %q at its beginning", tt.name, got, tt.want)
		}
		if tt.name == "long" && !strings.HasSuffix(got, "exactly N retries\nok Remaining") {
			t.Errorf("%s: the end of %q is missing", tt.name, got)
		}
	}
}

func spelled(s string) string { return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"` }
