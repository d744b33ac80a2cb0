package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// request is all that somebody must have seen who answers.
func (p *page) request(o open, now time.Time) {
	p.row("REQ", fmt.Sprintf("%s  asked %s ago, digest %s", requestText(o.Request), lasted(now.Sub(o.Opened)), shortDigest(o.Digest)))
	p.row("time", timeLeft(o.Pending, now))
	p.row("agent", fmt.Sprintf("%s for %s, proxy %d in %s", quotation(peerName(o.proxy.Agent)), quotation(peerName(o.proxy.Client)), o.proxy.PID, quotation(o.proxy.Cwd)))
	p.row("session", o.session())
	p.row("kind", kindOf(o.Kind))
	p.title(o.Title)
	p.verdict(o.Verdict)
	p.run(o.Pending)
	p.content(o.Pending)
	p.input(o.Pending)
	p.options(o.Options)
	if o.Unattributable != "" {
		p.row("editor", "! "+field(o.Unattributable))
	}
	p.commands(o.Pending)
}

func (o open) session() string {
	if o.Session == "" {
		return "none"
	}
	text := quotation(o.Session)
	for _, s := range o.proxy.Sessions {
		if s.ID != o.Session {
			continue
		}
		if s.Title != "" {
			text += ", " + quotation(s.Title)
		}
		if s.Cwd != "" && s.Cwd != o.proxy.Cwd {
			text += ", in " + quotation(s.Cwd)
		}
		return text
	}
	if o.SessionUnknown {
		text += " (not known)"
	}
	return text
}

func (p *page) title(title string) {
	if title == "" {
		p.row("title", "none")
		return
	}
	p.theirs("title", fieldLines(title))
}

// fieldLines are the lines of a text of several, clean.
func fieldLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = field(lines[i])
	}
	return withoutBlanks(lines)
}

// verdicts are what the levels are called where somebody must not overlook them.
var verdicts = map[broker.Level]string{
	broker.LevelInside:   "inside the workspace",
	broker.LevelOutside:  "!! OUTSIDE THE WORKSPACE !!",
	broker.LevelLater:    "!! INSIDE THE WORKSPACE, BUT TAKES EFFECT OUTSIDE LATER !!",
	broker.LevelUnjudged: "! CANNOT BE JUDGED !",
	broker.LevelOff:      "! NOT CHECKED: bounds are off !",
}

const mostPaths = 20 // that are shown

func (p *page) verdict(v broker.Verdict) {
	name, ok := verdicts[v.Level]
	if !ok {
		name = "! " + quotation(string(v.Level)) + " !"
	}
	p.row("verdict", name)
	if v.Text != "" && v.Text != name {
		p.row("", field(v.Text))
	}
	paths := slices.Clone(v.Paths)
	slices.SortStableFunc(paths, func(a, b broker.Path) int { return sign(a.Inside) - sign(b.Inside) })
	for _, path := range paths[:min(len(paths), mostPaths)] {
		p.row("", pathVerdict(path))
	}
	if n := len(paths) - mostPaths; n > 0 {
		p.row("", fmt.Sprintf("and %s more; all of them: bobproxy pending --json", howMany(n, "path")))
	}
}

func sign(inside bool) int {
	if inside {
		return 1
	}
	return 0
}

func pathVerdict(path broker.Path) string {
	text := "inside   " + quotation(path.Path)
	if !path.Inside {
		text = "OUTSIDE  " + quotation(path.Path)
	}
	if path.Target != "" {
		text += " leads to " + quotation(path.Target)
	}
	if path.Reason != "" {
		text += " (" + field(path.Reason) + ")"
	}
	return text
}

func (p *page) input(o control.Pending) {
	switch {
	case o.Clipped != "":
		p.theirs("input", fieldLines(o.Clipped))
		p.row("", "! THIS IS ONLY ITS BEGINNING ! The whole is in the editor and in the recording.")
	case len(o.Input) == 0 || string(o.Input) == "null":
		p.row("input", "none")
	default:
		p.theirs("input", spread(o.Input))
	}
}

func (p *page) options(options []control.Option) {
	label := "options"
	for _, o := range options {
		p.row(label, optionText(o))
		label = ""
	}
	if len(options) == 0 {
		p.row(label, "none")
	}
}

// optionText is one option as all these commands write it.
func optionText(o control.Option) string {
	text := fmt.Sprintf("%d %s %s", o.Number, kindOf(o.Kind), quotation(o.Name))
	switch {
	case o.Odd:
		text += " (malformed, cannot be chosen)"
	case !lastsNot(o.Kind):
		text += " (lasts; needs --standing)"
	}
	return text
}

const allowOnce, rejectOnce = "allow_once", "reject_once"

// lastsNot says that an answer of this kind is for this one request.
func lastsNot(kind string) bool { return kind == allowOnce || kind == rejectOnce }

// kindOf is a word of the protocol as it is, and anything else in quotes.
func kindOf(kind string) string {
	switch {
	case kind == "":
		return "none"
	case word().MatchString(kind):
		return kind
	}
	return quotation(kind)
}

var (
	word        = pattern(`^[a-z][a-z_]{0,31}$`)
	instance    = pattern(`^[0-9A-Za-z]{4,8}$`)
	requestName = pattern(`^([0-9A-Za-z]{4,8}):([0-9]{1,18})$`)
	digestName  = pattern(`^[0-9a-f]{8,64}$`)
)

// pattern is compiled when it is first asked for: a proxy that starts needs none.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

func timeLeft(o control.Pending, now time.Time) string {
	if o.Deadline == nil {
		return "no limit"
	}
	left := o.Deadline.Sub(now).Round(time.Second)
	if left <= 0 {
		return "is up; " + whatThen(o.Options)
	}
	return fmt.Sprintf("%s left, then %s", left, whatThen(o.Options))
}

func whatThen(options []control.Option) string {
	for _, o := range options {
		if o.Kind == rejectOnce && !o.Odd && !sharesID(options, o) {
			return "it is answered with " + optionText(o)
		}
	}
	return "it is answered with: cancelled"
}

// typedDigest is how much of a digest a command line is given, so that it fits
// on a line of 80 cells: 64 bits.
const typedDigest = 16

// commands are what to type. A name that is not what it should be is never made
// part of a command line.
func (p *page) commands(o control.Pending) {
	if !requestName().MatchString(o.Request) {
		p.row("answer", "! only in the editor: the request has no proper name")
		return
	}
	if o.Unanswerable != "" {
		p.row("answer", "! "+field(o.Unanswerable))
		p.command("deny", "bobproxy deny "+o.Request)
		return
	}
	digest := ""
	if digestName().MatchString(o.Digest) {
		digest = " --digest " + o.Digest[:min(len(o.Digest), typedDigest)]
	}
	if _, c := theOneToAllow(o); c == nil {
		p.command("approve", "bobproxy approve "+o.Request+digest)
	}
	p.command("deny", "bobproxy deny "+o.Request)
	p.command("other", "bobproxy answer "+o.Request+" --number N"+digest)
}

func requestText(request string) string {
	if requestName().MatchString(request) {
		return request
	}
	return quotation(request)
}

func shortDigest(digest string) string {
	if digestName().MatchString(digest) {
		return digest[:8]
	}
	return quotation(clipped(digest, 8))
}
