package acp_test

import "testing"

func TestReadFile(t *testing.T) {
	checkReads(t, "file", []readCase{
		{"read", `{"sessionId":"s","path":"/ws/a","line":3,"limit":9}`, `session="s" path="/ws/a"`},
		{"write", `{"path":"/ws/a","content":"{\"path\":\"/etc\"}","sessionId":"s"}`, `session="s" path="/ws/a"`},
		{"blanks", "\t{ \"path\" :\t\"/ws/a\" , \"sessionId\" : \"s\" } ", `session="s" path="/ws/a"`},
		{"escapes in the value", `{"path":"\/ws\u002fa\ud83d\ude00\n\u0000"}`, `path="/ws/a😀\n\x00"`},
		{"escapes in the name", `{"p\u0061th":"/ws/a"}`, `path="/ws/a"`},
		{"empty", `{"path":""}`, `path=""`},
		{"null", `{"path":null,"sessionId":null}`, `session=null path=null`},
		{"not strings", `{"path":["/ws/a"],"sessionId":7}`, `session=7 path=["/ws/a"]`},
		{"no path", `{"sessionId":"s","file":"/ws/a"}`, `session="s"`},
		{"path one level down", `{"sessionId":"s","x":{"path":"/ws/a"}}`, `session="s"`},

		{"path twice", `{"path":"/ws/a","path":"/etc/x"}`, `path="/etc/x" reason=duplicate member`},
		{"the same path twice", `{"path":"/ws/a","path":"/ws/a"}`, `path="/ws/a" reason=duplicate member`},
		{"path twice, once with escapes", `{"path":"/etc/x","\u0070ath":"/ws/a"}`, `path="/ws/a" reason=duplicate member`},
		{"session twice", `{"sessionId":"s","path":"/ws/a","sessionId":"t"}`, `session="t" path="/ws/a" reason=duplicate member`},
		{"path and Path", `{"path":"/etc/x","Path":"/ws/a"}`, `path="/etc/x" reason=member name in other letter case`},
		{"Path and path", `{"Path":"/ws/a","path":"/etc/x"}`, `path="/etc/x" reason=member name in other letter case`},
		{"PATH alone", `{"PATH":"/ws/a"}`, `reason=member name in other letter case`},
		{"long s", "{\"\u017fessionId\":\"s\",\"path\":\"/ws/a\"}", `path="/ws/a" reason=member name in other letter case`},
		{"long s with escapes", `{"\u017fe\u017f\u017fionId":"s","path":"/ws/a"}`, `path="/ws/a" reason=member name in other letter case`},
		{"the first reason counts", `{"PATH":1,"path":"/a","path":"/b"}`, `path="/b" reason=member name in other letter case`},

		{"other members twice", `{"path":"/ws/a","content":"a","content":"b","Content":"c","line":1,"line":2}`, `path="/ws/a"`},
		{"twice in _meta", `{"path":"/ws/a","_meta":{"path":1,"path":2,"Path":3}}`, `path="/ws/a"`},
		{"names that are close", `{"path":"/ws/a","paths":1,"pat":2,"path ":3,"ｐath":4,"pa\u0000th":5,"sessionid_":6}`, `path="/ws/a"`},

		{"unterminated", `{"sessionId":"s","path":"/ws/a"`, `session="s" path="/ws/a" reason=broken JSON`},
		{"cut in a value", `{"sessionId":"s","path":"/ws`, `session="s" reason=broken JSON`},
		{"cut in a name", `{"sessionId":"s","pa`, `session="s" reason=broken JSON`},
		{"something behind", `{"path":"/ws/a"}{"path":"/etc/x"}`, `path="/ws/a" reason=broken JSON`},
		{"comma too many", `{"path":"/ws/a",}`, `path="/ws/a" reason=broken JSON`},
		{"no colon", `{"path" "/ws/a"}`, `reason=broken JSON`},
		{"invalid UTF-8", "{\"path\":\"/ws/\xff\"}", "path=\"/ws/\xff\" reason=invalid UTF-8"},
	})
}
