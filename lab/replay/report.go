package replay

import (
	"fmt"
	"strings"

	"bobproxy/acp/clean"
)

// Finding is something that is not as it was in the recording.
type Finding struct {
	Divergence bool   // it counts; otherwise it is worth knowing only
	Frame      uint64 // number in the recording of the frame that was expected; zero when none was
	About      string // what it is about, such as a method
	Expected   string // empty: nothing
	Came       string // empty: nothing
	Why        string // what may have led to it; may be empty
	Then       string // how the replay goes on; may be empty
}

// String tells a person, in text that is clean.
func (f Finding) String() string {
	var b strings.Builder
	if f.Frame != 0 {
		fmt.Fprintf(&b, "frame %d, ", f.Frame)
	}
	fmt.Fprintf(&b, "%s: ", f.About)
	switch {
	case f.Expected == "":
		b.WriteString(f.Came)
	case f.Came == "":
		b.WriteString("expected " + f.Expected)
	default:
		fmt.Fprintf(&b, "expected %s, came %s", f.Expected, f.Came)
	}
	for _, more := range []string{f.Why, f.Then} {
		if more != "" {
			b.WriteString("; " + more)
		}
	}
	return b.String()
}

// Report is how a replay went.
type Report struct {
	Divergences int
	Notes       int
	Sent, Heard int // frames
	Left        int // frames of the recording that were to be sent, and were not
	Uncounted   int // notes that would be divergences, had the peer not been given blanks
	Cut         int // turns that were played and in which the recording ends
}

// maxFindings is how many findings are told; beyond it they are only counted.
const maxFindings = 1000

// teller counts findings and passes them on.
type teller struct {
	Report
	tell func(Finding)
}

func (t *teller) found(f Finding) {
	if f.Divergence {
		t.Divergences++
	} else {
		t.Notes++
	}
	if t.tell != nil && t.Divergences+t.Notes <= maxFindings {
		t.tell(f)
	}
}

// cut says that the recording ends in the turn of a prompt.
func (t *teller) cut(prompt *step, then string) {
	t.Cut++
	t.found(Finding{Frame: prompt.Number, About: prompt.label(), Came: "the recording ends inside this turn",
		Why: "what follows cannot be compared", Then: then})
}

// maxShown is how many characters of a peer's text are shown.
const maxShown = 90

// show is a peer's text, in quotes.
func show(s string) string { return `"` + short(s) + `"` }

// short is a peer's text, clean and cut.
func short(s string) string {
	if len(s) > 4*maxShown {
		s = s[:4*maxShown]
	}
	line := []rune(clean.Line(s))
	if len(line) > maxShown {
		return string(line[:maxShown-1]) + "…"
	}
	return string(line)
}

// howMany is a number of things.
func howMany(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
