package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bobproxy/inspector/export"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

// hostile are texts that would do something if they were not just text.
var hostile = []string{
	`<script>alert(1)</script>`, `</script><script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, `' onmouseover='alert(1)`,
	`</style><b>`, `</pre></details></main>`, `<!-- `, `]]>`, `<details open>`, `&lt;script&gt;`, `&#60;script&#62;`, "\x1b]0;x\a", "\u202egnp.exe", "\u2028x",
	`[a](javascript:alert(1))`, `![a](http://evil.example/x.png)`, `<http://evil.example>`, `http://evil.example/x`, `www.evil.example`, `WWW.evil.example`,
	`mailto:a@evil.example`, `a@evil.example`, `@everyone`, `@@a`, "```\n<b>\n```", "~~~\n<b>", "````", "    indented", "\tindented", "# heading", "---", "===", "- item", "1. item", "2) item",
	"> quote", "| a | b |", "a\n===\n", "[x]: http://evil.example", "$$x$$", "\\<b>", "`<b>`", "line\\", "a  \nb", ":smile:", "*a* _b_ ~~c~~", "\u0000", "end`",
}

// spiteful is a recording in which text stands wherever a peer can write.
func spiteful(text string) string {
	q, _ := json.Marshal(text)
	in := func(frame string) string { return strings.ReplaceAll(frame, "T", string(q)) }
	return recording(
		in(`"event":"start","command":["agent",T],"pid":1,"cwd":T`),
		sent("client", "request", "initialize", in(`{"id":0,"method":"initialize","params":{"clientInfo":{"name":T,"version":T}}}`)),
		sent("agent", "response", "initialize", in(`{"id":0,"result":{"protocolVersion":1,"agentInfo":{"name":T,"version":T}}}`)),
		sent("client", "request", "session/new", in(`{"id":1,"method":"session/new","params":{"cwd":T}}`)),
		sent("agent", "response", "session/new", in(`{"id":1,"result":{"sessionId":T}}`)),
		sent("client", "request", "session/prompt", in(`{"id":T,"method":"session/prompt","params":{"sessionId":T,"prompt":[{"type":"text","text":T}]}}`)),
		sent("agent", "notification", "session/update", in(`{"method":"session/update","params":{"sessionId":T,"update":{"sessionUpdate":"session_info_update","title":T}}}`)),
		sent("agent", "notification", "session/update", in(`{"method":"session/update","params":{"sessionId":T,"update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":T}}}}`)),
		sent("agent", "notification", "session/update", in(`{"method":"session/update","params":{"sessionId":T,"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":T}}}}`)),
		sent("agent", "notification", "session/update", in(`{"method":"session/update","params":{"sessionId":T,"update":{"sessionUpdate":"plan","entries":[{"content":T,"priority":T,"status":T}]}}}`)),
		sent("agent", "notification", "session/update", in(`{"method":"session/update","params":{"sessionId":T,"update":{"sessionUpdate":"tool_call","toolCallId":T,"title":T,"kind":T,"status":T,"locations":[{"path":T}],"content":[{"type":"diff","path":T,"oldText":T,"newText":"x"},{"type":"content","content":{"type":"text","text":T}}],"rawInput":T,"rawOutput":T}}}`)),
		sent("agent", "notification", "session/update", in(`{"method":"session/update","params":{"sessionId":T,"update":{"sessionUpdate":"tool_call","toolCallId":"e","title":T,"kind":"execute","status":"completed"}}}`)),
		sent("agent", "request", "session/request_permission", in(`{"id":5,"method":"session/request_permission","params":{"sessionId":T,"toolCall":{"toolCallId":T,"title":T},"options":[{"optionId":T,"name":T,"kind":T}]}}`)),
		in(`"event":"opened","method":"session/request_permission","id":5,"session":T,"request":"demo1:1","digest":T`),
		in(`"event":"decision","method":"session/request_permission","id":5,"session":T,"request":"demo1:1","by":"panel","outcome":T,"optionId":T,"optionKind":T,"peer":{"pid":1,"exe":T,"tty":T}`),
		sent("agent", "notification", "session/update", in(`{"method":"session/update","params":{"sessionId":T,"update":{"sessionUpdate":T,"x":T}}}`)),
		in(`"event":"frame","dir":"agent","kind":"text","reason":T,"bytes":9,"raw":T`),
		in(`"event":"stderr","text":T`),
		in(`"event":"warning","text":T`),
		in(`"event":"flagged","reason":T,"text":T`),
		sent("agent", "error", "session/prompt", in(`{"id":T,"error":{"code":1,"message":T}}`)),
		in(`"event":"exit","status":1,"signal":T`),
	)
}

