package journal

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Values that begin alike are found like any others: what find gives is what
// comparing every spelling at every place would.
func TestValuesThatBeginAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abc1"[random.IntN(4)%(1+random.IntN(4))]
		}
		return string(b)
	}
	for range 300 {
		var s secrets
		var all []string
		base := text(200)
		for range 20 {
			value := base[:8+random.IntN(150)] + text(random.IntN(5))
			if s.remember(value) {
				all = append(all, spellings(value)...)
			}
		}
		if len(all) == 0 {
			continue
		}
		in := text(random.IntN(50)) + base[:random.IntN(200)] + text(20) + base[:random.IntN(200)] + text(5)
		for from := 0; from < len(in); from += 1 + random.IntN(30) {
			start, end := s.find([]byte(in), from)
			wantStart, wantEnd := compareAll(all, in, from)
			if start != wantStart || end != wantEnd {
				t.Fatalf("find in %q from %d gives %d to %d, want %d to %d; known: %q", in, from, start, end, wantStart, wantEnd, all)
			}
		}
	}
}

func compareAll(all []string, in string, from int) (start, end int) {
	for at := from; at < len(in); at++ {
		n := 0
		for _, spelling := range all {
			same := common([]byte(in[at:]), spelling)
			if same == len(spelling) || same >= keyLen {
				n = max(n, same)
			}
		}
		if n > 0 {
			return at, at + n
		}
	}
	return -1, -1
}

// What an agent teaches us cannot make the search for it slow.
func BenchmarkScrubAlike(b *testing.B) {
	var s secrets
	for i := range secretMax {
		s.remember(strings.Repeat("abc1", 2000)[:secretLen-10] + fmt.Sprint(i))
	}
	text := []byte(strings.Repeat("abc1", 1<<18))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.scrub(nil, text)
	}
}
