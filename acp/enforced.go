package acp

// NamesEnforced reports whether line, of which peers could read anything,
// could be an enforced method to one of them: whether its printable ASCII,
// escapes resolved, contains the name of one. It takes time linear in the line,
// and no memory.
//
// Letter case counts: peers differ in how they match the names of members, but
// a method is a value, which all of them compare byte by byte.
func NamesEnforced(line []byte) bool { return enforcedNames.in(line) }

// NamesSetup is the same for the methods that set a session's roots.
func NamesSetup(line []byte) bool { return setupMethods.in(line) }

var (
	enforcedNames = newFinder(MethodReadTextFile, MethodWriteTextFile, MethodTerminalCreate, MethodRequestPermission)
	setupMethods  = newFinder(MethodSessionNew, MethodSessionLoad, MethodSessionResume, MethodSessionFork)
)

// finder looks for several words at once in a stream of characters: a bit for
// each letter of each word says whether what was read last ends like the word
// up to there. No word lies across the two halves.
type finder struct {
	letters     [128][2]uint64 // by character: the letters that it is
	first, last [2]uint64      // which are a word's first, its last
}

func newFinder(words ...string) *finder {
	f := &finder{}
	half, n := 0, 0
	for _, word := range words {
		if n+len(word) > 64 {
			half, n = half+1, 0
		}
		f.first[half] |= 1 << n
		for _, c := range []byte(word) {
			f.letters[c][half] |= 1 << n
			n++
		}
		f.last[half] |= 1 << (n - 1)
	}
	return f
}

// search is one finder at work on a line.
type search struct {
	*finder
	ends  [2]uint64
	found bool
}

// add goes on by one character. What is not printable ASCII is nothing.
func (s *search) add(c byte) {
	if c < ' ' || c > '~' {
		return
	}
	letters := &s.letters[c]
	s.ends[0] = (s.ends[0]<<1 | s.first[0]) & letters[0]
	s.ends[1] = (s.ends[1]<<1 | s.first[1]) & letters[1]
	s.found = s.found || s.ends[0]&s.last[0]|s.ends[1]&s.last[1] != 0
}

// in reports whether one of the words is in line.
func (f *finder) in(line []byte) bool {
	s := search{finder: f}
	for i := 0; i < len(line) && !s.found; {
		if line[i] != '\\' {
			s.add(line[i])
			i++
			continue
		}
		i = s.escape(line, i+1)
	}
	return s.found
}

// escape reads what follows a backslash, as forgiving readers would: \u and \x
// with their digits, JSON's short ones, and any other character for itself. A
// line that is broken there stands for nothing. Bytes that are no printable
// ASCII may stand between all of it, as they do in UTF-16.
func (s *search) escape(line []byte, i int) (next int) {
	i = pastUnprintable(line, i)
	if i == len(line) {
		return i
	}
	digits := 0
	switch c := line[i]; c {
	case '\r', '\n':
		return i
	case 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		digits = 4
	case 'x':
		digits = 2
	default:
		s.add(c)
		return i + 1
	}
	if v, end, ok := hexDigits(line, i+1, digits); ok {
		if v <= '~' {
			s.add(byte(v))
		}
		return end
	}
	s.add(line[i])
	return i + 1
}

// hexDigits reads n hexadecimal digits.
func hexDigits(line []byte, i, n int) (v rune, end int, ok bool) {
	for ; n > 0; n-- {
		if i = pastUnprintable(line, i); i == len(line) {
			return 0, 0, false
		}
		d, ok := hexDigit(line[i])
		if !ok {
			return 0, 0, false
		}
		v = v<<4 | d
		i++
	}
	return v, i, true
}

// pastUnprintable skips what is dropped, up to a line break.
func pastUnprintable(line []byte, i int) int {
	for i < len(line) && (line[i] < ' ' && line[i] != '\r' && line[i] != '\n' || line[i] > '~') {
		i++
	}
	return i
}
