//go:build unix

package terminal_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"bobproxy/acp/clean"
	"bobproxy/inspector/terminal/vttest"
)

// restored fails when the terminal is not as it was before.
func restored(t *testing.T, p *vttest.Program, v vttest.View) {
	t.Helper()
	if left := vttest.Left(v.Raw); len(left) > 0 {
		t.Errorf("left in the terminal: %q", left)
	}
	if !v.Main {
		t.Error("the alternate screen is still shown")
	}
	if !p.Restored() {
		t.Error("the terminal's settings are not those from before")
	}
	if foreign := vttest.Foreign(v.Raw); len(foreign) > 0 {
		t.Errorf("sent to the terminal: %q", foreign)
	}
}

func TestTheTerminalIsGivenBack(t *testing.T) {
	signal := func(sig os.Signal) func(*vttest.Program) {
		return func(p *vttest.Program) { p.Signal(sig) }
	}
	keys := func(keys string) func(*vttest.Program) {
		return func(p *vttest.Program) { p.Send(keys) }
	}
	for name, c := range map[string]struct {
		end    func(*vttest.Program)
		status int
		says   string
	}{
		"quit":                    {keys("q"), 0, "toy: bye"},
		"quit while a later runs": {keys("wq"), 0, "toy: bye"},
		"SIGTERM":                 {signal(syscall.SIGTERM), 3, "ended by signal: terminated"},
		"SIGHUP":                  {signal(syscall.SIGHUP), 3, "ended by signal: hangup"},
		"SIGINT":                  {signal(syscall.SIGINT), 3, "ended by signal: interrupt"},
		"SIGQUIT":                 {signal(syscall.SIGQUIT), 3, "ended by signal: quit"},
		"panic while drawing":     {keys("D"), 125, "panic: drawing a␛[2Jb"},
		"panic in a goroutine":    {keys("P"), 125, "panic: elsewhere a␛[2Jb"},
	} {
		t.Run(name, func(t *testing.T) {
			p := startToy(t, "mouse")
			p.Shows("toy 60×20")
			p.Send("htncb")
			p.Shows("key b")
			c.end(p)
			status, v := p.Exit()
			if status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			if !bytes.Contains(v.Raw, []byte(c.says)) {
				t.Errorf("the last output %q, want %q in it", v.Raw[max(0, len(v.Raw)-300):], c.says)
			}
			restored(t, p, v)
		})
	}
}

func TestTheTerminalGoesAway(t *testing.T) {
	for name, prefix := range map[string]string{
		"and says so": "", "silently": `trap "" HUP; `,
	} {
		t.Run(name, func(t *testing.T) {
			p := startCommand(t, prefix+`exec "$TOY"`, "")
			p.Shows("toy 60×20")
			p.Hangup()
			if status, _ := p.Exit(); !went(status) {
				t.Errorf("status %d, want 3 or 4, or killed", status)
			}
		})
	}
}

// went says whether a toy ended as one whose terminal has gone: it saw that, or
// the signal, which may also come when it was about to end anyway.
func went(status int) bool { return status == 3 || status == 4 || status == -1 }

// A panel that was stopped, and whose terminal is closed meanwhile, has no size
// to draw at when it goes on.
func TestTheTerminalGoesAwayInAStop(t *testing.T) {
	for name, prefix := range map[string]string{
		"and says so": "", "silently": `trap "" HUP; `,
	} {
		t.Run(name, func(t *testing.T) {
			p := startCommand(t, prefix+`exec "$TOY"`, "busy")
			p.Shows("toy 60×20")
			p.Signal(syscall.SIGSTOP)
			p.Hangup() // which sends SIGCONT, too
			if status, _ := p.Exit(); !went(status) {
				t.Errorf("status %d, want 3 or 4, or killed", status)
			}
		})
	}
}

func TestATerminalThatTakesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		then   func(*vttest.Program)
		status int
	}{
		"a signal": {func(p *vttest.Program) { p.Signal(syscall.SIGTERM) }, 3},
		"a panic":  {func(p *vttest.Program) { p.Signal(syscall.SIGUSR1) }, 125},
	} {
		t.Run(name, func(t *testing.T) {
			p := startToy(t, "quiet") // it would get stuck in printing, too
			p.Shows("toy 60×20")
			p.Deaf()
			p.Send("F")
			p.Take(100_000) // the program is in the middle of it, and more is to come
			c.then(p)
			if status, _ := p.Exit(); status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			if !p.Restored() {
				t.Error("the terminal's settings are not those from before")
			}
		})
	}
}

