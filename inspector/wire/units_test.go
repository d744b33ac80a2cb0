package wire

import "testing"

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0B", 861: "861B", 999: "999B", 1000: "1.0K", 1023: "1.0K", 1638: "1.6K", 10180: "9.9K", 10200: "10K",
		24 << 10: "24K", 999 << 10: "999K", 1000 << 10: "1.0M", 1153434: "1.1M", 5 << 30: "5.0G", 1 << 62: "999P", -1: "-1B",
	} {
		if got := size(n); got != want {
			t.Errorf("%d bytes: got %s, want %s", n, got, want)
		}
	}
}
