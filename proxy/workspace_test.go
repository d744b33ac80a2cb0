//go:build unix

package proxy

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"bobproxy/proxy/journal"
)

// estate is directories side by side, by the names that the tests write in
// braces: {a}, {b} and {c} may be roots, {out} never is. {a} has links in it.
type estate struct{ *strings.Replacer }

func newEstate(t *testing.T) estate {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range []string{"a", "b", "c", "out"} {
		dir := filepath.Join(top, name)
		for _, d := range []string{dir, filepath.Join(dir, "sub"), filepath.Join(dir, "sub", "deep")} {
			if err := os.Mkdir(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "file"), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, "{"+name+"}", dir)
	}
	e := estate{strings.NewReplacer(append(names, "{top}", top)...)}
	if err := os.Mkdir(e.Replace("{a}-evil"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"door": "{out}", "deepdoor": "{out}/sub/deep", "key": "{out}/file", "dangling": "{out}/new", "relative": "../out/file",
		"mid": "{a}/dangling", "loop1": "{a}/loop2", "loop2": "{a}/loop1", "home": "{a}/sub", "proc": "/proc/self/root/etc",
	} {
		if err := os.Symlink(e.Replace(target), e.Replace("{a}/"+link)); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// text is s as JSON has it.
func text(s string) string {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// tenant is a table whose frames name the estate.
type tenant struct {
	*table
	estate
	asked int
}

func dwell(t *testing.T, p Policy, play func(x *tenant)) {
	t.Helper()
	e := newEstate(t)
	p.Ceiling = e.Replace(p.Ceiling)
	for _, list := range [][]string{p.Allow, p.AllowRead} {
		for i := range list {
			list[i] = e.Replace(list[i])
		}
	}
	sit(t, p, func(x *table) { play(&tenant{table: x, estate: e}) })
}

// does says lines, each by whom it begins with.
func (x *tenant) does(lines ...string) {
	x.t.Helper()
	for _, line := range lines {
		line = x.Replace(line)
		switch who, what := line[:2], line[2:]; who {
		case "> ":
			x.editor(what)
		case "< ":
			x.bob(what)
		default:
			x.t.Fatalf("nobody says %s", line)
		}
	}
	x.client.heard()
	x.agent.heard()
}

// asks lets the agent ask with one frame, whose {id} is the next, and says how it
// was refused; empty: it passed, untouched.
func (x *tenant) asks(frame string) (rule, message string) {
	x.t.Helper()
	x.asked++
	id := fmt.Sprint(9000 + x.asked)
	frame = strings.ReplaceAll(frame, "{id}", id)
	x.bob(frame)
	passed, answers := x.client.heard(), x.agent.heard()
	switch {
	case len(passed) == 1 && passed[0] == frame && len(answers) == 0:
		return "", ""
	case len(passed) > 0 || len(answers) != 1:
		x.t.Fatalf("%s\nthe editor hears %q, the agent %q", frame, passed, answers)
	}
	var got refusalFrame
	if json.Unmarshal([]byte(answers[0]), &got) != nil || got.Error.Code != -32602 || got.Error.Data.Source != "bobproxy" || string(got.ID) != id {
		x.t.Fatalf("%s\nthe agent hears %s", frame, answers[0])
	}
	return got.Error.Data.Rule, got.Error.Message
}

func (x *tenant) opensPath(method, session, path string) (rule, message string) {
	x.t.Helper()
	member := "path"
	if method == "terminal/create" {
		member = "cwd"
	}
	return x.asks(`{"jsonrpc":"2.0","id":{id},"method":"` + method + `","params":{"sessionId":` + text(session) + `,"` + member + `":` + text(x.Replace(path)) + `,"command":"ls"}}`)
}

// may checks which paths may be opened in a session: "s: {a}/x, not {b}/x".
func (x *tenant) may(claims ...string) {
	x.t.Helper()
	for _, claim := range claims {
		session, paths, _ := strings.Cut(claim, ": ")
		for path := range strings.SplitSeq(paths, ", ") {
			path, not := strings.CutPrefix(path, "not ")
			for _, method := range []string{"fs/read_text_file", "fs/write_text_file", "terminal/create"} {
				if rule, _ := x.opensPath(method, session, path); not != (rule != "") {
					x.t.Errorf("%s: %s of %s: refused for %q", claim, method, path, rule)
				}
			}
		}
	}
}

const (
	newS   = `> {"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"{a}","mcpServers":[]}}`
	madeS  = `< {"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`
	failed = `,"error":{"code":-32603,"message":"no"}}`
)

func sets(id, method, params string) string {
	return `> {"jsonrpc":"2.0","id":` + id + `,"method":"session/` + method + `","params":{` + params + `}}`
}

func says(id, result string) string {
	return `< {"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
}

func child(parent, id, more string) string {
	return `< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"` + parent + `","update":{"sessionUpdate":"subagent_update","sessionId":"` + id + `"` + more + `}}}`
}

// Where a session's paths must lie follows from what the editor asked for and
// the agent accepted, at each moment.
func TestSessionsHaveTheRootsTheyWereGiven(t *testing.T) {
	all := "{a}/x, not {b}/x, not {c}/x, not {out}/x"
	for _, tt := range []struct {
		name  string
		steps []string // what is said, and what holds then
	}{
		{"new", []string{"s: not {a}/x", newS, "s: " + all, "t: " + all, madeS, "s: " + all, "t: not {a}/x"}},
		{"new that fails", []string{newS, `< {"jsonrpc":"2.0","id":1` + failed, "s: not {a}/x"}},
		{"two new ones at once", []string{newS, sets("2", "new", `"cwd":"{b}"`), "s: not {a}/x, not {b}/x",
			says("2", `{"sessionId":"t"}`), "t: {b}/x, not {a}/x", "s: " + all, madeS, "s: " + all}},
		{"two that overlap", []string{newS, sets("2", "new", `"cwd":"{a}/sub"`), "s: {a}/sub/x, not {a}/x"}},
		{"answered in another order", []string{newS, sets("2", "new", `"cwd":"{b}"`), says("2", `{"sessionId":"t"}`), madeS, "s: " + all, "t: {b}/x, not {a}/x"}},
		{"talked of before it is named", []string{newS,
			`< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[]}}}`, "s: " + all, madeS, "s: " + all}},
		{"load under way", []string{newS, madeS, sets("2", "load", `"sessionId":"s","cwd":"{b}","additionalDirectories":["{a}/sub"]`),
			"s: not {a}/x, not {b}/x, {a}/sub/x", says("2", "null"), "s: {b}/x, {a}/sub/x, not {a}/x"}},
		{"load that fails", []string{newS, madeS, sets("2", "load", `"sessionId":"s","cwd":"{b}"`), `< {"jsonrpc":"2.0","id":2` + failed, "s: " + all}},
		{"load of what is not known", []string{sets("2", "load", `"sessionId":"s","cwd":"{b}"`), "s: {b}/x, not {a}/x", "t: not {b}/x",
			says("2", "{}"), "s: {b}/x, not {a}/x"}},
		{"load of what is not known fails", []string{sets("2", "load", `"sessionId":"s","cwd":"{b}"`), `< {"jsonrpc":"2.0","id":2` + failed, "s: not {b}/x"}},
		{"resume under way", []string{newS, madeS, sets("2", "resume", `"sessionId":"s","cwd":"{b}"`), "s: not {a}/x, not {b}/x", says("2", "{}"), "s: {b}/x, not {a}/x"}},
		{"resume that fails", []string{newS, madeS, sets("2", "resume", `"sessionId":"s","cwd":"{b}"`), `< {"jsonrpc":"2.0","id":2` + failed, "s: " + all}},
		{"fork", []string{newS, madeS, sets("2", "fork", `"sessionId":"s","cwd":"{b}"`), "s: " + all, "f: {b}/x, not {a}/x",
			says("2", `{"sessionId":"f"}`), "f: {b}/x, not {a}/x", "s: " + all}},
		{"fork that fails", []string{newS, madeS, sets("2", "fork", `"sessionId":"s","cwd":"{b}"`), `< {"jsonrpc":"2.0","id":2` + failed, "f: not {b}/x, not {a}/x", "s: " + all}},
		{"an answer to nothing", []string{newS, madeS, `< {"jsonrpc":"2.0","id":7,"result":{"sessionId":"t"}}`, "t: not {a}/x"}},
		{"roots are replaced", []string{sets("1", "new", `"cwd":"{a}","additionalDirectories":["{c}"]`), madeS, "s: {a}/x, {c}/x, not {b}/x",
			sets("2", "load", `"sessionId":"s","cwd":"{a}"`), "s: {a}/x, not {c}/x", says("2", "null"), "s: {a}/x, not {c}/x"}},
		{"several roots", []string{sets("1", "new", `"cwd":"{a}","additionalDirectories":["{b}","rel",null,"",7]`), madeS, "s: {a}/x, {b}/x, not {c}/x, not rel/x"}},
		{"closed", []string{newS, madeS, sets("2", "close", `"sessionId":"s"`), "s: " + all, says("2", "{}"), "s: not {a}/x"}},
		{"deleted", []string{newS, madeS, sets("2", "delete", `"sessionId":"s"`), says("2", "{}"), "s: not {a}/x"}},
		{"not deleted", []string{newS, madeS, sets("2", "delete", `"sessionId":"s"`), `< {"jsonrpc":"2.0","id":2` + failed, "s: " + all}},
		{"an id comes again", []string{newS, madeS, sets("2", "delete", `"sessionId":"s"`), says("2", "{}"),
			sets("3", "new", `"cwd":"{b}"`), says("3", `{"sessionId":"s"}`), "s: {b}/x, not {a}/x"}},
		{"an id comes again though it is open", []string{newS, madeS, sets("3", "new", `"cwd":"{b}"`), says("3", `{"sessionId":"s"}`), "s: {b}/x, not {a}/x"}},
		{"a child", []string{newS, madeS, child("s", "k", `,"cwd":"{out}","additionalDirectories":["/"]`), "k: " + all,
			sets("2", "load", `"sessionId":"s","cwd":"{b}"`), "k: not {a}/x, not {b}/x", says("2", "null"), "k: {b}/x, not {a}/x",
			sets("3", "delete", `"sessionId":"s"`), says("3", "{}"), "k: not {a}/x, not {b}/x"}},
		{"a child's child", []string{newS, madeS, child("s", "k", ""), child("k", "l", ""), "l: " + all}},
		{"a child of nobody", []string{newS, madeS, child("t", "k", ""), "k: not {a}/x"}},
		{"a child that is a session", []string{newS, madeS, sets("2", "new", `"cwd":"{b}"`), says("2", `{"sessionId":"t"}`), child("s", "t", ""), "t: {b}/x, not {a}/x"}},
		{"what the agent asks for", []string{newS, madeS, `< {"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"s","cwd":"{out}"}}`,
			`> {"jsonrpc":"2.0","id":2,"result":{}}`, "s: " + all}},
		{"what the agent runs and was refused", []string{newS, madeS, "s: not {out}/sub, not {out}/x"}},
		{"a session of another letter case", []string{newS, madeS, "S: not {a}/x"}},
		{"a trailing slash", []string{sets("1", "new", `"cwd":"{a}/"`), madeS, "s: {a}, {a}/, {a}//sub/./x, not {a}-evil/x"}},
		{"a root that is a link", []string{sets("1", "new", `"cwd":"{a}/home"`), madeS, "s: {a}/home/x, {a}/sub/x, not {a}/x"}},
		{"a root that is not there", []string{sets("1", "new", `"cwd":"{a}/none"`), madeS, "s: not {a}/none/x, not {a}/x"}},
		{"a relative directory", []string{sets("1", "new", `"cwd":".","additionalDirectories":["{a}"]`), madeS, "s: not {a}/x, not x"}},
		{"no directory", []string{sets("1", "new", `"additionalDirectories":["{a}"]`), madeS, "s: not {a}/x"}},
		{"a directory of Windows", []string{sets("1", "new", `"cwd":"E:\\proj"`), madeS, `s: not E:\proj\a, not {a}/x, not /mnt/e/proj/a`}},
		{"a directory of WSL", []string{sets("1", "new", `"cwd":"\\\\wsl$\\U\\home"`), madeS, `s: not \\wsl$\U\home\a, not /home/a`}},
		{"a directory that is there twice", []string{sets("1", "new", `"cwd":"{a}","cwd":"{b}"`), madeS, "s: not {a}/x, not {b}/x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dwell(t, Policy{}, func(x *tenant) {
				for _, step := range tt.steps {
					if strings.HasPrefix(step, "> ") || strings.HasPrefix(step, "< ") {
						x.does(step)
					} else {
						x.may(step)
					}
				}
			})
		})
	}
}

// The paths that have got past such checks elsewhere, and those that were
// refused by mistake.
func TestPathsThroughTheGate(t *testing.T) {
	for _, tt := range []struct {
		path string
		rule string // empty: it passes
	}{
		{"{a}/file", ""}, {"{a}", ""}, {"{a}/", ""}, {"{a}//sub/./x", ""}, {"{a}/sub/../file", ""}, {"{a}/../a/file", ""},
		{"{a}/new/dir/file", ""}, {"{a}/home/x", ""}, {"{a}/~/x", ""}, {"{a}/~root/x", ""}, {"{a}/%2e%2e/etc/passwd", ""},
		{"{a}/foo.c:1-220", ""}, {"{a}/**", ""}, {"{a}/a; /etc/passwd", ""}, {`{a}/\..\..\x`, ""}, {"{a}/．．/x", ""}, {"{a}/x. ", ""},

		{"{a}-evil/x", "escape"}, {"{a}x", "escape"}, {"{a}/..", "escape"}, {"{a}/../a-evil", "escape"}, {"{a}/sub/../../../etc/passwd", "escape"},
		{"{a}/door/new", "escape"}, {"{a}/door/x/y/new", "escape"}, {"{a}/dangling", "escape"}, {"{a}/mid", "escape"}, {"{a}/key", "escape"},
		{"{a}/relative", "escape"}, {"{a}/door/file", "escape"}, {"{a}/deepdoor/../file", "escape"}, {"{a}/deepdoor/../new", "escape"},
		{"/", "escape"}, {"/etc/passwd", "escape"}, {"//etc/passwd", "escape"},
		{"", "empty"}, {"..", "relative"}, {".", "relative"}, {"src/a.go", "relative"}, {"~/x", "relative"},
		{"file:///etc/passwd", "relative"}, {"file://localhost{a}/file", "relative"}, {`C:\a`, "*"},
		{"{a}/x\x00/../../etc/x", "nul"}, {"\x00", "nul"}, {"{a}/none/../x", "missing_dotdot"}, {"{a}/file/x", "not_a_directory"}, {"{a}/loop1", "loop"},
		{"{a}/" + strings.Repeat("n", 5000), "too_long"}, {"{a}" + strings.Repeat("/n", 2100), "too_long"}, {"{a}/" + strings.Repeat("n", 256), "too_long"},
		{"/proc/self/root/etc/passwd", "magiclink"}, {"/proc/self/cwd/x", "magiclink"}, {"/dev/fd/3", "magiclink"}, {"{a}/proc/passwd", "magiclink"},
	} {
		if runtime.GOOS != "linux" && (strings.Contains(tt.rule, "magiclink") || strings.Contains(tt.path, "proc")) {
			continue
		}
		t.Run(fmt.Sprintf("%.40q", tt.path), func(t *testing.T) {
			dwell(t, Policy{}, func(x *tenant) {
				x.does(newS, madeS)
				for _, method := range []string{"fs/read_text_file", "fs/write_text_file", "terminal/create"} {
					rule, message := x.opensPath(method, "s", tt.path)
					if rule != tt.rule && (tt.rule != "*" || rule == "") {
						t.Errorf("%s: refused for %q, want %q: %.300s", method, rule, tt.rule, message)
					}
					if len(message) > 3<<10 {
						t.Errorf("%s: a message of %d bytes", method, len(message))
					}
				}
			})
		})
	}
}

// A refusal says which path, which roots, that the same does not help and what
// does, and never where a link leads.
func TestRefusalTexts(t *testing.T) {
	const again = "Asking again for this path will not help; "
	for _, tt := range []struct{ setup, method, path, want string }{
		{`"cwd":"{a}","additionalDirectories":["{b}"]`, "fs/read_text_file", "/etc/passwd",
			`bobproxy refused "/etc/passwd": it is outside of the workspace or leads out of it. The workspace is {a}, {b}. ` + again + "stay inside the workspace, or ask the user to start bobproxy with --allow-read DIR"},
		{`"cwd":"{a}"`, "fs/write_text_file", "{a}/door/new",
			`bobproxy refused "{a}/door/new": it is outside of the workspace or leads out of it. The workspace is {a}. ` + again + "stay inside the workspace, or ask the user to start bobproxy with --allow DIR"},
		{`"cwd":"{a}"`, "terminal/create", "{a}/door",
			`bobproxy refused "{a}/door": it is outside of the workspace or leads out of it. The workspace is {a}. ` + again + "stay inside the workspace, or ask the user to start bobproxy with --allow DIR"},
		{`"cwd":"{a}"`, "fs/read_text_file", "src/a.go",
			`bobproxy refused "src/a.go": it is not an absolute path. The workspace is {a}. ` + again + "use an absolute path inside the workspace"},
		{`"cwd":"{a}"`, "fs/read_text_file", "/proc/self/root/etc",
			`bobproxy refused "/proc/self/root/etc": it leads through /proc or /dev/fd, which are different for each process. The workspace is {a}. ` + again + "use another path inside the workspace"},
		{`"cwd":"E:\\proj"`, "fs/read_text_file", `E:\proj\a`,
			`bobproxy refused "E:\\proj\\a": the session's directory, "E:\\proj", is no absolute path of a directory on the machine that bobproxy runs on, so no path can be inside. Asking again will not help`},
		{`"cwd":"."`, "fs/read_text_file", `{a}/file`,
			`bobproxy refused "{a}/file": the session's directory, ".", is no absolute path of a directory on the machine that bobproxy runs on, so no path can be inside. Asking again will not help`},
	} {
		dwell(t, Policy{}, func(x *tenant) {
			x.does(sets("1", "new", tt.setup), madeS)
			if _, got := x.opensPath(tt.method, "s", tt.path); got != x.Replace(tt.want) {
				t.Errorf("%s of %s\n got %s\nwant %s", tt.method, tt.path, got, x.Replace(tt.want))
			}
		})
	}
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS)
		for frame, want := range map[string]string{
			`"sessionId":"t","path":"{a}/file"`:                   "bobproxy refused this request: it is for a session that the editor has not opened, so there is no workspace that it could be in. Asking again will not help",
			`"sessionId":"s"`:                                     "bobproxy refused this request: it names no path, or one that is not a string. Asking again will not help; name an absolute path",
			`"sessionId":"s","path":"{a}/file","path":"{b}/file"`: "bobproxy did not pass this request on, because programs could read it in two ways (duplicate member). Asking again in the same form will not help; send it as plain JSON, each member once",
		} {
			_, got := x.asks(x.Replace(`{"jsonrpc":"2.0","id":{id},"method":"fs/read_text_file","params":{` + strings.ReplaceAll(frame, "{id}", "") + `}}`))
			if got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
	})
}

