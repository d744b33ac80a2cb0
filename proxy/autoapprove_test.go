package proxy

import (
	"strings"
	"testing"
)

func TestAutoApproves(t *testing.T) {
	for _, tt := range []struct {
		name string
		argv []string
		env  []string
		want string
	}{
		{"nothing to run", nil, nil, ""},
		{"asks", words("bob acp"), nil, ""},
		{"bob", words("bob acp --auto-approve"), nil, "--auto-approve"},
		{"bob with a value", words("bob acp --auto-approve=true"), nil, "--auto-approve=true"},
		{"bob, switched off", words("bob acp --auto-approve=false"), nil, ""},
		{"gemini", words("gemini --acp --yolo"), nil, "--yolo"},
		{"gemini, one letter", words("/usr/bin/gemini -y --acp"), nil, "-y"},
		{"on Windows", words("qwen.exe -y"), nil, "-y"},
		{"npx installs", words("npx -y @zed-industries/claude-code-acp"), nil, ""},
		{"npx hands on", words("npx -y @google/gemini-cli --acp --yolo"), nil, "--yolo"},
		{"mode, one argument", words("gemini --approval-mode=yolo"), nil, "--approval-mode=yolo"},
		{"mode, two arguments", words("gemini --approval-mode auto_edit"), nil, "--approval-mode auto_edit"},
		{"mode of qwen", words("qwen --approval-mode auto-edit"), nil, "--approval-mode auto-edit"},
		{"mode that asks", words("gemini --approval-mode default"), nil, ""},
		{"mode without a value", words("gemini --approval-mode"), nil, ""},
		{"claude", words("claude --dangerously-skip-permissions"), nil, "--dangerously-skip-permissions"},
		{"claude, only made possible", words("claude --allow-dangerously-skip-permissions"), nil, ""},
		{"claude by mode", words("claude --permission-mode bypassPermissions"), nil, "--permission-mode bypassPermissions"},
		{"claude by mode, one argument", words("claude --permission-mode=bypassPermissions"), nil, "--permission-mode=bypassPermissions"},
		{"claude approves edits", words("claude --permission-mode acceptEdits"), nil, "--permission-mode acceptEdits"},
		{"claude plans", words("claude --permission-mode plan"), nil, ""},
		{"mode by whatever flag", words("agent --start-in bypassPermissions"), nil, "bypassPermissions"},
		{"codex", words("codex --dangerously-bypass-approvals-and-sandbox"), nil, "--dangerously-bypass-approvals-and-sandbox"},
		{"codex by itself", words("codex --full-auto"), nil, "--full-auto"},
		{"codex never asks", words("codex -a never"), nil, "-a never"},
		{"codex never asks, long", words("codex --ask-for-approval=never"), nil, "--ask-for-approval=never"},
		{"codex asks", words("codex -a on-request"), nil, ""},
		{"codex by setting", words("codex-acp -c approval_policy=never"), nil, "-c approval_policy=never"},
		{"codex by setting, quoted", words(`codex-acp -c approval_policy="never"`), nil, `-c approval_policy="never"`},
		{"codex by setting, long", words("codex-acp --config=approval_policy=never"), nil, "--config=approval_policy=never"},
		{"codex, another setting", words("codex-acp -c model=never"), nil, ""},
		{"copilot", words("copilot --acp --allow-all-tools"), nil, "--allow-all-tools"},
		{"copilot, everything", words("copilot --acp --allow-all"), nil, "--allow-all"},
		{"copilot, one tool", words("copilot --acp --allow-tool=shell"), nil, ""},
		{"amp", words("amp --dangerously-allow-all"), nil, "--dangerously-allow-all"},
		{"droid", words("droid exec --skip-permissions-unsafe"), nil, "--skip-permissions-unsafe"},
		{"droid, by degrees", words("droid exec --auto high"), nil, "--auto high"},
		{"kiro", words("kiro-cli acp --trust-all-tools"), nil, "--trust-all-tools"},
		{"cursor", words("cursor-agent --force acp"), nil, "--force"},
		{"force of another", words("tool --force"), nil, ""},
		{"opencode", words("opencode --auto acp"), nil, "--auto"},
		{"openhands", words("openhands acp --always-approve"), nil, "--always-approve"},
		{"inside a text", []string{"gemini", "--prompt", "never use --yolo"}, nil, ""},
		{"the program's own name", words("--yolo acp"), nil, ""},

		{"opencode by environment", words("opencode acp"), words(`OPENCODE_PERMISSION={"*":"allow"}`), "OPENCODE_PERMISSION in the environment"},
		{"opencode behind npx", words("npx opencode-ai acp"), words(`OPENCODE_PERMISSION="allow"`), "OPENCODE_PERMISSION in the environment"},
		{"opencode asks", words("opencode acp"), words(`OPENCODE_PERMISSION={"*":"ask"}`), ""},
		{"meant for another", words("goose acp"), words(`OPENCODE_PERMISSION={"*":"allow"}`), ""},
		{"claude by environment", words("claude-agent-acp"), words("ACP_PERMISSION_MODE=bypassPermissions"), "ACP_PERMISSION_MODE in the environment"},
		{"claude plans by environment", words("claude-agent-acp"), words("ACP_PERMISSION_MODE=plan"), ""},
		{"copilot by environment", words("copilot --acp"), words("COPILOT_ALLOW_ALL=TRUE"), "COPILOT_ALLOW_ALL in the environment"},
		{"copilot, switched off", words("copilot --acp"), words("COPILOT_ALLOW_ALL=0"), ""},
		{"goose", words("goose acp"), words("GOOSE_MODE=auto"), "GOOSE_MODE in the environment"},
		{"goose asks", words("goose acp"), words("GOOSE_MODE=approve"), ""},
		{"the last one counts", words("goose acp"), words("GOOSE_MODE=auto GOOSE_MODE=approve"), ""},
		{"flag before environment", words("goose acp --yolo"), words("GOOSE_MODE=auto"), "--yolo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := AutoApproves(tt.argv, tt.env); got != tt.want {
				t.Errorf("AutoApproves(%q, %q) = %q, want %q", tt.argv, tt.env, got, tt.want)
			}
		})
	}
}

func words(text string) []string { return strings.Fields(text) }
