package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"bobproxy/proxy/journal"
)

var demoFile = filepath.Join("..", "..", "inspector", "model", "testdata", "demo.jsonl")

func TestExport(t *testing.T) {
	before, err := os.ReadFile(demoFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		args   []string
		begins string
		says   string
		code   int
	}{
		{"a recording", nil, string(before[:100]), "bobproxy: nothing was found to take out; look at the copy before you give it away\n", exitDone},
		{"as it is", []string{"--raw"}, string(before), "bobproxy: nothing was taken out\n", exitDone},
		{"a transcript", []string{"--markdown"}, "# demo.jsonl\n", "", exitDone},
		{"a page", []string{"--format", "html"}, "<!DOCTYPE html>\n", "", exitDone},
		{"traces", []string{"--otlp"}, `{"resourceSpans":[`, "", exitDone},
		{"without contents", []string{"--no-contents", "--workspace"}, `{"time":"2026-03-02T12:04:00`, "bobproxy: taken out: workspace folders ", exitDone},
		{"an unknown format", []string{"--format", "pdf"}, "", "bobproxy: export: invalid value ", exitUsage},
		{"raw without contents", []string{"--raw", "--no-texts"}, "", "bobproxy: --raw takes nothing out, ", exitUsage},
		{"two recordings", []string{"another"}, "", "bobproxy: export takes one recording, ", exitUsage},
		{"a list that is not there", []string{"--remove", "nowhere"}, "", "bobproxy: --remove: ", exitUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, errs, code := tell(t, append([]string{"export", demoFile}, test.args...)...)
			if !strings.HasPrefix(out, test.begins) || test.begins == "" && out != "" || !strings.HasPrefix(errs, test.says) || code != test.code {
				t.Errorf("got %d, %s\n%.300s", code, errs, out)
			}
		})
	}
	if _, errs, code := tell(t, "export", filepath.Join(t.TempDir(), "none.jsonl")); code != exitUnknown {
		t.Errorf("a file that is not there: %d, %s", code, errs)
	}
}

