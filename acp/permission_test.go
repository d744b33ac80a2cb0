package acp_test

import (
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
)

const yesNo = `"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]`

const yesNoShown = ` options=("y" allow_once Yes)("n" reject_once No)`

func TestReadPermission(t *testing.T) {
	checkReads(t, "permission", []readCase{
		{"v1", `{"sessionId":"s","toolCall":{"toolCallId":"c","title":"Write a","kind":"edit","status":"pending","locations":[{"path":"/ws/a","line":1}],"content":[{"type":"diff","path":"/ws/a","oldText":null,"newText":"x"}],"rawInput":{"file_path":"/ws/a"},"rawOutput":{"path":1,"path":2}},` + yesNo + `}`,
			`session="s" title=Write a call="c" calltitle="Write a" callkind="edit" status="pending" locations=["/ws/a"] diffs="/ws/a" content=[{"type":"diff","path":"/ws/a","oldText":null,"newText":"x"}] input={"file_path":"/ws/a"}` + yesNoShown},
		{"v1 with nothing but an id", `{"sessionId":"s","toolCall":{"toolCallId":"c"},` + yesNo + `}`, `session="s" call="c"` + yesNoShown},
		{"v1 with nulls", `{"sessionId":"s","toolCall":{"toolCallId":"c","title":null,"kind":null,"locations":null,"content":null,"rawInput":null},` + yesNo + `}`,
			`session="s" call="c" calltitle=null callkind=null input=null` + yesNoShown},
		{"v1 with odd values", `{"sessionId":1,"toolCall":{"toolCallId":2,"title":["t"],"kind":3,"status":{},"locations":"/etc","content":"x","rawInput":"ls"},` + yesNo + `}`,
			`session=1 call=2 calltitle=["t"] callkind=3 status={} content="x" input="ls"` + yesNoShown},
		{"no tool call", `{"sessionId":"s","toolCall":null,` + yesNo + `}`, `session="s"` + yesNoShown},

		{"v2 of a tool call", `{"sessionId":"s","title":"Edit?","description":"why","subject":{"type":"tool_call","toolCall":{"toolCallId":"c","title":"Write a","kind":"edit","locations":[{"path":"/ws/a"}],"content":[{"type":"diff","changes":[{"operation":"modify","path":"/ws/a"}]}]}},` + yesNo + `}`,
			`session="s" title=Edit? description=why subject=tool_call call="c" calltitle="Write a" callkind="edit" locations=["/ws/a"] diffs=modify "/ws/a" content=[{"type":"diff","changes":[{"operation":"modify","path":"/ws/a"}]}]` + yesNoShown},
		{"v2 of a command", `{"sessionId":"s","title":"Run?","subject":{"type":"command","command":"make","cwd":"/ws","toolCallId":"c","terminalId":"t"},` + yesNo + `}`,
			`session="s" title=Run? subject=command command=make cwd=/ws call="c"` + yesNoShown},
		{"v2 of a command without a call", `{"sessionId":"s","title":"Run?","subject":{"type":"command","command":"make","cwd":"/ws","toolCallId":null},` + yesNo + `}`,
			`session="s" title=Run? subject=command command=make cwd=/ws call=null` + yesNoShown},
		{"v2 of something newer", `{"sessionId":"s","title":"Go?","subject":{"type":"_url","url":"https://x","cwd":"/y","toolCall":{"locations":[{"path":"/z"}]}},` + yesNo + `}`,
			`session="s" title=Go? subject=_url cwd=/y locations=["/z"]` + yesNoShown},
		{"v2 of nothing", `{"sessionId":"s","title":"Go?","subject":null,` + yesNo + `}`, `session="s" title=Go?` + yesNoShown},

		{"both shapes", `{"title":"T","toolCall":{"toolCallId":"c","kind":"read","locations":[{"path":"/ws/a"}],"content":[{"type":"diff","path":"/ws/b","newText":""}]},"subject":{"type":"tool_call","toolCall":{"toolCallId":"c","title":"t","locations":[{"path":"/etc/a"}],"rawInput":1}},` + yesNo + `}`,
			`title=T subject=tool_call call="c" calltitle="t" callkind="read" locations=["/ws/a" "/etc/a"] diffs="/ws/b" content=[{"type":"diff","path":"/ws/b","newText":""}] input=1` + yesNoShown},
		{"both shapes, the paths only in the second", `{"toolCall":{"toolCallId":"c"},"subject":{"toolCall":{"content":[{"type":"diff","path":"/etc/b","newText":""}]}},` + yesNo + `}`,
			`call="c" diffs="/etc/b" content=[{"type":"diff","path":"/etc/b","newText":""}]` + yesNoShown},
		{"both shapes of another kind", `{"toolCall":{"toolCallId":"c","kind":"read"},"subject":{"type":"tool_call","toolCall":{"toolCallId":"c","kind":"edit"}},` + yesNo + `}`,
			`subject=tool_call call="c" callkind="read"` + yesNoShown + ` reason=conflicting members`},
		{"both shapes of another call", `{"toolCall":{"toolCallId":"c"},"subject":{"type":"command","command":"x","toolCallId":"d"},` + yesNo + `}`,
			`subject=command command=x call="c"` + yesNoShown + ` reason=conflicting members`},
		{"both shapes of other input", `{"toolCall":{"rawInput":{"command":"ls"}},"subject":{"toolCall":{"rawInput":{"command":"rm"}}},` + yesNo + `}`,
			`input={"command":"ls"}` + yesNoShown + ` reason=conflicting members`},
		{"both shapes, one null", `{"toolCall":{"toolCallId":null,"kind":null,"rawInput":null,"content":null},"subject":{"toolCall":{"toolCallId":"c","kind":"edit","rawInput":1,"content":[]}},` + yesNo + `}`,
			`call="c" callkind="edit" input=1` + yesNoShown},
		{"what is around does not matter", `{"_meta":{"path":1,"path":2,"toolCall":0},"extra":1,"Extra":2,` + yesNo + `}`, strings.TrimSpace(yesNoShown)},
	})
}

