package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"bobproxy/proxy"
)

// find looks up a command as a shell would. Its error says what to do, which
// where it is not in PATH is hint; code is the one to exit with then.
func find(name, hint string, lookup func(string) (string, bool)) (file string, code int, err error) {
	file, err = exec.LookPath(name)
	switch {
	case err == nil:
		return file, 0, nil
	case errors.Is(err, exec.ErrDot):
		return "", proxy.ExitNotFound, fmt.Errorf("%q is found only in the current folder, through PATH; if that is what you want write ./%s", name, name)
	case filepath.Base(name) != name:
		return "", codeOf(err), fmt.Errorf("cannot run %s: %v%s", name, cause(err), advice(name))
	}
	searched, _ := lookup("PATH")
	if there := notExecutable(name, searched); there != "" {
		return "", proxy.ExitNotExecutable, fmt.Errorf("%s is not executable%s", there, advice(there))
	}
	return "", proxy.ExitNotFound, fmt.Errorf("%q was not found in PATH (%s); %s", name, searched, hint)
}

// advice is what makes a file that is there executable.
func advice(name string) string {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return " (chmod +x would make it executable)"
}

func codeOf(err error) int {
	if errors.Is(err, fs.ErrNotExist) {
		return proxy.ExitNotFound
	}
	return proxy.ExitNotExecutable
}

func cause(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err
}

// notExecutable finds a file of that name in PATH, which LookPath passed over.
func notExecutable(name, searched string) string {
	for _, dir := range filepath.SplitList(searched) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && !strings.HasPrefix(file, ".") {
			return file
		}
	}
	return ""
}
