//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every flag that a page shows is one that its command knows.
func TestPagesShowFlagsThatAre(t *testing.T) {
	alone(t, "")
	all, err := manuals(newSettings(os.LookupEnv))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if !m.verb.own || m.verb.name == "config" || m.verb.name == "lab" {
			continue
		}
		shown := 0
		for _, b := range m.blocks {
			shown += len(b.options)
		}
		for _, o := range m.flags(newSettings(os.LookupEnv)) {
			_, errs, _ := tell(t, m.verb.name, o.name+"=true", "--help")
			if strings.Contains(errs, "no flag") || strings.Contains(errs, "not defined") {
				t.Errorf("%s %s is shown (of %d), and is unknown: %s", m.verb.name, o.name, shown, errs)
			}
		}
	}
}

func TestOptionsOfAPage(t *testing.T) {
	m := newManual(verb{name: "x"}, `bobproxy x FILE [--since T] (--number N | --json|--raw)
           [--as agent] -- CMD --theirs
bobproxy x --as client

Does a thing
with it.

  -e FILTER    only what matches,
               and more
  --wait[=T]   until there is one
  --off=false  not at all
  --kind a|b   which

  bobproxy x --example
`)
	var got []string
	for _, o := range m.flags(newSettings(os.LookupEnv)) {
		got = append(got, o.name+o.join+o.arg+" "+strings.Join(o.choices(), "/")+" "+o.text)
	}
	want := []string{
		"-e FILTER  only what matches, and more", "--wait=T  until there is one", "--off=false false not at all", "--kind a|b a/b which",
		"--since T  ", "--number N  ", "--json  ", "--raw  ", "--as agent|client agent/client ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(m.synopsis) != 3 || m.blocks[0].text != "Does a thing with it." || len(m.blocks[2].lines) != 1 {
		t.Errorf("got %q, %+v", m.synopsis, m.blocks)
	}
}

// shell writes the completions of a shell, and says which program it is; the test
// goes no further where there is none.
func shell(t *testing.T, name string) (program, file string) {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed, so its completions are not tried", name)
	}
	shelved(t)
	out, errs, code := tell(t, "completion", name)
	if code != exitDone {
		t.Fatalf("exit status %d, stderr %q", code, errs)
	}
	file = filepath.Join(t.TempDir(), "completion")
	write(t, file, out)
	if out, err := exec.Command(program, "-n", file).CombinedOutput(); err != nil {
		t.Fatalf("%s cannot read it: %v: %s", name, err, out)
	}
	return program, file
}

// completions are what is offered behind a line.
var completions = map[string]string{
	"bobproxy lo":            "log",
	"bobproxy log --vi":      "--view",
	"bobproxy log --view ":   "timeline wire",
	"bobproxy log -n 5 --ra": "--raw",
	"bobproxy --bounds w":    "warn",
	"bobproxy setup z":       "zed",
	"bobproxy help ver":      "version",
	"bobproxy completion f":  "fish",

	"bobproxy check --level ":     "error info warning",
	"bobproxy export --format h":  "html",
	"bobproxy log --color always": "always",
}

func TestBashCompletes(t *testing.T) {
	bash, file := shell(t, "bash")
	script := `source "$1"; read -ra COMP_WORDS <<<"$2"; [[ $2 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		bobproxy() { echo "names of $2"; }; _bobproxy; printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd' '`
	for line, want := range completions {
		out, err := exec.Command(bash, "--norc", "-c", script, "bash", file, line).CombinedOutput()
		if got := strings.TrimSpace(string(out)); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", line, got, err, want)
		}
	}
	out, err := exec.Command(bash, "--norc", "-c", script, "bash", file, "bobproxy deny ").CombinedOutput()
	if got := strings.TrimSpace(string(out)); got != "names of requests" || err != nil {
		t.Errorf("requests are %q, %v", got, err)
	}
}

func TestFishCompletes(t *testing.T) {
	fish, file := shell(t, "fish")
	t.Setenv("HOME", t.TempDir())
	for line, want := range completions {
		out, err := exec.Command(fish, "--no-config", "-c", "function bobproxy; end; source $argv[1]; complete -C $argv[2]", "--", file, line).CombinedOutput()
		var got []string
		for _, offered := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			word, _, _ := strings.Cut(offered, "\t")
			got = append(got, word)
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", line, got, err, want)
		}
	}
}

