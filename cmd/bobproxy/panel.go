package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"

	"bobproxy/inspector/doctor"
	"bobproxy/inspector/feed"
	"bobproxy/inspector/filter"
	"bobproxy/inspector/home"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/panel"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy"
)

const panelUsage = `bobproxy panel [-e FILTER] [--session S] [--watch] [--follow=false] [FLAGS]
bobproxy panel [SESSION|FILE]

Watches every proxy of this user in the terminal: sessions, what is said and
done, the frames on the wire, and the permissions that wait, which can be
answered here. Proxies that start later appear by themselves.

  -e FILTER       what the wire shows, such as 'kind:err or slow>2s'
  --session S     go to this session, by the beginning of its id or its title
  --watch         answer nothing from here
  --follow=false  do not follow what comes
  --keys          list the keys, as the config file names them

FILE is a recording, which is shown as it was. SESSION is the instance of a
proxy, or the beginning of a session's id or a part of its title: one that runs
is watched, another one shown as it was recorded.

The flags under "The panel" in bobproxy help work here as well. In the panel,
? lists the keys, :set shows these settings and changes them until you quit
(what guards against approving by accident only gets stricter), and Up and Down
in a prompt bring back what was entered before. [theme] in the config file says
what things look like.
`

// watching is one run of `bobproxy panel`.
type watching struct {
	settings *settings
	filter   string
	session  string
	watch    bool
	follow   bool
	listKeys bool
	file     string // a recording to show instead of what runs
	std      streams
}

// runPanel is `bobproxy panel`.
func runPanel(s *settings, args []string, std streams) int {
	w := &watching{settings: s, std: std}
	rest, err := s.parse(args, w.flags)
	if errors.Is(err, errHelp) {
		return giveHelp(std, panelUsage)
	}
	if err == nil {
		err = s.refuseFor("panel")
	}
	if err == nil {
		err = s.complete("panel")
	}
	if err == nil {
		err = w.check(rest)
	}
	if err != nil {
		return refuse(std, err)
	}
	if w.listKeys {
		return w.printKeys()
	}
	return w.run()
}

// printKeys lists the keys in force as the config file could set them.
func (w *watching) printKeys() int {
	table := w.settings.panel.keys
	if table == nil {
		table = keys.Default()
	}
	columns := tabwriter.NewWriter(w.std.out, 0, 0, 2, ' ', 0)
	for i, b := range table {
		if i == 0 || b.In != table[i-1].In {
			fmt.Fprintf(columns, "[keys.%s]\t\t\n", b.In)
		}
		names := make([]string, len(b.Keys))
		for i, k := range b.Keys {
			names[i] = string(k)
		}
		fmt.Fprintf(columns, "%s = %q\t\t# %s\n", b.Do, strings.Join(names, " "), b.Help)
	}
	if err := columns.Flush(); err != nil {
		return proxy.ExitOurs
	}
	return exitDone
}

func (w *watching) flags(flags *flag.FlagSet) {
	flags.StringVar(&w.filter, "e", "", "")
	flags.StringVar(&w.filter, "filter", "", "")
	flags.StringVar(&w.session, "session", "", "")
	flags.BoolVar(&w.watch, "watch", false, "")
	flags.BoolVar(&w.follow, "follow", true, "")
	flags.BoolVar(&w.listKeys, "keys", false, "")
}

func (w *watching) check(rest []string) error {
	if len(rest) > 1 {
		return usageError(fmt.Sprintf("panel takes one recording, not %q as well (see: bobproxy panel --help)", rest[1]))
	}
	if len(rest) == 1 {
		w.file = rest[0]
	}
	if _, err := filter.Parse(w.filter); err != nil {
		return usageError(fmt.Sprintf("-e %q: %v", w.filter, err))
	}
	return nil
}

// run shows the panel until somebody leaves it.
func (w *watching) run() int {
	lookup := w.settings.lookup
	options := w.options()
	show, c := w.recorded(&options)
	if c != nil {
		return (&remote{out: w.std.out, err: w.std.err}).fail(c)
	}
	screen, err := terminal.Open(w.terminal(lookup))
	if err != nil {
		return refuse(w.std, usageError("panel: "+err.Error()))
	}
	defer screen.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var messages <-chan any
	if show == nil {
		live := feed.Start(ctx, feed.Options{Lookup: lookup, Protect: screen.Protect})
		defer live.Close()
		options.Decide, options.Disk = live.Decide, live.Disk
		show, messages = panel.New(options), live.Messages()
	}
	return left(screen.Run(ctx, show, messages))
}

