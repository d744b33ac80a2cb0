package conform

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"bobproxy/acp/check"
)

// Baseline is findings that are known, and accepted. It knows them by rule, side,
// method and the shape of their text, and not by where they stood, so that it fits
// the next recording too. Nil accepts nothing.
type Baseline struct{ known map[entry]bool }

// entry is one line of a baseline, an object.
type entry struct {
	Rule   string `json:"rule"`
	By     string `json:"by"`
	Method string `json:"method,omitempty"`
	Text   string `json:"text"` // without quoted words and numbers
}

// MaxBaseline is how many lines a baseline may have.
const MaxBaseline = 100000

func entryOf(f *check.Finding) entry {
	return entry{f.Rule, f.By.String(), f.Method, f.Shape()}
}

// Accepts says whether f is known.
func (b *Baseline) Accepts(f *check.Finding) bool { return b != nil && b.known[entryOf(f)] }

// ReadBaseline reads what Report.WriteBaseline wrote.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	b := &Baseline{map[entry]bool{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<10)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.Rule == "" {
			return nil, fmt.Errorf("line %d is no entry of a baseline", n)
		}
		if b.known[e] = true; len(b.known) > MaxBaseline {
			return nil, fmt.Errorf("more than %d entries", MaxBaseline)
		}
	}
	return b, lines.Err()
}

// WriteBaseline writes a baseline that accepts all that is in the report, also
// what one accepts already.
func (r *Report) WriteBaseline(w io.Writer) (entries int, err error) {
	written := map[entry]bool{}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range r.Findings {
		e := entryOf(&r.Findings[i].Finding)
		if written[e] {
			continue
		}
		if err := encoder.Encode(e); err != nil {
			return 0, err
		}
		written[e] = true
	}
	return len(written), nil
}
