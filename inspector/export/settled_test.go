package export_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bobproxy/inspector/export"
)

// decision is the record of an answer to the permission 7.
func decision(members string) string {
	return `"event":"decision","request":"demo1:1","method":"session/request_permission","id":7,"session":"s",` + members
}

// The ledger says which option was chosen, of what kind, by whom, where, and
// how long that took.
func TestLedger(t *testing.T) {
	const (
		yes = `{"outcome":"selected","optionId":"y"}`
		all = `{"outcome":"selected","optionId":"a"}`
		no  = `{"outcome":"selected","optionId":"n"}`
	)
	for _, test := range []struct{ name, outcome, decision, verdict, by, option string }{
		{"once, by the editor", yes, `"by":"editor","outcome":"selected","optionId":"y","optionKind":"allow_once","waitMs":1000`,
			"allowed", "allowed by the editor", "Yes (allow_once)"},
		{"always, in a panel", all, `"by":"panel","outcome":"selected","optionId":"a","optionKind":"allow_always","waitMs":1000,"peer":{"pid":9,"exe":"/usr/bin/bobproxy","tty":"/dev/pts/3"}`,
			"allowed", "allowed in a panel (pts/3)", "Yes, always (allow_always)"},
		{"refused by a command", no, `"by":"command","outcome":"selected","optionId":"n","optionKind":"reject_once","waitMs":1000,"peer":{"pid":9,"exe":"/usr/bin/bobproxy","tty":"/dev/pts/4"}`,
			"refused", "refused by a command (bobproxy, pts/4)", "No (reject_once)"},
		{"cancelled", `{"outcome":"cancelled"}`, `"by":"editor","outcome":"cancelled","waitMs":1000`,
			"withdrawn", "cancelled by the editor", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := recording(
				sent("client", "request", "session/prompt", `{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`),
				sent("agent", "notification", "session/update", `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit a","kind":"edit","status":"pending"}}}`),
				sent("agent", "request", "session/request_permission", `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"a","name":"Yes, always","kind":"allow_always"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`),
				`"event":"opened","request":"demo1:1","method":"session/request_permission","id":7,"session":"s"`,
				sent("client", "response", "session/request_permission", `{"id":7,"result":{"outcome":`+test.outcome+`}}`),
				decision(test.decision),
			)
			var page, md bytes.Buffer
			if err := export.HTML(&page, transcript(t, "a.jsonl", text, export.Options{})); err != nil {
				t.Fatal(err)
			}
			if err := export.Markdown(&md, transcript(t, "a.jsonl", text, export.Options{})); err != nil {
				t.Fatal(err)
			}
			row := fmt.Sprintf("| 12:04:01 | edit | Edit a | %s | %s | %s | 2.0 s |\n", test.verdict, test.by, test.option)
			if got := strings.ReplaceAll(md.String(), `\`, ""); !strings.Contains(got, row) {
				t.Errorf("not in it: %s%s", row, got)
			}
			told := test.by
			if test.option != "" {
				told += ": " + test.option
			}
			for _, want := range []string{"<td class=\"some\">" + test.by + "</td><td class=\"some\">" + test.option + "</td><td class=\"nowrap\">2.0 s</td>", "Permission: " + told + ", after 2.0 s"} {
				if !strings.Contains(page.String(), want) {
					t.Errorf("not in it: %s", want)
				}
			}
		})
	}
}

// A call that was asked for twice has a line for each answer.
func TestLedgerOfSeveralPermissions(t *testing.T) {
	ask := func(id string) string {
		return sent("agent", "request", "session/request_permission", `{"id":`+id+`,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"Edit a","kind":"edit"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`)
	}
	answer := func(id, option string) string {
		return sent("client", "response", "session/request_permission", `{"id":`+id+`,"result":{"outcome":{"outcome":"selected","optionId":"`+option+`"}}}`)
	}
	text := recording(
		sent("client", "request", "session/prompt", `{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`),
		sent("agent", "notification", "session/update", `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"Edit a","kind":"edit","status":"pending"}}}`),
		ask("7"), answer("7", "n"), ask("8"), answer("8", "y"),
	)
	var md bytes.Buffer
	if err := export.Markdown(&md, transcript(t, "a.jsonl", text, export.Options{})); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(md.String(), `\`, "")
	for _, want := range []string{"|  | refused by the editor | No (reject_once) | 1.0 s |\n", "| allowed | allowed by the editor | Yes (allow_once) | 1.0 s |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("not in it: %s%s", want, got)
		}
	}
}
