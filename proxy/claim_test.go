package proxy

import (
	"strings"
	"testing"

	"bobproxy/proxy/control"
)

// Whatever a request shows, its diffs are few, in their order, and have either
// two sides or a reason.
func FuzzClaims(f *testing.F) {
	f.Add([]byte(`[{"type":"diff","path":"/a","oldText":null,"newText":"x"},{"type":"content"}]`), false)
	f.Add([]byte(`[{"type":"diff","path":"/a","path":"/b"},{"type":"diff","path":"/a","oldText":"`), true)
	f.Add([]byte(`[{"type":"diff","path":"\ud800","oldText":"\ud800","newText":""}]`), false)
	f.Add([]byte(strings.Repeat("[", 20000)), true)
	f.Add([]byte(`["oldText"`), true)
	f.Fuzz(func(t *testing.T, content []byte, clipped bool) {
		all := claimsOf(content, clipped)
		if len(all) > maxClaims+1 {
			t.Fatalf("%d claims", len(all))
		}
		last := -1
		for i, c := range all {
			switch {
			case c.entry == -1 && (i != len(all)-1 || c.why == ""):
				t.Errorf("claim %d of %d is what comes behind: %+v", i, len(all), c)
			case c.entry >= 0 && c.entry <= last:
				t.Errorf("entry %d behind %d", c.entry, last)
			case c.why != "" && c.path+c.old != "":
				t.Errorf("there is a reason not to compare %+v", c)
			}
			last = c.entry
		}
	})
}

// A diff that is not compared is told of, however it was written, so that nobody
// takes the others for all.
func TestNoClaimIsLost(t *testing.T) {
	const plain, escaped = `{"type":"diff","path":"/a","oldText":"x","newText":"y"}`, `{"type":"\u0064iff","path":"/b","oldTe\u0078t":"x","newText":"\ud800"}`
	tests := []struct {
		name    string
		content string
		clipped bool
		last    int
		why     string
	}{
		{"all are here", "[" + plain + "]", false, 0, ""},
		{"malformed, in other letters", "[" + plain + "," + escaped + "]", false, 1, "the diff is malformed"},
		{"cut in other letters", "[" + plain + "," + escaped[:40], true, -1, "the request is too long"},
		{"cut before what may be one", "[" + plain + `,{"type":"content","content":{"type":"text","text":"aaa`, true, -1, "the request is too long"},
		{"cut behind the last one", "[" + plain, true, -1, "the request is too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := claimsOf([]byte(tt.content), tt.clipped)
			if len(all) == 0 || all[len(all)-1].entry != tt.last || all[len(all)-1].why != tt.why {
				t.Errorf("got %+v, want entry %d last: %q", all, tt.last, tt.why)
			}
		})
	}
}

// What is there as it was told is found, and what differs in more than line ends
// is not.
func FuzzSides(f *testing.F) {
	f.Add("one\r\ntwo\r\n", "one\ntwo")
	f.Add("a\n", "a\n\n")
	f.Add("", "\n")
	f.Add("\r\n\r", "\r")
	f.Fuzz(func(t *testing.T, have, old string) {
		if old == "" {
			return
		}
		state, times, text := sides(have, old)
		bare := strings.NewReplacer("\r", "", "\n", "")
		switch {
		case state == control.Same && text == "" && have != old,
			state == control.Part && text == "" && strings.Count(have, old) != times,
			state == control.Same && bare.Replace(have) != bare.Replace(old),
			state == control.Part && !strings.Contains(bare.Replace(have), bare.Replace(old)),
			state == control.Differs && strings.Contains(have, old),
			(state == control.Part) != (times > 0):
			t.Errorf("sides(%q, %q) = %v, %d, %q", have, old, state, times, text)
		}
	})
}
