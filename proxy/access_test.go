package proxy

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bobproxy/proxy/journal"
)

// reads, writes and starts are what an agent asks the editor to do.
func reads(id, session, path string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"fs/read_text_file","params":{"sessionId":"` + session + `","path":"` + path + `"}}`
}

func writes(id, session, path string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"fs/write_text_file","params":{"sessionId":"` + session + `","path":"` + path + `","content":"x"}}`
}

func starts(id, session, cwd string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"terminal/create","params":{"sessionId":"` + session + `","command":"ls"` + cwd + `}}`
}

// workspace is a directory with a neighbour outside of it.
func workspace(t *testing.T) (root, outside string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, outside = filepath.Join(dir, "work"), filepath.Join(dir, "work-else")
	for _, d := range []string{root, outside, filepath.Join(root, "sub")} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{filepath.Join(root, "a.txt"), filepath.Join(outside, "secret")} {
		if err := os.WriteFile(f, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root, outside
}

// refusal of a request as the agent reads it.
type refusalFrame struct {
	ID    json.RawMessage
	Error struct {
		Code    int
		Message string
		Data    struct {
			Source, Rule, Path string
			Roots              []string
		}
	}
}

func (x *table) refusedWith(rule string) refusalFrame {
	x.t.Helper()
	var got refusalFrame
	lines := x.agent.heard()
	if len(lines) != 1 || json.Unmarshal([]byte(lines[0]), &got) != nil || got.Error.Code != -32602 || got.Error.Data.Source != "bobproxy" || got.Error.Data.Rule != rule {
		x.t.Errorf("the agent hears %q, want a refusal for %s", lines, rule)
	}
	x.editorHears()
	return got
}

// What an agent asks the editor to open passes inside the session's roots and is
// refused outside of them, in words that say what to do.
func TestAccess(t *testing.T) {
	root, outside := workspace(t)
	if err := os.Symlink(outside, filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, line string
		rule       string // empty: it passes
	}{
		{"read inside", reads("1", "s", root+"/a.txt"), ""},
		{"write a new file in new folders", writes("1", "s", root+"/new/dir/file"), ""},
		{"read outside", reads("1", "s", outside+"/secret"), "escape"},
		{"write outside", writes("1", "s", outside+"/new"), "escape"},
		{"through a link", writes("1", "s", root+"/out/new"), "escape"},
		{"back behind a link", reads("1", "s", root+"/out/../work/a.txt"), ""},
		{"relative", reads("1", "s", "a.txt"), "relative"},
		{"an escaped slash", reads("1", "s", strings.ReplaceAll(outside, "/", `\u002f`)+"/secret"), "escape"},
		{"no path", `{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s"}}`, "no_path"},
		{"a number for a path", `{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s","path":1}}`, "no_path"},
		{"no params", `{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file"}`, "no_path"},
		{"the path twice", `{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s","path":"` + outside + `/secret","path":"` + root + `/a.txt"}}`, "ambiguous"},
		{"the path in other case", `{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s","path":"` + root + `/a.txt","Path":"` + outside + `/secret"}}`, "ambiguous"},
		{"a terminal without a directory", starts("1", "s", ""), ""},
		{"a terminal with null", starts("1", "s", `,"cwd":null`), ""},
		{"a terminal inside", starts("1", "s", `,"cwd":"`+root+`/sub"`), ""},
		{"a terminal outside", starts("1", "s", `,"cwd":"`+outside+`"`), "escape"},
		{"another session", reads("1", "other", root+"/a.txt"), "no_roots"},
		{"a terminal of another session", starts("1", "other", ""), "no_roots"},
		{"no session", `{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"path":"` + root + `/a.txt"}}`, "no_roots"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sit(t, Policy{}, func(x *table) {
				x.opens("s", root)
				x.bob(tt.line)
				if tt.rule == "" {
					x.editorHears(tt.line)
					x.bobHears()
					return
				}
				got := x.refusedWith(tt.rule)
				if string(got.ID) != "1" {
					t.Errorf("the refusal has id %s", got.ID)
				}
				if strings.Contains(got.Error.Message, "secret") && !strings.Contains(tt.line, "secret") {
					t.Errorf("the refusal tells where a link leads: %s", got.Error.Message)
				}
			})
		})
	}
}

