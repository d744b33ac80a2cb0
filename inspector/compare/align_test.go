package compare

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func list(random *rand.Rand, n, kinds int) (items []*item) {
	for range n {
		items = append(items, &item{kind: "request", of: fmt.Sprint(random.IntN(kinds)), name: fmt.Sprint(random.IntN(3))})
	}
	return items
}

// TestAlign checks that each item is there once and in order, and that only what
// is of one kind is held against each other.
func TestAlign(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		a, b := list(random, random.IntN(30), 4), list(random, random.IntN(30), 4)
		i, j := 0, 0
		for _, p := range align(a, b, 0) {
			if p.a != nil {
				if p.a != a[i] {
					t.Fatal("an item of the first is missing, or twice")
				}
				i++
			}
			if p.b != nil {
				if p.b != b[j] {
					t.Fatal("an item of the second is missing, or twice")
				}
				j++
			}
			if p.a != nil && p.b != nil && p.a.of != p.b.of {
				t.Fatalf("%v is held against %v", p.a, p.b)
			}
		}
		if i != len(a) || j != len(b) {
			t.Fatalf("got %d of %d and %d of %d", i, len(a), j, len(b))
		}
	}
}

// TestLongest holds the alignment against a search through all.
func TestLongest(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var search func(a, b []int) int
	search = func(a, b []int) int {
		switch {
		case len(a) == 0 || len(b) == 0:
			return 0
		case a[0] == b[0]:
			return 1 + search(a[1:], b[1:])
		}
		return max(search(a[1:], b), search(a, b[1:]))
	}
	keys := func() (all []int) {
		for range random.IntN(9) {
			all = append(all, random.IntN(3))
		}
		return all
	}
	for range 500 {
		a, b := keys(), keys()
		pairs := matches(a, b)
		for i, p := range pairs {
			if a[p[0]] != b[p[1]] || i > 0 && (p[0] <= pairs[i-1][0] || p[1] <= pairs[i-1][1]) {
				t.Fatalf("%v %v: got %v", a, b, pairs)
			}
		}
		if want := search(a, b); len(pairs) != want {
			t.Fatalf("%v %v: got %v, want %d", a, b, pairs, want)
		}
	}
}

// TestLongLists are beyond what is aligned as well as possible: one is the other
// without its every hundredth item.
func TestLongLists(t *testing.T) {
	var a, b []int
	for i := range 3 * MaxAligned {
		a = append(a, i)
		if i%100 != 50 {
			b = append(b, i)
		}
	}
	if pairs := matches(a, b); len(pairs) != len(b) {
		t.Errorf("got %d pairs, want %d", len(pairs), len(b))
	}
	// Nothing in common costs no more than to look nearby.
	for i := range b {
		b[i] += len(a)
	}
	if pairs := matches(a, b); len(pairs) != 0 {
		t.Errorf("got %d pairs, want none", len(pairs))
	}
}

func TestRoots(t *testing.T) {
	roots := rootsOf([]byte(`{"cwd":"/w/","additionalDirectories":["/w/deep","/other"]}`))
	for _, test := range []struct{ text, want string }{
		{"/w/a.go", "./a.go"},
		{"Edit /w/deep/a.go and /other", "Edit (dir 2)/a.go and (dir 3)"},
		{"file:///w/a.go", "file://./a.go"},
		{"/ww /x/w /w-1 /w.", "/ww /x/w /w-1 .."},
		{"/home/w/a", "/home/w/a"},
		{"", ""},
	} {
		if got := mapped(roots, test.text); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
	if got := rootsOf([]byte(`{"cwd":"/"}`)); len(got) != 0 {
		t.Errorf("the root of all: got %v", got)
	}
}