// A refusal repeats neither a huge path nor hundreds of roots.
func TestRefusalsAreShort(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		var more []string
		for i := range 200 {
			dir := fmt.Sprintf("{a}/sub/%0200d", i)
			if err := os.Mkdir(x.Replace(dir), 0o755); err != nil {
				t.Fatal(err)
			}
			more = append(more, text(dir))
		}
		x.does(sets("1", "new", `"cwd":"{a}","additionalDirectories":[`+strings.Join(more, ",")+`]`), madeS)
		x.bob(reads("2", "s", x.Replace("{out}/")+strings.Repeat("x", 5<<20)), reads("3", "s", x.Replace("{out}/x")))
		for _, line := range x.agent.heard() {
			if len(line) > 16<<10 || !strings.Contains(line, x.Replace("The workspace is {a}")) {
				t.Errorf("%d bytes: %.300s", len(line), line)
			}
		}
	})
}

// An agent that does not take no for an answer gets the same each time, and each
// time is in the recording, once.
func TestRepeatedRefusals(t *testing.T) {
	const n = 1000
	dwell(t, Policy{}, func(x *tenant) {
		x.does(newS, madeS)
		x.happened(journal.FrameEvent)
		for i := range n {
			x.bob(writes(fmt.Sprint(i), "s", x.Replace("{out}/x")))
		}
		x.editorHears()
		answers := x.agent.heard()
		if len(answers) != n {
			t.Fatalf("%d answers, want %d", len(answers), n)
		}
		for i, line := range answers {
			if got, want := strings.Replace(line, fmt.Sprintf(`"id":%d,`, i), `"id":0,`, 1), answers[0]; got != want {
				t.Fatalf("answer %d is %s, want %s", i, got, want)
			}
		}
		asked, answered := 0, 0
		for _, e := range x.happened(journal.FrameEvent, journal.FlaggedEvent, journal.WarningEvent) {
			switch {
			case e.Type == journal.FrameEvent && e.Action == refused && e.Reason == "outside the workspace: escape":
				asked++
			case e.Type == journal.FrameEvent && e.Added && e.Method == "fs/write_text_file":
				answered++
			default:
				t.Errorf("an event of type %v: %q", e.Type, e.Text)
			}
		}
		if asked != n || answered != n {
			t.Errorf("%d refused frames and %d answers are recorded, want %d", asked, answered, n)
		}
		x.may("s: {a}/x")
	})
}

