package talk

import (
	"strings"
	"unicode/utf8"

	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
)

// Find looks for text in all that was said and done, letter case aside, and
// selects the next place from where the person is. An empty text ends it.
func (t *Timeline) Find(text string, c pane.Context) string {
	t.find = strings.ToLower(text)
	if t.find == "" || t.session == nil {
		return ""
	}
	t.gather()
	if len(t.items) == 0 || t.w < 1 || t.h < 1 {
		return "not found"
	}
	s := t.scene(t.w, c)
	found := s.matches()
	if len(found) == 0 {
		return "not found"
	}
	at, n := s.selected(), 0
	for n < len(found)-1 && found[n] < at {
		n++
	}
	if at < 0 {
		n = len(found) - 1
	}
	s.show(found[n])
	return count(n+1) + " of " + count(len(found))
}

// match goes to the next match in a direction, and around at the end.
func (s *scene) match(by int) []pane.Wish {
	if s.find == "" {
		return []pane.Wish{pane.Say{Text: "nothing to look for; / starts"}}
	}
	found := s.matches()
	if len(found) == 0 {
		return []pane.Wish{pane.Say{Text: "not found"}}
	}
	n := s.nextOf(found, by)
	s.show(found[n])
	return []pane.Wish{pane.Say{Text: count(n+1) + " of " + count(len(found))}}
}

func (s *scene) nextOf(found []int, by int) int {
	at := s.selected()
	if by > 0 {
		for n, i := range found {
			if i > at {
				return n
			}
		}
		return 0
	}
	for n := len(found) - 1; n >= 0; n-- {
		if at < 0 || found[n] < at {
			return n
		}
	}
	return len(found) - 1
}

// reveal opens item i if what is looked for is in its inside alone.
func (s *scene) reveal(i int) {
	if s.visible(i) || !s.opensUp(i) || s.items[i].kind == asking {
		return
	}
	if s.turn(s.items[i].key); !s.visible(i) {
		s.turn(s.items[i].key)
	}
}

// visible says whether what is looked for stands in the lines of item i.
func (s *scene) visible(i int) bool {
	var text strings.Builder
	for _, l := range s.lines(i) {
		text.WriteString(l.left.String())
		text.WriteString(" ")
	}
	return contains(text.String(), s.find)
}

// show selects an item, which stays where it is when all of it is on the screen.
func (s *scene) show(i int) {
	s.reveal(i)
	first, row := s.start(s.selected())
	for at := first; at <= i && row < s.h; at++ {
		n := len(s.lines(at))
		if at == i && row >= 0 && row+n <= s.h {
			s.choose(i, row)
			return
		}
		row += n
	}
	s.choose(i, max(0, min(s.h/3, s.h-len(s.lines(i)))))
}

// matches are the items with the text in them.
func (s *scene) matches() []int {
	var found []int
	for i := range s.items {
		if s.has(&s.items[i]) {
			found = append(found, i)
		}
	}
	return found
}

func (s *scene) has(it *item) bool {
	for _, w := range it.words {
		if contains(w.Text, s.find) {
			return true
		}
	}
	for _, p := range it.asked {
		if about := p.Subject(); contains(p.Title, s.find) || contains(about.Command, s.find) || contains(about.File, s.find) {
			return true
		}
	}
	e := it.entry
	if e == nil {
		return false
	}
	if contains(e.Text, s.find) || contains(e.Name, s.find) {
		return true
	}
	if e.Tool == nil {
		return false
	}
	for _, p := range e.Tool.Paths {
		if contains(p, s.find) {
			return true
		}
	}
	return contains(e.Tool.Title, s.find) || contains(e.Tool.Kind, s.find) || contains(e.Tool.Output, s.find) || contains(string(e.Tool.Input), s.find)
}

// contains says whether low, in small letters, is in s.
func contains(s, low string) bool {
	if len(low) == 0 || low[0] >= utf8.RuneSelf {
		return strings.Contains(strings.ToLower(s), low)
	}
	big := low[0]
	if 'a' <= big && big <= 'z' {
		big -= 'a' - 'A'
	}
	small, large := next(s, 0, low[0]), next(s, 0, big)
	for {
		at := min(small, large)
		if at+len(low) > len(s) {
			return false
		}
		if strings.EqualFold(s[at:at+len(low)], low) {
			return true
		}
		if small == at {
			small = next(s, at+1, low[0])
		}
		if large == at {
			large = next(s, at+1, big)
		}
	}
}

// next is where c is next in s, from a place on; behind the end when it is not.
func next(s string, from int, c byte) int {
	if i := strings.IndexByte(s[from:], c); i >= 0 {
		return from + i
	}
	return len(s) + 1
}

// marked is a line with what was looked for underlined.
func (s *scene) marked(l paint.Line) paint.Line {
	if s.find == "" {
		return l
	}
	var out paint.Line
	for _, span := range l {
		out = append(out, underline(span, s.find)...)
	}
	return out
}

// underline cuts a span where the text begins and ends. Where small letters have
// another length the span is left as it is.
func underline(span paint.Span, find string) paint.Line {
	low := strings.ToLower(span.Text)
	if len(low) != len(span.Text) || !strings.Contains(low, find) {
		return paint.Line{span}
	}
	var out paint.Line
	rest := span.Text
	for {
		i := strings.Index(low, find)
		if i < 0 {
			return append(out, paint.Span{Text: rest, Style: span.Style})
		}
		hit := span.Style
		hit.Under, hit.Bold = true, true
		out = append(out, paint.Span{Text: rest[:i], Style: span.Style}, paint.Span{Text: rest[i : i+len(find)], Style: hit})
		rest, low = rest[i+len(find):], low[i+len(find):]
	}
}

// quoted is a value of the filter language, with quotes where it needs them.
func quoted(s string) string {
	plain := s != ""
	for _, r := range s {
		plain = plain && (r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}
	if plain {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
