package retrybudget

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	// File is the source to repair, relative to the project.
	File = "retrybudget.go"
	// Verify is the command that checks the contract, run in the project.
	Verify = "./verify"
	// Verified is the last line Verify prints when the contract holds.
	Verified = "RetryBudget contract verified"
)

// ErrNotEmpty says that a directory already holds something.
var ErrNotEmpty = errors.New("directory is not empty")

//go:embed template
var template embed.FS

//go:embed fixed/retrybudget.go.txt
var fixed string

//go:embed template/retrybudget.go.txt
var broken string

// Broken is the source that Materialise writes into File.
func Broken() string { return broken }

// Fixed is the source that keeps the contract.
func Fixed() string { return fixed }

// Materialise writes the project into dir, which it creates when it is
// missing. It touches nothing in a directory that holds something already and
// returns ErrNotEmpty.
func Materialise(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	held, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(held) > 0 {
		return fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	return fs.WalkDir(template, "template", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return write(dir, name, entry)
	})
}

// write puts one entry of the template into dir under its real name.
func write(dir, name string, entry fs.DirEntry) error {
	rel := strings.TrimSuffix(strings.TrimPrefix(name, "template"), ".txt")
	target := filepath.Join(dir, filepath.FromSlash(rel))
	if entry.IsDir() {
		return os.MkdirAll(target, 0o755)
	}
	text, err := template.ReadFile(name)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if entry.Name() == "verify" {
		mode = 0o755
	}
	return os.WriteFile(target, text, mode)
}