// A root is the directory that it was when the session began.
func TestRootsThatChange(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"moved":    func(dir string) error { return os.Rename(dir, dir+"-moved") },
		"replaced": func(dir string) error { return firstError(os.Rename(dir, dir+"-moved"), os.Mkdir(dir, 0o755)) },
		"a link to elsewhere": func(dir string) error {
			return firstError(os.Rename(dir, dir+"-moved"), os.Symlink(filepath.Join(filepath.Dir(dir), "out"), dir))
		},
	} {
		dwell(t, Policy{}, func(x *tenant) {
			x.does(newS, madeS)
			x.may("s: {a}/x")
			if err := change(x.Replace("{a}")); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				rule, message := x.opensPath("fs/write_text_file", "s", "{a}/x")
				if rule != "root_changed" || !strings.HasSuffix(message, "the user has to open the session again") {
					t.Errorf("%s: refused for %q: %s", name, rule, message)
				}
			}
			x.may("s: not {a}/x, not {out}/x")
			if name == "replaced" {
				x.does(sets("2", "load", `"sessionId":"s","cwd":"{a}"`), says("2", "null"))
				x.may("s: {a}/x")
			}
		})
	}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// A session in / is what the editor asked for; a person hears of it.
func TestRootOfEverything(t *testing.T) {
	dwell(t, Policy{}, func(x *tenant) {
		x.does(sets("1", "new", `"cwd":"/"`), madeS)
		var said []string
		for _, e := range x.happened(journal.FlaggedEvent) {
			said = append(said, e.Text)
		}
		if len(said) != 1 || said[0] != "the session's root is /: every path is inside" {
			t.Errorf("flags %q", said)
		}
		x.may("s: {a}/x, {out}/x, {a}/door/x, not x")
		if runtime.GOOS == "linux" {
			x.may("s: not /proc/self/root/etc/x, not /dev/fd/3, not /dev/null, not /sys/kernel/x")
		}
	})
}

