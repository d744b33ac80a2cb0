package export

// What is removed from a copy.
const (
	Secrets    = "secrets"
	Homes      = "home folders"
	Users      = "user names"
	Hosts      = "host names"
	Workspaces = "workspace folders"
	Contents   = "contents"
	Texts      = "texts"
)

// Removed is one kind of what was removed.
type Removed struct {
	What      string `json:"what"`
	Count     int    `json:"count"`
	Different int    `json:"different,omitempty"` // of secrets: how many there were
	Bytes     int64  `json:"bytes,omitempty"`     // of contents and texts
}

// tally counts what is removed.
type tally struct {
	counts map[string]int
	bytes  map[string]int64
}

func (t *tally) add(what string, n int, bytes int64) {
	if n == 0 {
		return
	}
	if t.counts == nil {
		t.counts, t.bytes = map[string]int{}, map[string]int64{}
	}
	t.counts[what] += n
	t.bytes[what] += bytes
}

func (t *tally) secrets() int { return t.counts[Secrets] }
func (t *tally) blanks() int  { return t.counts[Contents] + t.counts[Texts] }

// told is all of it, in an order of its own.
func (t *tally) told(s *Scrubber) (all []Removed) {
	for _, what := range []string{Secrets, Homes, Users, Hosts, Workspaces, Contents, Texts} {
		if t.counts[what] == 0 {
			continue
		}
		r := Removed{What: what, Count: t.counts[what], Bytes: t.bytes[what]}
		if what == Secrets {
			r.Different = s.secrets.seen
		}
		all = append(all, r)
	}
	return all
}
