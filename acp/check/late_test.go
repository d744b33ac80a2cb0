package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// told are rules with their severity and who broke them.
func told(found []Finding) (all []string) {
	for _, f := range found {
		all = append(all, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.By))
	}
	return all
}

type telling struct {
	name, conversation string
	want               []string
}

func judged(t *testing.T, tests []telling) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := told(play(New(), test.conversation)); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRanAnyway(t *testing.T) {
	ran, perhaps := []string{"error permission/ran-anyway agent"}, []string{"warning permission/ran-anyway agent"}
	text := func(words string) string {
		return `,"content":[{"type":"content","content":{"type":"text","text":"` + words + `"}}]`
	}
	terminal := `,"content":[{"type":"terminal","terminalId":"t"}]`
	asks, again := running+call+askedBoth, strings.ReplaceAll(askedBoth, `"id":7`, `"id":8`)
	yesAgain, noAgain := strings.ReplaceAll(yes, `"id":7`, `"id":8`), strings.ReplaceAll(no, `"id":7`, `"id":8`)
	panelNo := strings.Replace(no, "client", "client+", 1)
	judged(t, []telling{
		{"allowed", asks + yes + status("completed") + end, nil},
		{"refused, and it failed", asks + no + status("failed", text("The user refused")) + end, nil},
		{"refused, and it is completed", asks + no + status("completed", text("32 lines")) + end, ran},
		{"refused by the proxy", asks + panelNo + status("completed") + end, ran},
		{"refused, and in progress, then completed", asks + no + status("in_progress") + status("completed") + end, append(slices.Clone(perhaps), ran...)},
		{"refused, and in progress, then failed", asks + no + status("in_progress") + status("failed") + end, perhaps},
		{"refused, and a terminal runs", running + call + created + askedBoth + no + status("in_progress", terminal) + status("failed") + released + end, ran},
		{"refused, and said so in its text", asks + no + status("completed", text("User rejected the tool call")) + end, perhaps},
		{"refused, and said so in its output", asks + no + status("completed", `,"rawOutput":{"error":"Permission denied by user"}`) + end, perhaps},
		{"refused, and announced again", asks + no + strings.Replace(call, `"title":"T"`, `"title":"T","status":"completed"`, 1) + end, append([]string{"info tool-call/same-id agent"}, ran...)},
		{"cancelled", asks + cancelled + status("completed") + end, ran},
		{"cancelled by an error", asks + "\nclient " + `{"id":7,"error":{"code":-32800,"message":"cancelled"}}` + status("completed") + end, ran},
		{"answered with an error", asks + "\nclient " + `{"id":7,"error":{"code":-32603,"message":"oh"}}` + status("completed") + end, perhaps},
		{"completed before the answer", asks + status("completed") + yes + end, ran},
		{"in progress before the answer", asks + status("in_progress") + yes + status("completed") + end, perhaps},
		{"in progress before it was asked for", running + call + status("in_progress") + askedBoth + status("in_progress") + yes + status("completed") + end, nil},
		{"refused, asked again and allowed", asks + no + again + yesAgain + status("completed") + end, nil},
		{"one of two was refused", asks + yes + again + noAgain + status("completed") + end, perhaps},
		{"taken back", asks + withdrawn + "\nclient " + `{"id":7,"error":{"code":-32800,"message":"cancelled"}}` + status("completed") + end, nil},
		{"an old one under the same id", asks + no + status("failed") + again + yesAgain + status("completed") + end, nil},
		{"two questions with one id", asks + askedBoth + no + yes + status("completed") + end, []string{"warning json-rpc/id-reuse agent"}},
	})
}

func TestAnswersThatWereSwallowed(t *testing.T) {
	twice := []string{"error json-rpc/answered-twice client"}
	late, panel := strings.Replace(yes, "client", "client-", 1), strings.Replace(yes, "client", "client+", 1)
	judged(t, []telling{
		{"its own second answer", running + call + asked + yes + late + endCancelled, twice},
		{"another one than before", running + call + askedBoth + yes + strings.Replace(no, "client", "client-", 1) + endCancelled, twice},
		{"the panel had answered", running + call + asked + panel + late + endCancelled, nil},
		{"the panel had answered, and it comes twice", running + call + asked + panel + late + late + endCancelled, nil},
		{"the id was used again, and the first is late", running + call + asked + panel + asked + yes + late + endCancelled, nil},
		{"the id was used again, and both were its own", running + call + asked + panel + late + asked + yes + late + endCancelled, twice},
		{"nobody asked", running + late + endCancelled, nil},
	})
}