// What is odd about a session's directories is in the recording, in words.
func TestOddRootsAreFlagged(t *testing.T) {
	for params, want := range map[string]string{
		`"cwd":"{a}","additionalDirectories":["{b}","rel",null,""]`: "additionalDirectories: 3 of 4 are no absolute paths and count for nothing",
		`"cwd":"."`:           `cwd "." is not absolute; no path can be judged in this session`,
		`"mcpServers":[]`:     "cwd is missing; no path can be judged in this session",
		`"cwd":"{a}/none"`:    "{a}/none is no root: does not exist",
		`"cwd":"{a}/file"`:    "{a}/file is no root: is not a directory",
		`"cwd":"E:\\proj"`:    `E:\proj is no root: is not a plain path of the system that the proxy runs on`,
		`"cwd":"/proc/self/"`: "/proc/self/ is no root: leads through /proc or /dev/fd, which are different for each process",
	} {
		if runtime.GOOS != "linux" && strings.Contains(params, "proc/") {
			continue
		}
		dwell(t, Policy{}, func(x *tenant) {
			x.does(sets("1", "new", params))
			got := x.happened(journal.FlaggedEvent)
			if len(got) != 1 || got[0].Text != x.Replace(want) {
				t.Errorf("%s: flags %+v, want %s", params, got, x.Replace(want))
			}
		})
	}
}

