//go:build unix

package bounds_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"bobproxy/proxy/bounds"
)

func TestCheck(t *testing.T) {
	base := grow(t,
		"work/a/b/", "work/file", "work/a/file",
		"work-evil/x", "workx/", "etc/passwd", "outside/deep/", "outside/secret", "outside/dir/f", "store/x/f",
		"work/in -> BASE/work/a", "work/in-relative -> a/b/../../a", "work/in-file -> a/file",
		"work/deep -> BASE/outside/deep",
		"work/out -> BASE/outside", "work/out-relative -> ../outside",
		"work/leak -> BASE/etc/passwd", "work/sub -> BASE/etc",
		"work/dangling -> BASE/outside/new", "work/dangling-relative -> ../outside/new",
		"work/dangling-in -> BASE/work/new", "work/dangling-in-relative -> a/new",
		"work/hop1 -> BASE/work/hop2", "work/hop2 -> hop3", "work/hop3 -> ../outside/new",
		"work/round -> BASE/outside/home", "outside/home -> BASE/work/a",
		"work/circle -> circle", "work/ping -> pong", "work/pong -> ping",
		"work/node_modules/x -> BASE/store/x",
		"work/updir -> ..", "work/slash -> a/",
		"alias -> work", "outside/work -> BASE/work",
	)
	set := pin(t, base+"/work")

	tests := []struct {
		name string
		path string // BASE is base
		want bounds.Code
	}{
		{"the root itself", "BASE/work", bounds.Inside},
		{"the root with a slash", "BASE/work/", bounds.Inside},
		{"file", "BASE/work/file", bounds.Inside},
		{"new file", "BASE/work/new", bounds.Inside},
		{"new file in new directories", "BASE/work/new/dir/file", bounds.Inside},
		{"new directory with a slash", "BASE/work/new/", bounds.Inside},
		{"double slash and dot", "BASE/work//a/./b", bounds.Inside},
		{"slashes in front", "//" + "BASE/work/file", bounds.Inside},
		{"up and down within", "BASE/work/a/../file", bounds.Inside},
		{"out and back in", "BASE/outside/../work/file", bounds.Inside},
		{"out and back in from the root", "BASE/work/../work/file", bounds.Inside},
		{"root by another name", "BASE/alias/file", bounds.Inside},
		{"new file by another name of the root", "BASE/alias/new/f", bounds.Inside},
		{"root through a link outside", "BASE/outside/work/a", bounds.Inside},

		{"link that stays inside", "BASE/work/in/file", bounds.Inside},
		{"new file behind a link that stays inside", "BASE/work/in/new/file", bounds.Inside},
		{"relative link that stays inside", "BASE/work/in-relative/file", bounds.Inside},
		{"link to a file inside", "BASE/work/in-file", bounds.Inside},
		{"link with a slash at its end", "BASE/work/slash/file", bounds.Inside},
		{"link out and link back", "BASE/work/round/file", bounds.Inside},
		{"dangling link that stays inside", "BASE/work/dangling-in", bounds.Inside},
		{"relative dangling link that stays inside", "BASE/work/dangling-in-relative", bounds.Inside},
		{"up behind a link, inside both ways", "BASE/work/in/../file", bounds.Inside},

		{"sibling with the root's name in front", "BASE/work-evil/x", bounds.Escape},
		{"missing sibling of that kind", "BASE/workx/y", bounds.Escape},
		{"missing elsewhere", "BASE/nowhere/x", bounds.Escape},
		{"up from the root", "BASE/work/..", bounds.Escape},
		{"up and into a sibling", "BASE/work/../work-evil", bounds.Escape},
		{"up twice", "BASE/work/a/../../etc/passwd", bounds.Escape},
		{"up beyond the top", "/../../../../../../../../../../../../../../etc/passwd", bounds.Escape},
		{"the top", "/", bounds.Escape},
		{"link to a directory outside", "BASE/work/out/secret", bounds.Escape},
		{"the link itself", "BASE/work/out", bounds.Escape},
		{"relative link outside", "BASE/work/out-relative/secret", bounds.Escape},
		{"new file behind a link outside", "BASE/work/out/new.txt", bounds.Escape},
		{"new directories behind a link outside", "BASE/work/out/a/b/new.txt", bounds.Escape},
		{"link to a file outside", "BASE/work/leak", bounds.Escape},
		{"link in the middle", "BASE/work/sub/passwd", bounds.Escape},
		{"link up", "BASE/work/updir/etc/passwd", bounds.Escape},
		{"dangling link", "BASE/work/dangling", bounds.Escape},
		{"relative dangling link", "BASE/work/dangling-relative", bounds.Escape},
		{"below a dangling link", "BASE/work/dangling/x", bounds.Escape},
		{"chain of links that dangles", "BASE/work/hop1", bounds.Escape},
		{"up behind a link, existing", "BASE/work/deep/../secret", bounds.Escape},
		{"up behind a link, new", "BASE/work/deep/../new", bounds.Escape},
		{"up behind a link, inside for the kernel alone", "BASE/work/updir/x/../work/file", bounds.Escape},
		{"down after a link that leads in, outside when cleaned", "BASE/outside/home/../file", bounds.Escape},
		{"store outside", "BASE/work/node_modules/x/f", bounds.Escape},

		{"circle", "BASE/work/circle", bounds.Loop},
		{"below a circle", "BASE/work/circle/x", bounds.Loop},
		{"two links in a circle", "BASE/work/ping/x", bounds.Loop},
		{"up from what is missing", "BASE/work/new/../file", bounds.MissingDotDot},
		{"up from what is missing, and out", "BASE/work/new/../../etc/passwd", bounds.Escape},
		{"below a file", "BASE/work/file/x", bounds.NotADirectory},
		{"up from a file", "BASE/work/file/../a", bounds.NotADirectory},
		{"file with a slash", "BASE/work/file/", bounds.NotADirectory},
		{"below a file outside", "BASE/etc/passwd/x", bounds.Escape},
		{"up from what is missing outside", "BASE/nowhere/../outside/x", bounds.Escape},

		{"empty", "", bounds.Empty},
		{"dot", ".", bounds.Relative},
		{"dot dot", "..", bounds.Relative},
		{"relative", "src/a.go", bounds.Relative},
		{"home", "~/x", bounds.Relative},
		{"file address", "file:///etc/passwd", bounds.Relative},
		{"file address inside", "file://BASE/work/file", bounds.Relative},
		{"file address with a host", "file://localhost/work/a", bounds.Relative},
		{"NUL", "BASE/work/a\x00/../../etc/x", bounds.NUL},
		{"NUL alone", "\x00", bounds.NUL},
		{"NUL at the end", "BASE/work/file\x00", bounds.NUL},
		{"not UTF-8", "BASE/work/\xff", bounds.NotUTF8},
		{"half of a surrogate", "BASE/work/\xed\xa0\x80", bounds.NotUTF8},
		{"drive", `E:\proj\a`, bounds.Foreign},
		{"drive with slashes", `c:/proj/a`, bounds.Foreign},
		{"share", `\\server\share\a`, bounds.Foreign},
		{"share of WSL", `\\wsl$\U\home`, bounds.Foreign},
		{"device path", `\\?\C:\a`, bounds.Foreign},

		{"tilde as a name", "BASE/work/~/x", bounds.Inside},
		{"tilde and a user as a name", "BASE/work/~root/x", bounds.Inside},
		{"percent signs", "BASE/work/%2e%2e/etc/passwd", bounds.Inside},
		{"percent slash", "BASE/work/..%2fetc/passwd", bounds.Inside},
		{"line numbers", "BASE/work/foo.c:1-220", bounds.Inside},
		{"line numbers and more", "BASE/work/foo.c:1-220; other", bounds.Inside},
		{"pattern", "BASE/work/**", bounds.Inside},
		{"second path after a semicolon", "BASE/work/a; /etc/passwd", bounds.Inside},
		{"backslashes", `BASE/work/..\..\etc\passwd`, bounds.Inside},
		{"backslashes in front of a slash", `BASE/work/..\/x`, bounds.Inside},
		{"dots", "BASE/work/.../x", bounds.Inside},
		{"trailing blank", "BASE/work/.. /x", bounds.Inside},
		{"trailing dot", "BASE/work/name.", bounds.Inside},
		{"fullwidth dots", "BASE/work/．．/x", bounds.Inside},
		{"two dot leader", "BASE/work/‥/x", bounds.Inside},
		{"fullwidth slash", "BASE/work/..／etc", bounds.Inside},
		{"stream", "BASE/work/a.txt:s", bounds.Inside},
		{"device names of Windows", "BASE/work/CON/NUL", bounds.Inside},
		{"short name", "BASE/work/PROGRA~1", bounds.Inside},
		{"line break", "BASE/work/a\nb", bounds.Inside},
		{"zero width space", "BASE/work/\u200b/x", bounds.Inside},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, set, strings.ReplaceAll(test.path, "BASE", base), test.want)
		})
	}
}

