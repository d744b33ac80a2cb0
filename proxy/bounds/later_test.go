//go:build unix

package bounds_test

import (
	"strings"
	"testing"

	"bobproxy/proxy/bounds"
)

func TestLater(t *testing.T) {
	base := grow(t,
		"work/.git/hooks/pre-commit.sample", "work/.git/config", "work/.git/refs/heads/main", "work/src/a.go",
		"work/vendor/lib/.git/hooks/", "work/link -> .git/hooks", "work/settings -> sub/../.vscode", "work/sub/",
		"work/planted/.git/hooks -> ../../harmless", "work/harmless/", "work/planted/.git/config -> ../../harmless/c",
		"work/dangling -> .envrc", "work/gitlink -> .git", "work/plain -> src",
		"work/src/deep/", "work/deep -> src/deep", ".vscode/work/f", "lib/.claude/", "aside -> work/.git", "work/.claude/worktrees/fix/src/a.go",
	)
	set, problems := bounds.Pin([]bounds.Dir{
		{Path: base + "/work"}, {Path: base + "/.vscode/work"}, {Path: base + "/lib", ReadOnly: true},
	})
	if len(problems) != 0 {
		t.Fatal(problems)
	}
	tests := []struct {
		path string
		who  string // a word of the warning; empty: no warning
	}{
		{"/work/.git/hooks/pre-commit", "git"},
		{"/work/.git/hooks", "git"},
		{"/work/.git/hooks/sub/new", "git"},
		{"/work/.git/config", "git"},
		{"/work/.git/config.worktree", "git"},
		{"/work/.git/modules/a/b/hooks/post-checkout", "git"},
		{"/work/.git/modules/a/config", "git"},
		{"/work/.git/worktrees/a/commondir", "git"},
		{"/work/.git/rebase-merge/git-rebase-todo", "git"},
		{"/work/sub/.git", "git"},
		{"/work/vendor/lib/.git/hooks/pre-push", "git"},
		{"/work/new/repo/.git/hooks/pre-push", "git"},
		{"/work/.husky/pre-commit", "git"},
		{"/work/.vscode/tasks.json", "VS Code"},
		{"/work/.vscode", "VS Code"},
		{"/work/sub/.vscode/settings.json", "VS Code"},
		{"/work/.idea/workspace.xml", "JetBrains"},
		{"/work/.zed/settings.json", "Zed"},
		{"/work/.mcp.json", "agents"},
		{"/work/sub/.mcp.json", "agents"},
		{"/work/.envrc", "direnv"},
		{"/work/.claude/settings.json", "Claude"},
		{"/work/.claude/hooks/x.sh", "Claude"},
		{"/work/.codex/config.toml", "Codex"},
		{"/work/.gemini/settings.json", "Gemini"},
		{"/work/.qwen/settings.json", "Qwen"},
		{"/work/.cursor/mcp.json", "Cursor"},
		{"/work/.bob/mcp.json", "Bob"},
		{"/work/.bashrc", "shell"},
		{"/work/.config/fish/config.fish", "shell"},
		{"/work/.ssh/authorized_keys", "ssh"},

		{"/work/.GIT/Hooks/pre-commit", "git"},
		{"/work/.VSCode/tasks.json", "VS Code"},
		{"/work/.vſcode/tasks.json", "VS Code"},
		{"/work/.g\u200cit/hooks/pre-commit", "git"},
		{"/work/GIT~1/hooks/pre-commit", "git"},
		{"/work/.git./hooks /pre-commit", "git"},
		{"/work/.git::$INDEX_ALLOCATION/config", "git"},
		{"/work/.hus\u212ay/x", "git"},        // the Kelvin sign is a k
		{"/work/.cod\u0435x/config.toml", ""}, // the Cyrillic letter is no e

		{"/work/link/pre-commit", "git"},
		{"/work/settings/tasks.json", "VS Code"},
		{"/work/gitlink/config", "git"},
		{"/work/gitlink/hooks/x", "git"},
		{"/work/gitlink/COMMIT_EDITMSG", ""},
		{"/work/dangling", "direnv"},
		{"/work/planted/.git/hooks/pre-commit", "git"},
		{"/work/planted/.git/config", "git"},
		{"/work/./src//../.git/hooks/x", "git"},
		{"/work/plain/../.envrc", "direnv"},
		{"/work/deep/../settings/tasks.json", "VS Code"}, // for who cleans first
		{"/work/deep/../a.go", ""},
		{"/aside/hooks/pre-commit", "git"},

		{"/work/src/a.go", ""},
		{"/work/plain/a.go", ""},
		{"/work", ""},
		{"/work/.git/COMMIT_EDITMSG", ""},
		{"/work/.git/info/exclude", ""},
		{"/work/.github/workflows/ci.yml", ""},
		{"/work/.gitignore", ""},
		{"/work/.gitx/hooks/a", ""},
		{"/work/hooks/pre-commit", ""},
		{"/work/config", ""},
		{"/work/src/vscode/a", ""},
		{"/work/x.vscode", ""},
		{"/work/.envrc/a", ""},
		{"/work/.config/app/x", ""},
		{"/work/Makefile", ""},
		{"/work/CLAUDE.md", ""},
		{"/work/.claude/worktrees/fix/src/a.go", ""},
		{"/work/.claude/worktrees/fix/.git/hooks/x", "git"},
		{"/work/.claude/worktrees/fix/.claude/settings.json", "Claude"},
		{"/.vscode/work/f", ""}, // the root's own path does not count
		{"/.vscode/work/.vscode/f", "VS Code"},

		{"/lib/.claude/settings.json", ""}, // refused anyway
		{"/outside/.git/hooks/x", ""},
		{"/work/../.git/hooks/x", ""},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			got := set.Check(base+test.path, bounds.Write).Later
			if test.who == "" && got != "" || !strings.Contains(got, test.who) {
				t.Errorf("Later = %q, want something about %q", got, test.who)
			}
			if got := set.Check(base+test.path, bounds.Read).Later; got != "" {
				t.Errorf("Later of reading = %q, want nothing", got)
			}
		})
	}
}

// A repository below an inner root is still one of the outer root's.
func TestLaterInNestedRoots(t *testing.T) {
	base := grow(t, "work/.git/hooks/x")
	for _, roots := range [][]string{{"/work", "/work/.git"}, {"/work/.git/hooks", "/work"}} {
		set := pin(t, base+roots[0], base+roots[1])
		if got := set.Check(base+"/work/.git/hooks/x", bounds.Write).Later; !strings.Contains(got, "git") {
			t.Errorf("roots %q: Later = %q, want something about git", roots, got)
		}
	}
}
