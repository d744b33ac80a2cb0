package gist_test

import (
	"strings"
	"testing"

	"bobproxy/inspector/gist"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

var here = gist.Place{Folder: "/home/me/src/api", Home: "/home/me"}

func TestNear(t *testing.T) {
	tests := []struct {
		name  string
		place gist.Place
		path  string
		want  string
	}{
		{"in the folder", here, "/home/me/src/api/a/b.go", "a/b.go"},
		{"the folder itself", here, "/home/me/src/api", "."},
		{"one that begins alike", here, "/home/me/src/api2/b.go", "~/src/api2/b.go"},
		{"at home", here, "/home/me/.ssh/id", "~/.ssh/id"},
		{"home itself", here, "/home/me", "~"},
		{"elsewhere", here, "/etc/hosts", "/etc/hosts"},
		{"out of the folder", here, "/home/me/src/api/../../.ssh/id", "/home/me/src/api/../../.ssh/id"},
		{"not plain", here, "/home/me/src/api/./x", "/home/me/src/api/./x"},
		{"relative", here, "a/b.go", "a/b.go"},
		{"nowhere in particular", gist.Place{}, "/a/b.go", "/a/b.go"},
		{"the root as folder", gist.Place{Folder: "/"}, "/a/b.go", "/a/b.go"},
		{"home with a slash", gist.Place{Home: "/home/me/"}, "/home/me/x", "~/x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.place.Near(tt.path); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCutKeepsTheNameOfTheFile(t *testing.T) {
	const long = "/tmp/bobproxy-demo-3073175437/retrybudget/retrybudget.go"
	tests := []struct {
		name  string
		path  string
		width int
		want  string
	}{
		{"it fits", long, 56, long},
		{"folders go", long, 55, "…/bobproxy-demo-3073175437/retrybudget/retrybudget.go"},
		{"more of them", long, 30, "…/retrybudget/retrybudget.go"},
		{"all of them", long, 20, "…/retrybudget.go"},
		{"its end stays", long, 10, "…budget.go"},
		{"wide letters", "/あ/いうえ.go", 7, "…え.go"},
		{"two cells", long, 2, "…o"},
		{"one cell", long, 1, "…"},
		{"none", long, 0, ""},
		{"a folder", "/a/very/long/folder/", 8, "…/"},
		{"without folders", "retrybudget.go", 8, "…dget.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := gist.Cut(tt.path, tt.width)
			if got != tt.want || paint.Width(got) > tt.width {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	many := model.Subject{File: "/home/me/src/api/a.go", More: 2, Title: "Write many"}
	tests := []struct {
		name  string
		s     model.Subject
		width int
		want  string
	}{
		{"a command, then the title", model.Subject{Command: "echo b > b.txt", Title: "Say something"}, 40, "echo b > b.txt  Say something"},
		{"no room for the title", model.Subject{Command: "echo b > b.txt", Title: "Say something"}, 26, "echo b > b.txt"},
		{"a command is cut at its end", model.Subject{Command: "echo b > b.txt"}, 10, "echo b > …"},
		{"lines of a command", model.Subject{Command: "a\nb"}, 40, "a↵b"},
		{"blanks push nothing out of sight", model.Subject{Command: "ls" + strings.Repeat(" ", 200) + "; rm -r x"}, 40, "ls‹200 blanks›; rm -r x"},
		{"nor do line breaks", model.Subject{Command: "ls" + strings.Repeat(" \n", 100) + "rm -r x"}, 40, "ls‹200 blanks›rm -r x"},
		{"blanks behind all else", model.Subject{Command: "ls" + strings.Repeat(" ", 9)}, 40, "ls         "},
		{"a file, then the title", model.Subject{File: "/home/me/src/api/c.txt", Title: "Create file"}, 40, "c.txt  Create file"},
		{"a file is cut at its beginning", model.Subject{File: "/home/me/src/api/very/long/folder/c.txt"}, 12, "…/c.txt"},
		{"several files", many, 50, "a.go and 2 more files  Write many"},
		{"several files, little room", many, 14, "a.go +2 files"},
		{"one more", model.Subject{File: "/home/me/src/api/a.go", More: 1}, 50, "a.go and 1 more file"},
		{"a title alone", model.Subject{Title: "Think"}, 40, "Think"},
		{"nothing", model.Subject{}, 40, ""},
		{"no room at all", many, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := here.Line(tt.s, tt.width)
			if got := l.String(); got != tt.want || l.Width() > tt.width {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestATitleIsDimBehindWhatIsKnown(t *testing.T) {
	l := here.Line(model.Subject{Command: "ls", Title: "Look around"}, 40)
	if got := l[len(l)-1]; got.Text != "Look around" || got.Style.Role != paint.Dim || l[0].Style.Role != paint.Plain {
		t.Errorf("got %+v", l)
	}
}

// FuzzLine looks for lines that are wider than their room.
func FuzzLine(f *testing.F) {
	f.Add("echo", "/a/b", "title", 2, 10)
	f.Add("", "/a/\u202eb/e\u0301", "t\x1b[2J", 3, 4)
	f.Fuzz(func(t *testing.T, command, file, title string, more, width int) {
		width = min(max(width, 0), 300)
		if l := here.Line(model.Subject{Command: command, File: file, More: more, Title: title}, width); l.Width() > width {
			t.Errorf("%q takes %d cells of %d", l, l.Width(), width)
		}
	})
}