func TestLengths(t *testing.T) {
	base := grow(t, "work/")
	set := pin(t, base+"/work")
	fill := func(n int) string { // an inside path of n bytes
		path := base + "/work"
		for n-len(path) > 201 {
			path += "/" + strings.Repeat("n", 199)
		}
		return path + "/" + strings.Repeat("n", n-len(path)-1)
	}
	tests := []struct {
		name, path string
		want       bounds.Code
	}{
		{"longest name", base + "/work/" + strings.Repeat("n", 255), bounds.Inside},
		{"name too long", base + "/work/" + strings.Repeat("n", 256), bounds.TooLong},
		{"name of two-byte letters too long", base + "/work/" + strings.Repeat("ä", 128), bounds.TooLong},
		{"name of 5000", base + "/work/" + strings.Repeat("n", 5000), bounds.TooLong},
		{"longest path", fill(4095), bounds.Inside},
		{"path too long", fill(4096), bounds.TooLong},
		{"path of 4097", fill(4097), bounds.TooLong},
		{"3000 names", base + "/work" + strings.Repeat("/n", 3000), bounds.TooLong},
		{"as many names as fit", base + "/work" + strings.Repeat("/n", (4095-len(base)-5)/2), bounds.Inside},
		{"as many ups as fit", base + "/work" + strings.Repeat("/..", (4095-len(base)-5)/3), bounds.Escape},
		{"a name too long outside", "/nowhere/" + strings.Repeat("n", 256), bounds.TooLong},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { expect(t, set, test.path, test.want) })
	}
}

