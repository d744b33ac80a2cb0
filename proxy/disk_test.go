//go:build unix

package proxy

import (
	"context"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/acp/session"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// compares asks with content, what the disk has beside it comes back.
func (x *tenant) compares(content string) []control.OnDisk {
	x.t.Helper()
	x.asked++
	id := fmt.Sprint(9000 + x.asked)
	x.bob(asks4(id, `"sessionId":"s1","toolCall":{"toolCallId":"c","content":`+x.Replace(content)+`},"options":`+threeOptions))
	open := x.host.State().Pending
	if len(open) == 0 {
		x.t.Fatalf("nothing waits; the agent hears %q", x.agent.heard())
	}
	got, found := x.host.Disk(context.Background(), open[len(open)-1].Request)
	if !found {
		x.t.Fatal("the request is not found")
	}
	return got
}

// opens makes the session of a tenant in {a}.
func (x *tenant) opens() {
	x.does(newS, `< {"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1"}}`)
}

func diffs(entries ...string) string { return "[" + strings.Join(entries, ",") + "]" }

func diffOf(path, old, new string) string {
	return `{"type":"diff","path":` + text(path) + `,"oldText":` + old + `,"newText":` + text(new) + `}`
}

// Where a file stands to the old side of a diff is told, and nothing else of it.
func TestDiskStates(t *testing.T) {
	const one = "one\ntwo\nthree\n"
	long := strings.Repeat("x", maxRead)
	for _, tt := range []struct {
		name, path, on string // on: what the file has; "-": there is none
		old            string // as JSON
		state          control.DiskState
		times          int
		text           string
	}{
		{"the whole", "{a}/f", one, text(one), control.Same, 0, ""},
		{"by a relative path", "f", one, text(one), control.Same, 0, ""},
		{"through a link that stays", "{a}/home/../f", one, text(one), control.Same, 0, ""},
		{"a part", "{a}/f", one, `"two\n"`, control.Part, 1, ""},
		{"a part, twice", "{a}/f", "a b a\n", `"a"`, control.Part, 2, ""},
		{"changed", "{a}/f", one, `"one\nzwei\nthree\n"`, control.Differs, 0, ""},
		{"other letter case", "{a}/f", one, `"One\n"`, control.Differs, 0, ""},
		{"other blanks", "{a}/f", one, `"two \n"`, control.Differs, 0, ""},
		{"empty by now", "{a}/f", "", text(one), control.Differs, 0, ""},
		{"other line ends in the file", "{a}/f", "one\r\ntwo\r\n", `"one\ntwo\n"`, control.Same, 0, butEnds},
		{"other line ends in the diff", "{a}/f", "one\ntwo\n", `"one\r\ntwo\r\n"`, control.Same, 0, butEnds},
		{"a part with other line ends", "{a}/f", "one\r\ntwo\r\nthree\r\n", `"one\ntwo"`, control.Part, 1, butEnds},
		{"no last line feed in the diff", "{a}/f", "one\n", `"one"`, control.Same, 0, butLast},
		{"no last line feed in the file", "{a}/f", "one", `"one\n"`, control.Same, 0, butLast},
		{"both", "{a}/f", "one\r\ntwo\r\n", `"one\ntwo"`, control.Same, 0, butEnds},
		{"a last part without line feed", "{a}/f", "one\ntwo", `"two\n"`, control.Part, 1, butLast},
		{"only a line feed more", "{a}/f", "one\n", `"one\n\n\n"`, control.Differs, 0, ""},

		{"new", "{a}/f", "-", `null`, control.NoFile, 0, ""},
		{"new, in a new folder", "{a}/x/y/f", "-", `""`, control.NoFile, 0, ""},
		{"new, over an empty one", "{a}/f", "", `""`, control.NoFile, 0, ""},
		{"new, over one", "{a}/f", one, `null`, control.Exists, 0, ""},
		{"new, over a huge one", "{a}/f", long + "x", `null`, control.Exists, 0, ""},
		{"missing", "{a}/f", "-", text(one), control.Missing, 0, ""},
		{"a link to nothing", "{a}/dangling2", "-", text(one), control.Missing, 0, ""},

		{"as large as can be", "{a}/f", long, `"xxx"`, control.Part, maxRead / 3, ""},
		{"larger", "{a}/f", long + "x", `"xxx"`, control.Uncompared, 0, "larger than 1 MiB"},
		{"not text", "{a}/f", "one\xff\n", `"two"`, control.Uncompared, 0, "not UTF-8 text"},
		{"with a NUL", "{a}/f", "o\x00n\x00", `"two"`, control.Uncompared, 0, "not UTF-8 text"},
		{"not text, and yet", "{a}/f", "one\xff\n", `"one"`, control.Part, 1, ""},
		{"a folder", "{a}/sub", "-", text(one), control.Uncompared, 0, "not a regular file"},
		{"a folder, as if new", "{a}/sub", "-", `null`, control.Uncompared, 0, "not a regular file"},
		{"a pipe", "{a}/pipe", "-", text(one), control.Uncompared, 0, "not a regular file"},
		{"below a file", "{a}/file/x", "-", text(one), control.Uncompared, 0, "not a regular file"},
		{"outside", "{out}/file", "-", `"out"`, control.Uncompared, 0, "outside the workspace"},
		{"outside, as if new", "{out}/nothing", "-", `null`, control.Uncompared, 0, "outside the workspace"},
		{"through a link that leaves", "{a}/door/file", "-", `"out"`, control.Uncompared, 0, "outside the workspace"},
		{"a link that leaves", "{a}/key", "-", `"out"`, control.Uncompared, 0, "outside the workspace"},
		{"by the kernel's files", "{a}/proc/passwd", "-", `"root"`, control.Uncompared, 0, "not a regular file"},
		{"no path", "", "-", text(one), control.Uncompared, 0, "the path is unusable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dwell(t, Policy{Bounds: Warn}, func(x *tenant) {
				x.opens()
				must(t, os.Symlink(x.Replace("{a}/nothing"), x.Replace("{a}/dangling2")))
				must(t, syscall.Mkfifo(x.Replace("{a}/pipe"), 0o600))
				if tt.on != "-" {
					must(t, os.WriteFile(x.Replace("{a}/f"), []byte(tt.on), 0o600))
				}
				want := control.OnDisk{Path: x.Replace(tt.path), State: tt.state, Times: tt.times, Text: tt.text}
				if got := x.compares(diffs(diffOf(tt.path, tt.old, "n"))); !reflect.DeepEqual(got, []control.OnDisk{want}) {
					t.Errorf("got %+v, want %+v", got, want)
				}
			})
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What may not be read is not compared.
func TestDiskUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dwell(t, Policy{Bounds: Warn}, func(x *tenant) {
		x.opens()
		must(t, os.Chmod(x.Replace("{a}/file"), 0))
		if got := x.compares(diffs(diffOf("{a}/file", `"a"`, "n"))); got[0].Text != "may not be read" {
			t.Errorf("got %+v", got)
		}
	})
}

// Entries are told by where they stand, also among others and beyond the bounds.
func TestDiskEntries(t *testing.T) {
	const words = `{"type":"content","content":{"type":"text","text":"words"}}`
	const second = `{"type":"diff","changes":[{"operation":"modify","path":"{a}/file"}],"patch":{"format":"git_patch","text":""}}`
	many := func(n int, path string) string {
		var all []string
		for i := range n {
			all = append(all, diffOf(strings.ReplaceAll(path, "#", fmt.Sprint(i)), `"a"`, ""))
		}
		return diffs(all...)
	}
	for _, tt := range []struct{ name, content, want string }{
		{"none", diffs(words), ""},
		{"none of two sides", diffs(second), ""},
		{"no list", `{"type":"diff"}`, ""},
		{"among others", diffs(words, diffOf("{a}/file", `"a"`, "n"), second, diffOf("{b}/file", `"b"`, "n")), "1 same, 3 uncompared: outside the workspace"},
		{"one file, many times", many(20, "{a}/file"), "17 same, 18 same, 19 same"},
		{"odd values", diffs(`{"type":"diff","path":"{a}/file","oldText":["a"],"newText":""}`), "0 uncompared: the diff is malformed"},
		{"many files", many(18, "{a}/f#"), "15 missing, 16 uncompared: too many files, 17 uncompared: too many files"},
		{"many diffs", many(100, "{a}/file"), "63 same, -1 uncompared: too many diffs"},
		{"too long", diffs(diffOf("{a}/file", `"a"`, "n"), diffOf("{a}/file", `"a"`, strings.Repeat("x", maxShown))), "0 same, -1 uncompared: the request is too long"},
		{"too long, whatever comes then", diffs(diffOf("{a}/file", `"a"`, "n"), `"`+strings.Repeat("x", maxShown)+`"`), "0 same, -1 uncompared: the request is too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dwell(t, Policy{Bounds: Warn}, func(x *tenant) {
				x.opens()
				var all []string
				for _, f := range x.compares(tt.content) {
					one := fmt.Sprintf("%d %s", f.Entry, f.State)
					if f.Text != "" {
						one += ": " + f.Text
					}
					all = append(all, one)
				}
				if got := strings.Join(all, ", "); !strings.HasSuffix(got, tt.want) || tt.want == "" && got != "" {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			})
		})
	}
}

