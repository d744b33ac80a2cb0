package doctor

import (
	"fmt"
	"strings"
)

// weakness is a value of a setting, and what comes of it.
type weakness struct{ name, value, text, fix string }

func (w weakness) is(value string) bool {
	return value == w.value || w.value == "0" && value == "0s"
}

// weaker are settings with values that guard less than they could.
var weaker = []weakness{
	{"bounds", "off", "nobody looks at what leads out of the workspace", "bounds = \"enforce\""},
	{"bounds", "warn", "what leads out of the workspace passes", "bounds = \"enforce\""},
	{"permission-timeout", "0", "a permission that nobody answers waits for ever", "permission-timeout = \"2m\""},
	{"answer-cli", "all", "any command may answer permissions, without a person", "answer-cli = \"deny-only\", or leave it out"},
	{"read-all", "false", "a permission can be given in the panel before all of it was on the screen", "read-all = true"},
	{"confirm-always", "false", "the panel allows for good without a confirmation", "confirm-always = true"},
	{"withdraw", "false", "an editor's dialog stays open after a permission was settled elsewhere", "withdraw = true"},
}

// inForce is the guards in one line, each with where it comes from.
func inForce(guards []Setting) string {
	var all []string
	for _, g := range guards {
		text := g.Name + " " + g.Value
		if oneOf(g.Value, "0", "0s") {
			text = g.Name + " never"
		}
		if g.Source != "" {
			text += " (" + g.Source + ")"
		} else {
			text += " (default)"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func settings(f *findings, v View) {
	var weak findings
	for _, s := range v.Settings {
		for _, w := range weaker {
			if s.Name == w.name && w.is(s.Value) {
				weak.add(Warning, "settings", fmt.Sprintf("%s is %s, from %s: %s", s.Name, s.Value, s.Source, w.text), w.fix)
			}
		}
	}
	level := OK
	if len(weak.list) > 0 {
		level = Info
	}
	if len(v.Guards) > 0 {
		f.add(level, "settings", "a proxy that is started from here has "+inForce(v.Guards), "")
	}
	f.list = append(f.list, weak.list...)
	if level == OK {
		f.add(OK, "settings", "none of them weakens a guard", "")
	}
}

func running(f *findings, v View) {
	n := 0
	warn := func(who, text, fix string) {
		f.add(Warning, "running", who+" "+text, fix)
		n++
	}
	for _, p := range v.Running {
		who := fmt.Sprintf("proxy %s (%s)", p.Instance, strings.Join(p.Command, " "))
		if p.AutoApprove != "" {
			warn(who, "has an agent that approves by itself, by "+p.AutoApprove, "start it without that")
		}
		for _, s := range p.Sessions {
			if s.AutoApprove != "" {
				warn(who, fmt.Sprintf("has a session that approves by itself, by %s", s.AutoApprove), "choose another mode in the editor")
			}
		}
		if p.Bounds == "off" || p.Bounds == "warn" {
			warn(who, "does not keep its agent in the workspace: bounds "+p.Bounds, "start it with --bounds enforce")
		}
		if p.Recording == "" {
			warn(who, "records nothing", "")
		}
		if p.Version != v.Version {
			warn(who, fmt.Sprintf("is of version %s, this is %s", p.Version, v.Version), "restart its editor")
		}
	}
	if n == 0 && len(v.Running) > 0 {
		f.add(OK, "running", runningText(len(v.Running)), "")
	}
}

func runningText(n int) string {
	if n == 1 {
		return "one proxy, as it should be"
	}
	return fmt.Sprintf("%d proxies, as they should be", n)
}

// fromTmux are options of tmux without which a panel in it lacks something.
var fromTmux = []struct{ name, text string }{
	{"allow-passthrough", "notifications do not get through tmux"},
	{"focus-events", "tmux does not tell whether somebody looks"},
	{"set-clipboard", "what is copied does not leave tmux"},
}

func terminal(f *findings, v View) {
	t := v.Terminal
	if !t.Is {
		return
	}
	n := len(f.list)
	if t.Term == "" || t.Term == "dumb" {
		f.add(Warning, "terminal", "TERM is "+quote(t.Term)+"; the panel cannot be drawn in it", "use another terminal")
	}
	if !t.UTF8 {
		f.add(Info, "terminal", "the locale is not UTF-8, so lines and marks are drawn in ASCII", "set LANG to one that ends in .UTF-8")
	}
	if t.NoColor {
		f.add(Info, "terminal", "NO_COLOR is set, so there are no colours", "")
	}
	for _, option := range fromTmux {
		if t.Tmux[option.name] == "off" {
			f.add(Info, "terminal", option.name+" is off: "+option.text, "tmux set -g "+option.name+" on")
		}
	}
	if len(f.list) == n {
		f.add(OK, "terminal", t.Term, "")
	}
}
