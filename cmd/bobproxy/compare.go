package main

import "slices"

// lineStep is one line of a comparison: as before (' '), gone ('-') or new ('+').
type lineStep struct {
	sign byte
	line string
}

const (
	around    = 3       // equal lines shown before and behind a change
	mostCells = 1 << 20 // of the table for comparing; beyond it all between the first and the last change counts as changed
)

// compare tells how before becomes after, with as few changed lines as there
// can be.
func compare(before, after []string) (steps []lineStep) {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	for _, line := range before[:head] {
		steps = append(steps, lineStep{' ', line})
	}
	steps = append(steps, between(before[head:len(before)-tail], after[head:len(after)-tail])...)
	for _, line := range before[len(before)-tail:] {
		steps = append(steps, lineStep{' ', line})
	}
	return steps
}

// between compares by the longest sequence of lines that both have.
func between(before, after []string) (steps []lineStep) {
	if len(before) == 0 || len(after) == 0 || len(before)+1 > mostCells/(len(after)+1) {
		for _, line := range before {
			steps = append(steps, lineStep{'-', line})
		}
		for _, line := range after {
			steps = append(steps, lineStep{'+', line})
		}
		return steps
	}
	common := commonLengths(before, after)
	i, j, width := 0, 0, len(after)+1
	for i < len(before) || j < len(after) {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			steps = append(steps, lineStep{' ', before[i]})
			i, j = i+1, j+1
		case j == len(after), i < len(before) && common[(i+1)*width+j] >= common[i*width+j+1]:
			steps = append(steps, lineStep{'-', before[i]})
			i++
		default:
			steps = append(steps, lineStep{'+', after[j]})
			j++
		}
	}
	return steps
}

// commonLengths has, for each pair of places, how many lines what follows there
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

// nearChange says that there is a change within a few lines of step i.
func nearChange(steps []lineStep, i int) bool {
	near := steps[max(0, i-around):min(len(steps), i+around+1)]
	return slices.ContainsFunc(near, func(s lineStep) bool { return s.sign != ' ' })
}
