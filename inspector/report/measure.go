package report

import (
	"slices"
	"strings"
)

// Of is a kind of measure.
type Of uint8

const (
	Answer Of = iota + 1 // by method
	FirstToken
	Turn
	Tool       // all, or by kind
	Permission // all, or by who answered
	Gap
	Bytes // by method
	Counted
)

var words = map[Of]string{FirstToken: "first-token", Turn: "turn", Tool: "tool", Permission: "permission", Gap: "gap", Bytes: "bytes"}

// Measure names something that is measured.
type Measure struct {
	Of   Of
	Name string // method, kind of tool or who answered
}

// ParseMeasure reads the words that [Measure.String] gives. What has no word of
// its own is the name of a method, whether there is one or not.
func ParseMeasure(text string) (m Measure, ok bool) {
	word, name, divided := strings.Cut(text, ":")
	if _, ok := findCount(text); ok {
		return Measure{Counted, text}, true
	}
	for of, w := range words {
		switch {
		case w != word:
		case of == Bytes:
			return Measure{of, name}, name != ""
		case !divided:
			return Measure{Of: of}, true
		case of == Tool, of == Permission:
			return Measure{of, name}, name != ""
		}
	}
	return Measure{Answer, text}, text != ""
}

func (m Measure) String() string {
	switch {
	case m.Of == Answer, m.Of == Counted:
		return m.Name
	case m.Name == "":
		return words[m.Of]
	}
	return words[m.Of] + ":" + m.Name
}

// OfDeeds says that m is counted in the ledger of tool calls, which is not part of
// a tally.
func (m Measure) OfDeeds() bool {
	return m.Of == Counted && (m.Name == "unasked" || m.Name == "forbidden")
}

// OfNoSession says that m is counted for a recording alone: what it is about is said
// for no session.
func (m Measure) OfNoSession() bool {
	return m.Of == Counted && slices.Contains([]string{"stray", "warnings", "stderr", "missing", "damaged"}, m.Name)
}

// sized says that its values are bytes, and not lengths of time.
func (m Measure) sized() bool { return m.Of == Bytes }