func TestExportToFile(t *testing.T) {
	dir := t.TempDir()
	copied, list := filepath.Join(dir, "copy.jsonl"), filepath.Join(dir, "list")
	if err := os.WriteFile(list, []byte("RetryBudget\r\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, code := tell(t, "export", demoFile, "-o", copied, "--remove", list, "--json")
	var told removal
	if err := json.Unmarshal([]byte(errs), &told); err != nil || out != "" || code != exitDone {
		t.Fatal(code, errs, err)
	}
	if len(told.Removed) == 0 || told.Removed[0].What != "secrets" || told.Removed[0].Different != 1 || told.Removed[0].Count < 10 {
		t.Errorf("got %+v", told)
	}
	text := read(t, copied)
	if strings.Contains(text, "RetryBudget") {
		t.Error("what was to be removed is there")
	}
	for _, err := range journal.Read(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(copied); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if _, errs, code = tell(t, "export", demoFile, "-o", copied, "--html"); code != exitUsage || !strings.Contains(errs, "--force") || read(t, copied) != text {
		t.Errorf("over a file that is there: %d, %s", code, errs)
	}
	if _, errs, code = tell(t, "export", demoFile, "-o", copied, "--html", "--force"); code != exitDone || !strings.HasPrefix(read(t, copied), "<!DOCTYPE") {
		t.Errorf("with force: %d, %s", code, errs)
	}
	if _, _, code = tell(t, "check", demoFile); code != exitDone {
		t.Errorf("check of the recording: %d", code)
	}
	empty, left := filepath.Join(dir, "empty"), filepath.Join(dir, "left")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range formats {
		if _, errs, code = tell(t, "export", empty, "--format", format, "-o", left); code != exitUnknown || !strings.Contains(errs, "has no frames to export") {
			t.Errorf("%s of nothing: %d, %s", format, code, errs)
		}
		if _, err := os.Stat(left); err == nil {
			t.Errorf("%s of nothing leaves a file", format)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// Of one session there is what belongs to it and to no other, and what is left
// out is counted.
func TestOfSession(t *testing.T) {
	var text strings.Builder
	for _, session := range []string{"", "a", "b", "b", "a", "b"} {
		e := journal.Event{Seq: uint64(strings.Count(text.String(), "\n") + 1), Instance: "demo1", Type: journal.FrameEvent, Dir: 1, Session: session, Bytes: 5}
		text.Write(append(e.AppendRecord(nil), '\n'))
	}
	var got []string
	for e, err := range ofSession("a", journal.Read(strings.NewReader(text.String()))) {
		if err != nil {
			t.Fatal(err)
		}
		word := e.Session
		if e.Gap != nil {
			word = strings.Repeat("-", int(e.Gap.Count))
		}
		got = append(got, word)
	}
	if want := ",a,--,a,-"; strings.Join(got, ",") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ","), want)
	}
}

const foreign = `{"version":1,"tool":{"name":"acp-devtools","version":"0.4.0"},"session":{"id":1,"agentCommand":"bob acp","startedAt":1772453040000},"messages":[
{"seq":1,"timestamp":1772453040001,"direction":"editor-to-agent","kind":"request","raw":"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}"},
{"seq":2,"timestamp":1772453040002,"direction":"agent-to-editor","kind":"response","raw":"{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":1}}"}]}
`

func TestImport(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	from, to := write("session.json", foreign), filepath.Join(dir, "session.jsonl")
	out, errs, code := tell(t, "import", from, "-o", to)
	if want := "bobproxy: " + from + ": 2 frames, a session of acp-devtools\n"; out != "" || errs != want || code != exitDone {
		t.Fatalf("got %d\n%s\nwant\n%s", code, errs, want)
	}
	if first, _, _ := strings.Cut(read(t, to), "\n"); !strings.Contains(first, `"event":"start","command":["bob","acp"]`) {
		t.Errorf("the first record: %s", first)
	}
	if out, errs, code = tell(t, "check", to); code != exitDone {
		t.Errorf("check: %d, %s%s", code, out, errs)
	}
	if out, errs, code = tell(t, "log", to, "-e", "kind:rsp"); code != exitDone || !strings.Contains(out, "initialize") {
		t.Errorf("log: %d, %s%s", code, out, errs)
	}
	plain := write("plain.log", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`+"\nnoise\n"+`{"jsonrpc":"2.0","method":"_x"}`+"\n")
	if out, errs, code = tell(t, "import", plain); code != exitDone || strings.Count(out, "\n") != 2 {
		t.Errorf("to stdout: %d, %s", code, out)
	}
	for _, note := range []string{"2 frames, one frame a line", "by the protocol alone for 1 frame", "a guess for 1 frame", "no frame: 1 message", "it tells no times"} {
		if !strings.Contains(errs, note) {
			t.Errorf("%q is not said in\n%s", note, errs)
		}
	}
	for _, test := range []struct {
		name, file, says string
		code             int
	}{
		{"over a file", from, "--force", exitUsage},
		{"nothing", write("prose", "once upon a time\n"), "no frame could be read from ", exitNo},
		{"a recording", demoFile, "every command reads it as it is", exitUsage},
		{"no file", filepath.Join(dir, "none"), "none", exitUnknown},
	} {
		at := filepath.Join(dir, "new.jsonl")
		if test.name == "over a file" {
			at = to
		}
		if out, errs, code := tell(t, "import", test.file, "-o", at); code != test.code || out != "" || !strings.Contains(errs, test.says) {
			t.Errorf("%s: got %d, %s", test.name, code, errs)
		}
		if _, err := os.Stat(filepath.Join(dir, "new.jsonl")); err == nil {
			t.Errorf("%s: a file is left", test.name)
		}
	}
}
