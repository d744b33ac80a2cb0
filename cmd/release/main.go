// Release packs bobproxy for other machines: an archive for each system and
// processor, with man page and completions, and their checksums. The same tree
// always gives the same bytes.
//
//	go run ./cmd/release DIR
//
// Dates are those of SOURCE_DATE_EPOCH, or else of the commit.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// target is what a program is built for.
type target struct{ os, arch string }

var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/release DIR")
		os.Exit(2)
	}
	if err := release(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

// release fills dir, which is made anew.
func release(dir string) error {
	at, err := date()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	papers, version, err := papers(work)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	for _, t := range targets {
		name, data, err := t.archive(work, version, papers, at)
		if err != nil {
			return fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
	}
	fmt.Print(sums.String())
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// date is the one that all files get.
func date() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("asking git for the date of the commit: %w; SOURCE_DATE_EPOCH says it, too", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, fmt.Errorf("%q is no number of seconds", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// papers are what goes into every archive beside the program, and the version.
func papers(work string) (files []file, version string, err error) {
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, "", err
		}
		files = append(files, file{name, data, 0o644})
	}
	self := filepath.Join(work, "bobproxy-here")
	if err := build(self, nil); err != nil {
		return nil, "", err
	}
	for _, paper := range []struct {
		name string
		args []string
	}{
		{"man/bobproxy.1", []string{"man"}},
		{"completions/bobproxy.bash", []string{"completion", "bash"}},
		{"completions/_bobproxy", []string{"completion", "zsh"}},
		{"completions/bobproxy.fish", []string{"completion", "fish"}},
		{"completions/bobproxy.ps1", []string{"completion", "powershell"}},
	} {
		data, err := exec.Command(self, paper.args...).Output()
		if err != nil {
			return nil, "", fmt.Errorf("bobproxy %s: %w", strings.Join(paper.args, " "), err)
		}
		files = append(files, file{paper.name, data, 0o644})
	}
	out, err := exec.Command(self, "version").Output()
	return files, strings.TrimPrefix(strings.TrimSpace(string(out)), "bobproxy "), err
}

// archive is what one kind of machine gets, and its name.
func (t target) archive(work, version string, papers []file, at time.Time) (name string, data []byte, err error) {
	program := "bobproxy"
	if t.os == "windows" {
		program += ".exe"
	}
	path := filepath.Join(work, program)
	if err := build(path, []string{"GOOS=" + t.os, "GOARCH=" + t.arch}); err != nil {
		return "", nil, err
	}
	binary, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	files := append(slices.Clone(papers), file{program, binary, 0o755})
	folder := fmt.Sprintf("bobproxy-%s-%s-%s", version, t.os, t.arch)
	var out bytes.Buffer
	if t.os == "windows" {
		name, err = folder+".zip", zipped(&out, folder, files, at)
	} else {
		name, err = folder+".tar.gz", tarred(&out, folder, files, at)
	}
	return name, out.Bytes(), err
}

// build builds bobproxy so that nothing of this machine is in it but the
// compiler's version.
func build(path string, env []string) error {
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", path, "./cmd/bobproxy")
	c.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=readonly"), env...)
	c.Stderr = os.Stderr
	return c.Run()
}
