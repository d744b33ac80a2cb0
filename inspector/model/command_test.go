package model

import (
	"slices"
	"strings"
	"testing"
)

func TestWithin(t *testing.T) {
	long := "echo " + strings.Repeat("x", maxLine)
	tests := []struct {
		text, part string
		want       bool
	}{
		{"ls -la", "ls -la", true},
		{"Run ls -la now", "ls -la", true},
		{"{\"command\":\"ls\"}", "ls", true},
		{"Check false alarms", "ls", false},
		{"lsof, then ls", "ls", true},
		{"ls2", "ls", false},
		{"\u00e9ls", "ls", false},
		{"", "ls", false},
		{"ls", "", false},
		{long + "y", long + "z", true},
		{"echo " + long, long, true},
		{"echo", long, false},
	}
	for _, test := range tests {
		if got := within(test.text, test.part); got != test.want {
			t.Errorf("%.20q in %.20q: got %v, want %v", test.part, test.text, got, test.want)
		}
	}
}

func TestSpellings(t *testing.T) {
	tests := []struct {
		name  string
		words []string
		want  []string
	}{
		{"a command", []string{"go", "test"}, []string{"go test", "go test"}},
		{"a program with its folder", []string{"/ws/verify", "-v"}, []string{"/ws/verify -v", "verify -v"}},
		{"a shell", []string{"/bin/bash", "-lc", "ls | wc"}, []string{"/bin/bash -lc ls | wc", "bash -lc ls | wc", "ls | wc"}},
		{"a shell of the agent's own", []string{"/ws/bin/sh", "-c", "ls"}, []string{"/ws/bin/sh -c ls", "sh -c ls"}},
		{"a shell that runs something else", []string{"sh", "-c", "rm -r x", "ls"}, []string{"sh -c rm -r x ls", "sh -c rm -r x ls"}},
		{"nothing", []string{""}, nil},
	}
	for _, test := range tests {
		if got := spellings(test.words); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
