package main

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/acp/check"
	"bobproxy/inspector/conform"
	"bobproxy/inspector/model"
)

// mostKinds is how many kinds of one group are shown.
const mostKinds = 5

// text is the report for people.
func (k *checking) text(from source, report *conform.Report, r *ran) string {
	p := &page{width: k.width}
	fmt.Fprintf(p, "%s: %s", shown(from.name), howMany(report.Frames, "frame"))
	if report.Damaged > 0 {
		fmt.Fprintf(p, ", %s cannot be read", howMany(report.Damaged, "line"))
	}
	p.WriteString("\n")
	for _, g := range report.Groups {
		p.WriteString("\n")
		k.group(p, g)
	}
	k.deeds(p, "unasked", "ran, and nobody was asked", r.unasked)
	k.deeds(p, "refused", "ran, and nobody had allowed it", r.refused)
	k.deeds(p, "covered", "ran, and an earlier answer may have allowed it", r.covered)
	k.deeds(p, "claimed", "was not allowed, and is called completed in words that say it did not run", r.claimed)
	p.WriteString("\n" + total(report, r) + "\n")
	return p.String()
}

// group is what one side did against one rule.
func (k *checking) group(p *page, g *conform.Group) {
	p.row(g.Severity.String(), fmt.Sprintf("%s, by the %s", g.Rule, g.By))
	for i, kind := range g.Kinds {
		if i == mostKinds {
			p.row("", fmt.Sprintf("and %d others, with --json", len(g.Kinds)-mostKinds))
			break
		}
		p.row("", "- "+field(kind.Text)+" ("+seenIn(kind)+")")
	}
	p.command("", g.Spec)
}

// seenIn says which frames a kind was found in.
func seenIn(kind *conform.Kind) string {
	var b strings.Builder
	for i, seq := range kind.First {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "#%d", seq)
	}
	if n := kind.Count; n > len(kind.First) {
		fmt.Fprintf(&b, "; %s", times(n))
	}
	return b.String()
}

func times(n int) string {
	if n == 2 {
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// deeds lists what ran in one of the ways there are, and who decided on it where
// somebody did.
func (k *checking) deeds(p *page, word, what string, deeds []*model.Deed) {
	if len(deeds) == 0 {
		return
	}
	p.WriteString("\n")
	p.row(word, what)
	for _, d := range deeds {
		line := fmt.Sprintf("- %s %s (#%d)", d.Call(), quotation(d.Subject().Whole()), d.Seq)
		if word != "unasked" {
			line += ": " + field(d.Who())
		}
		p.row("", line)
	}
}

// total is the last line.
func total(report *conform.Report, r *ran) string {
	var parts []string
	for s := check.Error; s >= check.Info; s-- {
		if n := report.Counts[s]; n > 0 {
			parts = append(parts, severities(n, s))
		}
	}
	for _, n := range []struct {
		deeds []*model.Deed
		did   string
	}{{r.unasked, "ran unasked"}, {r.refused, "ran though not allowed"}, {r.covered, "covered by an earlier answer"}, {r.claimed, "called completed"}} {
		if len(n.deeds) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", len(n.deeds), n.did))
		}
	}
	text := "Nothing was found."
	if len(parts) > 0 {
		text = strings.Join(parts, ", ")
	}
	if report.Accepted > 0 {
		text += fmt.Sprintf(" (%d known)", report.Accepted)
	}
	return text
}

func severities(n int, s check.Severity) string {
	if s == check.Info {
		return fmt.Sprintf("%d for information", n)
	}
	return howMany(n, s.String())
}

// showRules is `bobproxy check --rules`.
func (k *checking) showRules() int {
	p := &page{width: k.width}
	for _, r := range check.Rules {
		p.row(r.Severity.String(), r.Name+": "+r.Text)
	}
	return k.show(rulesDocument(), p.String())
}

// ruleLine is a rule in JSON.
type ruleLine struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Text     string `json:"text"`
	Spec     string `json:"spec"`
}

func rulesDocument() map[string][]ruleLine {
	var lines []ruleLine
	for _, r := range check.Rules {
		lines = append(lines, ruleLine{r.Name, r.Severity.String(), r.Text, r.Spec})
	}
	return map[string][]ruleLine{"rules": lines}
}

// checkDocument is what `check --json` prints. Members are only ever added.
type checkDocument struct {
	Recording string        `json:"recording"`
	Frames    int           `json:"frames"`
	Damaged   int           `json:"damaged,omitempty"`
	Errors    int           `json:"errors"`
	Warnings  int           `json:"warnings"`
	Infos     int           `json:"infos"`
	Known     int           `json:"known"`
	Findings  []checkLine   `json:"findings"`
	More      int           `json:"more,omitempty"` // findings that are not listed
	Unasked   []unaskedLine `json:"unasked,omitempty"`
	Refused   []unaskedLine `json:"refused,omitempty"` // ran, and nobody had allowed it
	Covered   []unaskedLine `json:"covered,omitempty"` // ran, and an earlier answer may have allowed it
	Claimed   []unaskedLine `json:"claimed,omitempty"` // was not allowed, and is called completed in words that say it did not run
}

type checkLine struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	By       string `json:"by"`
	Instance string `json:"instance,omitempty"`
	Frame    uint64 `json:"frame"`
	Time     string `json:"time,omitempty"`
	Session  string `json:"session,omitempty"`
	Method   string `json:"method,omitempty"`
	Text     string `json:"text"`
	Spec     string `json:"spec"`
	Known    bool   `json:"known,omitempty"`
}

type unaskedLine struct {
	Kind    string `json:"kind"`
	Subject string `json:"subject"` // what it is about, and its title
	Title   string `json:"title"`
	Session string `json:"session,omitempty"`
	Frame   uint64 `json:"frame"`
	Time    string `json:"time"`
	Who     string `json:"who"` // decided on it, and how
}

func checkDocumentOf(from source, report *conform.Report, r *ran) checkDocument {
	d := checkDocument{
		Recording: from.name, Frames: report.Frames, Damaged: report.Damaged, Known: report.Accepted, More: report.More,
		Errors: report.Counts[check.Error], Warnings: report.Counts[check.Warning], Infos: report.Counts[check.Info], Findings: []checkLine{},
	}
	for i := range report.Findings {
		f := &report.Findings[i]
		d.Findings = append(d.Findings, checkLine{
			f.Rule, f.Severity.String(), f.By.String(), f.Instance, f.Seq, moment(f.At), f.Session, f.Method, f.Text, f.Spec(), f.Accepted,
		})
	}
	d.Unasked, d.Refused, d.Covered, d.Claimed = unaskedLines(r.unasked), unaskedLines(r.refused), unaskedLines(r.covered), unaskedLines(r.claimed)
	return d
}

func unaskedLines(deeds []*model.Deed) (lines []unaskedLine) {
	for _, d := range deeds {
		line := unaskedLine{Kind: d.Call(), Subject: d.Subject().Whole(), Title: d.Title, Frame: d.Seq, Time: moment(d.At), Who: d.Who()}
		if d.Session != nil && d.Session.Talk != nil {
			line.Session = d.Session.Talk.Session
		}
		lines = append(lines, line)
	}
	return lines
}

// moment is a time in JSON; empty when it is not known.
func moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format(time.RFC3339Nano)
}