// transcript reads a recording into what a copy for people is written from.
func transcript(t *testing.T, name, text string, o export.Options) *export.Transcript {
	t.Helper()
	s, damaged, m := export.NewScrubber(o), 0, model.New()
	if _, err := m.ReadEvents(name, s.Scrubbed(journal.Read(strings.NewReader(text)), &damaged)); err != nil {
		t.Fatal(err)
	}
	return &export.Transcript{Name: name, Model: m, Scrub: s}
}

func TestHostileHTML(t *testing.T) {
	for _, text := range hostile {
		t.Run(fmt.Sprintf("%.20q", text), func(t *testing.T) {
			var out bytes.Buffer
			if err := export.HTML(&out, transcript(t, text, spiteful(text), export.Options{})); err != nil {
				t.Fatal(err)
			}
			inertHTML(t, out.String())
		})
	}
}

var (
	tag       = regexp.MustCompile(`^</?[a-z][a-z0-9]*(?: [a-z-]+="[^"<>]*")*>`)
	attribute = regexp.MustCompile(` ([a-z-]+)="([^"]*)"`)
	entity    = regexp.MustCompile(`^&(?:amp|lt|gt|#34|#39);`)
	names     = strings.Fields("html head meta title style body main h1 h2 h3 p dl dt dd section div span details summary pre table thead tbody tr th td b script")
	void      = []string{"meta"}
	values    = regexp.MustCompile(`^(?:[a-z ]*|utf-8|Content-Security-Policy|no-referrer|width=device-width, initial-scale=1|default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; script-src 'sha256-[A-Za-z0-9+/=]{44}'; base-uri 'none'; form-action 'none')$`)
)

