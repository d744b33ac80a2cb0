package acp_test

import "testing"

func TestReadCancelRequest(t *testing.T) {
	checkReads(t, "cancel", []readCase{
		{"number", `{"requestId":7}`, `id=7`},
		{"string", `{"requestId":"7"}`, `id="7"`},
		{"string with escapes, as it stands", `{"requestId":"\u0037"}`, `id="\u0037"`},
		{"fraction", `{"requestId":7.0}`, `id=7.0`},
		{"null", `{"requestId":null}`, `id=null`},
		{"object", `{"requestId":{"a":1}}`, `id={"a":1}`},
		{"none", `{"id":7}`, ``},
		{"twice", `{"requestId":7,"requestId":8}`, ``},
		{"in other case too", `{"requestId":7,"requestID":8}`, ``},
		{"broken", `{"requestId":7`, ``},
	})
}