// Links can make a way of any length out of a short path.
func TestLongWay(t *testing.T) {
	base := grow(t, "work/d/")
	set := pin(t, base+"/work")
	turns := strings.Repeat("d/../", 800)
	add(t, base, "work/l0 -> "+turns+"d")
	for i := 1; i < 39; i++ {
		add(t, base, fmt.Sprintf("work/l%d -> %sl%d", i, turns, i-1))
	}
	expect(t, set, base+"/work/l0", bounds.Inside)
	expect(t, set, base+"/work/l38", bounds.TooLong)

	name := strings.Repeat("n", 200)
	add(t, base, "work/long -> "+strings.Repeat(name+"/", 20)+"f")
	expect(t, set, base+"/work/long", bounds.Inside)
}

func TestChains(t *testing.T) {
	base := grow(t, "work/file", "outside/")
	set := pin(t, base+"/work")
	add(t, base, "work/in1 -> file", "work/out1 -> ../outside/new")
	for i := 2; i <= 41; i++ {
		add(t, base, fmt.Sprintf("work/in%d -> in%d", i, i-1), fmt.Sprintf("work/out%d -> out%d", i, i-1))
	}
	tests := []struct {
		name string
		want bounds.Code
	}{
		{"in2", bounds.Inside}, {"in40", bounds.Inside}, {"in41", bounds.Loop},
		{"out2", bounds.Escape}, {"out40", bounds.Escape}, {"out41", bounds.Loop},
	}
	for _, test := range tests {
		expect(t, set, base+"/work/"+test.name, test.want)
	}
}

func TestSeveralRoots(t *testing.T) {
	base := grow(t, "a/", "b/", "c/", "store/x/f", "a/node_modules/x -> BASE/store/x")
	set := pin(t, base+"/a", base+"/b")
	expect(t, set, base+"/a/x", bounds.Inside)
	expect(t, set, base+"/b/x", bounds.Inside)
	expect(t, set, base+"/c/x", bounds.Escape)
	expect(t, set, base+"/a/node_modules/x/f", bounds.Escape)
	if got := set.Check(base+"/b/x", bounds.Write).Root; got != base+"/b" {
		t.Errorf("root of /b/x = %q, want %q", got, base+"/b")
	}
	expect(t, pin(t, base+"/a", base+"/store"), base+"/a/node_modules/x/f", bounds.Inside)
}

