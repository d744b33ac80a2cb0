package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// aliases are flags that say the same as another one, which is in the help.
var aliases = map[string][]string{"log": {"filter", "follow", "last"}}

// Every flag that a command takes is in its help, and is completed.
func TestFlagsAreInHelpAndCompletion(t *testing.T) {
	c, err := newCompleting(newSettings(func(string) (string, bool) { return "", false }))
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for command, flags := range definedFlags(t) {
		i := slices.IndexFunc(c.verbs, func(v completed) bool { return v.name == command })
		if i < 0 {
			continue
		}
		commands++
		page, _, _ := tell(t, command, "--help")
		for _, name := range flags {
			dashed := "--" + name
			if len(name) == 1 {
				dashed = "-" + name
			}
			known := slices.ContainsFunc(c.verbs[i].flags, func(o option) bool { return o.name == dashed || o.name == "-"+name })
			if slices.Contains(aliases[command], name) {
				continue
			}
			if !known {
				t.Errorf("%s %s is not completed", command, dashed)
			}
			if !strings.Contains(page, dashed) {
				t.Errorf("%s %s is not in its help", command, dashed)
			}
		}
	}
	if commands < 8 {
		t.Errorf("flags were found of %d commands only", commands)
	}
}

// definedFlags are the names of flags in the source, by command: those that a
// function defines which makes the set of the flags of that command.
func definedFlags(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := map[string][]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		p, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(p, func(n ast.Node) bool {
			f, ok := n.(*ast.FuncDecl)
			if !ok {
				return true
			}
			var command string
			var names []string
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if of, name := called(n); of == "flag.NewFlagSet" {
						command = name
					} else if strings.HasPrefix(of, "flags.") && of != "flags.Lookup" && name != "" && !strings.Contains(name, " ") {
						names = append(names, name)
					}
				case *ast.RangeStmt:
					if list, ok := n.X.(*ast.CompositeLit); ok {
						names = append(names, literals(list.Elts)...)
					}
				}
				return true
			})
			if command != "" {
				all[command] = append(all[command], names...)
			}
			return false
		})
	}
	all["export"] = append(all["export"], formats...)
	return all
}

// called is the function or method that is called, and the first of its arguments
// that is a string.
func called(c *ast.CallExpr) (of, name string) {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	if x, ok := s.X.(*ast.Ident); ok {
		of = x.Name + "." + s.Sel.Name
	}
	if found := literals(c.Args); len(found) > 0 {
		name = found[0]
	}
	return of, name
}

func literals(all []ast.Expr) (words []string) {
	for _, e := range all {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if word, err := strconv.Unquote(l.Value); err == nil {
				words = append(words, word)
			}
		}
	}
	return words
}

// The help of the filter has all words of is:.
func TestFilterHelpHasAllWords(t *testing.T) {
	for _, word := range strings.Fields("slow error open chunk added flagged refused withheld swallowed bad") {
		if !strings.Contains(filterHelp, " "+word) {
			t.Errorf("is:%s is not in it", word)
		}
	}
}
