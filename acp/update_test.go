package acp_test

import "testing"

func TestReadUpdate(t *testing.T) {
	checkReads(t, "update", []readCase{
		{"tool call", `{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Read a","name":"Read","kind":"read","status":"pending","locations":[{"path":"/ws/a","line":1}],"rawInput":{"path":"/ws/a"}}}`,
			`kind=tool_call session="s" call="c" calltitle="Read a" callkind="read" status="pending" locations=["/ws/a"] input={"path":"/ws/a"}`},
		{"what a tool call became", `{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","title":null,"content":[{"type":"diff","path":"/ws/a","newText":"x"}],"rawOutput":{}}}`,
			`kind=tool_call_update session="s" call="c" calltitle=null status="completed" diffs="/ws/a" content=[{"type":"diff","path":"/ws/a","newText":"x"}]`},
		{"its kind stands last", `{"update":{"toolCallId":"c","locations":[{"path":"/a"}],"sessionUpdate":"tool_call_upd\u0061te"},"sessionId":"s"}`,
			`kind=tool_call_update session="s" call="c" locations=["/a"]`},
		{"content of v2", `{"sessionId":"s","update":{"sessionUpdate":"tool_call_content_chunk","toolCallId":"c","content":{"type":"diff","changes":[{"operation":"copy","oldPath":"/a","path":"/b"}]}}}`,
			`kind=tool_call_content_chunk session="s" call="c" diffs=copy "/a">"/b" content={"type":"diff","changes":[{"operation":"copy","oldPath":"/a","path":"/b"}]}`},
		{"mode", `{"sessionId":"s","update":{"sessionUpdate":"current_mode_update","currentModeId":"plan"}}`, `kind=current_mode_update session="s" mode="plan"`},
		{"mode as some spell it", `{"update":{"sessionUpdate":"current_mode_update","modeId":"plan"}}`, `kind=current_mode_update mode="plan"`},
		{"mode in both", `{"update":{"sessionUpdate":"current_mode_update","modeId":"a","currentModeId":"b"}}`, `kind=current_mode_update mode="b"`},
		{"mode null", `{"update":{"sessionUpdate":"current_mode_update","modeId":"a","currentModeId":null}}`, `kind=current_mode_update mode="a"`},
		{"mode among the options", `{"update":{"sessionUpdate":"config_option_update","configOptions":[{"id":"model","category":"model","currentValue":"m"},{"id":"x","category":"mode","type":"select","currentValue":"plan"},{"id":"mode","currentValue":"no"}]}}`,
			`kind=config_option_update mode="plan"`},
		{"mode by its name", `{"update":{"sessionUpdate":"config_option_update","configOptions":[null,{"configId":"mode","currentValue":"plan"},{"id":"mode","currentValue":"no"}]}}`,
			`kind=config_option_update mode="plan"`},
		{"no mode among the options", `{"update":{"sessionUpdate":"config_option_update","configOptions":[{"id":"a","category":"model","currentValue":"mode"}]}}`, `kind=config_option_update`},
		{"options are no array", `{"update":{"sessionUpdate":"config_option_update","configOptions":{"id":"mode","currentValue":"a"}}}`, `kind=config_option_update`},
		{"title", `{"sessionId":"s","update":{"sessionUpdate":"session_info_update","title":"Repair","updatedAt":"x"}}`, `kind=session_info_update session="s" title="Repair"`},
		{"title cleared", `{"update":{"sessionUpdate":"session_info_update","title":null}}`, `kind=session_info_update title=null`},
		{"child", `{"sessionId":"s","update":{"sessionUpdate":"subagent_update","sessionId":"s2","title":"t","cwd":"/x","additionalDirectories":["/"]}}`,
			`kind=subagent_update session="s" child="s2"`},
		{"a message is only a message", `{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"tool_call"},"toolCallId":"c","title":"t","currentModeId":"m","sessionId":"x"}}`,
			`kind=agent_message_chunk session="s"`},
		{"kind is no string", `{"update":{"sessionUpdate":["tool_call"],"toolCallId":"c"}}`, ``},
		{"update is no object", `{"sessionId":"s","update":"tool_call"}`, `session="s"`},

		{"the last member counts", `{"sessionId":"r","sessionId":"s","update":{"sessionUpdate":"plan","sessionUpdate":"tool_call","toolCallId":"b","toolCallId":"c","kind":"read","kind":"edit","locations":[{"path":"/a"}],"locations":[{"path":"/b","path":"/c"}],"content":[{"type":"diff","path":"/d"}],"content":[{"type":"content","type":"diff","changes":[{"path":"/e"}],"changes":[{"path":"/f"}]}],"rawInput":1,"rawInput":2}}`,
			`kind=tool_call session="s" call="c" callkind="edit" locations=["/c"] diffs="/f" content=[{"type":"content","type":"diff","changes":[{"path":"/e"}],"changes":[{"path":"/f"}]}] input=2`},
		{"the last update counts", `{"update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t"},"sessionId":"s","update":{"sessionUpdate":"tool_call","kind":"edit"}}`,
			`kind=tool_call session="s" callkind="edit"`},
		{"the last update is none", `{"update":{"sessionUpdate":"tool_call","toolCallId":"c"},"update":null}`, ``},
		{"letter case counts", `{"SessionId":"s","Update":{"sessionUpdate":"plan"},"update":{"sessionUpdate":"tool_call","ToolCallId":"c","TITLE":"t"}}`, `kind=tool_call`},
		{"what was read before it broke", `{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","locations":[{"path":"/a"},{"path":"/b`,
			`kind=tool_call session="s" call="c" locations=["/a"]`},
	})
}
