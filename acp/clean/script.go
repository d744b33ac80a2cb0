package clean

import (
	"cmp"
	"slices"
	"sync"
	"unicode"
)

// script is the name of the script that r is written in, empty if several share
// it.
func script(r rune) string {
	ranges := scripts()
	i, found := slices.BinarySearchFunc(ranges, r, func(s scriptRange, r rune) int {
		if s.lo <= r && r <= s.hi {
			return 0
		}
		return cmp.Compare(s.lo, r)
	})
	if !found {
		return ""
	}
	return ranges[i].name
}

type scriptRange struct {
	lo, hi rune
	name   string
}

// scripts are the scripts of Unicode as ranges in order, since asking each of its
// 160 tables would take too long for a long text.
var scripts = sync.OnceValue(func() (all []scriptRange) {
	for name, table := range unicode.Scripts {
		if name == "Common" || name == "Inherited" {
			continue
		}
		for _, r := range table.R16 {
			all = appendRange(all, name, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range table.R32 {
			all = appendRange(all, name, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	slices.SortFunc(all, func(a, b scriptRange) int { return cmp.Compare(a.lo, b.lo) })
	return all
})

func appendRange(all []scriptRange, name string, lo, hi, stride rune) []scriptRange {
	if stride == 1 {
		return append(all, scriptRange{lo, hi, name})
	}
	for ; lo <= hi; lo += stride {
		all = append(all, scriptRange{lo, lo, name})
	}
	return all
}
