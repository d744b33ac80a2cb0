package export

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"bobproxy/acp"
	"bobproxy/acp/clean"
	"bobproxy/acp/session"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// Bounds of the bodies in a page.
const (
	maxShownBody   = 16 << 10 // bytes of one
	maxShownBodies = 8 << 20  // bytes of all
)

// HTML writes a transcript as one page that needs nothing else: no network, and no
// script to be read.
func HTML(w io.Writer, t *Transcript) error {
	p := page{Writer: bufio.NewWriter(w), t: t}
	p.head()
	for _, proxy := range t.Model.Proxies {
		p.proxy(proxy)
	}
	p.printf("</main>\n<script>%s</script>\n</body>\n</html>\n", pageScript)
	return p.Flush()
}

// page is a page that is being written. Text goes into it only through text and
// lines, and never into an attribute.
type page struct {
	*bufio.Writer
	t     *Transcript
	shown int // bytes of bodies
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// markupSigns are what means something between tags. Quotes do not, and JSON is
// full of them.
var markupSigns = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func escape(s string) string { return markupSigns.Replace(s) }

// text is one line of a peer's text, fit to stand between tags.
func text(s string) string { return escape(clean.Line(s)) }

// lines are those of a text, fit to stand between tags.
func lines(s string) string {
	all := codeLines(s)
	for i := range all {
		all[i] = escape(all[i])
	}
	return strings.Join(all, "\n")
}

// allowance is the source that a policy allows alone.
func allowance(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (p *page) head() {
	title := text(p.t.Scrub.Text(p.t.Name))
	p.printf("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	p.printf("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'\">\n",
		allowance(pageStyle), allowance(pageScript))
	p.printf("<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	p.printf("<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n<h1>%s</h1>\n<p id=\"tools\"></p>\n", title, pageStyle, title)
}

func (p *page) proxy(proxy *model.Proxy) {
	p.printf("<dl class=\"facts\">\n")
	for _, f := range facts(proxy) {
		p.printf("<dt>%s</dt><dd>%s</dd>\n", f[0], text(f[1]))
	}
	p.printf("</dl>\n")
	for _, sentence := range omissions(proxy) {
		p.printf("<p class=\"note\">%s</p>\n", text(sentence))
	}
	for _, s := range proxy.Sessions {
		p.session(s)
	}
	p.words("Agent's stderr", proxy.Stderr)
	p.words("Warnings of the proxy", proxy.Warnings)
	p.wire(proxy)
}

func (p *page) session(s *model.Session) {
	p.printf("<section>\n<h2>%s</h2>\n<p class=\"note\">Session %s", text(p.t.Scrub.Text(s.Name())), text(word(s.Talk.Session, "without an id")))
	if s.Cwd != "" {
		p.printf(" in %s", text(s.Cwd))
	}
	p.printf("</p>\n")
	turn := 0
	for i, e := range s.Talk.Entries {
		if e.Kind == session.UserMessage && (i == 0 || s.Talk.Entries[i-1].Kind != session.UserMessage) {
			turn++
			p.printf("<h3>Turn %d</h3>\n", turn)
		}
		p.entry(s, e)
	}
	p.plans(s)
	p.ledger(s)
	p.printf("</section>\n")
}

func (p *page) entry(s *model.Session, e *session.Entry) {
	said := p.t.Scrub.Text(e.Text)
	switch e.Kind {
	case session.UserMessage, session.AgentMessage:
		class := "agent"
		if e.Kind == session.UserMessage {
			class = "user"
		}
		p.printf("<div class=\"entry %s\"><div class=\"who\">%s%s</div><div class=\"text\">%s</div>%s</div>\n", class, speaker(e), at(e), lines(said), longer(e))
	case session.Thought:
		p.printf("<details class=\"entry\"><summary><span class=\"about\">Thought%s</span></summary><div class=\"text\">%s</div>%s</details>\n", at(e), lines(said), longer(e))
	case session.ToolEntry:
		p.tool(s, e)
	case session.TurnEnd:
		p.printf("<div class=\"entry note\">Turn ended: %s%s</div>\n", text(joined(e.Name, said)), at(e))
	default:
		p.printf("<div class=\"entry note\">%s: %s</div>\n", speaker(e), text(joined(e.Name, said)))
	}
}

func longer(e *session.Entry) string {
	if e.Size <= len(e.Text) {
		return ""
	}
	return fmt.Sprintf("<div class=\"note\">… %s in all</div>", size(int64(e.Size)))
}

func (p *page) tool(s *model.Session, e *session.Entry) {
	tool := e.Tool
	class := "wait"
	switch tool.Status {
	case "completed":
		class = "ok"
	case "failed", "cancelled":
		class = "bad"
	}
	p.printf("<details class=\"entry tool\"><summary><b>%s</b> %s <span class=\"%s\">%s</span><span class=\"about\">%s</span></summary>\n",
		text(word(tool.Kind, "tool")), text(p.t.Scrub.Text(word(tool.Title, tool.ID))), class, text(status(tool)), at(e))
	changes := p.t.changes(s, tool)
	for _, path := range otherPaths(tool, changes) {
		p.printf("<div class=\"mono\">%s</div>\n", text(path))
	}
	for _, o := range s.Permissions(e) {
		p.printf("<div>Permission: %s</div>\n", text(p.t.Scrub.Text(settled(o))))
	}
	for _, c := range changes {
		p.diff(c)
	}
	if tool.Output != "" {
		p.printf("<div class=\"note\">Output, %s</div><pre>%s</pre>\n", size(int64(tool.OutputSize)), lines(p.t.Scrub.Text(tool.Output)))
	}
	p.printf("</details>\n")
}

func (p *page) diff(c change) {
	about := c.Path
	if c.OldText == nil {
		about += ", a new file"
	}
	p.printf("<div class=\"mono\">%s</div><pre>", text(about))
	for _, l := range c.lines() {
		class, sign := "same", string(l.sign)
		switch l.sign {
		case '+':
			class = "add"
		case '-':
			class = "del"
		case '@':
			class, sign = "skip", ""
		}
		p.printf("<span class=\"%s\">%s%s</span>", class, sign, escape(l.text))
	}
	p.printf("</pre>\n")
}

func (p *page) plans(s *model.Session) {
	for _, plan := range s.Talk.Plans {
		p.printf("<h3>Plan</h3>\n")
		for _, step := range plan.Steps {
			p.printf("<div class=\"entry\"><span class=\"note\">%s</span> %s</div>\n", text(word(step.Status, "pending")), text(p.t.Scrub.Text(step.Text)))
		}
		if plan.Text != "" {
			p.printf("<div class=\"entry text\">%s</div>\n", lines(p.t.Scrub.Text(plan.Text)))
		}
	}
}

func (p *page) ledger(s *model.Session) {
	if len(s.Deeds) == 0 {
		return
	}
	p.printf("<h3>What was done, and who allowed it</h3>\n<table><thead><tr><th>Time</th><th>What</th><th>About</th><th>Asked</th><th>By</th><th>Option</th><th>Waited</th></tr></thead><tbody>\n")
	for _, d := range s.Deeds {
		for _, v := range verdicts(d) {
			p.verdict(v)
		}
	}
	p.printf("</tbody></table>\n")
}

func (p *page) verdict(v verdict) {
	class := "wait"
	switch v.deed.Verdict {
	case model.Allowed:
		class = "ok"
	case model.Unasked, model.Refused, model.TimedOut:
		class = "bad"
	}
	p.printf("<tr><td class=\"nowrap\">%s</td><td class=\"nowrap\">%s</td><td class=\"some\">%s</td><td class=\"nowrap %s\">%s</td><td class=\"some\">%s</td><td class=\"some\">%s</td><td class=\"nowrap\">%s</td></tr>\n",
		stamp(v.deed.At), text(v.deed.What), text(p.t.Scrub.Text(v.deed.Subject().Whole())), class, text(v.judged),
		text(p.t.Scrub.Text(v.who)), text(p.t.Scrub.Text(v.option())), text(v.waited()))
}

func (p *page) words(title string, words []model.Words) {
	if len(words) == 0 {
		return
	}
	p.printf("<details class=\"section\"><summary>%s, %d lines</summary>\n<pre>", title, len(words))
	for _, said := range words {
		p.printf("%s\n", lines(p.t.Scrub.Text(said.Text)))
	}
	p.printf("</pre></details>\n")
}

// wire writes the frames, and what else happened, with the bodies that there is
// room for.
func (p *page) wire(proxy *model.Proxy) {
	p.printf("<details class=\"section\"><summary>Wire, %d frames and events</summary>\n", len(proxy.Rows))
	p.printf("<table><thead><tr><th>#</th><th>Time</th><th>From</th><th>What</th><th class=\"wide\">Id</th><th>Size</th><th>Says</th></tr></thead><tbody>\n")
	without := 0
	for _, r := range proxy.Rows {
		p.printf("<tr><td class=\"n dim\">%d</td><td class=\"nowrap\">%s</td>", r.Seq, stamp(r.Time))
		if r.Type != journal.FrameEvent {
			p.printf("<td></td><td class=\"what\">%s</td><td class=\"wide\"></td><td></td><td>%s</td></tr>\n", text(string(r.Type)), text(p.t.Scrub.Text(r.Text)))
			continue
		}
		p.printf("<td class=\"nowrap\">%s</td><td class=\"what\">%s</td><td class=\"wide mono\">%s</td><td class=\"n\">%s</td><td>%s", arrow(r), text(heading(r)), text(r.ID), size(r.Size), text(p.t.Scrub.Text(r.First)))
		if !p.json(r) && r.Size > 0 {
			without++
		}
		p.printf("</td></tr>\n")
	}
	p.printf("</tbody></table>\n")
	if without > 0 {
		p.printf("<p class=\"note\">%d frames are listed without their JSON, for which there was no room. The recording has it.</p>\n", without)
	}
	p.printf("</details>\n")
}

func arrow(r *model.Row) string {
	if r.From == acp.Client {
		return "→ client"
	}
	return "← agent"
}

func heading(r *model.Row) string {
	parts := []string{r.Kind.String(), r.Method, r.Update, r.Action, r.Reason}
	if r.Waited > 0 {
		parts = append(parts, "after "+lasting(r.Waited))
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// json writes the body of a frame, to be opened, if there is room for it.
func (p *page) json(r *model.Row) bool {
	if len(r.Body) == 0 || p.shown >= maxShownBodies {
		return false
	}
	body := indented(r.Body)
	cut := r.Cut
	if end := maxShownBody; len(body) > end {
		for end > 0 && !utf8.RuneStart(body[end]) {
			end--
		}
		body, cut = body[:end], true
	}
	p.shown += len(body)
	p.printf("<details class=\"json\"><summary class=\"about\">JSON</summary><pre>%s</pre>", lines(string(body)))
	if cut {
		p.printf("<div class=\"note\">… %s in all</div>", size(r.Size))
	}
	p.printf("</details>")
	return true
}

// maxIndented is how deep a value is that is shown in lines. Indentation grows
// with the depth for every line.
const maxIndented = 64

func indented(body []byte) []byte {
	depth, deepest := 0, 0
	for _, c := range body {
		switch c {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	var out bytes.Buffer
	if deepest > maxIndented || json.Indent(&out, body, "", "  ") != nil {
		return body
	}
	return out.Bytes()
}