func TestPaste(t *testing.T) {
	long := strings.Repeat("long ", 100_000)
	for name, c := range map[string]struct{ typed, shows string }{
		"keys":                    {"\x1b[200~y\r1\nq\r\n\x1b[201~", `paste 6 "y\n1\nq\n"`},
		"nothing":                 {"\x1b[200~\x1b[201~", `paste 0 ""`},
		"escape sequences":        {"\x1b[200~\x1b[A\x1bOP\x1b[201x\x1b[201~", `paste 12 "\x1b[A\x1bOP\x1b[201x"`},
		"an unfinished sequence":  {"\x1b[200~a\x1b]52;c;\x1b[201~", `paste 8 "a\x1b]52;c;"`},
		"that ends in ESC":        {"\x1b[200~a\x1b\x1b[201~", `paste 2 "a\x1b"`},
		"right after Esc":         {"\x1b\x1b[200~q\x1b[201~", `paste 1 "q"`},
		"no UTF-8":                {"\x1b[200~a\xff\xe2\x82\x1b[201~", `paste 4 "a�"`},
		"in a paste":              {"\x1b[200~a\x1b[200~b\x1b[201~", `paste 8 "a\x1b[200~b"`},
		"longer than what counts": {"\x1b[200~" + long + "\x1b[201~", `paste 65536 "long long`},
	} {
		t.Run(name, func(t *testing.T) {
			p := startToy(t, "")
			p.Shows("toy 60×20")
			p.Send(c.typed)
			p.Shows(c.shows)
			p.Send("k")
			v := p.Shows("key k")
			if n := strings.Count(v.Screen, "key"); n != 1 {
				t.Errorf("%d keys, want that after the paste alone:\n%s", n, v.Screen)
			}
			p.Send("q")
			_, v = p.Exit()
			restored(t, p, v)
		})
	}
}

func TestAPasteGoesOnAfterResizing(t *testing.T) {
	p := startToy(t, "")
	p.Shows("toy 60×20")
	p.Send("\x1b[200~one")
	p.Resize(50, 15)
	p.Shows("toy 50×15")
	p.Send("q two\x1b[20")
	p.Resize(40, 10)
	p.Shows("toy 40×10")
	p.Send("1~")
	p.Shows(`paste 8 "oneq two"`)
}

func TestEndInTheMiddleOfAPaste(t *testing.T) {
	p := startToy(t, "")
	p.Shows("toy 60×20")
	p.Send("\x1b[200~" + strings.Repeat("x", 50_000))
	p.Signal(syscall.SIGTERM)
	status, v := p.Exit()
	if status != 3 {
		t.Errorf("status %d, want 3", status)
	}
	restored(t, p, v)
}

// The library would wait for itself if it were stopped while it had more input
// than it could pass on.
func TestEndInAFloodOfKeys(t *testing.T) {
	p := startToy(t, "")
	p.Shows("toy 60×20")
	p.Flood(strings.Repeat("x", 2000) + "q" + strings.Repeat("x", 200_000))
	status, v := p.Exit()
	if status != 0 {
		t.Errorf("status %d, want 0", status)
	}
	restored(t, p, v)
}

func TestFocusMouseAndSize(t *testing.T) {
	p := startToy(t, "mouse")
	p.Shows("toy 60×20")
	p.Send("\x1b[O")
	p.Shows("terminal.Focus {false}")
	p.Send("\x1b[I\x1b[<0;5;6M\x1b[<0;5;6m") // the click that gave it the focus
	p.Shows("terminal.Focus {true}")
	p.Send("\x1b[<0;3;4M\x1b[<0;3;4m")
	v := p.Shows("terminal.Mouse {2 3 0 false}")
	if strings.Contains(v.Screen, "{4 5 0") {
		t.Errorf("the click that gave the focus counted:\n%s", v.Screen)
	}
	p.Send("\x1b[<65;1;1M")
	p.Shows("terminal.Mouse {0 0 1 false}")
	p.Resize(70, 12)
	p.Shows("terminal.Resized {70 12}")
	p.Shows("toy 70×12")
}

