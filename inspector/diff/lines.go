package diff

import (
	"slices"
	"strings"
)

// Step is one line of a comparison.
type Step struct {
	Sign byte // ' ' as before, '-' gone, '+' new
	Line string
}

const (
	// Around is how many equal lines are shown before and behind a change.
	Around = 3
	// mostCells is the size of the table for comparing lines; beyond it all
	// between the first and the last change counts as changed.
	mostCells = 1 << 20
)

// Lines are the lines of a text, each with its line feed: that the last one has
// none is a difference, too.
func Lines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	return lines[:len(lines)-lastEmpty(lines)]
}

func lastEmpty(lines []string) int {
	if lines[len(lines)-1] == "" {
		return 1
	}
	return 0
}

// Compare tells how before becomes after, with as few changed lines as there
// can be.
func Compare(before, after []string) (steps []Step) {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	for _, line := range before[:head] {
		steps = append(steps, Step{' ', line})
	}
	steps = append(steps, between(before[head:len(before)-tail], after[head:len(after)-tail])...)
	for _, line := range before[len(before)-tail:] {
		steps = append(steps, Step{' ', line})
	}
	return steps
}

// between compares by the longest sequence of lines that both have.
func between(before, after []string) (steps []Step) {
	if len(before) == 0 || len(after) == 0 || len(before)+1 > mostCells/(len(after)+1) {
		for _, line := range before {
			steps = append(steps, Step{'-', line})
		}
		for _, line := range after {
			steps = append(steps, Step{'+', line})
		}
		return steps
	}
	common := commonLengths(before, after)
	i, j, width := 0, 0, len(after)+1
	for i < len(before) || j < len(after) {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			steps = append(steps, Step{' ', before[i]})
			i, j = i+1, j+1
		case j == len(after), i < len(before) && common[(i+1)*width+j] >= common[i*width+j+1]:
			steps = append(steps, Step{'-', before[i]})
			i++
		default:
			steps = append(steps, Step{'+', after[j]})
			j++
		}
	}
	return steps
}

// commonLengths has, for each pair of places, how many pieces what follows there
// has in common.
func commonLengths(before, after []string) []int32 {
	width := len(after) + 1
	table := make([]int32, (len(before)+1)*width)
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i] == after[j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	return table
}

// Near says that there is a change within [Around] lines of step i.
func Near(steps []Step, i int) bool {
	near := steps[max(0, i-Around):min(len(steps), i+Around+1)]
	return slices.ContainsFunc(near, func(s Step) bool { return s.Sign != ' ' })
}