// With a ceiling, what would lead past it reaches the agent in no way, whichever
// request it is.
func TestCeilingForEveryRequest(t *testing.T) {
	for _, method := range []string{"new", "load", "resume", "fork"} {
		for params, fits := range map[string]bool{
			`"sessionId":"s","cwd":"{a}"`:                                       true,
			`"sessionId":"s","cwd":"{a}/sub","additionalDirectories":["{a}"]`:   true,
			`"sessionId":"s","cwd":"{a}/sub","additionalDirectories":null`:      true,
			`"sessionId":"s","cwd":"{a}","additionalDirectories":["{a}/door"]`:  false,
			`"sessionId":"s","cwd":"{a}/home/../.."`:                            false,
			`"sessionId":"s","cwd":"{top}"`:                                     false,
			`"sessionId":"s","cwd":"{a}-evil"`:                                  false,
			`"sessionId":"s","cwd":"{a}","Cwd":"{out}"`:                         false,
			`"sessionId":"s","cwd":"{a}","additionalDirectories":{"0":"{out}"}`: false,
			`"sessionId":"s","cwd":"{a}","additionalDirectories":["{a}",7]`:     false,
		} {
			dwell(t, Policy{Ceiling: "{a}"}, func(x *tenant) {
				line := x.Replace(`{"jsonrpc":"2.0","id":1,"method":"session/` + method + `","params":{` + params + `}}`)
				x.editor(line)
				passed, answers := x.agent.heard(), x.client.heard()
				if (len(passed) == 1 && passed[0] == line) != fits || (len(answers) == 1 && strings.Contains(answers[0], `"source":"bobproxy"`)) == fits {
					t.Errorf("%s\nthe agent hears %q, the editor %q", line, passed, answers)
				}
				if !fits {
					x.may("s: not {a}/x, not {out}/x")
				}
			})
		}
	}
}

