package secret

const (
	longName  = 64 // bytes of a name's end that are looked at
	mostWords = 16 // of those
)

// words are the last words of a name, in small letters.
type words struct {
	text [longName]byte
	ends [mostWords][2]int // where each begins and ends in text
	n    int
}

// at is the i-th word from the end, from 1; nil: there is none.
func (w *words) at(i int) []byte {
	if i < 1 || i > w.n {
		return nil
	}
	at := w.ends[w.n-i]
	return w.text[at[0]:at[1]]
}

// split takes the words of name. A word ends where something comes that is no
// letter, and before a capital that begins another one: in accessToken, in
// APIKey.
func (w *words) split(name string) {
	name = name[max(0, len(name)-longName):]
	begun := false
	for i := range len(name) {
		c := name[i]
		if !letter(c) {
			begun = false
			continue
		}
		if !begun || capital(c) && (!capital(name[i-1]) || i+1 < len(name) && small(name[i+1])) {
			w.begin(i)
			begun = true
		}
		w.text[i] = c | 0x20
		w.ends[w.n-1][1] = i + 1
	}
}

func (w *words) begin(i int) {
	if w.n == mostWords {
		copy(w.ends[:], w.ends[1:])
		w.n--
	}
	w.ends[w.n] = [2]int{i, i}
	w.n++
}

func capital(c byte) bool { return c >= 'A' && c <= 'Z' }
func small(c byte) bool   { return c >= 'a' && c <= 'z' }
func letter(c byte) bool  { return capital(c) || small(c) }
func digit(c byte) bool   { return c >= '0' && c <= '9' }
