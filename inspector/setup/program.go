package setup

import (
	"os"
	"path/filepath"
	"strings"
)

// Stable is the path by which a program that was found in PATH should be known
// to an editor. It is the path as it was found, be it a link: a package manager
// moves that link when the version changes, while what it leads to goes away.
// The exception are folders that live no longer than a shell; those are followed.
func Stable(found string) string {
	if !strings.Contains(found, "fnm_multishells") {
		return found
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(found))
	if err != nil {
		return found
	}
	return filepath.Join(dir, filepath.Base(found))
}

// Self is the path by which bobproxy should be known: the one in PATH when that
// leads to executable, the running one, else executable itself. The last one is
// right, but may carry a version.
func Self(executable, found string) string {
	if found == "" {
		return executable
	}
	a, err := os.Stat(executable)
	if err != nil {
		return executable
	}
	if b, err := os.Stat(found); err != nil || !os.SameFile(a, b) {
		return executable
	}
	return Stable(found)
}

// Interpreter is the program that a script, by its first line, has looked up in
// PATH; empty for everything else.
func Interpreter(firstLine string) string {
	rest, ok := strings.CutPrefix(firstLine, "#!")
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	words := strings.Fields(line)
	if len(words) < 2 || filepath.Base(words[0]) != "env" {
		return ""
	}
	for _, word := range words[1:] {
		if !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}

// FirstLine reads the beginning of a file, which is enough for [Interpreter].
func FirstLine(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	begin := make([]byte, 256)
	n, _ := f.Read(begin)
	return string(begin[:n])
}

// PathFor is the PATH that finds an interpreter in dir for an editor that was
// not started from a shell; empty where the usual folders have it anyway.
func PathFor(dir, goos string) string {
	usual := []string{"/usr/local/bin", "/usr/bin", "/bin"}
	if goos == "darwin" {
		usual = []string{"/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"}
	}
	if dir == "/usr/bin" || dir == "/bin" {
		return ""
	}
	all := []string{dir}
	for _, each := range usual {
		if each != dir {
			all = append(all, each)
		}
	}
	return strings.Join(all, ":")
}
