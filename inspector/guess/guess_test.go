package guess

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kind", "kind", 0}, {"knid", "kind", 2}, {"kin", "kind", 1}, {"method", "metod", 1}, {"abc", "xyz", 3}} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"bounds", "record", "record-dir"}
	for word, want := range map[string]string{"Bonds": "bounds", "recrod": "record", "record_dir": "record-dir", "theme": ""} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
