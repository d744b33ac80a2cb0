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

// finder looks for several words at once in a stream of characters. Each letter
// of each word has a bit, which says whether what was read last is the word up
// to that letter. No word lies across the two halves.
type finder struct {
	letters     [128]bits128 // by character: the letters that it is
	first, last bits128      // the letters that start a word, that end one
}

type bits128 struct{ lo, hi uint64 }

func newFinder(words ...string) *finder {
	f := &finder{}
	n := 0
	for _, word := range words {
		if n < 64 && n+len(word) > 64 {
			n = 64
		}
		f.first.set(n)
		for _, c := range []byte(word) {
			f.letters[c].set(n)
			n++
		}
		f.last.set(n - 1)
	}
	return f
}

func (b *bits128) set(n int) {
	if n < 64 {
		b.lo |= 1 << n
	} else {
		b.hi |= 1 << (n - 64)
	}
}

// in reports whether one of the words is in line.
func (f *finder) in(line []byte) bool {
	var read bits128
	for i := 0; i < len(line); {
		c := line[i]
		if i++; c == '\\' {
			c, i = forgive(line, i)
		}
		if c < ' ' || c > '~' {
			continue
		}
		letters := &f.letters[c]
		read.lo = (read.lo<<1 | f.first.lo) & letters.lo
		read.hi = (read.hi<<1 | f.first.hi) & letters.hi
		if read.lo&f.last.lo|read.hi&f.last.hi != 0 {
			return true
		}
	}
	return false
}

// forgive reads what follows a backslash, as forgiving readers would: \u and \x
// with their digits, JSON's short ones, and any other character for itself. It
// gives NUL for what is not printable ASCII. A line break there stands for
// nothing. Other bytes that are no printable ASCII may stand between all of it,
// as they do in UTF-16.
func forgive(line []byte, i int) (c byte, next int) {
	i = pastUnprintable(line, i)
	if i == len(line) {
		return 0, i
	}
	digits := 0
	switch c = line[i]; c {
	case '\r', '\n':
		return 0, i
	case 'b', 'f', 'n', 'r', 't':
		return 0, i + 1
	case 'u':
		digits = 4
	case 'x':
		digits = 2
	default:
		return c, i + 1
	}
	v, end, ok := hexDigits(line, i+1, digits)
	switch {
	case !ok:
		return c, i + 1
	case v > '~':
		return 0, end
	}
	return byte(v), end
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
