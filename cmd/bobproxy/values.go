package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The kinds of value that a setting may have; each says in its error what it
// should have been, and writes itself as it may be given again.

// toggle is a switch.
type toggle bool

func (t *toggle) String() string   { return strconv.FormatBool(bool(*t)) }
func (t *toggle) IsBoolFlag() bool { return true }
func (t *toggle) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return errors.New("is neither true nor false")
	}
	*t = toggle(on)
	return nil
}

// path is a file or folder name. Editors start us without a shell, so a ~ would
// be taken for a name and make a folder that nobody meant.
type path string

func (p *path) String() string { return string(*p) }
func (p *path) Set(text string) error {
	if err := checkName(text); err != nil {
		return err
	}
	*p = path(text)
	return nil
}

// checkName says why text cannot be the name of a file or folder.
func checkName(text string) error {
	switch {
	case text == "":
		return errors.New("needs a name")
	case strings.HasPrefix(text, "~") || strings.HasPrefix(text, "$"):
		return errors.New("begins with ~ or $, which are not expanded here; write the whole path")
	case strings.ContainsRune(text, 0):
		return errors.New("has a zero byte in it, which no name has")
	}
	return nil
}

// byteSize is a number of bytes, written 500000, 64KiB, 200MB, 1GiB.
type byteSize int64

var units = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// String has the largest unit that makes a whole number.
func (b *byteSize) String() string {
	best := units[len(units)-1]
	for _, u := range units {
		if *b != 0 && int64(*b)%u.bytes == 0 && u.bytes > best.bytes {
			best = u
		}
	}
	return strconv.FormatInt(int64(*b)/best.bytes, 10) + best.suffix
}
func (b *byteSize) Set(text string) error {
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n <= 0 || n > (1<<62)/u.bytes {
			break
		}
		*b = byteSize(n * u.bytes)
		return nil
	}
	return errors.New("is not a size such as 500MB or 1GiB")
}

// age is a span of time, written 90m, 12h, 30d.
type age time.Duration

func (a *age) String() string {
	const day = age(24 * time.Hour)
	if *a != 0 && *a%day == 0 {
		return strconv.Itoa(int(*a/day)) + "d"
	}
	return brief(time.Duration(*a))
}
func (a *age) Set(text string) error {
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(min(n, 36500)) * 24 * time.Hour
	}
	if err != nil || d <= 0 {
		return errors.New("is not an age such as 12h or 30d")
	}
	*a = age(d)
	return nil
}

// brief is a duration without the parts that are zero: 2m, where Go writes 2m0s.
func brief(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// span is how long something is waited for, written 90s, 5m, 1h30m. Zero means
// for ever.
type span time.Duration

func (s *span) String() string {
	if *s == 0 {
		return "0"
	}
	return brief(time.Duration(*s))
}

func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err == nil && d >= 0 {
		*s = span(d)
		return nil
	}
	if n, err := strconv.ParseUint(text, 10, 63); err == nil {
		return fmt.Errorf("has no unit; write %ds or %dm", n, n)
	}
	return errors.New("is not a time such as 90s or 5m, nor 0 for never")
}

// number is how many there may be. Zero means any number.
type number int

func (n *number) String() string { return strconv.Itoa(int(*n)) }
func (n *number) Set(text string) error {
	parsed, err := strconv.Atoi(text)
	if err != nil || parsed < 0 {
		return errors.New("is not a whole number such as 4, nor 0 for any number")
	}
	*n = number(parsed)
	return nil
}

// choice is one of some words.
type choice struct {
	chosen *string
	words  []string
}

func (c choice) String() string {
	if c.chosen == nil { // package flag asks a zero value for its default
		return ""
	}
	return *c.chosen
}

func (c choice) Set(text string) error {
	if !slices.Contains(c.words, text) {
		last := len(c.words) - 1
		return fmt.Errorf("is not %s or %s", strings.Join(c.words[:last], ", "), c.words[last])
	}
	*c.chosen = text
	return nil
}

// directory is a folder that bounds are about. Editors start us in any folder,
// so a relative one would be another each time.
type directory string

func (d *directory) String() string { return string(*d) }
func (d *directory) Set(text string) error {
	if err := checkName(text); err != nil {
		return err
	}
	if !filepath.IsAbs(text) {
		return errors.New("is relative, and editors start us in any folder; write the whole path")
	}
	*d = directory(text)
	return nil
}

// list is a value of several words. Set adds to it what a flag gives.
type list interface {
	split(text string) []string // what an environment variable gives
	replace(words []string) error
}

// directories are some of them; by flags one each, in an environment variable
// separated as in PATH.
type directories []string

func (d *directories) String() string { return strings.Join(*d, string(filepath.ListSeparator)) }
func (d *directories) Set(text string) error {
	var one directory
	if err := one.Set(text); err != nil {
		return err
	}
	*d = append(*d, text)
	return nil
}

func (d *directories) split(text string) []string {
	return slices.DeleteFunc(filepath.SplitList(text), func(name string) bool { return name == "" })
}

func (d *directories) replace(words []string) error {
	*d = nil
	for _, name := range words {
		if err := d.Set(name); err != nil {
			return fmt.Errorf("%q %w", name, err)
		}
	}
	return nil
}

// commaList is words separated by commas.
type commaList []string

func (c *commaList) String() string               { return strings.Join(*c, ",") }
func (c *commaList) Set(text string) error        { return c.replace(c.split(text)) }
func (c *commaList) split(text string) []string   { return strings.Split(text, ",") }
func (c *commaList) replace(words []string) error { *c = words; return nil }

// secret is not shown. It has no flag, since everybody on the machine can read
// a command line.
type secret string

func (s *secret) String() string {
	if *s == "" {
		return ""
	}
	return "set"
}

func (s *secret) Set(text string) error {
	if text == "" || strings.ContainsRune(text, 0) {
		return errors.New("is not a key")
	}
	*s = secret(text)
	return nil
}
