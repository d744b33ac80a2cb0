package compare

// MaxAligned is how many items of one list are aligned as well as possible.
const MaxAligned = 5000

// nearby is how far ahead a greedy alignment looks.
const nearby = 200

// pair is two items that are held against each other; one of them is nil where an
// item has no counterpart.
type pair struct{ a, b *item }

// align pairs two lists, in order: what is alike by the key of a level, and in
// between by that of the next.
func align(a, b []*item, level int) (pairs []pair) {
	if len(a) == 0 || len(b) == 0 || level == levels {
		for _, t := range a {
			pairs = append(pairs, pair{t, nil})
		}
		for _, t := range b {
			pairs = append(pairs, pair{nil, t})
		}
		return pairs
	}
	i, j := 0, 0
	for _, m := range matches(numbered(a, b, level)) {
		pairs = append(pairs, align(a[i:m[0]], b[j:m[1]], level+1)...)
		pairs = append(pairs, pair{a[m[0]], b[m[1]]})
		i, j = m[0]+1, m[1]+1
	}
	return append(pairs, align(a[i:], b[j:], level+1)...)
}

// numbered gives keys as numbers.
func numbered(a, b []*item, level int) (x, y []int) {
	numbers := map[string]int{}
	number := func(items []*item) []int {
		keys := make([]int, len(items))
		for i, t := range items {
			key := t.key(level)
			if _, ok := numbers[key]; !ok {
				numbers[key] = len(numbers)
			}
			keys[i] = numbers[key]
		}
		return keys
	}
	return number(a), number(b)
}

// matches are the places of keys that are held against each other, in order.
func matches(a, b []int) (pairs [][2]int) {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		pairs = append(pairs, [2]int{head, head})
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	between := longest
	if len(a)-head-tail > MaxAligned || len(b)-head-tail > MaxAligned {
		between = greedy
	}
	for _, m := range between(a[head:len(a)-tail], b[head:len(b)-tail]) {
		pairs = append(pairs, [2]int{m[0] + head, m[1] + head})
	}
	for ; tail > 0; tail-- {
		pairs = append(pairs, [2]int{len(a) - tail, len(b) - tail})
	}
	return pairs
}

// longest is the longest sequence of keys that both have. Lengths fit 16 bits,
// since there are at most MaxAligned.
func longest(a, b []int) (pairs [][2]int) {
	width := len(b) + 1
	table := make([]uint16, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case table[(i+1)*width+j] >= table[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// greedy takes for each key the next one like it that is nearby.
func greedy(a, b []int) (pairs [][2]int) {
	j := 0
	for i := range a {
		for k := j; k < min(len(b), j+nearby); k++ {
			if a[i] == b[k] {
				pairs = append(pairs, [2]int{i, k})
				j = k + 1
				break
			}
		}
	}
	return pairs
}