func TestReadOnly(t *testing.T) {
	base := grow(t, "work/vendor/f", "lib/f", "lib/mine/", "work/lib -> BASE/lib", "lib/work -> BASE/work")
	set, problems := bounds.Pin([]bounds.Dir{
		{Path: base + "/work"},
		{Path: base + "/work/vendor", ReadOnly: true},
		{Path: base + "/lib", ReadOnly: true},
		{Path: base + "/lib/mine"},
	})
	if len(problems) != 0 {
		t.Fatal(problems)
	}
	tests := []struct {
		path  string
		read  bounds.Code
		write bounds.Code
	}{
		{"/work/f", bounds.Inside, bounds.Inside},
		{"/work/vendor/f", bounds.Inside, bounds.Inside}, // the other root allows it
		{"/lib/f", bounds.Inside, bounds.ReadOnly},
		{"/lib/new", bounds.Inside, bounds.ReadOnly},
		{"/work/lib/f", bounds.Inside, bounds.ReadOnly},
		{"/lib/mine/f", bounds.Inside, bounds.Inside},
		{"/lib/work/f", bounds.Inside, bounds.Inside},
		{"/lib/f/x", bounds.NotADirectory, bounds.NotADirectory},
		{"/elsewhere", bounds.Escape, bounds.Escape},
	}
	for _, test := range tests {
		if got := set.Check(base+test.path, bounds.Read).Code; got != test.read {
			t.Errorf("reading %s: %v, want %v", test.path, got, test.read)
		}
		if got := set.Check(base+test.path, bounds.Write).Code; got != test.write {
			t.Errorf("writing %s: %v, want %v", test.path, got, test.write)
		}
	}
	if got := set.Check(base+"/work/f", 0).Code; got != bounds.Inside {
		t.Errorf("no access named: %v, want the same as for writing", got)
	}
	if got := set.Check(base+"/lib/f", 0).Code; got != bounds.ReadOnly {
		t.Errorf("no access named: %v, want the same as for writing", got)
	}
}

func TestRootSpellings(t *testing.T) {
	base := grow(t, "work/sub/file", "alias -> work", "far -> alias", "outside/f")
	for _, root := range []string{"/work", "/work/", "/work//", "/work/.", "/alias", "/alias/", "/far", "/outside/../work", "/work/sub/.."} {
		t.Run(root, func(t *testing.T) {
			set := pin(t, base+root)
			expect(t, set, base+root, bounds.Inside)
			for _, path := range []string{"/work", "/work/", "/work//sub/./file", "/work/new/f", "/alias/sub/file", "/far/new"} {
				expect(t, set, base+path, bounds.Inside)
			}
			expect(t, set, base+"/outside/f", bounds.Escape)
			expect(t, set, base+"/workx", bounds.Escape)
			if got := set.Check(base+"/work/sub/file", bounds.Read).Root; got != base+root {
				t.Errorf("root = %q, want it as given, %q", got, base+root)
			}
		})
	}
}

func TestTopAsRoot(t *testing.T) {
	base := grow(t, "work/file", "work/link -> /")
	set := pin(t, "/")
	for _, path := range []string{"/", "//", "/..", base, base + "/work/file", base + "/new/x", base + "/work/link/" + base, "/nowhere/x"} {
		expect(t, set, path, bounds.Inside)
	}
}

// A ceiling is a set of one directory, and a root that is the ceiling is in it.
func TestCeiling(t *testing.T) {
	base := grow(t, "home/project/", "home/alias -> project", "home/out -> BASE/other", "other/", "homework/")
	ceiling := pin(t, base+"/home")
	expect(t, ceiling, base+"/home", bounds.Inside)
	expect(t, ceiling, base+"/home/", bounds.Inside)
	expect(t, ceiling, base+"/home/project", bounds.Inside)
	expect(t, ceiling, base+"/home/alias", bounds.Inside)
	expect(t, ceiling, base+"/home/out", bounds.Escape)
	expect(t, ceiling, base+"/homework", bounds.Escape)
	expect(t, ceiling, base, bounds.Escape)
	expect(t, ceiling, "/", bounds.Escape)
}