// TestReadPermissionStrictly repeats or respells one member in a request that
// is otherwise sound, at every level.
func TestReadPermissionStrictly(t *testing.T) {
	levels := map[string]struct {
		around string
		odd    []string // members that are read
		opaque []string // members that are not
	}{
		"params":  {`{%s}`, []string{"sessionId", "toolCall", "options", "title", "description", "subject"}, []string{"_meta", "x"}},
		"call":    {`{"toolCall":{%s}}`, []string{"toolCallId", "title", "kind", "status", "locations", "content", "rawInput"}, []string{"rawOutput", "name", "_meta"}},
		"subject": {`{"subject":{%s}}`, []string{"type", "toolCall", "toolCallId", "command", "cwd"}, []string{"terminalId", "_meta"}},
		"call of a subject": {`{"subject":{"toolCall":{%s}}}`,
			[]string{"toolCallId", "title", "kind", "status", "locations", "content", "rawInput"}, []string{"rawOutput", "_meta"}},
		"location": {`{"toolCall":{"locations":[{"path":"/a"},{%s}]}}`, []string{"path"}, []string{"line", "_meta"}},
		"content": {`{"toolCall":{"content":[{"type":"content"},{%s}]}}`,
			[]string{"type", "path", "oldText", "newText", "changes", "patch"}, []string{"content", "terminalId", "_meta"}},
		"change": {`{"toolCall":{"content":[{"type":"diff","changes":[{"operation":"add"},{%s}]}]}}`,
			[]string{"operation", "path", "oldPath"}, []string{"fileType", "mimeType"}},
		"change of a subject": {`{"subject":{"toolCall":{"content":[{"changes":[{%s}]}]}}}`, []string{"operation", "path", "oldPath"}, nil},
		"input":               {`{"toolCall":{"rawInput":{%s}}}`, nil, []string{"path", "command", "type"}},
		"text":                {`{"toolCall":{"content":[{"type":"content","content":{%s}}]}}`, nil, []string{"type", "text", "path"}},
		"patch":               {`{"toolCall":{"content":[{"type":"diff","patch":{%s}}]}}`, nil, []string{"format", "text", "path"}},
	}
	read := func(around, members string) acp.Reason {
		return acp.ReadPermission(fmt.Appendf(nil, around, members)).Reason
	}
	for name, l := range levels {
		for _, m := range l.odd {
			check := func(what, members string, want acp.Reason) {
				t.Helper()
				if got := read(l.around, members); got != want {
					t.Errorf("%s, %s %s: got %q, want %q", name, m, what, got, want)
				}
			}
			check("once", fmt.Sprintf(`%q:1`, m), 0)
			check("twice", fmt.Sprintf(`%q:1,"x":1,%q:1`, m, m), acp.DuplicateMember)
			check("twice, with escapes", fmt.Sprintf(`"\u%04x%s":1,%q:1`, m[0], m[1:], m), acp.DuplicateMember)
			check("in capitals", fmt.Sprintf(`%q:1`, strings.ToUpper(m)), acp.FoldedMember)
			check("in other case beside it", fmt.Sprintf(`%q:1,%q:1`, m, strings.ToUpper(m[:1])+m[1:]), acp.FoldedMember)
			if i := strings.IndexByte(m, 's'); i >= 0 {
				check("with a long s", fmt.Sprintf(`"%s\u017f%s":1`, m[:i], m[i+1:]), acp.FoldedMember)
			}
			if i := strings.IndexByte(m, 'k'); i >= 0 {
				check("with a Kelvin sign", fmt.Sprintf("\"%s\u212a%s\":1", m[:i], m[i+1:]), acp.FoldedMember)
			}
		}
		for _, m := range l.opaque {
			if got := read(l.around, fmt.Sprintf(`%q:1,%q:2,%q:3`, m, m, strings.ToUpper(m))); got != 0 {
				t.Errorf("%s, %s: got %q for what is opaque", name, m, got)
			}
		}
	}
}

