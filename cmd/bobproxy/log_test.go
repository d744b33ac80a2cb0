//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

const demoLog = "../../inspector/model/testdata/demo.jsonl"

// inUTC makes clocks independent of where the tests run.
func inUTC(t *testing.T) {
	t.Helper()
	local := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = local })
}

func TestLog(t *testing.T) {
	inUTC(t)
	for name, args := range map[string]string{
		"wire":     "",
		"timeline": "--view timeline",
		"filtered": "-e kind:req,rsp",
		"colours":  "-n 8 --color always --theme dark",
		"ascii":    "-n 8 --glyphs ascii",
	} {
		t.Run(name, func(t *testing.T) {
			alone(t, "")
			out, errs, code := tell(t, append([]string{"log", demoLog}, strings.Fields(args)...)...)
			if code != exitDone || errs != "" {
				t.Errorf("exit status %d, stderr %q", code, errs)
			}
			golden(t, "testdata/log."+name+".golden", out)
		})
	}
}

func TestLogOfNothing(t *testing.T) {
	alone(t, "")
	for args, want := range map[string]struct {
		code int
		errs string
	}{
		demoLog + " -e nowhere":                     {exitNo, "nothing matches in " + demoLog + ", which is of 2026-03-02 "},
		demoLog + " --since 2030-01-01":             {exitNo, "nothing matches in "},
		demoLog + " --until 2020-01-01T00:00:00Z":   {exitNo, "nothing matches in "},
		demoLog + " --json -e is:withheld":          {exitNo, ""},
		demoLog + " -e kind:nix":                    {exitUsage, `-e "kind:nix": expected one of req rsp`},
		demoLog + " -e @nix":                        {exitUsage, "no saved filter @nix"},
		demoLog + " --since soon":                   {exitUsage, `--since "soon": expected a time`},
		demoLog + " --json --raw":                   {exitUsage, "leave one of them out"},
		demoLog + " --view timeline -e kind:err":    {exitNo, "nothing matches in "},
		demoLog + " --view nothing":                 {exitUsage, "--view"},
		demoLog + " -n -1":                          {exitUsage, "counts from 1"},
		demoLog + " " + demoLog:                     {exitUsage, "takes one recording"},
		demoLog + " --nix":                          {exitUsage, "no flag --nix"},
		"testdata":                                  {exitUsage, "is a folder"},
		"nix.jsonl":                                 {exitUnknown, `no file, proxy or session is called "nix.jsonl"`},
		"nix --json":                                {exitUnknown, `{"error":{"code":"no_such_recording"`},
		demoLog + " --until 2026-03-02 --json -n 3": {exitNo, ""},
	} {
		out, errs, code := tell(t, append([]string{"log"}, strings.Fields(args)...)...)
		if code != want.code || out != "" || !strings.Contains(errs, want.errs) || want.errs == "" && errs != "" {
			t.Errorf("log %s: exit status %d, stdout %.100q, stderr %q, want %d, %q", args, code, out, errs, want.code, want.errs)
		}
	}
}

// What is printed as JSON is what stands in the recording, to the byte, be it
// looked into or not.
func TestLogJSON(t *testing.T) {
	alone(t, "")
	want := content(t, demoLog)
	for _, args := range []string{"", "--since 2020-01-01", "-n 1000", "-e -m:nothing"} {
		if out, errs, code := tell(t, append([]string{"log", demoLog, "--json"}, strings.Fields(args)...)...); out != want || code != exitDone {
			t.Errorf("%s: exit status %d, stderr %q, %d bytes, want the %d of the recording", args, code, errs, len(out), len(want))
		}
	}
	out, _, _ := tell(t, "log", demoLog, "--json", "-e", "kind:err or m:initialize", "-n", "1")
	if strings.Count(out, "\n") != 1 || !strings.Contains(want, out) || !strings.Contains(out, `"method":"initialize"`) {
		t.Errorf("got %q", out)
	}
}