func TestNoRoots(t *testing.T) {
	base := grow(t, "work/")
	empty, _ := bounds.Pin(nil)
	for _, set := range []*bounds.Set{nil, {}, empty} {
		expect(t, set, base+"/work", bounds.NoRoots)
		expect(t, set, "/", bounds.NoRoots)
		expect(t, set, "relative", bounds.Relative)
		if got := set.Paths(); len(got) != 0 {
			t.Errorf("Paths() = %q, want none", got)
		}
	}
}

// The same letter in one piece and in two are different names here, and the
// file system that takes them for one is asked, not imitated.
func TestSpellingsOfOneName(t *testing.T) {
	base := grow(t, "caf\u00e9/f")
	set := pin(t, base+"/caf\u00e9")
	want := bounds.Escape
	if _, err := os.Stat(base + "/cafe\u0301/f"); err == nil {
		want = bounds.Inside
	}
	expect(t, set, base+"/cafe\u0301/f", want)
	expect(t, set, base+"/caf\u00e9/f", bounds.Inside)
}

func TestLetterCase(t *testing.T) {
	base := grow(t, "Projects/f")
	set := pin(t, base+"/Projects")
	want := bounds.Escape
	if _, err := os.Stat(base + "/projects/f"); err == nil {
		want = bounds.Inside
	}
	expect(t, set, base+"/projects/f", want)
	expect(t, set, base+"/PROJECTS/f", want)
}

// A hard link cannot be told from the file.
func TestHardLink(t *testing.T) {
	base := grow(t, "work/", "outside/f")
	if err := os.Link(base+"/outside/f", base+"/work/f"); err != nil {
		t.Skip("no hard links here:", err)
	}
	expect(t, pin(t, base+"/work"), base+"/work/f", bounds.Inside)
}

func TestTarget(t *testing.T) {
	base := grow(t, "work/a/f", "work/in -> a", "work/out -> BASE/outside", "outside/", "work/new -> BASE/outside/x/y", "work/circle -> circle")
	set := pin(t, base+"/work")
	tests := []struct{ path, want string }{
		{"/work/a/f", ""},
		{"/work//a/./f/../f", ""},
		{"/work/none/such", ""},
		{"/work/in/f", "/work/a/f"},
		{"/work/in/none/such", "/work/a/none/such"},
		{"/work/out", "/outside"},
		{"/work/out/f", "/outside/f"},
		{"/work/new", "/outside/x/y"},
		{"/work/out/../etc", "/etc"},
		{"/elsewhere", ""},
	}
	for _, test := range tests {
		want := test.want
		if want != "" {
			want = base + want
		}
		if got := set.Check(base+test.path, bounds.Read).Target; got != want {
			t.Errorf("target of %s = %q, want %q", test.path, got, want)
		}
	}
}

func TestVerdictZero(t *testing.T) {
	var v bounds.Verdict
	if v.Inside() {
		t.Error("the zero verdict is inside")
	}
}

func TestCodes(t *testing.T) {
	words, texts := map[string]bool{}, map[string]bool{}
	for c := bounds.Inside; c <= bounds.NoRoots; c++ {
		word, text := c.String(), c.Text()
		if word == "" || strings.ToLower(word) != word || strings.ContainsAny(word, " ./") || words[word] {
			t.Errorf("code %d: word %q is empty, taken, or not one plain word", c, word)
		}
		if text == "" || strings.HasSuffix(text, ".") || texts[text] {
			t.Errorf("code %d: text %q is empty, taken, or a whole sentence", c, text)
		}
		words[word], texts[text] = true, true
	}
	if got, want := bounds.Code(200).String(), bounds.Code(0).String(); got != want {
		t.Errorf("unknown code: %q, want %q", got, want)
	}
	if bounds.Escape.String() != "escape" || bounds.MissingDotDot.String() != "missing_dotdot" {
		t.Error("the words are in recordings and stay as they are")
	}
}

func BenchmarkCheck(b *testing.B) {
	base := grow(b, "work/a/b/c/file", "work/link -> a/b")
	set := pin(b, base+"/work")
	for _, bench := range []struct{ name, path string }{
		{"file", base + "/work/a/b/c/file"},
		{"new", base + "/work/a/b/c/new"},
		{"link", base + "/work/link/c/file"},
		{"dotdot", base + "/work/a/b/../b/c/file"},
		{"outside", "/usr/share/doc"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				set.Check(bench.path, bounds.Write)
			}
		})
	}
}