func TestWhatHangs(t *testing.T) {
	soon := "\nexit 0"
	running2 := running2 + update(`"sessionUpdate":"state_update","state":"running"`)
	reading := "\nagent " + `{"id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/w/a"}}`
	judged(t, []telling{
		{"a prompt, and the agent goes on", running, []string{"info json-rpc/unanswered agent"}},
		{"a prompt, and the agent ends at once", running + soon, []string{"info json-rpc/unanswered agent"}},
		{"a prompt, and the agent ends", running + ended, []string{"warning json-rpc/unanswered agent"}},
		{"a cancelled prompt, and the agent goes on", running + cancel, []string{"info json-rpc/unanswered agent"}},
		{"a cancelled prompt, and the agent ends at once", running + cancel + soon, []string{"warning turn/cancel agent"}},
		{"a cancelled prompt, and the agent ends", running + cancel + ended, []string{"error turn/cancel agent"}},
		{"a file, and the agent ends", running + reading + end + ended, []string{"warning json-rpc/unanswered client"}},
		{"a person, and the agent ends", running + call + asked + ended, []string{"warning json-rpc/unanswered agent", "info json-rpc/unanswered client"}},
		{"a cancelled permission, and the agent ends", running + call + asked + cancel + endCancelled + ended, []string{"error permission/after-cancel client"}},
		{"a permission at the end of its turn", running + call + asked + end, []string{"info tool-call/unfinished agent", "warning permission/left-open agent", "info json-rpc/unanswered client"}},
		{"a permission that was taken back", running + call + asked + withdrawn + endCancelled, []string{"info json-rpc/unanswered client"}},
		{"a permission before the turn", greeting + opened + asked + prompt + end + yes, []string{"warning permission/outside-turn agent"}},
		{"a session of version 2 that waits for a person", running2 + update(`"sessionUpdate":"state_update","state":"requires_action"`) + ended, nil},
		{"a cancelled session of version 2", running2 + cancel + ended, []string{"error turn/cancel agent"}},
		{"a session of version 2, and no end", running2, nil},
	})
}

func TestNoSuchMethod(t *testing.T) {
	none := `"error":{"code":-32601,"message":"no"}}`
	offered := []string{"error method/not-found client"}
	agent := []string{"error method/not-found agent"}
	judged(t, []telling{
		{"a prompt", greeting + opened + prompt + "\nagent " + `{"id":2,` + none, agent},
		{"initialize", "\nclient " + `{"id":0,"method":"initialize","params":{"protocolVersion":1}}` + "\nagent " + `{"id":0,` + none, agent},
		{"a file that is offered", running + "\nagent " + `{"id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/w/a"}}` + "\nclient " + `{"id":3,` + none + end, offered},
		{"a file that is not", bare + opened + prompt + "\nagent " + `{"id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/w/a"}}` + "\nclient " + `{"id":3,` + none + end,
			[]string{"error capability/method agent"}},
		{"another error of it", running + "\nagent " + `{"id":3,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/w/a"}}` + "\nclient " + `{"id":3,"error":{"code":-32002,"message":"no"}}` + end, nil},
		{"an elicitation by form", running + "\nagent " + `{"id":3,"method":"elicitation/create","params":{"sessionId":"s","mode":"form","message":"m","requestedSchema":{"type":"object","properties":{}}}}` + "\nclient " + `{"id":3,` + none + end, offered},
		{"a mode", greeting + opened + "\nclient " + `{"id":3,"method":"session/set_mode","params":{"sessionId":"s","modeId":"ask"}}` + "\nagent " + `{"id":3,` + none, agent},
		{"a way to log in", greeting + "\nclient " + `{"id":3,"method":"authenticate","params":{"methodId":"key"}}` + "\nagent " + `{"id":3,` + none, agent},
		{"a list that is not offered", bare + "\nclient " + `{"id":3,"method":"session/list"}` + "\nagent " + `{"id":3,` + none, []string{"error capability/method client"}},
		{"a list in version 2", greeting2 + "\nclient " + `{"id":3,"method":"session/list"}` + "\nagent " + `{"id":3,` + none, agent},
	})
}

