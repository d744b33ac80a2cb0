package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/acp"
)

const shownSecret = `se"cret/värde-01234567`

// learning is a journal that has been given a server's environment and knows a
// key from its settings.
func learning(t *testing.T) *Journal {
	t.Helper()
	j := begin(t, Options{Off: true, Secrets: []string{"k-0123456789"}})
	j.Append(time.Now(), frames(acp.Client, `{"id":1,"method":"session/new","params":{"mcpServers":[{"env":[{"name":"A","value":`+
		fmt.Sprintf("%q", shownSecret)+`}]}]}}`+"\n"))
	return j
}

// What is shown beside the events has the same values masked, at once: a mask
// knows what came before it.
func TestMaskOfWhatIsShown(t *testing.T) {
	m := learning(t).Mask()
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"curl x", "curl x"},
		{"echo k-0123456789 " + shownSecret + "!", "echo [masked] [masked]!"},
		{"echo k-01234567", "echo k-01234567"},
		{strings.Repeat("x", 300) + "k-012345678", strings.Repeat("x", 300) + "[masked]"}, // cut in the middle of it
		{strings.Repeat("x", 300) + "k-01234", strings.Repeat("x", 300) + "k-01234"},
	} {
		if got := m.Text(tt.text); got != tt.want {
			t.Errorf("%q is shown as %q, want %q", tt.text, got, tt.want)
		}
	}
	for _, tt := range []struct{ value, want string }{
		{"", ""},
		{`{"a":"k-0123456789","k-0123456789":[1,{}]}`, `{"a":"[masked]","[masked]":[1,{}]}`},
		{`{"a": "\u006b-0123456789"}`, `{"a": "[masked]"}`},
		{`"se\"cret\/v\u00e4rde-01234567"`, `"[masked]"`},
		{`"\u0041"`, `"\u0041"`},
	} {
		if got := string(m.JSON([]byte(tt.value))); got != tt.want {
			t.Errorf("%s is shown as %s, want %s", tt.value, got, tt.want)
		}
	}
}

// A mask stays what it is; the next one knows more.
func TestMaskOfLater(t *testing.T) {
	j := learning(t)
	before := j.Mask()
	j.Append(time.Now(), frames(acp.Client, `{"id":2,"method":"authenticate","params":{"token":"later-0123456789"}}`+"\n"))
	if got := before.Text("later-0123456789"); got != "later-0123456789" {
		t.Errorf("the earlier mask shows %q", got)
	}
	if got := j.Mask().Text("later-0123456789"); got != mark {
		t.Errorf("the later one shows %q", got)
	}
	if m := j.Mask(); m != j.Mask() {
		t.Error("with nothing new a mask is made anew")
	}
}

// Nobody is kept waiting for a journal that stands still, nor for one that has
// ended.
func TestMaskOfAStuckJournal(t *testing.T) {
	hang := make(chan struct{})
	m := &memory{hang: hang}
	j := begin(t, Options{open: m.open, Secrets: []string{"k-0123456789"}, Required: true})
	for range 3 {
		j.Append(time.Now(), frames(acp.Agent, update(200_000)))
		if got := j.Mask().Text("k-0123456789"); got != mark {
			t.Errorf("shown as %q", got)
		}
	}
	close(hang)
	closed(t, j)
	j.Append(time.Now(), frames(acp.Agent, update(200)))
	start := time.Now()
	for range 1000 { // at 250 ms each this would be minutes
		j.Mask()
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %s", took)
	}
}

// Events that are no frames say session, id and option with the same values
// masked as frames do.
func TestMaskingOfNotes(t *testing.T) {
	const key = "k-0123456789"
	m := newMasker([]string{key})
	e := Event{
		Type: DecisionEvent, ID: []byte(`"\u006b-0123456789"`), Session: "of " + key, Text: key + key, Reason: "r " + key,
		Decision: &Decision{OptionID: "allow " + key, OptionKind: key},
		Start:    &Start{Command: []string{"a", key}, Cwd: "/" + key},
	}
	shared := *e.Decision
	given := e
	m.note(&given)
	if *e.Decision != shared || e.Start.Command[1] != key {
		t.Error("what the caller has was changed")
	}
	d, s := given.Decision, given.Start
	if got := fmt.Sprintf("%s|%s|%s|%s|%s|%s|%s|%s|%d", given.ID, given.Session, given.Text, given.Reason, d.OptionID, d.OptionKind, s.Command, s.Cwd, given.Masked); got !=
		`"[masked]"|of [masked]|[masked][masked]|r [masked]|allow [masked]|[masked]|[a [masked]]|/[masked]|9` {
		t.Errorf("recorded as %s", got)
	}
}
