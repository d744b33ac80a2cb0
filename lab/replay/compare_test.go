package replay

import (
	"slices"
	"testing"

	"bobproxy/acp"
)

func TestMaskedIsAlike(t *testing.T) {
	for name, test := range map[string]struct {
		recorded, live string
		want           bool
	}{
		"equal":                  {"a", "a", true},
		"different":              {"a", "b", false},
		"masked whole":           {"[masked]", "secret", true},
		"masked, and empty":      {"[masked]", "", true},
		"masked in the middle":   {"Bearer [masked].", "Bearer xyz.", true},
		"another beginning":      {"Bearer [masked]", "Basic xyz", false},
		"another end":            {"[masked] end", "xyz fin", false},
		"twice":                  {"a=[masked] b=[masked]", "a=1 b=2", true},
		"twice, one missing":     {"a=[masked] b=[masked]", "a=1", false},
		"the end is not shared":  {"ab[masked]bc", "abc", false},
		"masked only in the now": {"secret", "[masked]", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := alike(test.recorded, test.live); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestSameJSON(t *testing.T) {
	for name, test := range map[string]struct {
		recorded, live string
		want           bool
	}{
		"another order":      {`{"a":1,"b":2}`, `{"b":2,"a":1.0}`, true},
		"null and absent":    {`{"a":null}`, `{}`, true},
		"absent and null":    {`{}`, `{"a":null}`, true},
		"one more":           {`{}`, `{"a":1}`, false},
		"one less":           {`{"a":1}`, `{}`, false},
		"masked number":      {`{"a":"[masked]"}`, `{"a":12}`, true},
		"masked object":      {`{"a":"[masked]"}`, `{"a":{"b":1}}`, true},
		"lists":              {`[1,"x"]`, `[1,"x"]`, true},
		"lists of other len": {`[1]`, `[1,2]`, false},
		"other types":        {`{"a":"1"}`, `{"a":1}`, false},
		"object and list":    {`{}`, `[]`, false},
		"list and number":    {`1`, `[]`, false},
		"nothing":            {``, ``, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := sameJSON([]byte(test.recorded), []byte(test.live)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestOffers(t *testing.T) {
	got := offers([]byte(`{"fs":{"readTextFile":true,"writeTextFile":false},"terminal":true,"auth":null,"_meta":{"x":true},"session":{"notices":{}}}`))
	want := []string{"fs", "fs.readTextFile", "terminal", "session", "session.notices"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCallDifferences(t *testing.T) {
	for name, test := range map[string]struct {
		method, recorded, live string
		want                   []string // the counting ones with a !
	}{
		"the same hello":  {"initialize", `{"protocolVersion":1,"clientCapabilities":{"terminal":true}}`, `{"protocolVersion":1,"clientCapabilities":{"terminal":true,"fs":{}}}`, nil},
		"another version": {"initialize", `{"protocolVersion":1}`, `{"protocolVersion":2}`, []string{"!protocol version 1 → 2"}},
		"no terminal":     {"initialize", `{"clientCapabilities":{"terminal":true}}`, `{"clientCapabilities":{"terminal":false}}`, []string{"!the capability terminal → none"}},
		"another mode":    {"session/set_mode", `{"modeId":"ask"}`, `{"modeId":"code"}`, []string{`!modeId "ask" → "code"`}},
		"another option":  {"session/set_config_option", `{"configId":"m","value":true}`, `{"configId":"m","value":false}`, []string{"!value true → false"}},
		"another prompt":  {"session/prompt", `{"prompt":[{"type":"text","text":"a"}]}`, `{"prompt":[{"type":"text","text":"b"}]}`, []string{`the prompt "a" → "b"`}},
		"the same prompt": {"session/prompt", `{"prompt":[{"type":"text","text":"a"}]}`, `{"prompt":[{"text":"a","type":"text"}]}`, nil},
		"a picture":       {"session/prompt", `{"prompt":[{"type":"image"}]}`, `{"prompt":[]}`, []string{"the prompt of 1 block → of 0 blocks"}},
		"an MCP server":   {"session/new", `{"mcpServers":[{}]}`, `{"mcpServers":[]}`, []string{"1 MCP server → 0"}},
		"what is unknown": {"_x/y", `{"a":1}`, `{"a":2}`, []string{`{"a":1} → {"a":2}`}},
	} {
		t.Run(name, func(t *testing.T) {
			got := inShort(callDifferences(test.method, []byte(test.recorded), []byte(test.live)))
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestAnswerDifferences(t *testing.T) {
	const options = `{"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}`
	chose := func(id string) string { return `{"result":{"outcome":{"outcome":"selected","optionId":"` + id + `"}}}` }
	for name, test := range map[string]struct {
		method, asked, recorded, live string
		want                          []string
	}{
		"the same choice":  {"session/request_permission", options, chose("y"), chose("y"), nil},
		"another choice":   {"session/request_permission", options, chose("y"), chose("n"), []string{`!"Yes" (allow_once) → "No" (reject_once)`}},
		"cancelled":        {"session/request_permission", options, chose("y"), `{"result":{"outcome":{"outcome":"cancelled"}}}`, []string{`!"Yes" (allow_once) → cancelled`}},
		"not offered":      {"session/request_permission", options, chose("y"), chose("z"), []string{`!"Yes" (allow_once) → the option "z", which was not offered`}},
		"an error":         {"fs/read_text_file", "", `{"result":{"content":"a"}}`, `{"error":{"code":-32002,"message":"no"}}`, []string{`!1 byte of text → the error -32002 "no"`}},
		"the same error":   {"fs/read_text_file", "", `{"error":{"code":-32002,"message":"yes"}}`, `{"error":{"code":-32002,"message":"no"}}`, nil},
		"another error":    {"fs/read_text_file", "", `{"error":{"code":-1}}`, `{"error":{"code":-2}}`, []string{`!the error -1 "" → the error -2 ""`}},
		"another file":     {"fs/read_text_file", "", `{"result":{"content":"a"}}`, `{"result":{"content":"bc"}}`, []string{"1 byte of text → 2 bytes of text"}},
		"a masked file":    {"fs/read_text_file", "", `{"result":{"content":"[masked]"}}`, `{"result":{"content":"bc"}}`, nil},
		"another terminal": {"terminal/create", "", `{"result":{"terminalId":"1"}}`, `{"result":{"terminalId":"2"}}`, nil},
		"another exit":     {"terminal/wait_for_exit", "", `{"result":{"exitCode":0}}`, `{"result":{"exitCode":1,"signal":null}}`, []string{`!{"exitCode":0} → {"exitCode":1,"signal":null}`}},
		"the same exit":    {"terminal/wait_for_exit", "", `{"result":{"exitCode":0}}`, `{"result":{"exitCode":0,"signal":null}}`, nil},
		"declined":         {"elicitation/create", "", `{"result":{"action":"accept"}}`, `{"result":{"action":"decline"}}`, []string{`!{"action":"accept"} → {"action":"decline"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			var recorded, live acp.Frame
			acp.Scan([]byte(test.recorded), &recorded)
			acp.Scan([]byte(test.live), &live)
			got := inShort(answerDifferences(test.method, []byte(test.asked), &recorded, &live))
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// inShort are differences in short, the counting ones with a !.
func inShort(differences []difference) (list []string) {
	for _, d := range differences {
		text := d.expected + " → " + d.came
		if d.counts {
			text = "!" + text
		}
		list = append(list, text)
	}
	return list
}