// Directories of the settings count from a session's first moment to its last,
// and in no session that has none of its own.
func TestAllowedInEverySession(t *testing.T) {
	dwell(t, Policy{Allow: []string{"{b}"}, AllowRead: []string{"{c}"}}, func(x *tenant) {
		x.may("s: not {b}/x")
		x.does(newS)
		x.may("s: {a}/x, {b}/x, not {out}/x")
		x.does(madeS, child("s", "k", ""))
		x.may("s: {a}/x, {b}/x, not {out}/x", "k: {b}/x, not {out}/x", "t: not {b}/x")
		if rule, _ := x.opensPath("fs/read_text_file", "s", "{c}/file"); rule != "" {
			t.Errorf("reading in {c} is refused for %s", rule)
		}
		for _, method := range []string{"fs/write_text_file", "terminal/create"} {
			if rule, message := x.opensPath(method, "s", "{c}/sub"); rule != "read_only" || !strings.Contains(message, "--allow DIR") {
				t.Errorf("%s in {c}: refused for %q: %s", method, rule, message)
			}
		}
		x.does(sets("2", "load", `"sessionId":"s","cwd":"{b}/sub"`))
		x.may("s: {b}/x, not {a}/x")
		x.does(sets("3", "new", `"cwd":"."`), says("3", `{"sessionId":"r"}`))
		x.may("r: not {b}/x")
	})
}