// zsh completes on a terminal only: one line is typed at a pseudo-terminal of its
// own.
func TestZshCompletes(t *testing.T) {
	zsh, file := shell(t, "zsh")
	script := `zmodload zsh/zpty; zpty z ` + zsh + ` -f -i
		zpty -w z "PS1=; PROMPT_EOL_MARK=; autoload -U compinit; compinit -u -D; source $1; print REA''DY"
		zpty -r -m z out '*READY*'
		zpty -w -n z $'bobproxy lo\t--vi\tti\t\x01print -r -- \x05\n'
		zpty -r -m z out '*timeline*timeline*'; print -r -- "$out"; zpty -d z`
	out, err := exec.Command(zsh, "-f", "-c", script, "zsh", file).CombinedOutput()
	if want := "bobproxy log --view timeline"; !strings.Contains(string(out), want) || err != nil {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
}

func TestCompletionOfNothing(t *testing.T) {
	for _, args := range []string{"", "tcsh", "bash zsh"} {
		if out, errs, code := tell(t, append([]string{"completion"}, strings.Fields(args)...)...); code != exitUsage || out != "" || !strings.Contains(errs, "bash, zsh, fish or powershell") {
			t.Errorf("%q: exit status %d, stdout %q, stderr %q", args, code, out, errs)
		}
	}
	if out, _, code := tell(t, asking, "nothing"); out != "" || code != exitDone {
		t.Errorf("names of nothing are %q", out)
	}
}

func TestNamesOfRecordings(t *testing.T) {
	shelved(t)
	if out, _, _ := tell(t, asking, "recordings"); !strings.Contains(out, "demo1\nz69pu\n") {
		t.Errorf("got %q", out)
	}
}

// The man page tells of every command, setting and exit code, the same each time,
// and what reads man pages has nothing to say against it.
func TestManPage(t *testing.T) {
	alone(t, "")
	page, _, code := tell(t, "man")
	again, _, _ := tell(t, "man")
	if code != exitDone || page != again {
		t.Errorf("exit status %d, %d and %d bytes", code, len(page), len(again))
	}
	for _, name := range verbNames() {
		if !strings.Contains(page, "\n.SS bobproxy "+name+"\n") {
			t.Errorf("nothing is said of %s", name)
		}
	}
	for _, row := range table {
		if !strings.Contains(page, inRoff(row.env)) {
			t.Errorf("nothing is said of %s", row.env)
		}
	}
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "'") || strings.ContainsFunc(line, func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("line %d: %q", i+1, line)
		}
	}
	dir := filepath.Join(t.TempDir(), "new")
	if _, errs, code := tell(t, "man", dir); code != exitDone || content(t, filepath.Join(dir, "bobproxy.1")) != page {
		t.Errorf("into a folder: exit status %d, stderr %q", code, errs)
	}
	t.Run("lint", func(t *testing.T) {
		mandoc, err := exec.LookPath("mandoc")
		if err != nil {
			t.Skip("mandoc is not installed, so the man page is not linted")
		}
		out, _ := exec.Command(mandoc, "-T", "lint", "-W", "warning", filepath.Join(dir, "bobproxy.1")).CombinedOutput()
		for line := range strings.Lines(string(out)) {
			if !strings.Contains(line, "missing date") { // it has none, so that it is always the same
				t.Error(line)
			}
		}
	})
}

func TestVersionJSON(t *testing.T) {
	alone(t, "")
	out, errs, code := tell(t, "version", "--json")
	if code != exitDone || errs != "" || !strings.HasPrefix(out, `{"version":"`+version+`","go":"go`) || !strings.HasSuffix(out, `"protocol":[1,2]}`+"\n") {
		t.Errorf("exit status %d, stderr %q, got %q", code, errs, out)
	}
	if out, _, _ := tell(t, "version"); out != "bobproxy "+version+"\n" {
		t.Errorf("got %q", out)
	}
	if _, errs, code := tell(t, "version", "now"); code != exitUsage || !strings.Contains(errs, "takes no") {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
}
