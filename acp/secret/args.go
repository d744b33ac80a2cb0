package secret

import "strings"

// Args goes through a list of arguments, one after the other. The zero value is
// at its beginning.
type Args struct {
	want  want
	shell bool // the arguments are words of a command line
	depth int  // of command lines within arguments
}

// want says what the next argument is to be.
type want uint8

const (
	nothing want = iota
	value        // of a flag that means a secret
	header       // Name: value
	command      // a command line
)

// Next gives the secrets in the argument that comes next, in order.
func (a *Args) Next(arg string) []Span {
	wanted := a.want
	a.want = nothing
	if wanted == value && !isFlag(arg) {
		return a.whole(arg, 0)
	}
	return union(a.one(arg, wanted), Addresses(arg))
}

func (a *Args) one(arg string, wanted want) []Span {
	switch {
	case wanted == header && !isFlag(arg):
		if found := a.header(arg, 0); found != nil {
			return found
		}
	case isFlag(arg):
		return a.flag(arg)
	case wanted == command:
		return a.text(arg)
	}
	return a.item(arg, 0)
}

// isFlag says that arg is one. What begins with a single dash and looks like a
// generated key is not.
func isFlag(arg string) bool {
	if len(arg) < 2 || arg[0] != '-' || strings.ContainsAny(arg[:min(len(arg), longName)], " \t\n") && !strings.Contains(arg, "=") && arg[1] != 'H' {
		return false
	}
	name, _, _ := strings.Cut(arg, "=")
	return arg[1] == '-' || len(name) < 16 || !generated(name)
}

// flag looks into one, --name=value or -name, and takes note of what it asks
// for.
func (a *Args) flag(arg string) []Span {
	name, content, assigned := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	at := len(arg) - len(content)
	switch {
	case arg[1] == 'H' && len(arg) > 2 && strings.Contains(arg, ":"):
		return a.header(arg[2:], 2)
	case name == "H" || strings.HasSuffix(strings.ToLower(name), "header") || strings.HasSuffix(strings.ToLower(name), "headers"):
		if !assigned {
			a.want = header
		} else if found := a.header(content, at); found != nil {
			return found
		}
	case Name(name) || strings.HasPrefix(arg, "-D") && Name(name[1:]):
		if assigned {
			return a.whole(content, at)
		}
		a.want = value
	case strings.HasSuffix(name, "c") && len(name) <= 3, name == "command":
		a.want = command
	}
	if !assigned {
		return nil
	}
	return a.item(content, at)
}

// whole is an argument, or the end of one from at, that is a secret if it is one
// at all.
func (a *Args) whole(content string, at int) []Span {
	if a.shell {
		content = strings.TrimRight(content, ")")
	}
	if content == "" || !literal(content, a.shell) {
		return nil
	}
	return []Span{{at, at + len(content)}}
}

func (a *Args) header(text string, at int) []Span {
	name, content, ok := strings.Cut(text, ":")
	if !ok || !Name(strings.TrimSpace(name)) {
		return nil
	}
	blanks := len(content) - len(strings.TrimLeft(content, " \t"))
	return a.whole(content[blanks:], at+len(name)+1+blanks)
}

// item is an argument that stands for itself: NAME=value, a command line, or
// what has quoted members.
func (a *Args) item(text string, at int) []Span {
	if name, content, ok := strings.Cut(text, "="); ok && identifier(name) {
		if Name(name) && name != "key" {
			return a.whole(content, at+len(name)+1)
		}
	}
	if !strings.ContainsAny(text, " \t\n\"'") {
		return nil
	}
	return shifted(a.text(text), at)
}

// text is an argument that may be a command line, or have quoted members.
func (a *Args) text(text string) []Span {
	found := Text(text)
	if a.depth < deepest {
		found = union(found, line(text, a.depth+1))
	}
	return found
}

// identifier says that name could be a variable's, or a path of members.
func identifier(name string) bool {
	for i := range len(name) {
		if c := name[i]; !letter(c) && !digit(c) && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return name != "" && !digit(name[0])
}