// A diff that peers could read differently is none to compare.
func TestClaimsOfTwoReadings(t *testing.T) {
	for name, entry := range map[string]string{
		"two paths":     `{"type":"diff","path":"/a","path":"/b","oldText":"a","newText":""}`,
		"two old sides": `{"type":"diff","path":"/a","oldText":"a","oldText":"b","newText":""}`,
		"two types":     `{"type":"diff","type":"content","path":"/a","oldText":"a","newText":""}`,
		"no text":       `{"type":"diff","path":"/a","oldText":["a"],"newText":""}`,
		"no UTF-8":      `{"type":"diff","path":"/a","oldText":"` + "\xff" + `","newText":""}`,
	} {
		if got := claimsOf([]byte(diffs(entry)), false); len(got) != 1 || got[0].why == "" || got[0].old != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What is compared is what the agent wrote, and what is told is masked.
func TestDiskIsNotMasked(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(dir+"/"+ourKey, []byte("key: "+ourKey+"\n"), 0o600))
	synctest.Test(t, func(t *testing.T) {
		x := seat(t, Policy{}, journal.Options{Off: true, Instance: "test", Secrets: []string{ourKey}})
		defer x.rise()
		x.editor(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":` + text(dir) + `,"mcpServers":[]}}`)
		x.bob(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`)
		x.bob(asks4("1", `"sessionId":"s","toolCall":{"toolCallId":"c","content":`+diffs(diffOf(dir+"/"+ourKey, text("key: "+ourKey), ""))+`},"options":`+threeOptions))
		got, _ := x.host.Disk(context.Background(), "test:1")
		want := []control.OnDisk{{Path: dir + "/[masked]", State: control.Same, Text: butLast}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

// A request that is settled, and one of nobody's session, are not compared.
func TestDiskOfNothing(t *testing.T) {
	dwell(t, Policy{Bounds: Warn}, func(x *tenant) {
		ask := asks4("7", `"sessionId":"s1","toolCall":{"toolCallId":"c","content":`+x.Replace(diffs(diffOf("{a}/file", `"a"`, "")))+`},"options":`+threeOptions)
		x.bob(ask)
		if got, found := x.host.Disk(context.Background(), "test:1"); !found || len(got) != 1 || got[0].Text != "no workspace is known" {
			t.Errorf("without a session: %+v, %v", got, found)
		}
		x.opens()
		x.editor(`{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"cancelled"}}}`)
		if got, found := x.host.Disk(context.Background(), "test:1"); found {
			t.Errorf("after the answer: %+v", got)
		}
	})
}

// stuck is a file system on which one file is never opened until let go.
type stuck struct {
	opened int
	free   chan struct{}
}

func (s *stuck) open(path string, _ []session.Grant) (io.ReadCloser, error) {
	s.opened++
	if strings.HasSuffix(path, "/stuck") {
		<-s.free
	}
	return io.NopCloser(strings.NewReader("a")), nil
}

// A file system that hangs costs the answer and nothing else: what was compared
// before is told, the wire goes on, and no second comparison is begun.
func TestDiskHangs(t *testing.T) {
	dwell(t, Policy{Bounds: Warn}, func(x *tenant) {
		x.opens()
		s := stuck{free: make(chan struct{})}
		x.host.disk.open = s.open
		began := time.Now()
		got := x.compares(diffs(diffOf("{a}/f", `"a"`, ""), diffOf("{a}/stuck", `"a"`, ""), diffOf("{a}/g", `"a"`, "")))
		if took := time.Since(began); took != diskTime {
			t.Errorf("it took %v", took)
		}
		if got[0].State != control.Same || got[1].Text != "no answer in time" || got[2].Text != "no answer in time" {
			t.Errorf("got %+v", got)
		}
		if again := x.compares(diffs(diffOf("{a}/f", `"a"`, ""))); again[0].Text != "no answer in time" || s.opened != 2 {
			t.Errorf("again %+v, %d files opened", again, s.opened)
		}
		close(s.free)
		synctest.Wait()
		if after := x.compares(diffs(diffOf("{a}/f", `"a"`, ""))); after[0].State != control.Same || s.opened != 3 {
			t.Errorf("afterwards %+v, %d files opened", after, s.opened)
		}
	})
}

// Who leaves is not waited for.
func TestDiskIsLeft(t *testing.T) {
	dwell(t, Policy{Bounds: Warn}, func(x *tenant) {
		x.opens()
		s := stuck{free: make(chan struct{})}
		x.host.disk.open = s.open
		x.bob(asks4("1", `"sessionId":"s1","toolCall":{"toolCallId":"c","content":`+x.Replace(diffs(diffOf("{a}/stuck", `"a"`, "")))+`},"options":`+threeOptions))
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Millisecond, cancel)
		began := time.Now()
		got, _ := x.host.Disk(ctx, "test:1")
		if took := time.Since(began); took != time.Millisecond || got[0].State != control.Uncompared {
			t.Errorf("%+v after %v", got, took)
		}
		close(s.free)
	})
}