// Bounds that only warn keep nothing back and say what they would have done;
// bounds that are off do not look.
func TestBoundsThatDoNotEnforce(t *testing.T) {
	frames := []string{
		`{"jsonrpc":"2.0","id":2,"method":"fs/read_text_file","params":{"sessionId":"s","path":"{out}/file"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"fs/write_text_file","params":{"sessionId":"t","path":"{a}/file"}}`,
		`{"jsonrpc":"2.0","id":4,"method":"terminal/create","params":{"sessionId":"s","command":"ls","cwd":"{a}/door"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"fs/read_text_file","params":{"sessionId":"s","path":"{a}/file","path":"{out}/file"}}`,
		`{"jsonrpc":"2.0","id":6,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"{out}/x"}]},"options":` + threeOptions + `}}`,
	}
	want := map[Mode][]string{
		Warn: {`would be refused: "{out}/file" is outside the workspace: escape`, "would be refused: unknown session",
			`would be refused: "{a}/door" is outside the workspace: escape`, "would be refused: duplicate member"},
		Off: nil,
	}
	for mode, flags := range want {
		dwell(t, Policy{Bounds: mode}, func(x *tenant) {
			x.does(newS, madeS)
			for _, frame := range frames {
				x.bob(x.Replace(frame))
				x.editorHears(x.Replace(frame))
			}
			x.bobHears()
			var got []string
			for _, e := range x.happened(journal.FlaggedEvent) {
				got = append(got, e.Text)
			}
			if strings.Join(got, "\n") != x.Replace(strings.Join(flags, "\n")) {
				t.Errorf("%s: flags\n%s\nwant\n%s", mode, strings.Join(got, "\n"), x.Replace(strings.Join(flags, "\n")))
			}
			verdict := x.host.State().Pending[0].Verdict
			if level := string(verdict.Level); mode == Warn && level != "outside" || mode == Off && level != "off" {
				t.Errorf("%s: the verdict is %+v", mode, verdict)
			}
		})
	}
}
