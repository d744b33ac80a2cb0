package acp_test

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"bobproxy/acp"
)

// TestReadDiffs shows which entries of content name files, in permissions and
// updates alike.
func TestReadDiffs(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"v1", `[{"type":"diff","path":"/a","oldText":"x","newText":"y"}]`, `"/a"`},
		{"v1, several and others between", `[{"type":"content","content":{"path":"/no"}},{"type":"diff","path":"/a"},{"type":"terminal","terminalId":"t"},{"path":"/b","type":"diff"}]`, `"/a"; "/b"`},
		{"type with escapes", `[{"type":"d\u0069ff","path":"/a"}]`, `"/a"`},
		{"v2", `[{"type":"diff","changes":[{"operation":"add","path":"/a","fileType":"text"},{"operation":"move","oldPath":"/b","path":"/c"},{"path":"/d","operation":"_chmod"}],"patch":{"format":"git_patch","text":"+++ /x"}}]`,
			`add "/a"; move "/b">"/c"; _chmod "/d"`},
		{"both versions in one", `[{"type":"diff","path":"/a","newText":"","changes":[{"operation":"delete","path":"/b"}]}]`, `delete "/b"; "/a"`},
		{"v2 before its type", `[{"changes":[{"operation":"delete","path":"/a"}],"type":"diff"}]`, `delete "/a"`},

		{"no type, as v1 has it", `[{"path":"/a","newText":"y"}]`, `"/a"`},
		{"no type, only the old text", `[{"path":"/a","oldText":"y"}]`, `"/a"`},
		{"no type, as v2 has it", `[{"changes":[{"path":"/a"}]}]`, `"/a"`},
		{"type null", `[{"type":null,"path":"/a","newText":"y"}]`, `"/a"`},
		{"type is no string", `[{"type":["diff"],"path":"/a","newText":"y"}]`, `"/a"`},
		{"no type and no text", `[{"path":"/a"}]`, ``},
		{"no type and no path", `[{"newText":"y"}]`, ``},
		{"another type", `[{"type":"content","path":"/a","newText":"y"},{"type":"Diff","path":"/a"},{"type":"x","changes":[{"path":"/a"}]}]`, ``},

		{"path is no string", `[{"type":"diff","path":7},{"type":"diff","path":null}]`, `7; null`},
		{"a diff of no file", `[{"type":"diff","newText":"y"}]`, `-`},
		{"no changes", `[{"type":"diff","changes":[]}]`, ``},
		{"changes are no array", `[{"type":"diff","changes":{"path":"/a"}}]`, ``},
		{"odd changes", `[{"type":"diff","changes":[null,"/a",{},{"path":["/b"],"oldPath":1,"operation":2}]}]`, `null; "/a"; -; 1>["/b"]`},
		{"one entry instead of an array", `{"type":"diff","path":"/a","newText":"y"}`, `"/a"`},
		{"entries that are none", `[null,"/a",7,[{"type":"diff","path":"/a"}]]`, ``},
		{"no content", `null`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.TrimSpace(facet("diffs", c.want))
			if c.want == "-" {
				want = "" // one diff that says nothing, see below
			}
			p := acp.ReadPermission([]byte(`{"toolCall":{"content":` + c.content + `}}`))
			if got := strings.TrimSpace(showDiffs(p.Call.Diffs)); got != want || p.Reason != 0 {
				t.Errorf("permission: got %s (%v), want %s", got, p.Reason, want)
			}
			u := acp.ReadUpdate([]byte(`{"update":{"content":` + c.content + `,"sessionUpdate":"tool_call"}}`))
			if got := strings.TrimSpace(showDiffs(u.Call.Diffs)); got != want {
				t.Errorf("update: got %s, want %s", got, want)
			}
			if present := c.content != "null"; p.Call.HasContent != present || string(p.Call.Content) != c.content {
				t.Errorf("got content %s, %v", p.Call.Content, p.Call.HasContent)
			}
		})
	}
	p := acp.ReadPermission([]byte(`{"toolCall":{"content":[{"type":"diff"}]}}`))
	if len(p.Call.Diffs) != 1 || !p.Call.Diffs[0].Path.Missing() {
		t.Errorf("a diff of no file: got %+v", p.Call.Diffs)
	}
	// What is given in place of an object is no path, even if it is a string.
	p = acp.ReadPermission([]byte(`{"toolCall":{"content":[{"type":"diff","changes":["/a"]}],"locations":["/a"]}}`))
	if p.Call.Diffs[0].Path.OK || p.Call.Locations[0].OK {
		t.Errorf("got %+v", p.Call)
	}
}

func TestReadLocations(t *testing.T) {
	for _, c := range []struct{ locations, want string }{
		{`[{"path":"/a"},{"line":1,"path":"/b"}]`, ` locations=["/a" "/b"]`},
		{`[{"path":"rel"},{"path":""},{"path":"\u002fa"}]`, ` locations=["rel" "" "/a"]`},
		{`[{"path":"/a","line":"x"},{"path":7},{},null,"/b",["/c"]]`, ` locations=["/a" 7 - null "/b" ["/c"]]`},
		{`[]`, ``},
		{`null`, ``},
		{`{"path":"/a"}`, ``},
	} {
		p := acp.ReadPermission([]byte(`{"toolCall":{"locations":` + c.locations + `}}`))
		if got := showCall(p.Call); got != c.want {
			t.Errorf("%s: got%s, want%s", c.locations, got, c.want)
		}
		if p.Call.HasLocations != (c.locations != "null") {
			t.Errorf("%s: there %v", c.locations, p.Call.HasLocations)
		}
	}
}

// TestReadersCopyNothingLarge reads a request of many megabytes and looks where
// what it gives lies, and how much memory it took.
func TestReadersCopyNothingLarge(t *testing.T) {
	params := largePermission(8 << 20)
	start := uintptr(unsafe.Pointer(unsafe.SliceData(params)))
	p := acp.ReadPermission(params)
	for name, part := range map[string][]byte{
		"content": p.Call.Content, "input": p.Call.RawInput, "id": p.Call.ID.Raw, "option": p.Options[0].ID.Raw, "path": p.Call.Diffs[0].Path.Raw,
	} {
		at := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
		if len(part) == 0 || at < start || at+uintptr(len(part)) > start+uintptr(len(params)) {
			t.Errorf("%s lies outside of the frame", name)
		}
		if cap(part) != len(part) {
			t.Errorf("%s has room to append into the frame", name)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	acp.ReadPermission(params)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 64<<10 {
		t.Errorf("got %d bytes of memory for a request of %d", got, len(params))
	}
}

// largePermission is a request with size bytes of text in its content, and as
// many in its input.
func largePermission(size int) []byte {
	text := strings.Repeat(`\tif err != nil {\n`, size/18)
	return []byte(`{"sessionId":"s","toolCall":{"toolCallId":"c","kind":"edit","title":"Write","rawInput":{"content":"` + text + `"},` +
		`"locations":[{"path":"/ws/a"}],"content":[{"type":"diff","path":"/ws/a","oldText":null,"newText":"` + text + `"}]},` + yesNo + `}`)
}

func BenchmarkReadPermission(b *testing.B) {
	for name, size := range map[string]int{"small": 100, "7MB": 7 << 20} {
		params := largePermission(size)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(params)))
			b.ReportAllocs()
			for b.Loop() {
				acp.ReadPermission(params)
			}
		})
	}
}
