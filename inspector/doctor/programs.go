package doctor

import (
	"fmt"
	"slices"
	"strings"

	"bobproxy/inspector/setup"
)

func itself(f *findings, v View) {
	switch {
	case v.Passing != "":
		f.add(Warning, "bobproxy", v.Version+"; "+v.Passing, "install it in a folder that stays, such as ~/.local/bin")
	case v.InPath != "" && v.InPath != v.Self:
		f.add(Warning, "bobproxy", fmt.Sprintf("this is %s, but a shell starts %s", v.Self, v.InPath), "remove one of them, or change PATH")
	default:
		f.add(OK, "bobproxy", v.Version+", "+v.Self, "")
	}
}

func agent(f *findings, v View) {
	b := v.Bob
	switch {
	case b.Path == "" && v.BobSet != "":
		f.add(Problem, "agent", fmt.Sprintf("%s, from %s, cannot be run", b.Name, v.BobSet), "set it to bob's whole path, or leave it out")
	case b.Path == "" && startsBob(v):
		f.add(Warning, "agent", b.Name+" is not found in PATH", "install Bob, or set BOB_PATH to its whole path")
	case b.Path == "":
		f.add(Info, "agent", b.Name+" is not found in PATH; any other agent works as well", "bobproxy setup zed -- goose acp")
	case b.Interpreter != "" && !b.Runs:
		f.add(Problem, "agent", fmt.Sprintf("%s is a script for %s, which is not found in PATH", b.Path, b.Interpreter), "install "+b.Interpreter)
	default:
		f.add(OK, "agent", b.Path, "")
		outsideShells(f, v)
	}
}

// outsideShells is about an editor that is started from a menu, whose PATH has
// nothing that a shell's start-up file adds.
func outsideShells(f *findings, v View) {
	b := v.Bob
	if v.GUIFrom == "" {
		return
	}
	var missing []string
	if v.BobSet == "" && !b.InGUI {
		missing = append(missing, b.Name)
	}
	if b.Interpreter != "" && !b.RunsInGUI {
		missing = append(missing, b.Interpreter)
	}
	if len(missing) > 0 {
		f.add(Info, "agent", fmt.Sprintf("an editor that is started from a menu does not find %s (PATH by %s)", strings.Join(missing, " and "), v.GUIFrom),
			"use the lines of bobproxy setup, which have whole paths")
	}
}

// startsBob says whether an editor starts bob through bobproxy.
func startsBob(v View) bool {
	for _, e := range v.Editors {
		entries, err := e.Editor.Entries(e.Text)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			if len(entry.Command) > 0 && setup.Throughs(entry.Command[0]) && !slices.Contains(entry.Command, "--") {
				return true
			}
		}
	}
	return false
}