func TestSuspend(t *testing.T) {
	p := startCommand(t, "exec bash --noprofile --norc -i", "mouse", "PS1=prompt:", "HISTFILE=/dev/null")
	p.Shows("prompt:")
	p.Send("\"$TOY\"\r")
	p.Shows("toy 60×20")
	p.Send("t")
	p.Shows("key t")
	p.Send("\x1a")
	p.Until("the shell is back", func(v vttest.View) bool { return v.Main && strings.Contains(v.Screen, "Stopped") })
	p.Send("fg\r")
	p.Shows("terminal.Resumed {}")
	p.Send("\x1a")
	p.Until("the shell is back again", func(v vttest.View) bool { return v.Main && strings.Count(v.Screen, "Stopped") == 2 })
	p.Send("kill %1; fg\r")
	p.Shows("ended by signal: terminated")
	p.Send("exit\r")
	_, v := p.Exit()
	if left := vttest.Left(v.Raw); len(left) > 0 {
		t.Errorf("left in the terminal: %q", left)
	}
}

func TestGoingOn(t *testing.T) {
	for name, stop := range map[string]func(*vttest.Program){
		"after a stop that cannot be seen": func(p *vttest.Program) {
			p.Signal(syscall.SIGSTOP)
			p.Signal(syscall.SIGCONT)
		},
		"without a stop":               func(p *vttest.Program) { p.Signal(syscall.SIGCONT) },
		"where no shell could wake it": func(p *vttest.Program) { p.Send("\x1a") },
	} {
		t.Run(name, func(t *testing.T) {
			p := startToy(t, "")
			p.Shows("toy 60×20")
			stop(p)
			p.Shows("terminal.Resumed {}")
			p.Send("q")
			_, v := p.Exit()
			restored(t, p, v)
		})
	}
}

func TestTerminals(t *testing.T) {
	for term, says := range map[string]string{
		"":                 "TERM is not set, so nothing is known of the terminal; set TERM=xterm-256color",
		"dumb":             "this terminal cannot show a panel (TERM=dumb); start it in another one",
		"nonsense":         "nothing is known of the terminal TERM=nonsense; if it is like most, set TERM=xterm-256color",
		"-V":               "TERM is no name of a terminal; set TERM=xterm-256color",
		"a\x1b[2J":         "TERM is no name of a terminal; set TERM=xterm-256color",
		"xterm":            "",
		"xterm-256color":   "",
		"xterm-unheard-of": "",
		"screen":           "",
		"tmux-256color":    "",
		"tmux-unheard-of":  "",
		"some-256color":    "",
		"linux":            "",
		"vt100":            "",
		"vt220":            "",
		"foot":             "",
		"rxvt-unicode":     "",
	} {
		t.Run(term, func(t *testing.T) {
			p := startToy(t, "", "TERM="+term)
			if says == "" {
				p.Shows("toy 60×20")
				p.Send("htncbq")
			}
			status, v := p.Exit()
			switch {
			case says == "" && status != 0:
				t.Errorf("status %d, want 0", status)
			case says != "" && (status != 1 || string(v.Raw) != "toy: "+says+"\r\n"):
				t.Errorf("status %d and %q, want 1 and %q", status, v.Raw, says)
			}
			restored(t, p, v)
		})
	}
}

func TestNoTerminal(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{"TERM=xterm", toyVariable + "="}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.CombinedOutput()
	if err == nil || strings.Count(string(out), "\n") != 1 || !strings.HasPrefix(string(out), "toy: there is no terminal to show the panel in (") {
		t.Errorf("%v and %q, want a failure and one line", err, out)
	}
}

func TestColours(t *testing.T) {
	for name, c := range map[string]struct {
		mode, env string
		colours   bool
	}{
		"as usual":                 {"", "", true},
		"NO_COLOR":                 {"", "NO_COLOR=1", false},
		"empty NO_COLOR":           {"", "NO_COLOR=", true},
		"never":                    {"color=never", "", false},
		"always in spite of it":    {"color=always", "NO_COLOR=1", true},
		"a terminal without any":   {"", "TERM=vt100", false},
		"none, though asked for":   {"color=always", "TERM=vt100", false},
		"a terminal with few":      {"", "TERM=xterm", true},
		"CLICOLOR off":             {"", "CLICOLOR=0", false},
		"forced by CLICOLOR_FORCE": {"", "CLICOLOR_FORCE=1", true},
	} {
		t.Run(name, func(t *testing.T) {
			p := startToy(t, c.mode, c.env)
			p.Shows("toy 60×20")
			p.Send(strings.Repeat("h", 30))
			p.Shows("key h")
			p.Send("q")
			_, v := p.Exit()
			if coloured := vttest.Coloured(v.Raw); (len(coloured) > 0) != c.colours {
				t.Errorf("colours %q, want any: %v", coloured, c.colours)
			}
			restored(t, p, v)
		})
	}
}

