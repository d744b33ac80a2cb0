package session

import (
	"strings"
	"testing"
)

func TestContentIsMerged(t *testing.T) {
	const one, two = `{"type":"content","content":{"type":"text","text":"1"}}`, `{"type":"content","content":{"type":"text","text":"2"}}`
	long := `{"type":"content","content":{"type":"text","text":"` + strings.Repeat("x", MaxRawInput) + `"}}`
	call := func(content string) string {
		return update("tool_call", `"toolCallId":"t","content":`+content)
	}
	change := func(content string) string {
		return update("tool_call_update", `"toolCallId":"t","content":`+content)
	}
	chunk := func(entry string) string {
		return update("tool_call_content_chunk", `"toolCallId":"t","content":`+entry)
	}
	for _, tt := range []struct {
		name, script, want string
		size               int // 0: that of want
	}{
		{"as it was written", call(`[ ` + one + ` ]`), `[ ` + one + ` ]`, 0},
		{"the last one counts", call(`[`+one+`]`) + change(`[`+two+`]`), `[` + two + `]`, 0},
		{"null keeps", call(`[`+one+`]`) + change(`null`), `[` + one + `]`, 0},
		{"null takes back in version 2", version2 + call(`[`+one+`]`) + change(`null`), ``, 0},
		{"a new call starts anew", call(`[`+one+`]`) + update("tool_call", `"toolCallId":"t"`), ``, 0},
		{"a chunk alone", chunk(one), `[` + one + `]`, 0},
		{"chunks", chunk(one) + chunk(two), `[` + one + `,` + two + `]`, 0},
		{"a chunk behind content", call(`[ `+one+` ]`) + chunk(two), `[ ` + one + ` ,` + two + `]`, 0},
		{"a chunk behind nothing", call(`[ ]`) + chunk(two), `[ ` + two + `]`, 0},
		{"cut", call(`[` + long + `]`), (`[` + long)[:MaxRawInput], len(long) + 2},
		{"nothing behind what is cut", call(`[`+long+`]`) + chunk(one), (`[` + long)[:MaxRawInput], len(long) + 2 + len(one)},
		{"cut by a chunk", call(`[`+one+`]`) + chunk(long), (`[` + one + `,` + long)[:MaxRawInput], len(one) + len(long) + 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conversation{t: t}
			c.exchange(tt.script)
			got, _ := c.fold.Call("S", "t")
			if tt.size == 0 {
				tt.size = len(tt.want)
			}
			if string(got.Content) != tt.want || got.ContentSize != tt.size {
				t.Errorf("content %.200q of %d, want %.200q of %d", got.Content, got.ContentSize, tt.want, tt.size)
			}
		})
	}
}
