package acp_test

import (
	"bytes"
	"strings"
	"testing"

	"bobproxy/acp"
)

func TestIDKeyOrdinary(t *testing.T) {
	for raw, want := range map[string]bool{
		`0`: true, `1`: true, `-1`: true, `10`: true, `999999999999999999`: true, `9007199254740993`: true,
		`9223372036854775807`: true, `-9223372036854775808`: true,
		`9223372036854775808`: false, `-9223372036854775809`: false, `9999999999999999999`: false, `10000000000000000000`: false,
		`-0`: false, `1.0`: false, `1e0`: false, `1E0`: false, `1.5`: false, `1e400`: false,
		`true`: false, `false`: false, `null`: false, `{}`: false, `[]`: false, `[1]`: false,
		`""`: true, `"1"`: true, `"a\u0000"`: true, `"` + strings.Repeat("x", 1000) + `"`: true,
		``: false,
	} {
		if _, got := acp.IDKey(nil, []byte(raw)); got != want {
			t.Errorf("%.40q: ordinary %v, want %v", raw, got, want)
		}
	}
}

// TestIDKeyEquality lists ids in groups: two are the same id exactly when they
// stand in one group.
func TestIDKeyEquality(t *testing.T) {
	long := strings.Repeat("x", 300)
	longer := strings.Repeat("1", 300)
	groups := [][]string{
		{`1`}, {`"1"`, `"\u0031"`}, {`1.0`}, {`1e0`}, {`true`}, {`"true"`}, {`null`}, {`"null"`}, {`-1`}, {`-0`}, {`0`}, {`""`},
		{`9007199254740993`}, {`9007199254740992`}, {`9223372036854775808`}, {`9223372036854775809`},
		{`"a/b"`, `"a\/b"`, `"\u0061\u002fb"`, `"\u0061/\u0062"`},
		{`"` + "\u00e9" + `"`, `"\u00e9"`, `"\u00E9"`}, {`"e` + "\u0301" + `"`},
		{`"` + "\U0001f600" + `"`, `"\ud83d\ude00"`},
		{`"` + long + `"`, `"\u0078` + long[1:] + `"`}, {`"` + long + `y"`},
		{`"` + strings.Repeat("z", 256) + `"`, `"` + strings.Repeat(`\u007a`, 256) + `"`},
		{`"` + longer + `"`}, {longer}, {`[1]`}, {`[ 1]`}, {`{"a":1}`}, {`"i1"`}, {`"s1"`},
	}
	seen := map[string]int{}
	for i, group := range groups {
		for _, raw := range group {
			key, _ := acp.IDKey([]byte("prefix"), []byte(raw))
			rest, ok := bytes.CutPrefix(key, []byte("prefix"))
			if !ok || len(rest) > 1+256 {
				t.Errorf("%.40q: got key %.40q of %d bytes", raw, rest, len(rest))
			}
			if j, ok := seen[string(rest)]; ok && j != i {
				t.Errorf("%.40q equals an id of group %d", raw, j)
			} else if !ok && raw != group[0] {
				t.Errorf("%.40q does not equal %.40q", raw, group[0])
			}
			seen[string(rest)] = i
		}
	}
}

func TestIDKeyLookupAllocatesNothing(t *testing.T) {
	pending := map[string]int{}
	var buf [300]byte
	for _, raw := range []string{`7`, `"a1b2"`, `"\u0061"`, `1.0`, `"` + strings.Repeat("x", 1000) + `"`} {
		raw := []byte(raw)
		key, _ := acp.IDKey(buf[:0], raw)
		pending[string(key)] = 1
		n := testing.AllocsPerRun(100, func() {
			key, _ := acp.IDKey(buf[:0], raw)
			if pending[string(key)] != 1 {
				t.Error("not found")
			}
		})
		if n != 0 {
			t.Errorf("%.20q: got %v allocations", raw, n)
		}
	}
}

func TestIDKeyAbsent(t *testing.T) {
	if key, ordinary := acp.IDKey(nil, nil); len(key) != 0 || ordinary {
		t.Errorf("got %q, %v", key, ordinary)
	}
}
