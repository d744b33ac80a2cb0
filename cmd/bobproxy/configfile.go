package main

import (
	"bobproxy/inspector/guess"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// configFile is the file with the user's settings. There is one, in the user's
// own folder: nothing in the current folder or a workspace is read, since what
// an agent can write must not decide what the agent may do.
type configFile struct {
	path    string // empty: nobody knows where it would be
	exists  bool
	private bool // nobody else can read it
	text    []byte
}

// Sizes in bytes.
const (
	maxConfigSize = 1 << 20 // of what is read of a config file
	maxKeySize    = 64      // of a key that is worth a guess
)

// configPath is where the config file belongs, or empty for a user without a
// home.
func configPath(lookup func(string) (string, bool)) string {
	if dir, _ := lookup("XDG_CONFIG_HOME"); filepath.IsAbs(dir) { // relative ones are to be ignored, says XDG
		return filepath.Join(dir, "bobproxy", "config.toml")
	}
	home, _ := lookup("HOME")
	if home == "" {
		if u, err := user.Current(); err == nil {
			home = u.HomeDir
		}
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".config", "bobproxy", "config.toml")
}

// readConfigFile reads the file at path. That there is none is no error.
func readConfigFile(path string) (configFile, error) {
	c := configFile{path: path}
	if path != "" && anybodysFolder(filepath.Dir(path)) {
		return c, c.unusable("is in a folder that everybody can write to, and so take it away; run: chmod o-w %s", shown(filepath.Dir(path)))
	}
	info, err := os.Stat(path)
	switch {
	case path == "", errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return c, nil
	case err != nil:
		return c, c.unusable("%v; make it readable, or move it away", cause(err))
	case !info.Mode().IsRegular(): // opening a FIFO would wait for its writer
		return c, c.unusable("is not a file; move it away")
	}
	f, err := os.Open(path)
	if err != nil {
		return c, c.unusable("%v; make it readable (chmod u+r), or move it away", cause(err))
	}
	defer f.Close()
	c.exists = true
	return c.read(f)
}

// anybodysFolder says whether every user can remove and replace what is in dir.
// Where there is no file that matters as much: there may have been one.
func anybodysFolder(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && hasModes && info.IsDir() && info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0
}

func (c configFile) read(f *os.File) (configFile, error) {
	info, err := f.Stat()
	if err != nil {
		return c, c.unusable("%v", cause(err))
	}
	if !trusted(info) {
		return c, c.unusable("belongs to another user, who could change what your agents may do; make it yours, or move it away")
	}
	if info.Mode().Perm()&0o022 != 0 && hasModes {
		return c, c.unusable("can be written to by others; run: chmod go-w %s", shown(c.path))
	}
	c.private = info.Mode().Perm()&0o077 == 0 || !hasModes
	c.text, err = io.ReadAll(io.LimitReader(f, maxConfigSize+1))
	switch {
	case err != nil:
		return c, c.unusable("%v", cause(err))
	case len(c.text) > maxConfigSize:
		return c, c.unusable("is larger than 1 MiB, which no settings need")
	}
	c.text = bytes.TrimPrefix(c.text, []byte("\ufeff"))
	return c, nil
}

func (c configFile) unusable(format string, args ...any) error {
	return usageError("config file " + shown(c.path) + ": " + fmt.Sprintf(format, args...))
}

// wrong is an error in a line of the file.
func (c configFile) wrong(line int, format string, args ...any) error {
	return usageError(fmt.Sprintf("%s:%d: %s", shown(c.path), line, fmt.Sprintf(format, args...)))
}

// entry is one setting in the file: a bool, an int64, a string, a []any or
// something that no setting is.
type entry struct {
	key   string
	line  int
	value any
}

// entries are what the file sets, in its order.
func (c configFile) entries() (all []entry, err error) {
	lines := c.lines()
	var values map[string]any
	if err := toml.Unmarshal(c.text, &values); err != nil {
		if line := themeTwice(lines); line > 0 {
			return nil, c.wrong(line, "theme cannot be a setting and a table at once; in the table [theme] the setting is written name = \"dark\"")
		}
		line := 1
		if at := new(toml.DecodeError); errors.As(err, &at) {
			line, _ = at.Position()
		}
		return nil, c.wrong(line, "not TOML: %s (text stands in quotes, as in bounds = \"warn\")", shown(strings.TrimPrefix(err.Error(), "toml: ")))
	}
	for _, l := range lines {
		if l.kind != unstable.KeyValue {
			if !isTable(l.key) || l.kind != unstable.Table {
				return nil, c.wrong(l.number, "there is no table [%s]; settings stand alone, in front of any table; tables are [filters], [theme] and [keys.PLACE]", shown(strings.Join(l.key, ".")))
			}
			continue
		}
		path := l.path()
		if len(l.key) != 1 && !isTable(path[:len(path)-1]) {
			return nil, c.unknown(l.number, strings.Join(path, "."))
		}
		all = append(all, entry{nameOf(path), l.number, valueAt(values, path)})
	}
	return all, nil
}

// configLine is a key and its value, or the head of a table.
type configLine struct {
	number int
	kind   unstable.Kind
	in     []string // the table it is in
	key    []string
}

func (l configLine) path() []string { return slices.Concat(l.in, l.key) }

// lines are those of the file, as far as they can be read. The parser alone knows
// which line a key is on.
func (c configFile) lines() (all []configLine) {
	var p unstable.Parser
	p.Reset(c.text)
	var in []string
	for p.NextExpression() {
		e := p.Expression()
		l := configLine{kind: e.Kind}
		for it := e.Key(); it.Next(); {
			l.key = append(l.key, string(it.Node().Data))
			l.number = p.Shape(it.Node().Raw).Start.Line
		}
		if e.Kind == unstable.KeyValue {
			l.in = in
		} else {
			in = l.key
		}
		all = append(all, l)
	}
	return all
}

// themeTwice is the line on which theme is a table although it has a value, or the
// other way round; 0: none.
func themeTwice(lines []configLine) int {
	value, table := false, false
	for _, l := range lines {
		path := l.path()
		if len(path) == 0 || path[0] != "theme" {
			continue
		}
		if len(path) == 1 && l.kind == unstable.KeyValue {
			value = true
		} else {
			table = true
		}
		if value && table {
			return l.number
		}
	}
	return 0
}

// themeTable says whether theme is a table in the file.
func (c configFile) themeTable() bool {
	return slices.ContainsFunc(c.lines(), func(l configLine) bool {
		path := l.path()
		return len(path) > 0 && path[0] == "theme" && (len(path) > 1 || l.kind == unstable.Table)
	})
}

// nameOf is what an entry is called: TOML has no setting theme beside a table
// [theme], so it is theme.name there.
func nameOf(path []string) string {
	if slices.Equal(path, []string{"theme", "name"}) {
		return "theme"
	}
	return strings.Join(path, ".")
}

// isTable says whether a table of the panel has this name.
func isTable(path []string) bool {
	return len(path) == 1 && (path[0] == "filters" || path[0] == "theme") || len(path) == 2 && path[0] == "keys"
}

func valueAt(values map[string]any, path []string) any {
	for _, name := range path[:len(path)-1] {
		values, _ = values[name].(map[string]any)
	}
	return values[path[len(path)-1]]
}

func (c configFile) unknown(line int, key string) error {
	hint := ""
	if len(key) > maxKeySize {
		key = key[:maxKeySize] + "…"
	} else if near := guess.Nearest(key, settingNames()); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return c.wrong(line, "there is no setting %q%s (all of them: bobproxy config)", key, hint)
}

// fromFile reads the config file.
func (s *settings) fromFile() (err error) {
	if s.file, err = readConfigFile(configPath(s.lookup)); err != nil || !s.file.exists {
		return err
	}
	entries, err := s.file.entries()
	if err != nil {
		return err
	}
	return s.take(entries)
}

// take sets what nothing else has set. All entries have to be right, be they
// overruled or not.
func (s *settings) take(entries []entry) error {
	overruled := newSettings(s.lookup)
	for _, e := range entries {
		if isTable(strings.Split(e.key, ".")[:strings.Count(e.key, ".")]) {
			if err := s.panel.take(e); err != nil {
				return s.file.wrong(e.line, "%v", err)
			}
			continue
		}
		row, ok := findSetting(e.key)
		if !ok {
			return s.file.unknown(e.line, e.key)
		}
		if !row.hasFlag() && !s.file.private {
			return s.file.wrong(e.line, "%s may stand only in a file that nobody else can read; run: chmod 600 %s", e.key, shown(s.file.path))
		}
		target := s
		if s.source[e.key] != "" {
			target = overruled
		}
		if err := e.give(row.value(target)); err != nil {
			return s.file.wrong(e.line, "%v", err)
		}
		if target == s {
			s.source[e.key] = fmt.Sprintf("file %s:%d", s.file.path, e.line)
		}
	}
	if line, err := s.panel.checkLooks(); err != nil {
		return s.file.wrong(line, "%v", err)
	}
	return nil
}

// give hands the entry's value to v, if it is written as such a value is.
func (e entry) give(v flag.Value) error {
	text, kind := "", ""
	switch x := e.value.(type) {
	case string:
		text, kind = x, "string"
	case int64:
		text, kind = strconv.FormatInt(x, 10), "number"
	case bool:
		text, kind = strconv.FormatBool(x), "bool"
	case []any:
		kind = "array"
	}
	if kinds, example := written(v); !slices.Contains(kinds, kind) {
		return fmt.Errorf("%s is written %s = %s", e.key, e.key, example)
	}
	if several, ok := v.(list); ok {
		return e.giveAll(several)
	}
	if err := v.Set(text); err != nil {
		return fmt.Errorf("%s: %w", quoted(e.key, v, text), err)
	}
	return nil
}

func (e entry) giveAll(several list) error {
	var words []string
	for _, x := range e.value.([]any) {
		word, ok := x.(string)
		if !ok {
			return fmt.Errorf("%s has something in it that is no string", e.key)
		}
		words = append(words, word)
	}
	if err := several.replace(words); err != nil {
		return fmt.Errorf("%s: %w", e.key, err)
	}
	return nil
}

// written says how a value stands in the file, and shows it.
func written(v flag.Value) (kinds []string, example string) {
	switch v := v.(type) {
	case *toggle:
		return []string{"bool"}, "true, or false"
	case *number:
		return []string{"number"}, "4"
	case *span:
		return []string{"string", "number"}, `"5m", or 0 for never`
	case *byteSize:
		return []string{"string", "number"}, `"500MB"`
	case *age:
		return []string{"string"}, `"30d"`
	case *directories:
		return []string{"array"}, `["/one", "/two"]`
	case *commaList:
		return []string{"array"}, `["acp", "--one", "two"]`
	case choice:
		return []string{"string"}, strconv.Quote(v.words[0])
	}
	return []string{"string"}, `"…"`
}

func settingNames() (names []string) {
	for _, row := range table {
		names = append(names, row.name)
	}
	return names
}
