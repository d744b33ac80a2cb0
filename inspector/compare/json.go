package compare

// Document is a result in JSON. Members are only ever added.
type Document struct {
	A           Side   `json:"a"`
	B           Side   `json:"b"`
	Same        bool   `json:"same"`
	Differences []Line `json:"differences"`
}

// Side is one of the two recordings.
type Side struct {
	Recording string `json:"recording"`
	Frames    int    `json:"frames"`
	Damaged   int    `json:"damaged,omitempty"`
	LeftOut   int    `json:"leftOut,omitempty"` // items that were not compared
}

// Line is one difference.
type Line struct {
	Change string      `json:"change"` // removed, added, changed
	Where  string      `json:"where"`
	What   string      `json:"what"`
	AFrame uint64      `json:"aFrame,omitempty"`
	BFrame uint64      `json:"bFrame,omitempty"`
	Fields []FieldLine `json:"fields,omitempty"`
}

// FieldLine is what differs in an item; null: not said.
type FieldLine struct {
	Name string  `json:"name"`
	A    *string `json:"a"`
	B    *string `json:"b"`
}

var changes = map[Change]string{Removed: "removed", Added: "added", Changed: "changed"}

// JSON is the result, with names for the recordings.
func (r *Result) JSON(a, b string) Document {
	d := Document{
		A:    Side{a, r.A.Frames, r.A.Damaged, r.A.Left},
		B:    Side{b, r.B.Frames, r.B.Damaged, r.B.Left},
		Same: len(r.Differences) == 0, Differences: []Line{},
	}
	for _, diff := range r.Differences {
		line := Line{Change: changes[diff.Change], Where: diff.Where, What: diff.What, AFrame: diff.A, BFrame: diff.B}
		for _, f := range diff.Fields {
			line.Fields = append(line.Fields, FieldLine{f.Name, orNull(f.A), orNull(f.B)})
		}
		d.Differences = append(d.Differences, line)
	}
	return d
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