// A request and the frames around it keep their order, and what does not pass
// leaves no trace between them.
func TestRefusalBetweenFrames(t *testing.T) {
	root, outside := workspace(t)
	sit(t, Policy{}, func(x *table) {
		x.editor(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"` + root + `","mcpServers":[]}}`)
		x.agent.heard()
		a, b := `{"jsonrpc":"2.0","method":"a"}`, `{"jsonrpc":"2.0","method":"b"}`
		made := `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`
		x.bob(a, made, reads("5", "s", root+"/a.txt"), reads("6", "s", outside+"/secret"), b)
		x.editorHears(a, made, reads("5", "s", root+"/a.txt"), b)
		if got := x.agent.heard(); len(got) != 1 || !strings.Contains(got[0], `"id":6`) {
			t.Errorf("the agent hears %q", got)
		}
	})
}

// Roots come from the editor and nobody else, and the last ones count.
func TestRootsOfSessions(t *testing.T) {
	root, outside := workspace(t)
	sit(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.bob(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"` + outside + `"}}`)
		x.editor(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`)
		x.client.heard()
		x.agent.heard()
		x.bob(starts("2", "s", `,"cwd":"`+outside+`"`))
		x.refusedWith("escape")
		x.bob(writes("3", "s", outside+"/x"))
		x.refusedWith("escape")
		x.editor(`{"jsonrpc":"2.0","id":7,"method":"session/delete","params":{"sessionId":"s"}}`)
		x.bob(`{"jsonrpc":"2.0","id":7,"result":{}}`)
		x.opens("s", outside)
		x.bob(writes("4", "s", root+"/x"))
		x.refusedWith("escape")
		x.bob(writes("5", "s", outside+"/x"))
		x.editorHears(writes("5", "s", outside+"/x"))
	})
}

// Before its session has a name, a request must lie in the roots of whatever is
// being opened.
func TestRootsBeforeTheResult(t *testing.T) {
	root, outside := workspace(t)
	sit(t, Policy{}, func(x *table) {
		x.bob(reads("1", "s", root+"/a.txt"))
		x.refusedWith("no_roots")
		x.editor(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"` + root + `","mcpServers":[]}}`)
		x.agent.heard()
		x.bob(reads("2", "s", root+"/a.txt"))
		x.editorHears(reads("2", "s", root+"/a.txt"))
		x.editor(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"` + outside + `","mcpServers":[]}}`)
		x.agent.heard()
		x.bob(reads("3", "s", root+"/a.txt"))
		x.refusedWith("escape")
	})
}

// Bounds that only warn let everything pass, flagged; bounds that are off say
// nothing.
func TestBoundsModes(t *testing.T) {
	root, outside := workspace(t)
	for mode, flags := range map[Mode]int{Warn: 2, Off: 0} {
		sit(t, Policy{Bounds: mode}, func(x *table) {
			x.opens("s", root)
			odd := `{"jsonrpc":"2.0","id":1,"id":2,"method":"fs/read_text_file","params":{"sessionId":"s","path":"` + outside + `/secret"}}`
			x.bob(reads("1", "s", outside+"/secret"), odd)
			x.editorHears(reads("1", "s", outside+"/secret"), odd)
			x.bobHears()
			if got := x.happened(journal.FlaggedEvent); len(got) != flags {
				t.Errorf("%s: %d flags, want %d", mode, len(got), flags)
			}
		})
	}
}

// Nothing reaches the agent of a session that would lie outside the ceiling, and
// the editor is told so.
func TestCeiling(t *testing.T) {
	root, outside := workspace(t)
	for name, params := range map[string]string{
		"cwd outside":     `"cwd":"` + outside + `"`,
		"a further root":  `"cwd":"` + root + `","additionalDirectories":["` + outside + `"]`,
		"two directories": `"cwd":"` + outside + `","cwd":"` + root + `"`,
		"no directory":    `"mcpServers":[]`,
		"relative":        `"cwd":"."`,
	} {
		sit(t, Policy{Ceiling: root}, func(x *table) {
			x.editor(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{` + params + `}}`)
			x.bobHears()
			if got := x.client.heard(); len(got) != 1 || !strings.Contains(got[0], `"code":-32602`) || !strings.Contains(got[0], root) {
				t.Errorf("%s: the editor hears %q", name, got)
			}
			x.bob(reads("1", "s", outside+"/secret"))
			x.refusedWith("no_roots")
		})
	}
	sit(t, Policy{Ceiling: root, Bounds: Warn}, func(x *table) {
		line := `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"` + outside + `"}}`
		x.editor(line)
		x.bobHears(line)
		if got := x.happened(journal.FlaggedEvent); len(got) != 1 || !strings.Contains(got[0].Text, "would be refused") {
			t.Errorf("flags: %+v", got)
		}
	})
	sit(t, Policy{Ceiling: root}, func(x *table) {
		for i, dir := range []string{root, root + "/sub"} {
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/new","params":{"cwd":"%s"}}`, i, dir)
			x.editor(line)
			x.bobHears(line)
		}
		odd := "\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":9,"method":"session/new","params":{"cwd":"` + outside + `"}}`
		x.editor(odd)
		x.bobHears()
		if got := x.client.heard(); len(got) != 1 {
			t.Errorf("the editor hears %q", got)
		}
	})
}

// Directories that the settings add count in every session, read-only ones for
// reading.
func TestAllowedDirectories(t *testing.T) {
	root, outside := workspace(t)
	sit(t, Policy{Allow: []string{outside}}, func(x *table) {
		x.opens("s", root)
		x.bob(writes("1", "s", outside+"/x"))
		x.editorHears(writes("1", "s", outside+"/x"))
	})
	sit(t, Policy{AllowRead: []string{outside}}, func(x *table) {
		x.opens("s", root)
		x.bob(reads("1", "s", outside+"/secret"))
		x.editorHears(reads("1", "s", outside+"/secret"))
		x.bob(writes("2", "s", outside+"/x"))
		x.refusedWith("read_only")
	})
}

// A notification is never answered, whatever it asks.
func TestNotificationsAreNotAnswered(t *testing.T) {
	root, outside := workspace(t)
	sit(t, Policy{}, func(x *table) {
		x.opens("s", root)
		x.bob(`{"jsonrpc":"2.0","method":"fs/write_text_file","params":{"sessionId":"s","path":"`+outside+`/x","content":""}}`,
			`{"jsonrpc":"2.0","method":"$/foo"}`)
		x.editorHears(`{"jsonrpc":"2.0","method":"$/foo"}`)
		x.bobHears()
	})
}

// An agent that asks for too much and reads nothing is held up, by itself alone.
func TestRefusalsAreBounded(t *testing.T) {
	t.Parallel()
	_, outside := workspace(t)
	x := seat(t, Policy{}, journal.Options{Off: true, Instance: "test"})
	x.agent.gap = make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 3 * maxRefusals {
			fmt.Fprintln(x.agent.in, reads(fmt.Sprint(i), "s", outside+"/secret"))
		}
	}()
	queue := &x.relay.toAgent.out.added
	until(t, func() bool {
		queue.mu.Lock()
		defer queue.mu.Unlock()
		return len(queue.lines) >= maxRefusals
	})
	select {
	case <-done:
		t.Error("the agent was not held up")
	default:
	}
	queue.mu.Lock()
	n := len(queue.lines)
	queue.mu.Unlock()
	if n != maxRefusals {
		t.Errorf("%d refusals wait, want %d", n, maxRefusals)
	}
	fmt.Fprintln(x.client.in, `{"jsonrpc":"2.0","method":"x"}`)
	close(x.agent.gap)
	<-done
	x.agent.await(t, 3*maxRefusals+1)
	x.rise()
}

// Only so many sessions at once.
func TestMaxSessions(t *testing.T) {
	root, _ := workspace(t)
	sit(t, Policy{MaxSessions: 1}, func(x *table) {
		x.opens("s", root)
		x.editor(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"` + root + `"}}`)
		x.bobHears()
		if got := x.client.heard(); len(got) != 1 || !strings.Contains(got[0], "--max-sessions") {
			t.Errorf("the editor hears %q", got)
		}
		again := `{"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":"s","cwd":"` + root + `"}}`
		x.editor(again)
		x.bobHears(again)
	})
}
