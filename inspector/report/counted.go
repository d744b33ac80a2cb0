package report

// counted is something of which only the number is known.
type counted struct {
	word  string
	about string
	of    func(*Report) int
}

// counts are the things that are counted, by their words in an assertion.
var counts = []counted{
	{"errors", "answers that are an error", func(r *Report) int { return r.Counts.Errors }},
	{"unanswered", "requests without an answer", func(r *Report) int { return r.Counts.Open }},
	{"late", "answers that came too late", func(r *Report) int { return r.Counts.Late }},
	{"stray", "answers that nobody waited for", func(r *Report) int { return r.Counts.Stray }},
	{"refused", "frames that the proxy refused", func(r *Report) int { return r.Counts.Refused }},
	{"stopped", "all frames that the proxy stopped, be it refused or kept back", func(r *Report) int { return r.Counts.Stopped }},
	{"odd", "frames with something odd about them", func(r *Report) int { return r.Counts.Odd }},
	{"added", "frames that the proxy added", func(r *Report) int { return r.Counts.Added }},
	{"flagged", "what passed, and leads out of the workspace", func(r *Report) int { return r.Counts.Flagged }},
	{"warnings", "warnings of the proxy", func(r *Report) int { return r.Counts.Warnings }},
	{"stderr", "lines of the agent's stderr", func(r *Report) int { return r.Counts.Stderr }},
	{"missing", "records that could not be kept", func(r *Report) int { return int(min(r.Counts.Missing, 1<<40)) }},
	{"damaged", "lines that cannot be read", func(r *Report) int { return r.Counts.Damaged }},
	{"unasked", "tool calls that ran, and nobody was asked", func(r *Report) int { return r.Counts.Unasked }},
	{"forbidden", "tool calls that ran although that was not allowed", func(r *Report) int { return r.Counts.Forbidden }},
}

// findCount is the one of that word.
func findCount(word string) (counted, bool) {
	for _, c := range counts {
		if c.word == word {
			return c, true
		}
	}
	return counted{}, false
}

// CountWords are the words of what is only counted, and what each means.
func CountWords() (all [][2]string) {
	for _, c := range counts {
		all = append(all, [2]string{c.word, c.about})
	}
	return all
}