// Raw frames have the bytes and the line ends that they had.
func TestLogRaw(t *testing.T) {
	alone(t, "")
	file := filepath.Join(t.TempDir(), "a.jsonl")
	record := func(seq int, more string) string {
		return fmt.Sprintf(`{"time":"2026-03-02T12:04:0%d.000000000Z","seq":%d,"instance":"demo1","event":%s}`+"\n", seq, seq, more)
	}
	write(t, file, record(1, `"start","command":["bob"],"pid":1`)+
		record(2, `"frame","dir":"client","kind":"request","method":"initialize","id":0,"bytes":17,"frame":{"id": 0, "x":"\u0041é"}`)+
		record(3, `"frame","dir":"agent","kind":"text","bytes":4,"eol":"crlf","raw":"ok\t\u001b"`)+
		record(4, `"frame","dir":"agent","kind":"text","bytes":2,"eol":"none","base64":"/wA="`))
	out, errs, code := tell(t, "log", file, "--raw")
	if want := "{\"id\": 0, \"x\":\"\\u0041é\"}\nok\t\x1b\r\n\xff\x00"; out != want || code != exitDone {
		t.Errorf("exit status %d, stderr %q, got %q, want %q", code, errs, out, want)
	}
	if out, _, _ := tell(t, "log", file, "--raw", "-e", "kind:bad", "-n", "1"); out != "\xff\x00" {
		t.Errorf("the last odd one is %q", out)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Damaged lines are counted, and the rest is printed.
func TestLogOfDamage(t *testing.T) {
	alone(t, "")
	file := filepath.Join(t.TempDir(), "a.jsonl")
	lines := strings.SplitAfter(content(t, demoLog), "\n")
	write(t, file, lines[0]+"{\"time\":\n\x00\n"+strings.Join(lines[1:5], "")+lines[6][:40])
	out, errs, code := tell(t, "log", file, "--json")
	if out != lines[0]+strings.Join(lines[1:5], "") || code != exitDone || !strings.Contains(errs, "2 lines of") {
		t.Errorf("exit status %d, stderr %q, stdout %.300q", code, errs, out)
	}
}

// A request is open where nothing answered it, and only at the end: behind one
// that waits for long nothing waits with it.
func TestLogOfOpenRequests(t *testing.T) {
	inUTC(t)
	alone(t, "")
	file := filepath.Join(t.TempDir(), "a.jsonl")
	var text bytes.Buffer
	seq := 0
	record := func(more string) {
		seq++
		fmt.Fprintf(&text, `{"time":"2026-03-02T12:%02d:%02d.000000000Z","seq":%d,"instance":"demo1","event":"frame",%s}`+"\n", seq/60%60, seq%60, seq, more)
	}
	prompt := func(id int) string {
		return fmt.Sprintf(`"dir":"client","kind":"request","method":"session/prompt","id":%d,"bytes":90,"frame":{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}`, id, id)
	}
	chunk := `"dir":"agent","kind":"notification","method":"session/update","session":"s1","bytes":90,"frame":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}}}`
	record(prompt(1))
	for range mostHeld + 10 {
		record(chunk)
	}
	record(`"dir":"agent","kind":"response","method":"session/prompt","id":1,"bytes":40,"frame":{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}`)
	record(prompt(2))
	record(chunk)
	write(t, file, text.String())

	lines := strings.Split(strings.TrimSpace(first(tell(t, "log", file, "-e", "-u:message"))), "\n")
	if len(lines) != 4 || strings.Contains(lines[1], "open") || !strings.Contains(lines[2], "RSP") || !strings.Contains(lines[3], "open") {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
	if out := first(tell(t, "log", file, "-e", "is:open", "--json")); strings.Count(out, "\n") != 2 || !strings.Contains(out, `"id":2`) {
		t.Errorf("open are\n%s", out) // the first one was, for as long as could be waited
	}
}

func first(out, _ string, _ int) string { return out }

// A long recording goes on in further files, and what only has such a name is
// no part of it.
func TestLogOfSeveralFiles(t *testing.T) {
	alone(t, "")
	dir := t.TempDir()
	lines := strings.SplitAfter(content(t, demoLog), "\n")
	write(t, filepath.Join(dir, "a.jsonl"), strings.Join(lines[:10], ""))
	write(t, filepath.Join(dir, "a.2.jsonl"), strings.Join(lines[10:20], ""))
	write(t, filepath.Join(dir, "a.10.jsonl"), strings.Join(lines[20:30], ""))
	write(t, filepath.Join(dir, "a.11.jsonl"), strings.ReplaceAll(lines[0], `"demo1"`, `"other"`))
	for name, want := range map[string]string{
		"a.jsonl":    strings.Join(lines[:30], ""),
		"a.2.jsonl":  strings.Join(lines[10:30], ""),
		"a.10.jsonl": strings.Join(lines[20:30], ""),
	} {
		if out, errs, code := tell(t, "log", filepath.Join(dir, name), "--json"); out != want || code != exitDone {
			t.Errorf("%s: exit status %d, stderr %q, %d lines, want %d", name, code, errs, strings.Count(out, "\n"), strings.Count(want, "\n"))
		}
	}
}

// shelved makes a folder of recordings in which find looks.
func shelved(t *testing.T) (dir string) {
	t.Helper()
	alone(t, "")
	dir, err := journal.DefaultDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	demo := content(t, demoLog)
	other := strings.NewReplacer(`"demo1"`, `"z69pu"`, "bob-session-1", "bob-session-2", "Repair RetryBudget", "Repair the roof").Replace(demo)
	for i, r := range []struct{ name, text string }{
		{"20260302T120400Z-demo1.jsonl", demo},
		{"20260303T120400Z-z69pu.jsonl", other},
		{"20260304T120400Z-demo1.jsonl", strings.ReplaceAll(demo, "bob-session-1", "third")},
	} {
		path := filepath.Join(dir, r.name)
		write(t, path, r.text)
		at := time.Date(2026, 3, 2+i, 12, 5, 0, 0, time.UTC)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFindRecording(t *testing.T) {
	dir := shelved(t)
	for name, want := range map[string]struct{ file, session string }{
		"":              {"20260304T120400Z-demo1.jsonl", ""},
		"demo1":         {"20260304T120400Z-demo1.jsonl", ""},
		"z69pu":         {"20260303T120400Z-z69pu.jsonl", ""},
		"bob-session-1": {"20260302T120400Z-demo1.jsonl", "bob-session-1"},
		"bob-session-2": {"20260303T120400Z-z69pu.jsonl", "bob-session-2"},
		"the ROOF":      {"20260303T120400Z-z69pu.jsonl", "bob-session-2"},
		"thi":           {"20260304T120400Z-demo1.jsonl", "third"},
	} {
		found, c := newShelf(dir, nil).find(name)
		file := strings.TrimPrefix(found.file, dir+string(filepath.Separator))
		if file != want.file || found.session != want.session || (c == nil) != (want.file != "") {
			t.Errorf("%q is %q, session %q, %v, want %q, %q", name, file, found.session, c, want.file, want.session)
		}
	}
}

// What may mean several things, or nothing, is told with what there is.
func TestFindNoRecording(t *testing.T) {
	dir := shelved(t)
	for name, want := range map[string]string{
		"bob-sess": `"bob-sess" may mean "bob-session-2" in z69pu, "bob-session-1" in demo1; write more of the id`,
		"Repair":   `may mean "third" in demo1, "bob-session-2" in z69pu, "bob-session-1" in demo1`,
		"demo":     `no file, proxy or session is called "demo"; recorded: demo1, z69pu, demo1`,
		"a\x1b[2J": `is called "a␛[2J"`,
	} {
		_, c := newShelf(dir, nil).find(name)
		if c == nil || c.exit != exitUnknown || !strings.Contains(c.Error(), want) {
			t.Errorf("%q: %v, want %q", name, c, want)
		}
	}
}

// There may be none at all; and a file, and stdin, need no shelf.
func TestFindWithoutAShelf(t *testing.T) {
	alone(t, "")
	if _, c := newShelf(t.TempDir(), nil).find(""); c == nil || !strings.Contains(c.Error(), "to make one: bobproxy demo") {
		t.Errorf("got %v", c)
	}
	for _, name := range []string{"-", demoLog} {
		if found, c := findRecording(newSettings(os.LookupEnv), name); c != nil || found.file != name {
			t.Errorf("%s is %q, %v", name, found.file, c)
		}
	}
	if _, c := findRecording(newSettings(os.LookupEnv), "testdata"); c == nil || c.exit != exitUsage {
		t.Errorf("a folder: %v", c)
	}
}

// A proxy that runs is found by its name, and by its sessions, in whatever file
// it records.
func TestFindWhatRuns(t *testing.T) {
	dir := shelved(t)
	file := filepath.Join(t.TempDir(), "elsewhere.jsonl")
	write(t, file, strings.NewReplacer(`"demo1"`, `"runs1"`, "bob-session-1", "live").Replace(content(t, demoLog)))
	s := newShelf(dir, []control.State{
		{Instance: "runs1", Recording: strings.TrimSuffix(file, ".jsonl") + ".2.jsonl"},
		{Instance: "quiet", Sessions: []control.Session{{ID: "hush", Title: "Mend the fence"}}},
	})
	for name, want := range map[string]string{"runs1": file, "live": file, "quiet": "", "hush": "", "fence": ""} {
		found, c := s.find(name)
		if c != nil || found.file != want || found.running == nil {
			t.Errorf("%s is %q, %v, want %q", name, found.file, c, want)
		}
	}
}

// Where several proxies recorded to one file, the one that was named counts.
func TestLogOfASession(t *testing.T) {
	dir := shelved(t)
	demo := content(t, demoLog)
	both := demo + strings.NewReplacer(`"demo1"`, `"other"`, "bob-session-1", "else").Replace(demo)
	write(t, filepath.Join(dir, "20260305T120400Z-demo1.jsonl"), both)
	if out, _, _ := tell(t, "log", "demo1", "--json"); out != demo {
		t.Errorf("%d bytes, want the %d of demo1", len(out), len(demo))
	}
	if out, _, _ := tell(t, "log", "third", "--json"); !strings.Contains(out, `"session":"third"`) || strings.Contains(out, "else") {
		t.Errorf("got %.300q", out)
	}
}