func TestLists(t *testing.T) {
	judged(t, []telling{
		{"a mode that is not listed", greeting + strings.Replace(opened, `"currentModeId":"ask"`, `"currentModeId":"yolo"`, 1), []string{"error mode/unknown agent"}},
		{"a value that is not listed", greeting + strings.Replace(opened, `"currentValue":"a"`, `"currentValue":"b"`, 1), []string{"warning config/value agent"}},
		{"a value that is masked", greeting + strings.Replace(opened, `"currentValue":"a"`, `"currentValue":"[masked]"`, 1), nil},
		{"a value that is not listed, in version 2", greeting2 + "\nclient " + `{"id":1,"method":"session/new","params":{"cwd":"/w"}}` +
			"\nagent " + `{"id":1,"result":{"sessionId":"s","configOptions":[{"configId":"m","name":"M","type":"select","currentValue":"b","options":[{"value":"a","name":"A"}]}]}}`, []string{"error config/value agent"}},
	})
}

func TestElicitations(t *testing.T) {
	declined := "\nclient " + `{"id":6,"result":{"action":"decline"}}`
	judged(t, []telling{
		{"used again after it was declined", greetingURL + opened + elicitation + declined + elicitation + accepted + completed, nil},
		{"used again after it was completed", greetingURL + opened + elicitation + accepted + completed + elicitation + accepted, nil},
		{"completed before the answer", greetingURL + opened + elicitation + completed + accepted, nil},
		{"completed though it was declined", greetingURL + opened + elicitation + declined + completed, nil},
	})
}

func TestCancelling(t *testing.T) {
	told := func(more string) string {
		return update(`"sessionUpdate":"tool_call_update","toolCallId":"c","title":"T"` + more)
	}
	can := told(`,"capabilities":{"cancel":{}}`)
	screen := func(more string) string {
		return update(`"sessionUpdate":"terminal_update","terminalId":"c"` + more)
	}
	stopScreen := strings.NewReplacer("tool_call/cancel", "terminal/cancel", "toolCallId", "terminalId").Replace(stopCall)
	judged(t, []telling{
		{"offered, and then something else told", running2 + can + told("") + stopCall, nil},
		{"offered no longer", running2 + can + told(`,"capabilities":null`) + stopCall, []string{"warning tool-call/cancel client"}},
		{"offered by a terminal", running2 + screen(`,"capabilities":{"cancel":{}}`) + stopScreen, nil},
		{"not offered by a terminal", running2 + can + screen("") + stopScreen, []string{"error tool-call/cancel client"}},
		{"a piece of a tool call that nobody knows", running2 + update(`"sessionUpdate":"tool_call_content_chunk","toolCallId":"c","content":{"type":"content","content":{"type":"text","text":"x"}}`), []string{"warning tool-call/unknown agent"}},
		{"a piece of one that is known", running2 + can + update(`"sessionUpdate":"tool_call_content_chunk","toolCallId":"c","content":{"type":"content","content":{"type":"text","text":"x"}}`), nil},
	})
}

func TestVersionIsRefused(t *testing.T) {
	asks := "\nclient " + `{"id":0,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":{}}}`
	judged(t, []telling{
		{"with its code", asks + "\nagent " + `{"id":0,"error":{"code":-32022,"message":"Unsupported protocol version"}}`, nil},
		{"with another one", asks + "\nagent " + `{"id":0,"error":{"code":-32600,"message":"Unsupported protocol version"}}`, []string{"warning initialize/version agent"}},
		{"for another reason", asks + "\nagent " + `{"id":0,"error":{"code":-32603,"message":"out of memory"}}`, nil},
	})
}

func TestShapesOfErrorsAndParams(t *testing.T) {
	for conversation, want := range map[string]string{
		running + "\nagent " + `{"id":2,"error":{"code":"x","message":"m"}}`:                                 `session/prompt: code is "x" and should be an integer`,
		running + "\nagent " + `{"id":2,"error":{"code":1.5,"message":"m"}}`:                                 `session/prompt: code is 1.5 and should be an integer`,
		greeting + opened + "\nclient " + `{"id":2,"method":"session/prompt","params":["s"]}` + endCancelled: `session/prompt: what it has to say is an array and should be an object`,
	} {
		found := play(New(), conversation)
		if len(found) == 0 || found[0].Rule != "shape/type" || found[0].Severity != Error || found[0].Text != want {
			t.Errorf("got %v, want %s", found, want)
		}
	}
}