func TestWithoutUTF8(t *testing.T) {
	p := startToy(t, "", "LANG=C")
	p.Shows("toy 60x20")
	p.Send("hq")
	_, v := p.Exit()
	screen := v.Raw[:bytes.Index(v.Raw, []byte("toy: bye"))]
	if i := bytes.IndexFunc(screen, func(r rune) bool { return r >= 0x80 }); i >= 0 {
		t.Errorf("not ASCII: %q", screen[max(0, i-20):i+20])
	}
	restored(t, p, v)
}

var (
	cleanTitle = strings.ReplaceAll("note;"+clean.Line(hostile), ";", ",")
	cleanBody  = strings.ReplaceAll("body;"+clean.Line(hostile), ";", ",")
)

func TestNotifications(t *testing.T) {
	tmux := strings.NewReplacer("\x1b", "\x1b\x1b")
	for name, c := range map[string]struct {
		mode  string
		env   []string
		notes []string
		bells int
	}{
		"by default": {"", nil, []string{"777;notify;" + cleanTitle + ";" + cleanBody}, 0},
		"iTerm":      {"", []string{"TERM_PROGRAM=iTerm.app"}, []string{"9;" + cleanTitle + ": " + cleanBody}, 0},
		"kitty": {"", []string{"KITTY_WINDOW_ID=1"}, []string{"99;i=bobproxy:d=0;" + cleanTitle,
			"99;i=bobproxy:d=1:p=body;" + cleanBody}, 0},
		"Apple": {"", []string{"TERM_PROGRAM=Apple_Terminal"}, nil, 1},
		"tmux":  {"", []string{"TMUX=/tmp/x,1,0"}, []string{"\x1bPtmux;" + tmux.Replace("\x1b]777;notify;"+cleanTitle+";"+cleanBody+"\x1b\\")}, 1},
		"off":   {"notify=off", nil, nil, 0},
		"asked": {"notify=osc9", nil, []string{"9;" + cleanTitle + ": " + cleanBody}, 0},
		"bell":  {"notify=bell", nil, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := startToy(t, c.mode, c.env...)
			p.Shows("toy 60×20")
			p.Send("nq")
			_, v := p.Exit()
			if !slices.Equal(v.Notes, c.notes) || v.Bells != c.bells {
				t.Errorf("got  %q, %d bells\nwant %q, %d", v.Notes, v.Bells, c.notes, c.bells)
			}
			restored(t, p, v)
		})
	}
}

func TestANotificationByACommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "note")
	p := startToy(t, "notify=command command", "FILE="+file, `COMMAND=printf '%s|%s' "$NOTIFY_TITLE" "$NOTIFY_BODY" > "$FILE"; exit 7`)
	p.Shows("toy 60×20")
	p.Send("n")
	p.Shows("took {notification sh: exit status 7}")
	got, err := os.ReadFile(file)
	if want := "note;" + clean.Line(hostile) + "|body;" + clean.Line(hostile); err != nil || string(got) != want {
		t.Errorf("%v and %q, want %q", err, got, want)
	}
}

func TestTitleAndClipboard(t *testing.T) {
	p := startToy(t, "")
	p.Shows("toy 60×20")
	p.Send("t")
	v := p.Shows("key t")
	if want := "title " + clean.Line(hostile); v.Title != want {
		t.Errorf("title %q, want %q", v.Title, want)
	}
	p.Send("cC")
	v = p.Shows("200000 bytes are too many for the terminal")
	if want := "52;c;" + base64.StdEncoding.EncodeToString([]byte("copied "+hostile)); !slices.Equal(v.Notes, []string{want}) {
		t.Errorf("got %q, want %q", v.Notes, want)
	}
}