// recorded is a panel that shows the recording that was named; nil where none
// was, or where that is of a proxy that runs, which is watched instead.
func (w *watching) recorded(o *panel.Options) (*panel.Panel, *complaint) {
	if w.file == "" {
		return nil, nil
	}
	found, c := findRecording(w.settings, w.file)
	switch {
	case c != nil:
		return nil, c
	case found.file == "-":
		return nil, misused("the panel needs the keyboard, so it cannot read a recording from stdin").with("name a file")
	case o.Session == "":
		o.Session = found.session
	}
	if found.running != nil {
		o.Instance = found.instance
		if all := found.running.Sessions; o.Session == "" && len(all) > 0 {
			o.Session = all[len(all)-1].ID
		}
		return nil, nil
	}
	t, err := found.open(nil)
	if err != nil {
		return nil, broken("%v", err)
	}
	defer t.Close()
	o.Card.Watch = true
	show := panel.New(*o)
	switch err := show.Read(found.name, t.events()); {
	case errors.Is(err, model.ErrEmpty):
		return nil, misused("there is nothing to show in %s: it is no recording, or an empty one", field(found.name)).with("without a name the panel shows what runs; bobproxy log shows the newest recording")
	case err != nil:
		return nil, broken("%s", field(err.Error()))
	}
	return show, nil
}

// left is the code for how a panel was left. Nothing is said of a signal or of a
// terminal that has gone: there may be nobody to read it, and a write that never
// ends.
func left(err error) int {
	var signalled terminal.Signalled
	switch {
	case errors.As(err, &signalled):
		if number, ok := signalled.Signal.(syscall.Signal); ok {
			return 128 + int(number)
		}
		return proxy.ExitOurs
	case err != nil:
		return proxy.ExitOurs
	}
	return exitDone
}

func (w *watching) options() panel.Options {
	s := &w.settings.panel
	home, _ := os.UserHomeDir()
	history := usualHistory()
	return panel.Options{
		Keys: s.keys, Card: s.card(w.watch), Machine: machine(w.settings), Home: home,
		Widths: panel.Widths{Medium: int(s.mediumFrom), Wide: int(s.wideFrom)}, Layout: s.layout,
		OpenCard: s.openCard, Filters: s.filters, Filter: w.filter, Session: w.session, Still: !w.follow,
		Mouse: s.mouse, Theme: s.theme, Quiet: s.notify == "off",
		Settings: w.settings.ofPanel(), ConfigFile: w.settings.file.path,
		History: history.read(), Remember: history.add,
		Save: saveFile, Demo: (&demoInside{lookup: w.settings.lookup}).start,
	}
}

func (w *watching) terminal(lookup func(string) (string, bool)) terminal.Options {
	s := &w.settings.panel
	o := terminal.Options{Theme: s.theme, Color: s.color, Looks: s.looks, Mouse: s.mouse, Notify: s.notify, NotifyCommand: s.notifyCommand, Env: lookup}
	if s.glyphs != "auto" {
		only := s.glyphs == "ascii"
		o.ASCII = &only
	}
	return o
}

// saveFile writes a new file in the current folder, which nobody else can read,
// and never over another.
func saveFile(name string, data []byte) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	ext := filepath.Ext(path)
	stem := path[:len(path)-len(ext)]
	for n := 2; ; n++ {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) && n < 1000 {
			path = fmt.Sprintf("%s-%d%s", stem, n, ext)
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		return path, errors.Join(err, f.Close())
	}
}

// mostFindings is how many of the machine the empty panel tells.
const mostFindings = 5

// machine is what the empty panel tells of this machine.
func machine(s *settings) home.Machine {
	v := glanced(s)
	m := home.Machine{Self: v.Self, Bob: v.Bob.Path}
	for _, f := range doctor.Top(doctor.Quick(v), mostFindings) {
		m.Findings = append(m.Findings, home.Finding{Mark: f.Level.Mark(), Name: f.About, Text: f.Text})
	}
	return m
}
