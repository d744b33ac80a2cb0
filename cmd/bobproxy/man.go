package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bobproxy/proxy"
)

const manUsage = `bobproxy man [DIR]

Prints the man page, or writes it to DIR/bobproxy.1.

  bobproxy man | man -l -
`

// runMan is `bobproxy man`.
func runMan(s *settings, args []string, std streams) int {
	switch {
	case len(args) == 1 && (args[0] == "--help" || args[0] == "-h"):
		return giveHelp(std, manUsage)
	case len(args) > 1 || len(args) == 1 && strings.HasPrefix(args[0], "-"):
		return refuse(std, usageError("man takes at most a folder (see: bobproxy man --help)"))
	}
	page, err := manPage(s)
	switch {
	case err != nil:
	case len(args) == 0:
		return giveHelp(std, page)
	default:
		if err = os.MkdirAll(args[0], 0o755); err == nil {
			err = os.WriteFile(filepath.Join(args[0], "bobproxy.1"), []byte(page), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintf(std.err, "bobproxy: %v\n", err)
		return proxy.ExitOurs
	}
	return exitDone
}

// roff is a man page that is being written.
type roff struct{ strings.Builder }

// manPage is the whole of it: all commands, settings, files and exit codes. It
// has no date, so that the same program always has the same page.
func manPage(s *settings) (string, error) {
	all, err := manuals(s)
	if err != nil {
		return "", err
	}
	var m roff
	fmt.Fprintf(&m, ".TH BOBPROXY 1 \"\" \"bobproxy %s\" \"User Commands\"\n", version)
	m.section("NAME")
	m.text("bobproxy - record, guard and answer for a coding agent in an editor")
	m.section("SYNOPSIS")
	m.synopsis([]string{"bobproxy [FLAGS] acp [ARGS…]", "bobproxy run [FLAGS] -- CMD…", "bobproxy COMMAND [FLAGS] [ARGS…]"})
	m.section("DESCRIPTION")
	m.text(introduction)
	m.paragraph(placeOfFlags)
	m.section("COMMANDS")
	for i := range all {
		m.command(&all[i])
	}
	m.settings()
	m.paragraphs("FILES", manFiles)
	m.paragraphs("ENVIRONMENT", manEnvironment)
	m.paragraphs("EXIT STATUS", manExits)
	m.section("SEE ALSO")
	m.text("The Agent Client Protocol, https://agentclientprotocol.com")
	return m.String(), nil
}

const introduction = "bobproxy stands between an ACP editor and a coding agent: it records every frame, keeps the agent in its workspace, and lets permissions be answered from another terminal."

const placeOfFlags = "Flags stand in front of the word acp, or between run and --; those of the other commands follow their names. Everything after acp, and everything after --, is the agent's. REQ is what pending shows, such as z69pu:3."

// A term and what there is to say of it.
var (
	manFiles = [][2]string{
		{"$XDG_CONFIG_HOME/bobproxy/config.toml", "the settings, by the names of the flags without their dashes; else ~/.config/bobproxy/config.toml. Nothing is read from the current folder or a workspace."},
		{"$XDG_STATE_HOME/bobproxy", "the recordings; else ~/.local/state/bobproxy"},
		{"$XDG_STATE_HOME/bobproxy/panel-history", "what was entered at the panel's prompts, for Up and Down in later runs; it may be removed at any time"},
		{"$XDG_RUNTIME_DIR/bobproxy", "the sockets of the proxies that run; else /run/user/UID/bobproxy, $TMPDIR/bobproxy-UID or /tmp/bobproxy-UID"},
	}
	manEnvironment = [][2]string{
		{"BOBPROXY_…, BOB_…", "the settings; the variable of each is said with it. Flags win over the environment, which wins over the config file."},
		{"NO_COLOR, CLICOLOR, CLICOLOR_FORCE", "whether there are colours where nothing else is said"},
		{"LC_ALL, LC_CTYPE, LANG", "whether lines and marks are drawn in UTF-8"},
		{"COLORFGBG, TERM", "what the terminal looks like and can do"},
		{"XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR, HOME, TMPDIR", "where files are"},
		{"BOBPROXY_RUNTIME_DIR", "the one folder for the sockets, instead of those above: proxies and panels that have it see each other and nobody else"},
	}
	manExits = [][2]string{
		{"0", "done"},
		{"1", "the answer is no: nothing matched, a check failed"},
		{"2", "wrong usage or settings"},
		{"3", "no such proxy, session, request or recording"},
		{"4", "somebody else answered first"},
		{"5", "expired or withdrawn"},
		{"6", "refused by policy"},
		{"124", "waited in vain"},
		{"125", "our own failure or refusal"},
		{"126, 127", "of whatever starts an agent: it is not executable, or was not found"},
		{"128+N", "of acp and run: signal N killed the agent. Any other code of theirs is the agent's own."},
	}
)

func (m *roff) section(name string) { fmt.Fprintf(m, ".SH %s\n", inRoff(name)) }

// text is a line, which roff fills.
func (m *roff) text(text string) { m.WriteString(inRoff(text) + "\n") }

func (m *roff) paragraph(text string) {
	m.WriteString(".PP\n")
	m.text(text)
}

func (m *roff) term(term, text string) {
	fmt.Fprintf(m, ".TP\n.B %s\n", inRoff(term))
	m.text(text)
}

func (m *roff) paragraphs(name string, terms [][2]string) {
	m.section(name)
	for _, t := range terms {
		m.term(t[0], t[1])
	}
}

// synopsis are lines that are not filled.
func (m *roff) synopsis(lines []string) {
	m.WriteString(".nf\n")
	for _, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		fmt.Fprintf(m, ".B %s\n", strings.Repeat(`\ `, indent)+inRoff(line[indent:]))
	}
	m.WriteString(".fi\n")
}

func (m *roff) command(c *manual) {
	fmt.Fprintf(m, ".SS %s\n", inRoff("bobproxy "+c.verb.name))
	m.synopsis(c.synopsis)
	if len(c.blocks) == 0 {
		m.paragraph(strings.ToUpper(c.verb.forms[0].text[:1]) + c.verb.forms[0].text[1:] + ".")
	}
	for _, b := range c.blocks {
		m.block(b)
	}
}

func (m *roff) block(b block) {
	switch {
	case b.text != "":
		m.paragraph(b.text)
	case len(b.options) > 0:
		for _, o := range b.options {
			m.term(strings.TrimSpace(o.name+o.join+o.arg), o.text)
		}
	default:
		m.WriteString(".PP\n.nf\n")
		for _, line := range b.lines {
			m.text(line)
		}
		m.WriteString(".fi\n")
	}
}

// settings are those of the table, under their headings.
func (m *roff) settings() {
	m.section("SETTINGS")
	for i, row := range table {
		if i == 0 || row.group != table[i-1].group {
			fmt.Fprintf(m, ".SS %s\n", inRoff(string(row.group)))
		}
		m.term(row.usage(), fmt.Sprintf("%s. Default: %s; environment: %s.", plain(row.text), row.defaultText(), row.env))
	}
}

// inRoff is text as roff reads it back: nothing in it is a request or an escape,
// and what is not ASCII is named.
func inRoff(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case (r == '.' || r == '\'') && i == 0:
			b.WriteString(`\&` + string(r))
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '`':
			b.WriteString("\\`")
		case r == '"':
			b.WriteString(`\(dq`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r >= 0x80:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
