package session

// names turns the bytes of methods and session ids, which come again and again,
// into strings without making a new one each time. It starts over when it holds
// maxNames, so that a peer that makes up names costs time, not memory.
type names map[string]string

const (
	maxNames = 512
	maxName  = 1 << 10 // how much of a method or session id is kept, in bytes
)

func (n *names) name(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	b = b[:min(len(b), maxName)]
	if s, ok := (*n)[string(b)]; ok {
		return s
	}
	if *n == nil || len(*n) >= maxNames {
		*n = names{}
	}
	s := string(b)
	(*n)[s] = s
	return s
}
