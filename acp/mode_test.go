package acp_test

import "testing"

func TestReadSession(t *testing.T) {
	checkReads(t, "session", []readCase{
		{"params", `{"sessionId":"s","prompt":[]}`, `session="s"`},
		{"session/new of v1", `{"sessionId":"s","modes":{"currentModeId":"ask","availableModes":[{"id":"yolo","currentModeId":"no"}]},"configOptions":[{"id":"mode","currentValue":"other"}]}`,
			`session="s" mode="ask"`},
		{"session/new of v2", `{"sessionId":"s","configOptions":[{"configId":"m","category":"mode","type":"select","currentValue":"ask","options":[]}]}`,
			`session="s" mode="ask"`},
		{"session/load", `{"modes":null,"configOptions":null}`, ``},
		{"session/set_mode", `{"sessionId":"s","modeId":"yolo"}`, `session="s" mode="yolo"`},
		{"session/set_config_option", `{"sessionId":"s","configId":"mode","type":"id","value":"yolo"}`, `session="s" mode="yolo"`},
		{"session/set_config_option, its value first", `{"value":"yolo","configId":"mode"}`, `mode="yolo"`},
		{"session/set_config_option of another option", `{"sessionId":"s","configId":"model","value":"yolo"}`, `session="s"`},
		{"odd values", `{"sessionId":7,"modes":{"currentModeId":["a"]}}`, `session=7 mode=["a"]`},
		{"modes are no object", `{"sessionId":"s","modes":"ask"}`, `session="s"`},
		{"escapes", `{"s\u0065ssionId":"\u0073","modes":{"currentModeId":"a\/b"}}`, `session="s" mode="a/b"`},
		{"the last one counts", `{"sessionId":"r","sessionId":"s","modes":{"currentModeId":"a"},"modes":{}}`, `session="s"`},
	})
}
