package acp_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bobproxy/acp"
)

// show writes a String as the tables of the readers do: - when absent, in
// quotes when it is a string, and otherwise as it stands.
func show(s acp.String) string {
	switch {
	case s.OK:
		return fmt.Sprintf("%q", s.Value)
	case s.Raw == nil:
		return "-"
	}
	return string(s.Raw)
}

func showAll(list []acp.String) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = show(s)
	}
	return "[" + strings.Join(words, " ") + "]"
}

func showFile(f acp.File) string {
	return facet("session", show(f.Session)) + facet("path", show(f.Path)) + reason(f.Reason)
}

func showTerminal(t acp.Terminal) string {
	return facet("session", show(t.Session)) + facet("command", show(t.Command)) + facet("cwd", show(t.Cwd)) +
		facet("args", strings.Join(t.Args, "|")) + reason(t.Reason)
}

func showSetup(s acp.Setup) string {
	return facet("session", show(s.Session)) + facet("cwd", show(s.Cwd)) + facet("dirs", showAll(s.Dirs)) + reason(s.Reason)
}

func showOutcome(o acp.Outcome) string {
	option := "-"
	if o.HasOption {
		option = fmt.Sprintf("%q", o.Option)
	}
	return facet("kind", o.Kind) + facet("option", option) + reason(o.Reason)
}

func showHello(h acp.Hello) string {
	return facet("version", fmt.Sprint(h.Version)) + facet("name", h.Name) + facet("title", h.Title) + facet("release", h.Release)
}

func showUpdate(u acp.Update) string {
	return facet("kind", u.Kind) + facet("session", show(u.Session)) + facet("mode", show(u.Mode)) +
		facet("title", show(u.Title)) + facet("child", show(u.Child)) +
		facet("plan", show(u.Plan)) + facet("cwd", show(u.Cwd)) + showCall(u.Call)
}

func showPermission(p acp.Permission) string {
	return facet("session", show(p.Session)) + facet("title", p.Title) + facet("description", p.Description) +
		facet("subject", p.Subject) + facet("command", p.Command) + facet("cwd", p.Cwd) +
		showCall(p.Call) + showOptions(p) + reason(p.Reason)
}

func showCall(c acp.ToolCall) string {
	locations, content := "-", "-"
	if c.HasLocations {
		locations = showAll(c.Locations)
	}
	if c.HasContent {
		content = string(c.Content)
	}
	return facet("call", show(c.ID)) + facet("calltitle", show(c.Title)) + facet("callkind", show(c.Kind)) +
		facet("status", show(c.Status)) + facet("locations", locations) + showDiffs(c.Diffs) +
		facet("uris", strings.Join(c.URIs, "|")) + facet("content", content) + facet("input", string(c.RawInput))
}

func showDiffs(diffs []acp.Diff) string {
	words := make([]string, len(diffs))
	for i, d := range diffs {
		words[i] = show(d.Path)
		if d.OldPath.Raw != nil {
			words[i] = show(d.OldPath) + ">" + words[i]
		}
		if d.Operation != "" {
			words[i] = d.Operation + " " + words[i]
		}
	}
	return facet("diffs", strings.Join(words, "; "))
}

func showOptions(p acp.Permission) string {
	if p.NoOptions {
		return " options=none"
	}
	var text strings.Builder
	for _, o := range p.Options {
		fmt.Fprintf(&text, "(%s %s %s", show(o.ID), o.Kind, o.Name)
		if o.Odd {
			text.WriteString(" odd")
		}
		text.WriteString(")")
	}
	return facet("options", text.String())
}

// facet is one part of what a reader says; what is absent is not written.
func facet(name, value string) string {
	if value == "" || value == "-" || value == "[]" || value == "0" {
		return ""
	}
	return " " + name + "=" + value
}

func reason(r acp.Reason) string { return facet("reason", r.String()) }

// readers are all of them, over the raw value, by name; unlike [acp.Scan] they
// have nothing before them that checks what they are given.
var readers = map[string]func(value []byte) string{
	"file":       func(v []byte) string { return showFile(acp.ReadFile(v)) },
	"terminal":   func(v []byte) string { return showTerminal(acp.ReadTerminal(v)) },
	"setup":      func(v []byte) string { return showSetup(acp.ReadSetup(v)) },
	"permission": func(v []byte) string { return showPermission(acp.ReadPermission(v)) },
	"update":     func(v []byte) string { return showUpdate(acp.ReadUpdate(v)) },
	"outcome":    func(v []byte) string { return showOutcome(acp.ReadOutcome(v)) },
	"hello":      func(v []byte) string { return showHello(acp.ReadHello(v)) },
	"session": func(v []byte) string {
		session, mode := acp.ReadSession(v)
		return facet("session", show(session)) + facet("mode", show(mode))
	},
	"cancel": func(v []byte) string { return facet("id", string(acp.ReadCancelRequest(v))) },
}

// readCase is one value and what a reader is to say of it.
type readCase struct{ name, value, want string }

func checkReads(t *testing.T, reader string, cases []readCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			value := []byte(c.value)
			if got := strings.TrimSpace(readers[reader](value)); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.value, got, c.want)
			}
			if !bytes.Equal(value, []byte(c.value)) {
				t.Error("the value was changed")
			}
		})
	}
}

// TestReadersOfNothing gives every reader what holds nothing for it.
func TestReadersOfNothing(t *testing.T) {
	nothing := map[string]string{"permission": " options=none"}
	for name, read := range readers {
		for _, value := range []string{"", "null", "{}", "[]", `["/etc"]`, `"path"`, "7", "true", `{"_meta":{"path":"/x","options":[]}}`, `{"__proto__":{"path":"/x","cwd":"/x"}}`} {
			if got := read([]byte(value)); got != nothing[name] {
				t.Errorf("%s of %s: got %s", name, value, got)
			}
		}
		if got := read(nil); got != nothing[name] {
			t.Errorf("%s of nil: got %s", name, got)
		}
	}
}
