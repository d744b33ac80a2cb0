package editor

import "strings"

// maxCells bounds the work of one diff; beyond it everything between the common
// ends counts as changed.
const maxCells = 1 << 20

// gap stands for lines that stay, between lines that do not.
const gap = "⋯"

// diff lists the lines that differ between two texts: those that go are marked
// with a minus, those that come with a plus.
func diff(before, after string) []string {
	a, b := cleanLines(before), cleanLines(after)
	if before == "" {
		a = nil
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var out []string
	if len(a)*len(b) > maxCells {
		return append(marked(out, "- ", a), marked(nil, "+ ", b)...)
	}
	common := commonLengths(a, b)
	for len(a) > 0 || len(b) > 0 {
		i, j := len(common)-1-len(a), len(common[0])-1-len(b)
		switch {
		case len(a) > 0 && len(b) > 0 && a[0] == b[0]:
			if n := len(out); n > 0 && out[n-1] != gap {
				out = append(out, gap)
			}
			a, b = a[1:], b[1:]
		case len(a) > 0 && (len(b) == 0 || common[i+1][j] >= common[i][j+1]):
			out, a = append(out, mark("- ", a[0])), a[1:]
		default:
			out, b = append(out, mark("+ ", b[0])), b[1:]
		}
	}
	return out
}

// commonLengths tells for each pair of tails of a and b how many lines they can
// have in common.
func commonLengths(a, b []string) [][]int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

func marked(out []string, sign string, lines []string) []string {
	for _, line := range lines {
		out = append(out, mark(sign, line))
	}
	return out
}

func mark(sign, line string) string { return strings.TrimRight(sign+line, " ") }