// inertHTML checks that a page has no tags but ours, each closed, with no
// attributes but ours, and that everything else is text.
func inertHTML(t *testing.T, page string) {
	t.Helper()
	rest, ok := strings.CutPrefix(page, "<!DOCTYPE html>\n")
	if !ok {
		t.Fatal("it does not begin with a doctype")
	}
	var open []string
	for scripts := 0; rest != ""; {
		i := strings.IndexAny(rest, "<&")
		plain := rest
		if i >= 0 {
			plain = rest[:i]
		}
		if bad := strings.IndexFunc(plain, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == '\u202e' || r == '\u2028' }); bad >= 0 {
			t.Fatalf("a sign that is obeyed: %.60q", plain[bad:])
		}
		if i < 0 {
			break
		}
		rest = rest[i:]
		if rest[0] == '&' {
			if !entity.MatchString(rest) {
				t.Fatalf("no entity of ours: %.60q", rest)
			}
			rest = rest[1:]
			continue
		}
		found := tag.FindString(rest)
		if found == "" {
			t.Fatalf("no tag of ours: %.60q", rest)
		}
		rest = rest[len(found):]
		name := strings.Trim(strings.Fields(found)[0], "</>")
		if !slices.Contains(names, name) {
			t.Fatalf("the tag %s", found)
		}
		for _, a := range attribute.FindAllStringSubmatch(found, -1) {
			if !slices.Contains([]string{"class", "id", "lang", "charset", "http-equiv", "content", "name"}, a[1]) || !values.MatchString(html.UnescapeString(a[2])) {
				t.Fatalf("the attribute %s", a[0])
			}
		}
		switch {
		case strings.HasPrefix(found, "</"):
			if len(open) == 0 || open[len(open)-1] != name {
				t.Fatalf("%s closes what is not open: %q, before %.60q", found, open, rest)
			}
			open = open[:len(open)-1]
		case slices.Contains(void, name):
		default:
			open = append(open, name)
		}
		if found == "<style>" || found == "<script>" {
			scripts++
			end := strings.Index(rest, "</"+name+">")
			rest = rest[end:]
			if scripts > 2 {
				t.Fatal("more than one style and one script")
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("still open: %q", open)
	}
}

func TestHostileMarkdown(t *testing.T) {
	for _, text := range hostile {
		t.Run(fmt.Sprintf("%.20q", text), func(t *testing.T) {
			var out bytes.Buffer
			if err := export.Markdown(&out, transcript(t, text, spiteful(text), export.Options{})); err != nil {
				t.Fatal(err)
			}
			inertMarkdown(t, out.String())
		})
	}
}

var (
	ours    = regexp.MustCompile(`^ *(?:<details><summary>[A-Za-z'0-9., ·:]*</summary>|</details>)$`)
	escaped = regexp.MustCompile("\\\\[!-/:-@\\[-`{-~]")
	at      = regexp.MustCompile("`@+`")
	spaces  = regexp.MustCompile(`^(> )?(?:&nbsp;)+`)
)

// inertMarkdown checks that outside of fences nothing means anything but what we
// wrote, and that every fence is closed.
func inertMarkdown(t *testing.T, text string) {
	t.Helper()
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		bare := strings.TrimLeft(line, " ")
		if strings.ContainsAny(line, "\x1b\x00\a\r\u202e\u2028") {
			t.Fatalf("a sign that is obeyed: %q", line)
		}
		if fence != "" {
			if ticks := len(bare) - len(strings.TrimLeft(bare, "`")); ticks >= len(fence) && strings.Trim(bare, "` ") == "" {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(bare, "```") {
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
			continue
		}
		if ours.MatchString(line) {
			continue
		}
		if rest := spaces.ReplaceAllString(line, "$1"); strings.Contains(at.ReplaceAllString(rest, ""), "@") {
			t.Errorf("somebody is mentioned: %q", line)
		} else {
			line = at.ReplaceAllString(rest, "")
		}
		line = strings.TrimPrefix(escaped.ReplaceAllString(line, "\x01"), "> ")
		for _, table := range []string{"|---|---|", "| | |", "|---|---|---|---|---|"} {
			if line == table {
				line = ""
			}
		}
		line = strings.TrimSuffix(line, `\`)
		line = strings.Replace(strings.Replace(strings.Replace(line, "&nbsp;", "", 64), "- [ ] ", "", 1), "- [x] ", "", 1)
		for _, sign := range []string{"<", "&", "[", "]", "`", "~", "$", "\\", "://", "www.", "WWW.", "mailto:", "!"} {
			if strings.Contains(line, sign) {
				t.Errorf("%q is left in %q", sign, line)
			}
		}
		if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
			t.Errorf("a block of code: %q", line)
		}
	}
	if fence != "" {
		t.Error("a fence is not closed")
	}
}

func TestHostileTraces(t *testing.T) {
	for _, text := range hostile {
		var out bytes.Buffer
		s, damaged := export.NewScrubber(export.Options{}), 0
		if _, err := export.OTLP(&out, s.Scrubbed(journal.Read(strings.NewReader(spiteful(text))), &damaged), "1"); err != nil {
			t.Fatal(err)
		}
		soundTraces(t, out.Bytes())
	}
}

// Whatever a peer writes is inert in every format, and a secret that was told is
// in none.
func FuzzTranscripts(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const secret = "zq8vKx31pW"
		for _, text := range []string{text, secret + text, text + secret} {
			tale := transcript(t, text, spiteful(text), export.Options{Secrets: []string{secret}})
			var page, plain, spans bytes.Buffer
			damaged := 0
			_, err := export.OTLP(&spans, tale.Scrub.Scrubbed(journal.Read(strings.NewReader(spiteful(text))), &damaged), "1")
			for _, err := range []error{err, export.HTML(&page, tale), export.Markdown(&plain, tale)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			inertHTML(t, page.String())
			inertMarkdown(t, plain.String())
			soundTraces(t, spans.Bytes())
			record, _ := copied(t, spiteful(text), export.Options{Secrets: []string{secret}})
			for _, out := range []string{page.String(), plain.String(), spans.String(), record} {
				if i := strings.Index(out, secret); i >= 0 {
					t.Errorf("the secret is in %q", out[max(0, i-200):i+len(secret)])
				}
			}
		}
	})
}
