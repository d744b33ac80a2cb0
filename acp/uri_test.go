package acp_test

import (
	"runtime"
	"testing"

	"bobproxy/acp"
)

func TestFilePath(t *testing.T) {
	for _, c := range []struct {
		uri, path string
		ok        bool
	}{
		{"file:///ws/a", "/ws/a", true},
		{"file://localhost/ws/a", "/ws/a", true},
		{"file://LocalHost/ws/a", "/ws/a", true},
		{"file://%6cocalhost/ws/a", "/ws/a", true},
		{"file:/ws/a", "/ws/a", true},
		{"FILE:///ws/a", "/ws/a", true},
		{"file:///ws/dir/", "/ws/dir/", true},
		{"file:///", "/", true},
		{"file://localhost", "/", true},
		{"file:", "", true},
		{"file:ws/a", "/ws/a", true},

		{"file:///ws/a#L10", "/ws/a", true},
		{"file:///ws/a#L53:61", "/ws/a", true},
		{"file:///ws/a?symbol=f#L1", "/ws/a", true},
		{"file:///ws/a#x?y", "/ws/a", true},
		{"file:///ws/a%23b%3fc", "/ws/a#b?c", true},
		{"file:///ws/a%20b", "/ws/a b", true},
		{"file:///ws/%c3%A9", "/ws/é", true},
		{"file:///ws/%2e%2e/etc", "/ws/../etc", true},
		{"file:///ws%2f..%2Fetc", "/ws/../etc", true},
		{"file:///ws/%252e%252e/etc", "/ws/%2e%2e/etc", true},
		{"file:///ws/%00", "/ws/\x00", true},
		{"file:///ws/100%", "/ws/100%", true},
		{"file:///ws/%zz%4", "/ws/%zz%4", true},
		{"file:///ws/../etc", "/ws/../etc", true},

		{"file://server/share/a", "//server/share/a", true},
		{"file://server", "//server/", true},
		{"file://localhost.evil/ws/a", "//localhost.evil/ws/a", true},
		{"file://ws/a", "//ws/a", true},
		{"file:////server/share", "//server/share", true},

		{" file:///etc/passwd", "/etc/passwd", true},
		{"\x00\x1ffile:///etc/passwd\n", "/etc/passwd", true},
		{"fi\tle:/\n//etc/pas\rswd", "/etc/passwd", true},
		{`file:///ws\..\..\etc`, "", true},
		{`file:\\\etc`, "", true},
		{"file:///ws/a%5cb", `/ws/a\b`, true},

		{"/ws/a b#c?d%20", "/ws/a b#c?d%20", true},
		{"//server/share", "//server/share", true},

		{"", "", false},
		{"ws/a", "", false},
		{"./file:///a", "", false},
		{"https://x/ws/a", "", false},
		{"zed:///agent/thread/1", "", false},
		{"untitled:a", "", false},
		{"data:text/plain,file:///a", "", false},
		{"files:///ws/a", "", false},
		{"file", "", false},
		{"vscode-remote://ssh/ws/a", "", false},
	} {
		path, ok := acp.FilePath(c.uri)
		if path != c.path || ok != c.ok {
			t.Errorf("%q: got %q, %v, want %q, %v", c.uri, path, ok, c.path, c.ok)
		}
	}
}

// TestFilePathOfDrives holds what differs by system: only Windows has drives.
func TestFilePathOfDrives(t *testing.T) {
	windows := runtime.GOOS == "windows"
	for uri, want := range map[string][2]string{
		"file:///C:/a":     {"/C:/a", "C:/a"},
		"file:///c%3A/a":   {"/c:/a", "c:/a"},
		"file:/C:/a":       {"/C:/a", "C:/a"},
		"file:C:/a":        {"/C:/a", "C:/a"},
		`C:\a`:             {"", `C:\a`},
		`\\server\share\a`: {"", `\\server\share\a`},
	} {
		i := 0
		if windows {
			i = 1
		}
		if path, ok := acp.FilePath(uri); path != want[i] || ok != (want[i] != "") {
			t.Errorf("%q: got %q, %v, want %q", uri, path, ok, want[i])
		}
	}
}
