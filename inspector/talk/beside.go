package talk

import (
	"strconv"
	"strings"

	"bobproxy/inspector/lapse"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

// foldedWords and openedWords are how many lines of a run of the agent's stderr
// are shown, the last ones.
const (
	foldedWords = 3
	openedWords = 500
)

// forgotten says what came before all that is here.
func (s *scene) forgotten(it *item) (lines []line) {
	keeper := s.session.Proxy.Keeper()
	say := func(words string) {
		lines = append(lines, indent(1, paint.L(paint.Dim, "… "+words).Wrap(max(s.width-2, 8)))...)
	}
	if it.events > 0 {
		say(notHere(it.events, keeper))
	}
	switch {
	case it.count == 1:
		say("1 older entry was forgotten" + had(keeper, "it"))
	case it.count > 1:
		say(count(it.count) + " older entries were forgotten" + had(keeper, "them"))
	}
	return lines
}

// notHere says of events before the first one that was told where they are. A
// file has none but those that were read.
func notHere(events uint64, keeper model.Keeper) string {
	words, them := strconv.FormatUint(events, 10)+" older events are ", "them"
	if events == 1 {
		words, them = "1 older event is ", "it"
	}
	switch keeper {
	case model.InRecording:
		return words + "not kept here" + had(keeper, them)
	case model.InFile:
		return words + "not in the file"
	}
	return words + "no longer kept"
}

// had says that what is gone can be read elsewhere; empty: it cannot.
func had(keeper model.Keeper, them string) string {
	if keeper == model.Nowhere {
		return ""
	}
	return "; " + keeper.String() + " has " + them
}

// gap says what is missing between two entries.
func (s *scene) gap(it *item) []line {
	words := it.words[0].Text
	if n := len(it.words); n > 1 {
		words = "events were not told in " + count(n) + " places"
	}
	return s.labelled(it, paint.L(paint.Warn, "…"), it.words[0].At, "gap", words, paint.Warn)
}

// bracket stands before and behind a talk that was loaded.
func (s *scene) bracket(it *item) []line {
	words := "─ end of what was replayed "
	if it.kind == replayStart {
		words = "─ replayed from an older talk "
	}
	rest := strings.Repeat("─", max(s.width-2-paint.Width(words), 0))
	return []line{{at: 1, left: paint.L(paint.Dim, words+rest)}}
}

// stderr is a run of the agent's own words: the last few lines until it is
// opened.
func (s *scene) stderr(i int) []line {
	it := &s.items[i]
	shown := it.words
	most := foldedWords
	if s.opened(it) {
		most = openedWords
	}
	about := paint.Line(nil)
	if len(shown) > most {
		about = paint.L(paint.Dim, "  last "+count(most)+" of "+kept(len(shown)))
		shown = shown[len(shown)-most:]
	}
	label := paint.L(paint.Dim, "STDERR")
	if about == nil && len(shown) == 1 && s.inline {
		left := label.With(paint.L(paint.Dim, "  ")).With(paint.Clean(paint.Dim, head(unbroken(shown[0].Text), 1024)))
		if s.sub+left.Width() < s.width {
			return []line{s.first(shown[0].At, left, nil)}
		}
	}
	lines := []line{s.hinted(i, s.first(it.words[0].At, label.With(about), nil))}
	for _, w := range shown {
		lines = append(lines, s.word(it, w)...)
	}
	return lines
}

// kept is how many lines of stderr there are; as many as are remembered may be
// the end of more.
func kept(n int) string {
	if n >= model.MaxStderr {
		return count(n) + "+ lines"
	}
	return plural(n, "line")
}

func (s *scene) word(it *item, w model.Words) []line {
	at, words := s.sub, unbroken(w.Text)
	if s.opened(it) {
		return indent(at, s.texts.wrap(text{it.key, count(int(w.Seq))}, head(words, 4096), s.width-at-1, paint.Dim))
	}
	rows := paint.Clean(paint.Dim, head(words, 1024)).Wrap(max(s.width-at-1, 8))
	if len(rows) > foldedRows {
		rows = append(rows[:foldedRows-1:foldedRows-1], paint.Clean(paint.Dim, rows[foldedRows-1].String()+" …").Cut(s.width-at-1))
	}
	return indent(at, rows)
}

// foldedRows is how many rows a folded line of stderr has at most.
const foldedRows = 3

// unbroken is a line without its end.
func unbroken(line string) string { return strings.TrimRight(line, "\r\n") }

// signing says that somebody must sign in.
func (s *scene) signing(it *item) []line {
	if s.over {
		return []line{s.first(it.row.Time, paint.L(paint.Warn, "! `"+it.row.Method+"` was never answered"), nil)}
	}
	left := paint.L(paint.Warn, "! waiting for `"+it.row.Method+"`")
	right := paint.L(paint.Warn, "for "+lapse.Clock(s.c.Now.Sub(it.row.Time)))
	return []line{
		s.first(it.row.Time, left, right),
		{at: s.label + 2, left: paint.L(paint.Dim, "sign in where the agent asks you to, often a browser")},
	}
}
