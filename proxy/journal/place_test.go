package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

// record writes one frame to where opts say and closes.
func record(t *testing.T, opts Options) (string, error) {
	t.Helper()
	opts.Instance = "test1"
	var told warnings
	opts.Warn = told.add
	j := begin(t, opts)
	j.Append(time.Now(), frames(acp.Client, lines[0]))
	err := j.Close(10 * time.Second)
	return strings.Join(told.lines, "\n"), err
}

func mustRecord(t *testing.T, opts Options) {
	t.Helper()
	if told, err := record(t, opts); err != nil || told != "" {
		t.Fatalf("%v; warned: %s", err, told)
	}
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestDefaultDir(t *testing.T) {
	for _, tt := range []struct{ state, home, want string }{
		{"/s", "/h", "/s/bobproxy"},
		{"", "/h", "/h/.local/state/bobproxy"},
		{"relative", "/h", "/h/.local/state/bobproxy"},
	} {
		t.Setenv("XDG_STATE_HOME", tt.state)
		t.Setenv("HOME", tt.home)
		if got, err := DefaultDir(); got != tt.want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, tt.want)
		}
	}
	t.Setenv("HOME", "")
	if got, err := DefaultDir(); err == nil && !filepath.IsAbs(got) {
		t.Errorf("without HOME: %q", got)
	}
}

func TestBadOptions(t *testing.T) {
	for _, opts := range []Options{
		{}, {Instance: "abc"}, {Instance: "abcdefghi"}, {Instance: "a/../b"}, {Instance: "test1", Path: "x", Dir: "y"},
	} {
		if _, err := New(opts); err == nil {
			t.Errorf("%+v is accepted", opts)
		}
	}
}

func TestDefaultRecording(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	mustRecord(t, Options{})
	mustRecord(t, Options{})
	names := list(t, filepath.Join(state, "bobproxy"))
	if len(names) != 2 || !recordingName(names[0]) || !recordingName(names[1]) {
		t.Errorf("got %q", names)
	}
}

func TestRecordingName(t *testing.T) {
	for _, tt := range []struct {
		name string
		want bool
	}{
		{"20060102T150405Z-abcd.jsonl", true},
		{"20060102T150405Z-aB3dEf78.12.jsonl", true},
		{"20060102T150405Z-abc.jsonl", false},
		{"20060102T150405Z-abcdefghi.jsonl", false},
		{"20060102T150405Z-ab_d.jsonl", false},
		{"20060102T150405Z-abcd..jsonl", false},
		{"20060102T150405Z-abcd.x.jsonl", false},
		{"20060102T150405Z-abcd.1.2.jsonl", false},
		{"20060102T150405Z-abcd.jsonl.gz", false},
		{"20060102T150405Z-abcd", false},
		{"20060102T150405Z.jsonl", false},
		{"20060102 150405Z-abcd.jsonl", false},
		{"20060102T150405+-abcd.jsonl", false},
		{"2006010xT150405Z-abcd.jsonl", false},
		{"020060102T150405Z-abcd.jsonl", false},
		{".jsonl", false},
		{"", false},
	} {
		if got := recordingName(tt.name); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestRetention(t *testing.T) {
	now := time.Now()
	dir := t.TempDir()
	put := func(name string, size int, age time.Duration) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	put("20200101T000000Z-aaaa.jsonl", 300, time.Hour)   // too much
	put("20200102T000000Z-bbbb.jsonl", 300, time.Hour)   // in use
	put("20200103T000000Z-cccc.2.jsonl", 100, time.Hour) // too much
	put("20200104T000000Z-dddd.jsonl", 100, time.Hour)
	put("20200105T000000Z-eeee.jsonl", 100, 100*24*time.Hour) // too old
	put("20200106T000000Z-ffff.jsonl", 200, time.Minute)
	for _, foreign := range []string{"notes.jsonl", "20200101T000000Z-aaaa.jsonl.bak", "20200101T000000Z-a.jsonl", "20200101-aaaa.jsonl"} {
		put(foreign, 5000, 100*24*time.Hour)
	}
	if err := os.Mkdir(filepath.Join(dir, "20190101T000000Z-aaaa.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	used, err := openFile(filepath.Join(dir, "20200102T000000Z-bbbb.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer used.close()
	retain(dir, 650, 30*24*time.Hour, now)
	want := []string{"20190101T000000Z-aaaa.jsonl", "20200101-aaaa.jsonl", "20200101T000000Z-a.jsonl", "20200101T000000Z-aaaa.jsonl.bak",
		"20200102T000000Z-bbbb.jsonl", "20200104T000000Z-dddd.jsonl", "20200106T000000Z-ffff.jsonl", "notes.jsonl"}
	if got := list(t, dir); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A recording that grows goes on in new files, and all of them stay within
// the bound; every record that is left is whole.
func TestLiveRecordingIsBounded(t *testing.T) {
	for _, named := range []bool{false, true} {
		dir := t.TempDir()
		opts := Options{Instance: "test1", Dir: dir, MaxBytes: 1 << 20}
		if named {
			opts.Dir, opts.Path = "", filepath.Join(dir, "my.rec")
		}
		j := begin(t, opts)
		for range 400 {
			j.Append(time.Now(), frames(acp.Agent, slices.Repeat([]string{update(1000)}, 10)...))
			j.Kick()
		}
		closed(t, j)
		path := j.Recording()
		if named && !strings.HasPrefix(filepath.Base(path), "my") {
			t.Errorf("recording to %q", path)
		}
		total, newest := 0, uint64(0)
		for _, name := range list(t, dir) {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			total += len(text)
			for _, e := range readAll(t, string(text)) {
				newest = max(newest, e.Seq)
			}
		}
		if total > 3<<19 || total < 1<<19 || newest != 4000 {
			t.Errorf("named=%v: %d bytes in %q, newest %d", named, total, list(t, dir), newest)
		}
	}
}

func TestTwoJournalsOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "both.jsonl")
	var js []*Journal
	for _, name := range []string{"one1", "two2"} {
		js = append(js, begin(t, Options{Instance: name, Path: path}))
	}
	for range 300 {
		for _, j := range js {
			j.Append(time.Now(), frames(acp.Agent, update(20_000), "short\n"))
			j.Kick()
		}
	}
	seen := map[string]uint64{}
	for _, j := range js {
		closed(t, j)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range readAll(t, string(text)) {
		if e.Seq != seen[e.Instance]+1 {
			t.Fatalf("%s: %d after %d", e.Instance, e.Seq, seen[e.Instance])
		}
		seen[e.Instance] = e.Seq
	}
	if seen["one1"] != 600 || seen["two2"] != 600 {
		t.Errorf("got %v", seen)
	}
}

func TestTornBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte(`{"event":"warning"}`+"\n"+`{"ev`), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRecord(t, Options{Path: path})
	text, _ := os.ReadFile(path)
	var bad []error
	n := 0
	for _, err := range Read(strings.NewReader(string(text))) {
		if n++; err != nil {
			bad = append(bad, err)
		}
	}
	if n != 3 || len(bad) != 1 {
		t.Errorf("%d lines, %v", n, bad)
	}
}

// sequence gives the numbers in a file, which may not exist.
func sequence(t *testing.T, path string) []uint64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var all []uint64
	for _, e := range readAll(t, string(text)) {
		all = append(all, e.Seq)
	}
	return all
}