func TestReadPermissionOptions(t *testing.T) {
	read := func(options, want string) readCase {
		return readCase{options, `{"options":` + options + `}`, strings.TrimSpace(want)}
	}
	checkReads(t, "permission", []readCase{
		{"absent", `{}`, `options=none`},
		read(`null`, `options=none`),
		read(`{}`, `options=none`),
		read(`"allow"`, `options=none`),
		read(`[]`, ``),
		read(`[null]`, `options=(-   odd)`),
		read(`["allow",{"optionId":"a","name":"A","kind":"allow_once"},[],7]`, `options=(-   odd)("a" allow_once A)(-   odd)(-   odd)`),
		read(`[{"name":"A","kind":"allow_once"}]`, `options=(- allow_once A odd)`),
		read(`[{"optionId":null,"kind":"allow_once"},{"optionId":7},{"optionId":["a"]}]`, `options=(null allow_once  odd)(7   odd)(["a"]   odd)`),
		read(`[{"optionId":"a"},{"optionId":"b","name":null,"kind":1}]`, `options=("a"  )("b"  )`),
		read(`[{"optionId":""},{"optionId":" allow "},{"optionId":"a\nb"},{"optionId":"\u202e"},{"optionId":"😀"}]`,
			`options=(""  )(" allow "  )("a\nb"  )("\u202e"  )("😀"  )`),
		read(`[{"optionId":"a","kind":"allow_persistent"},{"optionId":"a","kind":"reject_once"}]`, `options=("a" allow_persistent )("a" reject_once )`),
		read(`[{"optionId":"a","optionId":"b"},{"optionId":"c"}]`, `options=("b"   odd)("c"  )`),
		read(`[{"optionId":"a","kind":"allow_once","kind":"reject_once"}]`, `options=("a" reject_once  odd)`),
		read(`[{"optionId":"a","name":"No","name":"Yes"}]`, `options=("a"  Yes odd)`),
		read(`[{"optionId":"a","Kind":"reject_once"}]`, `options=("a"   odd)`),
		read(`[{"optionId":"a","_meta":{"kind":1,"kind":2},"x":1,"x":2}]`, `options=("a"  )`),
		{"twice", `{"options":[{"optionId":"a"}],"options":[{"optionId":"b"}]}`, `options=("b"  ) reason=duplicate member`},
		{"broken", `{"options":[{"optionId":"a"},{"optionId"`, `options=("a"  ) reason=broken JSON`},
	})
	p := acp.ReadPermission([]byte(`{"options":[{"optionId":"\u0061\/"}]}`))
	if got := string(p.Options[0].ID.Raw); got != `"\u0061\/"` {
		t.Errorf("got the token %s", got)
	}
}

func TestReadPermissionOfManyEntries(t *testing.T) {
	const most = 65536
	repeat := func(entry string, n int) string { return "[" + strings.Repeat(entry+",", n-1) + entry + "]" }
	count := func(p *acp.Permission) int { return len(p.Options) + len(p.Call.Locations) + len(p.Call.Diffs) }
	for _, c := range []struct {
		name, params string
		count        int
		reason       acp.Reason
	}{
		{"500 options", `{"options":` + repeat(`{"optionId":"a"}`, 500) + `}`, 500, 0},
		{"options", `{"options":` + repeat(`1`, most) + `}`, most, 0},
		{"too many options", `{"options":` + repeat(`1`, most+1) + `}`, most, acp.TooMany},
		{"locations", `{"toolCall":{"locations":` + repeat(`{}`, most) + `}}`, most, 0},
		{"too many locations", `{"toolCall":{"locations":` + repeat(`{}`, most+1) + `}}`, most, acp.TooMany},
		{"texts", `{"toolCall":{"content":` + repeat(`{"type":"content"}`, most) + `}}`, 0, 0},
		{"too many entries of content", `{"toolCall":{"content":` + repeat(`1`, most+1) + `}}`, 0, acp.TooMany},
		{"changes", `{"toolCall":{"content":[{"type":"diff","changes":` + repeat(`1`, most) + `}]}}`, most, 0},
		{"too many changes", `{"toolCall":{"content":[{"type":"diff","changes":` + repeat(`1`, most+1) + `}]}}`, most, acp.TooMany},
		{"too many changes in several diffs", `{"toolCall":{"content":` + repeat(`{"type":"diff","changes":`+repeat(`1`, 1000)+`}`, 66) + `}}`, most, acp.TooMany},
	} {
		p := acp.ReadPermission([]byte(c.params))
		if count(&p) != c.count || p.Reason != c.reason {
			t.Errorf("%s: got %d, %q, want %d, %q", c.name, count(&p), p.Reason, c.count, c.reason)
		}
	}
}
