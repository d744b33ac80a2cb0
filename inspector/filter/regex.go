package filter

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// Bounds of a regular expression. It is RE2, whose time is linear in the line
// and in these.
const (
	maxRegex   = 512  // bytes
	maxProgram = 2000 // instructions
)

// regex compiles a pattern; why says what is wrong with it.
func regex(pattern string, fold bool) (v value, why string) {
	if len(pattern) > maxRegex {
		return value{}, "expected a shorter regular expression"
	}
	flags := syntax.Perl
	source := pattern
	if fold {
		flags |= syntax.FoldCase
		source = "(?i)" + pattern
	}
	tree, err := syntax.Parse(pattern, flags)
	if err != nil {
		return value{}, "expected a regular expression: " + reason(err)
	}
	tree = tree.Simplify()
	program, err := syntax.Compile(tree)
	if err != nil || len(program.Inst) > maxProgram {
		return value{}, "expected a smaller regular expression"
	}
	compiled, err := regexp.Compile(source)
	if err != nil {
		return value{}, "expected a regular expression: " + reason(err)
	}
	v = value{text: pattern, fold: fold, regex: compiled}
	for _, s := range required(tree) {
		v.need = append(v.need, newNeedle(s))
	}
	return v, ""
}

func reason(err error) string {
	if e, ok := err.(*syntax.Error); ok {
		return e.Code.String()
	}
	return err.Error()
}

// required gives texts, all ASCII and in whatever case, of which each match has
// one in it; none when that is not known. To look for them first is much
// faster than the expression itself.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if s := plainest(re.Rune, re.Flags&syntax.FoldCase != 0); s != "" {
			return []string{s}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		return best(re.Sub)
	case syntax.OpAlternate:
		return union(re.Sub)
	}
	return nil
}

// best is what the most telling one of subs requires.
func best(subs []*syntax.Regexp) (found []string) {
	shortest := func(s []string) int {
		n := 0
		for i, each := range s {
			if i == 0 || len(each) < n {
				n = len(each)
			}
		}
		return n
	}
	for _, sub := range subs {
		if s := required(sub); shortest(s) > shortest(found) {
			found = s
		}
	}
	return found
}

const maxRequired = 16

// union is what all of subs require, each for itself.
func union(subs []*syntax.Regexp) (found []string) {
	for _, sub := range subs {
		s := required(sub)
		if s == nil || len(found)+len(s) > maxRequired {
			return nil
		}
		found = append(found, s...)
	}
	return found
}

// plainest is the longest piece of a literal that a needle finds wherever the
// expression does. Those that ignore case take K and ſ for k and s, too.
func plainest(literal []rune, fold bool) string {
	longest := ""
	pieces := strings.FieldsFunc(string(literal), func(r rune) bool {
		return r >= 0x80 || fold && slices.Contains([]rune("kKsS"), r)
	})
	for _, s := range pieces {
		if len(s) > len(longest) {
			longest = s
		}
	}
	return longest
}
