package acp_test

import "testing"

func TestReadHello(t *testing.T) {
	checkReads(t, "hello", []readCase{
		{"editor of v1", `{"protocolVersion":1,"clientCapabilities":{},"clientInfo":{"name":"zed","title":"Zed","version":"0.2"}}`,
			`version=1 name=zed title=Zed release=0.2`},
		{"agent of v1", `{"agentInfo":{"version":"2","name":"bob"},"protocolVersion":1,"authMethods":[{"name":"x"}]}`, `version=1 name=bob release=2`},
		{"either side of v2", `{"protocolVersion":2,"info":{"name":"bob","version":"2","icons":[]},"capabilities":{}}`, `version=2 name=bob release=2`},
		{"both versions", `{"protocolVersion":1,"clientInfo":{"name":"a"},"info":{"name":"b","title":"B"}}`, `version=1 name=a title=B`},
		{"no name", `{"protocolVersion":1,"clientInfo":null}`, `version=1`},
		{"version with a fraction", `{"protocolVersion":1.0}`, ``},
		{"version as a string", `{"protocolVersion":"1"}`, ``},
		{"version as a date", `{"protocolVersion":"2025-03-26"}`, ``},
		{"version beyond all numbers", `{"protocolVersion":99999999999999999999}`, ``},
		{"odd names", `{"info":{"name":7,"title":null,"version":["1"]}}`, ``},
		{"last version", `{"protocolVersion":1,"protocolVersion":2}`, `version=2`},
	})
}
